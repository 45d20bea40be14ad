"""The API of matches: list, start, take a seat, look at one, and watch those that are live over WebSockets."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from math import ceil
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from fairplay.contest.specs import BotFileSpec, parse_spec
from fairplay.core import AnyGame, FairplayError, Seat
from fairplay.core.immutable import with_item
from fairplay.run.entrants import seat_entrant
from fairplay.store.store import Store
from fairplay.web.games import choose_setup, find_game, find_setup
from fairplay.web.house.pool import HousePool
from fairplay.web.http import endpoints
from fairplay.web.http.endpoints import Endpoint, RequestError, Services
from fairplay.web.http.limits import TableLimiter
from fairplay.web.http.owner import OwnerAuth, SeatProof
from fairplay.web.http.sockets import SocketLimit, open_socket, refuse_socket, send_messages, wants_gzip
from fairplay.web.matches import tables
from fairplay.web.matches.access import find_access
from fairplay.web.matches.listing import MatchInfo, MatchQuery, find_matches
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.tables import SeatRequest, TableDefinition, TableRequest, build_table, find_free_name, new_id
from fairplay.web.rendering.pages import DrawQueue
from fairplay.web.watching.feed import Watcher
from fairplay.web.watching.timeline import Moment, Presence, format_viewer

FINISHED_CACHE = "private, max-age=3600"
"""What browsers may do with a moment of a finished match."""

FEATURED = 4
"""Matches that the home page shows side by side."""

FEATURED_INTERVAL = 1.0
"""Seconds until new matches appear there."""

NOT_ALLOWED = 4403
NOT_FOUND = 4404
"""How a socket is closed that cannot be served."""

# -- schemas -----------------------------------------------------------------------------------


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


class ViewQuery(Struct, frozen=True, forbid_unknown_fields=True, rename={"viewer": "as"}):
    """As whom to look at a match: `public`, the number of a seat, or `all`; by default your own seat."""

    viewer: Annotated[str, Meta(max_length=10, pattern="^(public|all|[0-9]{1,3})$")] | None = None


class TableCreated(Struct, frozen=True):
    """A new table and the secrets of its seats: your own key, and an invitation for each friend."""

    id: str
    keys: tuple[str, ...]  # by seat; empty for house players


# -- lists and tables --------------------------------------------------------------------------


async def list_matches(services: Services, request: Request, query: MatchQuery) -> tuple[MatchInfo, ...]:
    """GET /api/matches: matches at tables, newest first."""
    return (await find_matches(services, query)).matches


async def open_table(
    services: Services, request: Request, wanted: TableRequest, *, pair: bool = False, guided: bool = False
) -> OpenedTable:
    """Open a table and start its match; raises FairplayError.

    pair: for the next one who wants to play this game.  guided: a first game, with advice.
    """
    game = find_game(wanted.game, 422)
    if sum(seat.who == "me" for seat in wanted.seats) > 1:
        raise RequestError(422, "You can take one seat only.")
    if wanted.seed is not None and any(seat.who != "house" for seat in wanted.seats):
        raise RequestError(422, "When people play, nobody may choose the seed: it reveals everything that is hidden.")
    if game.shown.clicks is None and any(seat.who != "house" for seat in wanted.seats):
        raise RequestError(422, f"{game.name} cannot be played by clicks; choose house players for all seats")
    definition, keys = build_table(game, await choose_setup(services[Store], game, wanted), wanted)
    definition, id = replace(definition, pair=pair, guided=guided), new_id()
    address, admission = payer_address(services, request), None
    mine = next((number for number, seat in enumerate(wanted.seats) if seat.who == "me"), None)
    if mine is not None:
        admission = await services[OwnerAuth].admit(request, id, definition.seats[mine].name)
        seat = replace(definition.seats[mine], account=admission.account)
        definition = replace(definition, seats=with_item(definition.seats, mine, seat))
        keys = with_item(keys, mine, admission.key)
    match = await services[MatchRegistry].open_table(game.name, definition, address, id)
    return OpenedTable(match, keys, admission)


def plan_owner_table(words: Sequence[str]) -> tuple[AnyGame, TableDefinition]:
    """A table that the owner asked for at the start: a game, and who has each seat; raises FairplayError.

    A seat is for `anyone`, for a house player, or for a bot file.
    """
    name, *seats = words or [""]
    game = find_game(name)
    bots = {at: spec for at, spec in enumerate(seats) if isinstance(parse_spec(spec), BotFileSpec)}
    for spec in bots.values():
        seat_entrant(game, spec)  # is it there?
    chosen = (
        SeatRequest("anyone") if who == "anyone" else SeatRequest("house", None if at in bots else who)
        for at, who in enumerate(seats)
    )
    wanted = TableRequest(game=game.name, seats=tuple(chosen))
    definition, _ = build_table(game, find_setup(game, None), wanted)
    return game, tables.seat_bots(definition, bots)


async def open_owner_table(services: Services, words: Sequence[str]) -> None:
    """Open a table that the owner asked for at the start, unless it is still there from before a restart."""
    game, definition = await asyncio.to_thread(plan_owner_table, words)
    wanted = [seat.spec for seat in definition.seats]
    registry = services[MatchRegistry]
    there = (match.definition for match in registry.running.values() if match.game is game)
    if all([seat.spec for seat in table.seats] != wanted for table in there):
        await registry.open_table(game.name, definition)


class OpenedTable(NamedTuple):
    """A new table, the secrets of its seats, and what its opener is known by if the opener has a seat."""

    match: LiveMatch
    keys: tuple[str, ...]
    admission: SeatProof | None

    def keep_secrets(self, response: Response, request: Request) -> None:
        """Let the browser keep the secrets of its seat."""
        if self.admission is not None:
            self.admission.keep(response, request, self.match.id)


async def hand_over_seat(services: Services, request: Request, live: LiveMatch, seat: Seat, name: str) -> SeatProof:
    """Give a seat to the visitor who takes it, under a name like the one given, if any; raises UsageError."""
    free, taken = find_free_name(live.definition, seat, name), live.definition.seats[seat]
    admission = await services[OwnerAuth].admit(request, live.id, free or taken.name)
    if live.definition.seats[seat] != taken:
        raise RequestError(409, "Somebody else was quicker.")
    if free and not live.table.started.is_set():
        live.rename(seat, find_free_name(live.definition, seat, name))
    live.table.hand_over(seat, admission.account)
    await services[MatchRegistry].keep_table(live)
    live.feed.publish()
    return admission


def payer_address(services: Services, request: Request) -> str | None:
    """Who pays for a new table: an address, or None for the owner, who has no limits; raises RequestError."""
    if services[OwnerAuth].is_owner(request):
        return None
    address = endpoints.client_address(request)
    check_budget(services, address)
    return address


def check_budget(services: Services, address: str) -> None:
    """Raises RequestError if somebody opens tables too often, or those that are open cost too much."""
    if seconds := services[HousePool].budgets.addresses.seconds_to_wait(address):
        wait = f"Wait {ceil(seconds)} seconds before you open another table."
        raise RequestError(429, f"The house players at your tables have used up their computing time. {wait}")
    if not services[TableLimiter].allow(address):
        raise RequestError(429, "You have opened many tables. Wait a moment before the next one.")


# -- handlers ----------------------------------------------------------------------------------


async def post_match(services: Services, request: Request, body: TableRequest) -> Response:
    """POST /api/matches"""
    opened = await open_table(services, request, body)
    response = endpoints.json_response(TableCreated(opened.match.id, opened.keys), 201)
    opened.keep_secrets(response, request)
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
        turns=access.list_turns(viewer),
        presence=access.presence(),
        proof=timeline.proof,
    )


async def get_moment(services: Services, request: Request, query: ViewQuery) -> Response:
    """GET /api/matches/{id}/moments/{number}"""
    access = await find_access(services, request, request.path_params["id"])
    response = endpoints.json_response(access.moment(request.path_params["number"], access.choose_viewer(query.viewer)))
    if access.live is None:
        response.headers["Cache-Control"] = FINISHED_CACHE
    return response


async def get_picture(services: Services, request: Request, query: ViewQuery) -> Response:
    """GET /api/matches/{id}/moments/{number}/picture.svg"""
    access = await find_access(services, request, request.path_params["id"])
    number, viewer = request.path_params["number"], access.choose_viewer(query.viewer)
    picture = await services[DrawQueue].draw(access.draw, number, viewer)
    response = Response(picture, media_type="image/svg+xml")
    if access.live is None:
        response.headers["Cache-Control"] = FINISHED_CACHE
    return response


async def get_record(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/record

    The record holds the seed, and so every secret: nobody gets it before the match is over.  The seed of a tournament
    match belongs to other matches, too: only the owner gets it before the tournament is finished.
    """
    registry = services[MatchRegistry]
    id = await registry.resolve(request.path_params["id"])
    if await registry.find_shown(id) is not None:
        raise RequestError(409, "The record is available once the match is over.")
    if not services[OwnerAuth].is_owner(request) and await registry.has_open_tournament(id):
        raise RequestError(409, "The record is available once the tournament is finished.")
    record = await asyncio.to_thread(registry.read_record, id)
    return endpoints.attach_file(record, f"match-{id}.jsonl", "application/x-ndjson")


# -- sockets -------------------------------------------------------------------------------------


async def stream_match(socket: WebSocket) -> None:
    """`/api/matches/{id}/live`: every moment of a match from now on, and every change of presence."""
    services, id = endpoints.services_of(socket), socket.path_params["id"]
    try:
        access = await find_access(services, socket, id)
    except FairplayError:
        access = None
    match = None if access is None else access.live or services[MatchRegistry].find_ended(id)
    if access is None or match is None:
        await refuse_socket(socket, NOT_FOUND, "There is no such running match.")
        return
    try:
        viewer = access.choose_viewer(socket.query_params.get("as"))
    except RequestError as refused:
        await refuse_socket(socket, NOT_ALLOWED, str(refused))
        return
    watcher = Watcher(viewer, gzipped=wants_gzip(socket), at_table=access.me is not None)
    async with open_socket(services[SocketLimit], socket, watcher):
        match.add_watcher(watcher, access.me, parse_moment(socket.query_params.get("after", "")))
        try:
            await send_messages(socket, watcher)
        finally:
            match.remove_watcher(watcher, access.me)


def parse_moment(text: str) -> int | None:
    """The newest moment that a client has seen; None if it does not say."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


async def stream_newest(socket: WebSocket) -> None:
    """`/api/live`: the newest running matches, as the public sees them."""
    services = endpoints.services_of(socket)
    watcher = Watcher(None, gzipped=wants_gzip(socket), many_matches=True)
    async with open_socket(services[SocketLimit], socket, watcher):
        following = asyncio.create_task(follow_newest(services[MatchRegistry], watcher, parse_seen(socket)))
        try:
            await send_messages(socket, watcher)
        finally:
            following.cancel()
            for match in services[MatchRegistry].running.values():
                match.remove_watcher(watcher)


def parse_seen(socket: WebSocket) -> dict[str, int | None]:
    """The newest moment that a client has seen of each match: `?seen=ID:NUMBER`, repeated."""
    pairs = [text.partition(":") for text in socket.query_params.getlist("seen")[:FEATURED]]
    return {id: parse_moment(number) for id, _, number in pairs}


async def follow_newest(registry: MatchRegistry, watcher: Watcher, seen: dict[str, int | None]) -> None:
    """Watch the newest matches as they begin, and no longer those that are not among them any more."""
    watched: set[str] = set()
    while True:
        newest = featured_ids(registry)
        for id in watched - newest:
            if id in registry.running:
                registry.running[id].remove_watcher(watcher)
        for id in newest - watched:
            registry.running[id].add_watcher(watcher, known=seen.pop(id, None))
        watched = newest
        await asyncio.sleep(FEATURED_INTERVAL)


def featured_ids(registry: MatchRegistry) -> set[str]:
    """The newest running matches."""
    return set([*registry.running][-FEATURED:])


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
        errors=(403, 404, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/record",
        "Download the record of a finished match.",
        get_record,
        media_type="application/x-ndjson",
        errors=(404, 409),
    ),
)

ROUTES = [WebSocketRoute("/api/matches/{id}/live", stream_match), WebSocketRoute("/api/live", stream_newest)]
