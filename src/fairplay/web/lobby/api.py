"""The API of the lobby: open tables, taking a seat at one, and pairing with people who wait."""

from collections import Counter
from time import monotonic, time
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from fairplay.core import AnyGame
from fairplay.web.games.listing import find_game
from fairplay.web.http.endpoints import Endpoint, Services, client_address, json_response
from fairplay.web.http.errors import RequestError
from fairplay.web.http.limits import TableLimiter
from fairplay.web.http.owner import OwnerAuth, SeatProof
from fairplay.web.matches.access import find_own_seat, find_running
from fairplay.web.matches.api import hand_over_seat, open_table
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.tables import PlayerName, SeatRequest, TableRequest

ARRIVAL = 20.0
"""Seconds within which the one who opened a table has to be there: nobody is paired with somebody who left."""


class LobbySeat(Struct, frozen=True):
    """A seat of a table in the lobby."""

    name: str
    open: bool  # anyone may take it
    person: bool


class LobbyTable(Struct, frozen=True):
    """A table with a seat for anyone."""

    id: str
    game: str
    variant: str
    seats: tuple[LobbySeat, ...]
    created: float  # seconds since 1970
    watchers: int


class Lobby(Struct, frozen=True):
    """Who waits for other players."""

    tables: tuple[LobbyTable, ...]  # the one that has waited longest first
    waiting: dict[str, int]  # people who wait, by game


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Who wants to join."""

    name: PlayerName = ""


class PairRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Who wants to play what, against anyone."""

    game: Annotated[str, Meta(max_length=40)]
    name: PlayerName = ""


class TableJoined(Struct, frozen=True):
    """Your seat, and its key; an empty key: you have the seat already."""

    id: str
    seat: int
    key: str


class Paired(Struct, frozen=True):
    """Where to go."""

    id: str


# -- what is there -----------------------------------------------------------------------------


def list_open_tables(services: Services) -> list[LiveMatch]:
    """The tables of this server that wait for anyone, the oldest first."""
    waiting = (match for match in services[MatchRegistry].running.values() if match.table.find_open_seat() is not None)
    return [match for match in waiting if match.table.is_attended or monotonic() < match.opened_at + ARRIVAL]


async def get_lobby(services: Services, request: Request) -> Lobby:
    """GET /api/lobby"""
    matches = list_open_tables(services)
    waiting = Counter(
        match.game.name for match in matches for person in match.table.people.values() if person.is_present
    )
    return Lobby(tuple(map(describe_table, matches)), dict(waiting))


def describe_table(match: LiveMatch) -> LobbyTable:
    """A table as the lobby shows it."""
    seats = tuple(LobbySeat(seat.name, seat.open, seat.person) for seat in match.definition.seats)
    created = time() - (monotonic() - match.opened_at)
    return LobbyTable(match.id, match.game.name, name_variant(match), seats, round(created, 1), match.feed.onlookers)


def name_variant(match: LiveMatch) -> str:
    """What is played at a table: a variant, or the quick game."""
    if match.game.quick is not None and match.setup == match.game.quick:
        return "quick"
    return str(getattr(match.setup, "variant", next(iter(match.game.variants))))


# -- joining -----------------------------------------------------------------------------------


async def join_table(services: Services, request: Request, body: JoinRequest) -> Response:
    """POST /api/lobby/{id}/join"""
    match = await find_running(services, request.path_params["id"])
    seat, admission = await take_open_seat(services, request, match, body.name)
    response = json_response(TableJoined(match.id, seat, admission.key))
    admission.keep(response, request, match.id)
    return response


async def take_open_seat(services: Services, request: Request, match: LiveMatch, name: str) -> tuple[int, SeatProof]:
    """The seat of a visitor at a table, and what proves it if the seat is new; raises FairplayError."""
    own = find_own_seat(request, match.id, match.definition)
    if own is not None:
        return own, SeatProof(match.definition.seats[own].account)
    if not services[OwnerAuth].is_owner(request) and not services[TableLimiter].allow(client_address(request)):
        raise RequestError(429, "You have joined many tables. Wait a moment before the next one.")
    seat = match.table.find_open_seat()
    if seat is None:
        raise RequestError(409, "All seats are taken. You can watch.")
    return seat, await hand_over_seat(services, request, match, seat, name)


async def find_partner(services: Services, request: Request, body: PairRequest) -> Response:
    """POST /api/lobby/pair"""
    game = find_game(body.game, 422)
    for match in list_open_tables(services):
        if match.definition.pair and match.game.name == game.name:
            _, admission = await take_open_seat(services, request, match, body.name)
            response = json_response(Paired(match.id))
            admission.keep(response, request, match.id)
            return response
    opened = await open_table(services, request, build_pair_table(game, body.name), pair=True)
    response = json_response(Paired(opened.match.id))
    opened.keep_secrets(response, request)
    return response


def build_pair_table(game: AnyGame, name: str) -> TableRequest:
    """A quick game for the fewest players."""
    others = (SeatRequest("anyone"),) * (game.seats[0] - 1)
    return TableRequest(game=game.name, seats=(SeatRequest("me", name=name), *others), quick=True)


ENDPOINTS = (
    Endpoint("GET", "/api/lobby", "List the tables that wait for anyone.", get_lobby, Lobby),
    Endpoint(
        "POST",
        "/api/lobby/{id}/join",
        "Take an open seat at a table.",
        join_table,
        TableJoined,
        JoinRequest,
        errors=(404, 409),
    ),
    Endpoint(
        "POST",
        "/api/lobby/pair",
        "Play a quick game with someone who waits for one, or wait for the next person.",
        find_partner,
        Paired,
        PairRequest,
        errors=(503,),
    ),
)
