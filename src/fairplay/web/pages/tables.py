"""The page of a new table, and the lobby: open tables, taking a seat at one, and pairing with people who wait."""

from collections import Counter
from time import monotonic, time
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.core import AnyGame
from fairplay.match.players import parse_house
from fairplay.match.replay import deal_state
from fairplay.store.store import Store
from fairplay.web import games
from fairplay.web.editor import check_click_rate, find_board
from fairplay.web.http.endpoints import Endpoint, RequestError, Services, client_address, json_response, services_of
from fairplay.web.http.limits import Settings, TableLimiter
from fairplay.web.http.owner import OwnerAuth, SeatProof
from fairplay.web.matches.access import MatchAccess, find_access, find_own_seat, find_running
from fairplay.web.matches.api import hand_over_seat, open_table
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.tables import CLOCKS, PACES, PlayerName, SeatRequest, TableRequest
from fairplay.web.rendering.pages import DrawQueue, render_page

_SEED = 3
"""Deals the previews, so that the same choice looks the same."""


class PreviewQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What would be played, by how many."""

    variant: Annotated[str, Meta(max_length=40)] | None = None
    board: Annotated[str, Meta(max_length=40)] | None = None  # a board of the game by name, or a saved one by id
    seats: Annotated[int, Meta(ge=1, le=10)] | None = None


class TableChoices(Struct, frozen=True):
    """What is chosen on the page at first."""

    who: tuple[str, ...]  # by seat
    variant: str = ""
    board: str = ""  # of the game by name, or a saved one by id
    clock: float = 180.0
    pace: float = 1.0


async def _show_new_table(request: Request) -> Response:
    """/new: a table; `like` is the id of a match whose players and setup are chosen at first."""
    asked, services = request.query_params, services_of(request)
    if "like" in asked:
        access = await find_access(services, request, asked["like"])
        game, choices = access.timeline.game, _read_choices(access)
    else:
        board = await find_board(services, asked["board"]) if "board" in asked else None
        game = games.find_game(asked.get("game", games.default_game()) if board is None else board.game)
        rival = "anyone" if "open" in asked else "easy" if board is not None else "friend"
        choices = TableChoices(_seat_rivals(game, rival), board=asked.get("board", ""))
    return await _show_choices(request, game, choices)


async def _show_choices(request: Request, game: AnyGame, choices: TableChoices) -> Response:
    """The page with what is chosen at first."""
    services, board = services_of(request), None
    if choices.board and (game.parts.editor is None or choices.board not in game.parts.editor.BOARDS):
        board = await find_board(services, choices.board)
    return render_page(
        request,
        "table.html",
        games=games.describe_games(),
        game=game,
        board=board,
        seats=game.seats if board is None or not board.board.seats else board.board.seats,
        levels=_list_levels(game),
        choices=choices,
        others=_seat_rivals(game, "friend"),
        clocks=CLOCKS,
        paces=PACES,
        patience=services[Settings].patience,
    )


def _read_choices(access: MatchAccess) -> TableChoices:
    """What was chosen for the table of a match; for one of a tournament, what is usual."""
    game, table = access.timeline.game, access.definition
    if table is None:
        return TableChoices(_seat_rivals(game, "friend"))
    levels = games.describe_levels(game, msgspec.json.decode(table.setup, type=game.setup))
    names = {level.spec: level.name for level in reversed(levels)}
    people = [seat for seat, taken in enumerate(table.seats) if taken.person]
    me = people[0] if access.me is None and people else access.me
    who = (
        "me" if seat == me else "friend" if taken.person else names.get(taken.player, parse_house(taken.player)[0])
        for seat, taken in enumerate(table.seats)
    )
    return TableChoices(tuple(who), table.variant, table.board, table.clock, table.pace)


def _seat_rivals(game: AnyGame, rival: str) -> tuple[str, ...]:
    """You on the first seat, and `rival` on as many others as the smallest table has; who cannot play looks on."""
    chosen = choose_rival(game, rival)
    return (*(("me",) if game.shown.clicks is not None else (chosen,)), *[chosen] * (game.seats[0] - 1))


def choose_rival(game: AnyGame, wanted: str) -> str:
    """Who sits on the other seats at first: `wanted`, unless the game lacks the clicks or levels for it."""
    is_offered = bool(game.players.ladder) if wanted == "easy" else game.shown.clicks is not None
    return wanted if is_offered else games.default_player(game)


def _list_levels(game: AnyGame) -> dict[str, tuple[games.LevelInfo, ...]]:
    """The levels for each variant that the page offers, the quick game among them."""
    setups = game.variants if game.quick is None else {"quick": game.quick, **game.variants}
    return {variant: found for variant, setup in setups.items() if (found := games.describe_levels(game, setup))}


async def _get_preview(services: Services, request: Request, query: PreviewQuery) -> Response:
    """GET /api/games/{game}/preview.svg"""
    game = games.find_game(request.path_params["game"])
    check_click_rate(services, request)
    is_quick = query.variant == "quick"
    wanted = games.SetupRequest(
        game=game.name, variant=None if is_quick else query.variant, board=query.board or None, quick=is_quick
    )
    setup = await games.choose_setup(services[Store], game, wanted)
    seats = min(max(query.seats or 0, game.seats[0]), game.seats[-1])
    picture = await services[DrawQueue].draw(_draw_start, game, setup, seats)
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(picture, media_type="image/svg+xml", headers=headers)


def _draw_start(game: AnyGame, setup: object, seats: int) -> str:
    """How a match begins; raises SetupError if it cannot."""
    return str(game.shown.picture(deal_state(game, setup, _SEED, seats), seats=False))


# -- the lobby ----------------------------------------------------------------------------------

_ARRIVAL = 20.0
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


def _list_open_tables(services: Services) -> list[LiveMatch]:
    """The tables of this server that wait for anyone, the oldest first."""
    running = services[MatchRegistry].running.values()
    return [match for match in running if match.table.find_open_seat() is not None and _is_shown(match)]


def _is_shown(match: LiveMatch) -> bool:
    """Is somebody at a table, or will be in a moment, or has the owner seated a bot there?"""
    table = match.table
    return table.is_attended or bool(table.bots) or monotonic() < match.opened_at + _ARRIVAL


async def _get_lobby(services: Services, request: Request) -> Lobby:
    """GET /api/lobby"""
    matches = _list_open_tables(services)
    waiting = Counter(
        match.game.name for match in matches for person in match.table.people.values() if person.is_present
    )
    return Lobby(tuple(map(_describe_table, matches)), dict(waiting))


def _describe_table(match: LiveMatch) -> LobbyTable:
    """A table as the lobby shows it."""
    seats = tuple(LobbySeat(seat.name, seat.open, seat.person) for seat in match.definition.seats)
    created = time() - (monotonic() - match.opened_at)
    return LobbyTable(match.id, match.game.name, _name_variant(match), seats, round(created, 1), match.feed.onlookers)


def _name_variant(match: LiveMatch) -> str:
    """What is played at a table: a variant, or the quick game."""
    if match.game.quick is not None and match.setup == match.game.quick:
        return "quick"
    return str(getattr(match.setup, "variant", next(iter(match.game.variants))))


# -- joining -----------------------------------------------------------------------------------


async def _join_table(services: Services, request: Request, body: JoinRequest) -> Response:
    """POST /api/lobby/{id}/join"""
    match = await find_running(services, request.path_params["id"])
    seat, admission = await _take_open_seat(services, request, match, body.name)
    response = json_response(TableJoined(match.id, seat, admission.key))
    admission.keep(response, request, match.id)
    return response


async def _take_open_seat(services: Services, request: Request, match: LiveMatch, name: str) -> tuple[int, SeatProof]:
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


async def _find_partner(services: Services, request: Request, body: PairRequest) -> Response:
    """POST /api/lobby/pair"""
    game = games.find_game(body.game, 422)
    for match in _list_open_tables(services):
        if match.definition.pair and match.game.name == game.name:
            _, admission = await _take_open_seat(services, request, match, body.name)
            response = json_response(Paired(match.id))
            admission.keep(response, request, match.id)
            return response
    opened = await open_table(services, request, _build_pair_table(game, body.name), pair=True)
    response = json_response(Paired(opened.match.id))
    opened.keep_secrets(response, request)
    return response


def _build_pair_table(game: AnyGame, name: str) -> TableRequest:
    """A quick game for the fewest players."""
    others = (SeatRequest("anyone"),) * (game.seats[0] - 1)
    return TableRequest(game=game.name, seats=(SeatRequest("me", name=name), *others), quick=True)


ROUTES = [Route("/new", _show_new_table)]

ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/games/{game}/preview.svg",
        "Draw what would be played at a table, as it looks at the start.",
        _get_preview,
        query=PreviewQuery,
        media_type="image/svg+xml",
        errors=(404, 422, 503),
    ),
    Endpoint("GET", "/api/lobby", "List the tables that wait for anyone.", _get_lobby, Lobby),
    Endpoint(
        "POST",
        "/api/lobby/{id}/join",
        "Take an open seat at a table.",
        _join_table,
        TableJoined,
        JoinRequest,
        errors=(404, 409),
    ),
    Endpoint(
        "POST",
        "/api/lobby/pair",
        "Play a quick game with someone who waits for one, or wait for the next person.",
        _find_partner,
        Paired,
        PairRequest,
        errors=(503,),
    ),
)
