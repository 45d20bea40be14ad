"""The page of a new table, and the picture of what would be played there."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.match.players import parse_house
from fairplay.match.replay import deal_state
from fairplay.store.store import Store
from fairplay.web.editor import check_click_rate, find_board
from fairplay.web.games.listing import LevelInfo, default_player, describe_games, describe_levels, find_game
from fairplay.web.games.setups import SetupRequest, choose_setup
from fairplay.web.http.endpoints import Endpoint, Services, services_of
from fairplay.web.http.settings import Settings
from fairplay.web.matches.access import MatchAccess, find_access
from fairplay.web.matches.tables import CLOCKS, PACES
from fairplay.web.rendering.draw_queue import DrawQueue
from fairplay.web.rendering.pages import render_page

SEED = 3
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


async def show_new_table(request: Request) -> Response:
    """/new: a table; `like` is the id of a match whose players and setup are chosen at first."""
    asked, services = request.query_params, services_of(request)
    if "like" in asked:
        access = await find_access(services, request, asked["like"])
        game, choices = access.timeline.game, read_choices(access)
    else:
        board = await find_board(services, asked["board"]) if "board" in asked else None
        game = find_game(asked.get("game", next(iter(GAMES))) if board is None else board.game)
        rival = "anyone" if "open" in asked else "easy" if board is not None else "friend"
        choices = TableChoices(seat_rivals(game, rival), board=asked.get("board", ""))
    return await show_choices(request, game, choices)


async def show_choices(request: Request, game: AnyGame, choices: TableChoices) -> Response:
    """The page with what is chosen at first."""
    services, board = services_of(request), None
    if choices.board and (game.parts.editor is None or choices.board not in game.parts.editor.BOARDS):
        board = await find_board(services, choices.board)
    return render_page(
        request,
        "table.html",
        games=describe_games(),
        game=game,
        board=board,
        seats=game.seats if board is None or not board.board.seats else board.board.seats,
        levels=list_levels(game),
        choices=choices,
        others=seat_rivals(game, "friend"),
        clocks=CLOCKS,
        paces=PACES,
        patience=services[Settings].patience,
    )


def read_choices(access: MatchAccess) -> TableChoices:
    """What was chosen for the table of a match; for one of a tournament, what is usual."""
    game, table = access.timeline.game, access.definition
    if table is None:
        return TableChoices(seat_rivals(game, "friend"))
    levels = describe_levels(game, msgspec.json.decode(table.setup, type=game.setup))
    names = {level.spec: level.name for level in reversed(levels)}
    people = [seat for seat, taken in enumerate(table.seats) if taken.person]
    me = people[0] if access.me is None and people else access.me
    who = (
        "me" if seat == me else "friend" if taken.person else names.get(taken.player, parse_house(taken.player)[0])
        for seat, taken in enumerate(table.seats)
    )
    return TableChoices(tuple(who), table.variant, table.board, table.clock, table.pace)


def seat_rivals(game: AnyGame, rival: str) -> tuple[str, ...]:
    """You on the first seat, and `rival` on as many others as the smallest table has; who cannot play looks on."""
    chosen = choose_rival(game, rival)
    return (*(("me",) if game.shown.clicks is not None else (chosen,)), *[chosen] * (game.seats[0] - 1))


def choose_rival(game: AnyGame, wanted: str) -> str:
    """Who sits on the other seats at first: `wanted`, unless the game lacks the clicks or levels for it."""
    is_offered = bool(game.players.ladder) if wanted == "easy" else game.shown.clicks is not None
    return wanted if is_offered else default_player(game)


def list_levels(game: AnyGame) -> dict[str, tuple[LevelInfo, ...]]:
    """The levels for each variant that the page offers, the quick game among them."""
    setups = game.variants if game.quick is None else {"quick": game.quick, **game.variants}
    return {variant: found for variant, setup in setups.items() if (found := describe_levels(game, setup))}


async def get_preview(services: Services, request: Request, query: PreviewQuery) -> Response:
    """GET /api/games/{game}/preview.svg"""
    game = find_game(request.path_params["game"])
    check_click_rate(services, request)
    is_quick = query.variant == "quick"
    wanted = SetupRequest(
        game=game.name, variant=None if is_quick else query.variant, board=query.board or None, quick=is_quick
    )
    setup = await choose_setup(services[Store], game, wanted)
    seats = min(max(query.seats or 0, game.seats[0]), game.seats[-1])
    picture = await services[DrawQueue].draw(draw_start, game, setup, seats)
    headers = {"Cache-Control": "private, max-age=600"}
    return Response(picture, media_type="image/svg+xml", headers=headers)


def draw_start(game: AnyGame, setup: Any, seats: int) -> str:
    """How a match begins; raises SetupError if it cannot."""
    return str(game.shown.picture(deal_state(game, setup, SEED, seats), seats=False))


ROUTES = [Route("/new", show_new_table)]

ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/games/{game}/preview.svg",
        "Draw what would be played at a table, as it looks at the start.",
        get_preview,
        query=PreviewQuery,
        media_type="image/svg+xml",
        errors=(404, 422, 503),
    ),
)
