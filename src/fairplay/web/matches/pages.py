"""The pages of matches and tables."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.web.context import services_of
from fairplay.web.editor.boards import find_board
from fairplay.web.games import LevelInfo, describe_games, describe_levels, find_game
from fairplay.web.http.endpoints import parse_number
from fairplay.web.matches.access import MatchAccess, find_access, set_seat_cookie
from fairplay.web.matches.api import MatchQuery, list_matches, open_table
from fairplay.web.matches.tables import CLOCKS, PACES, SeatRequest, TableRequest, default_player
from fairplay.web.matches.timeline import EVERYTHING, Moment, Presence, Viewer, format_viewer
from fairplay.web.rendering import render_page

__all__ = ["ROUTES"]


class MatchPage(Struct, frozen=True):
    """What the script of a match's page needs to know."""

    id: str
    viewer: str
    me: int | None
    last: int
    following: bool  # show new moments as they come
    presence: Presence
    moment: Moment  # without its picture, which the page shows


async def show_matches(request: Request) -> Response:
    """/matches"""
    matches = await list_matches(services_of(request), request, MatchQuery(limit=100))
    return render_page(request, "matches.html", matches=matches)


async def show_match(request: Request) -> Response:
    """/matches/{id}"""
    id = request.path_params["id"]
    access = await find_access(services_of(request), request, id)
    viewer, timeline = access.choose_viewer(request.query_params.get("as")), access.timeline
    turn = parse_number(request, "turn")
    moment = access.moment(timeline.last if turn is None else min(turn, timeline.last), viewer)
    data = MatchPage(
        id=id,
        viewer=format_viewer(viewer),
        me=access.me,
        last=timeline.last,
        following=turn is None and access.live is not None,
        presence=access.presence(),
        moment=replace(moment, picture=""),
    )
    return render_page(
        request,
        "match.html",
        id=id,
        timeline=timeline,
        moment=moment,
        viewers=[(each, format_viewer(each), describe_viewer(access, each)) for each in access.viewers],
        viewer=viewer,
        access=access,
        turns=[timeline.describe_event(number, viewer) for number in range(timeline.last + 1)],
        has_record=access.live is None and access.may_view_as(EVERYTHING),
        data=msgspec.json.encode(data).decode(),
    )


def describe_viewer(access: MatchAccess, viewer: Viewer) -> str:
    """A viewer, as the page calls it."""
    if viewer is None:
        return "what everyone sees"
    if viewer == EVERYTHING:
        return "everything"
    if viewer == access.me:
        return "what you see"
    timeline = access.timeline
    return f"what {timeline.names[viewer]} ({timeline.game.words.seat_name(viewer)}) sees"


async def show_new_table(request: Request) -> Response:
    """/new"""
    asked, services = request.query_params, services_of(request)
    board = await find_board(services, asked["board"]) if "board" in asked else None
    game = find_game(asked.get("game", next(iter(GAMES))) if board is None else board.game)
    return render_page(
        request,
        "table.html",
        games=describe_games(),
        game=game,
        board=board,
        seats=game.seats if board is None or not board.board.seats else board.board.seats,
        default_player=default_player(game),
        levels=list_levels(game),
        clocks=CLOCKS,
        paces=PACES,
        patience=services.settings.patience,
    )


def list_levels(game: AnyGame) -> dict[str, tuple[LevelInfo, ...]]:
    """The levels for each variant that the page offers, the quick game among them."""
    setups = game.variants if game.quick is None else {"quick": game.quick, **game.variants}
    return {variant: found for variant, setup in setups.items() if (found := describe_levels(game, setup))}


async def play_now(request: Request) -> Response:
    """/play/{game}: a quick game against house players, in one click."""
    game = find_game(request.path_params["game"])
    rivals = (SeatRequest("house"),) * (game.seats[0] - 1)
    wanted = TableRequest(game=game.name, seats=(SeatRequest("me", name="guest"), *rivals), quick=True)
    match, keys = await open_table(services_of(request), request, wanted)
    response = RedirectResponse(f"/matches/{match.id}", 303)
    set_seat_cookie(response, request, match.id, keys[0])
    return response


ROUTES = [
    Route("/matches", show_matches),
    Route("/matches/{id}", show_match),
    Route("/new", show_new_table),
    Route("/play/{game}", play_now, methods=["POST"]),
]
