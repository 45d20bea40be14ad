"""The API of matches: list, start, watch, replay, play."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from math import ceil
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from fairplay.store.web.tables import WebTable
from fairplay.web.context import Services
from fairplay.web.games import find_game
from fairplay.web.http.endpoints import Empty, Endpoint, attach_file, client_address, json_response
from fairplay.web.http.errors import BusyError, RequestError
from fairplay.web.matches.access import find_access, find_running, require_seat, set_seat_cookie
from fairplay.web.matches.live import ClickResult, LiveMatch
from fairplay.web.matches.registry import MatchSummary
from fairplay.web.matches.tables import TableDefinition, TableRequest, build_table
from fairplay.web.matches.timeline import Moment, Presence, Status, format_viewer
from fairplay.web.setups import choose_setup

__all__ = ["ENDPOINTS", "MatchInfo", "MatchQuery", "list_matches", "open_table"]

QUESTION_PATIENCE: Final = 2.0
"""Seconds that a click waits for the question that it answers."""

STORE_PATIENCE: Final = 20.0
"""Seconds that a person waits for a move to be kept."""


# -- schemas -----------------------------------------------------------------------------------


class MatchInfo(Struct, frozen=True):
    """A match in a list."""

    id: str
    game: str
    names: tuple[str, ...]
    status: Status
    moments: int
    created: float  # seconds since 1970
    winners: tuple[int, ...] = ()  # seats
    scores: tuple[int | None, ...] = ()


class MatchDetails(Struct, frozen=True):
    """A match and all that happened in it."""

    id: str
    game: str
    names: tuple[str, ...]
    me: int | None  # the seat whose key you sent
    viewers: tuple[str, ...]  # as whom you may look at it
    viewer: str  # as whom you look at it here
    turns: tuple[str, ...]  # in words, moment by moment
    presence: Presence
    proof: str  # what shows that it was played so, in words; empty before its end


class MatchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches to list."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    running: bool | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True, rename={"viewer": "as"}):
    """As whom to look at a match: `public`, the number of a seat, or `all`; by default your own seat."""

    viewer: Annotated[str, Meta(max_length=10, pattern="^(public|all|[0-9]{1,3})$")] | None = None


class TableCreated(Struct, frozen=True):
    """A new table and the secrets of its seats: your own key, and an invitation for each friend."""

    id: str
    keys: tuple[str, ...]  # by seat; empty for house players


class SeatKey(Struct, frozen=True, forbid_unknown_fields=True):
    """The key of a seat, or an invitation to one."""

    key: Annotated[str, Meta(min_length=1, max_length=64)]


class SeatTaken(Struct, frozen=True):
    """Your seat, and its key from now on."""

    seat: int
    key: str


class ClickRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """What was clicked at a moment, in order."""

    number: Annotated[int, Meta(ge=0, le=10_000_000)]
    clicks: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=50)]


# -- lists and tables --------------------------------------------------------------------------


async def list_matches(services: Services, request: Request, query: MatchQuery) -> list[MatchInfo]:
    """GET /api/matches: matches at tables, newest first."""
    read = services.store.tables.newest
    tables = await asyncio.to_thread(read, running=query.running, game=query.game, limit=query.limit)
    return [describe_match(services, table) for table in tables]


def describe_match(services: Services, table: WebTable) -> MatchInfo:
    """A match at a table, for a list."""
    live = services.registry.running.get(table.id)
    if live is not None:
        timeline = live.timeline
        return MatchInfo(table.id, table.game, timeline.names, live.status, timeline.last, table.created)
    if table.summary is None:
        names = tuple(seat.name for seat in msgspec.json.decode(table.definition, type=TableDefinition).seats)
        elsewhere = services.registry.is_played_elsewhere(table)
        return MatchInfo(table.id, table.game, names, "playing" if elsewhere else "cut off", 0, table.created)
    end = msgspec.json.decode(table.summary, type=MatchSummary)
    return MatchInfo(table.id, table.game, end.names, "over", end.moments, table.created, end.winners, end.scores)


async def open_table(services: Services, request: Request, wanted: TableRequest) -> tuple[LiveMatch, tuple[str, ...]]:
    """Open a table and start its match; returns it and the secrets of the seats; raises FairplayError."""
    game = find_game(wanted.game, 422)
    if sum(seat.who == "me" for seat in wanted.seats) > 1:
        raise RequestError(422, "You can take one seat only.")
    if wanted.seed is not None and any(seat.who != "house" for seat in wanted.seats):
        raise RequestError(422, "Where people play, nobody may choose the seed: it reveals everything that is hidden.")
    if game.clicks is None and any(seat.who != "house" for seat in wanted.seats):
        raise RequestError(422, f"{game.name} cannot be played by clicks; choose house players for all seats")
    definition, keys = build_table(game, await choose_setup(services.store, game, wanted), wanted)
    address = None if services.owner.is_owner(request) else client_address(request)
    if address is not None:
        check_budget(services, address)
    return await services.registry.open_table(game.name, definition, address), keys


def check_budget(services: Services, address: str) -> None:
    """Raises RequestError where somebody opens tables too often, or those that are open cost too much."""
    if seconds := services.house_pool.addresses.seconds_to_wait(address):
        wait = f"Wait {ceil(seconds)} seconds before you open another table."
        raise RequestError(429, f"The house players at your tables have used up their computing time. {wait}")
    if not services.table_limiter.allow(address):
        raise RequestError(429, "You have opened many tables. Wait a moment before the next one.")


# -- handlers ----------------------------------------------------------------------------------


async def post_match(services: Services, request: Request, body: TableRequest) -> Response:
    """POST /api/matches"""
    match, keys = await open_table(services, request, body)
    response = json_response(TableCreated(match.id, keys), 201)
    mine = [key for seat, key in zip(body.seats, keys, strict=True) if seat.who == "me"]
    if mine:
        set_seat_cookie(response, request, match.id, mine[0])
    return response


async def get_match(services: Services, request: Request, query: ViewQuery) -> MatchDetails:
    """GET /api/matches/{id}"""
    id = request.path_params["id"]
    access = await find_access(services, request, id)
    viewer, timeline = access.choose_viewer(query.viewer), access.timeline
    return MatchDetails(
        id=id,
        game=timeline.game.name,
        names=timeline.names,
        me=None if access.me is None else int(access.me),
        viewers=tuple(format_viewer(each) for each in access.viewers if access.may_view_as(each)),
        viewer=format_viewer(viewer),
        turns=tuple(timeline.describe_event(number, viewer) for number in range(timeline.last + 1)),
        presence=access.presence(),
        proof=timeline.proof,
    )


async def get_moment(services: Services, request: Request, query: ViewQuery) -> Response:
    """GET /api/matches/{id}/moments/{number}"""
    access = await find_access(services, request, request.path_params["id"])
    response = json_response(access.moment(request.path_params["number"], access.choose_viewer(query.viewer)))
    if access.live is None:
        response.headers["Cache-Control"] = "private, max-age=3600"
    return response


async def get_picture(services: Services, request: Request, query: ViewQuery) -> Response:
    """GET /api/matches/{id}/moments/{number}/picture.svg"""
    access = await find_access(services, request, request.path_params["id"])
    moment = access.moment(request.path_params["number"], access.choose_viewer(query.viewer))
    return Response(moment.picture, media_type="image/svg+xml")


async def get_record(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/record

    The record holds the seed, and so every secret: nobody gets it before the match is over.  The seed of a tournament
    match belongs to other matches, too: only the owner gets it before the tournament is finished.
    """
    id, registry = request.path_params["id"], services.registry
    if await registry.find_shown(id) is not None:
        raise RequestError(409, "The record is available once the match is over.")
    if not services.owner.is_owner(request) and await registry.has_open_tournament(id):
        raise RequestError(409, "The record is available once the tournament is finished.")
    record = await asyncio.to_thread(registry.read_record, id)
    return attach_file(record, f"match-{id}.jsonl", "application/x-ndjson")


async def take_seat(services: Services, request: Request, body: SeatKey) -> Response:
    """POST /api/matches/{id}/sit"""
    live = await find_running(services, request.path_params["id"])
    seat = live.find_seat(body.key)
    taken = await services.registry.claim_seat(live, body.key) if seat is None else (seat, body.key)
    if taken is None:
        raise RequestError(403, "This link is not valid, or it has already been used.")
    response = json_response(SeatTaken(*taken))
    set_seat_cookie(response, request, live.id, taken[1])
    return response


async def post_clicks(services: Services, request: Request, body: ClickRequest) -> ClickResult:
    """POST /api/matches/{id}/wish"""
    live = await find_running(services, request.path_params["id"])
    seat = require_seat(request, live)
    with suppress(TimeoutError):
        async with asyncio.timeout(QUESTION_PATIENCE):
            await live.wait_for_question(seat, body.number)
    result = live.click(seat, body.number, body.clicks)
    if result.done:
        await wait_for_turn(live, body.number)
    return result


async def wait_for_turn(live: LiveMatch, number: int) -> None:
    """Wait until the move that was made at a moment is in the store, and shown; raises BusyError if that takes long."""
    try:
        async with asyncio.timeout(STORE_PATIENCE):
            await live.wait_for_moment(number + 1)
    except TimeoutError:
        raise BusyError("The database is not available at the moment. Your move is made when it is back.") from None


async def start_match(services: Services, request: Request) -> Empty:
    """POST /api/matches/{id}/begin"""
    live = await find_running(services, request.path_params["id"])
    if not services.owner.is_owner(request):
        require_seat(request, live)
    live.stop_waiting()
    return Empty()


ENDPOINTS = (
    Endpoint("GET", "/api/matches", "List matches, newest first.", list_matches, list[MatchInfo], query=MatchQuery),
    Endpoint(
        "POST",
        "/api/matches",
        "Open a table and start a match.",
        post_match,
        TableCreated,
        TableRequest,
        status=201,
        errors=(404, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}",
        "Show a match: who plays, what has happened, how it stands.",
        get_match,
        MatchDetails,
        query=ViewQuery,
        errors=(403, 404),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/moments/{number:number}",
        "Show the table after this many events.",
        get_moment,
        Moment,
        query=ViewQuery,
        errors=(403, 404),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/moments/{number:number}/picture.svg",
        "Show the picture of a moment alone.",
        get_picture,
        query=ViewQuery,
        media_type="image/svg+xml",
        errors=(403, 404),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/record",
        "Download the record of a finished match.",
        get_record,
        media_type="application/x-ndjson",
        errors=(404, 409),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/sit",
        "Take the seat that a key or an invitation is for.",
        take_seat,
        SeatTaken,
        SeatKey,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/wish",
        "Play by clicks.",
        post_clicks,
        ClickResult,
        ClickRequest,
        compress=True,
        errors=(403, 404),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/begin",
        "Start without those who have not arrived.",
        start_match,
        errors=(403, 404),
    ),
)
