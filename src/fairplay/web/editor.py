"""The editor, in which people draw boards: its API, its pages, and the boards that are kept."""

import asyncio
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.core import UsageError
from fairplay.core.editor import Editor, EditorScreen, Tool
from fairplay.core.names import check_name
from fairplay.core.shown import Choice
from fairplay.store.store import Store
from fairplay.web.games import playable_variants
from fairplay.web.http.endpoints import Empty, Endpoint, RequestError, Services, client_address, services_of
from fairplay.web.http.limits import TableLimiter
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.matches.tables import PlayerName, new_id
from fairplay.web.rendering.pages import DrawQueue, render_page

_CACHED_BOARDS = 64
"""Saved boards that are kept drawn."""

_MAX_STROKE = 100
"""Elements that one stroke may touch after the first."""

ClickKey: TypeAlias = Annotated[str, Meta(max_length=200)]
"""What was clicked, such as ``at=2,3``."""

AnyEditor: TypeAlias = Editor[Any]


class EditRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A click on a drawing; without a drawing, a new one; without a click, the drawing stays as it is.

    `stroke` are the elements that the pointer was dragged over after the click.  Those that the tool cannot change are
    left as they are.
    """

    drawing: Any = None
    start: Annotated[str, Meta(max_length=40)] | None = None
    tool: Annotated[str, Meta(max_length=40)] = ""
    click: ClickKey = ""
    stroke: Annotated[tuple[ClickKey, ...], Meta(max_length=_MAX_STROKE)] = ()
    text: Annotated[str, Meta(max_length=100)] = ""


class EditorState(Struct, frozen=True):
    """A drawing, and what can be done with it."""

    drawing: Any
    picture: str  # SVG
    tools: tuple[Tool, ...]
    problems: tuple[str, ...]  # what must be fixed before it can be played on
    seats: tuple[int, ...]  # how many can play on it
    choices: tuple[Choice, ...]  # what can be clicked besides the picture
    prompt: str


class BoardInfo(Struct, frozen=True):
    """A saved board in a list."""

    id: str
    game: str
    name: str
    created: float  # seconds since 1970


class BoardDetails(Struct, frozen=True):
    """A saved board and its drawing."""

    id: str
    game: str
    name: str
    created: float
    board: EditorState
    variants: tuple[str, ...]  # what can be played on it, the default first


class BoardQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which boards to list."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 100


# -- drawings ----------------------------------------------------------------------------------


def _find_editor(game: str) -> AnyEditor:
    """The editor of a game; raises RequestError if it has none."""
    editor = GAMES[game].parts.editor if game in GAMES else None
    if editor is None:
        raise RequestError(404, f"There is no editor for '{game[:40]}'.")
    return editor


def _draw_board(editor: AnyEditor, drawing: object) -> EditorState:
    """A drawing with its picture; raises WireError if it is not a drawing."""
    sheet: EditorScreen = editor.show_drawing(drawing)
    return EditorState(
        drawing=drawing,
        picture=str(sheet.picture),
        tools=sheet.tools,
        problems=sheet.problems,
        seats=sheet.seats,
        choices=sheet.choices,
        prompt=sheet.prompt,
    )


def _apply_edit(editor: AnyEditor, edit: EditRequest) -> EditorState:
    """The drawing after a click; raises WireError or UsageError."""
    drawing = editor.start_drawing(edit.start or next(iter(editor.STARTS))) if edit.drawing is None else edit.drawing
    if edit.click:
        drawing = editor.edit_drawing(drawing, edit.tool, edit.click, edit.text)
    for key in edit.stroke:
        with suppress(UsageError):
            drawing = editor.edit_drawing(drawing, edit.tool, key, edit.text)
    return _draw_board(editor, drawing)


def check_click_rate(services: Services, request: Request) -> None:
    """Raises RequestError if someone clicks faster than people do."""
    if not services[DrawQueue].limiter.allow(client_address(request)):
        raise RequestError(429, "Too many clicks at once. Try again in a moment.")


async def _draw_edit(services: Services, request: Request, game: str, edit: EditRequest) -> EditorState:
    """The drawing of `game` after a click, when it is its turn; raises FairplayError."""
    editor = _find_editor(game)
    check_click_rate(services, request)
    return await services[DrawQueue].draw(_apply_edit, editor, edit)


# -- saved boards ------------------------------------------------------------------------------


async def _list_boards(services: Services, request: Request, query: BoardQuery) -> list[BoardInfo]:
    """GET /api/boards: saved boards of installed games, newest first."""
    boards = await asyncio.to_thread(services[Store].boards.newest, query.game, query.limit)
    return [BoardInfo(board.id, board.game, board.name, board.created) for board in boards if board.game in GAMES]


async def find_board(services: Services, id: str) -> BoardDetails:
    """A saved board; raises StoreError if there is none, WireError if it was drawn for another version."""
    board = await asyncio.to_thread(services[Store].boards.get, id)
    state, variants = await services[DrawQueue].draw(draw_saved_board, board.game, board.drawing)
    return BoardDetails(board.id, board.game, board.name, board.created, state, variants)


@lru_cache(_CACHED_BOARDS)
def draw_saved_board(game: str, drawing: bytes) -> tuple[EditorState, tuple[str, ...]]:
    """A saved drawing, and the variants that can be played on it."""
    decoded = msgspec.json.decode(drawing)
    state = _draw_board(_find_editor(game), decoded)
    return state, playable_variants(GAMES[game], decoded, state.seats)


MAX_BOARDS = 5_000
"""Boards that people other than the owner may save, all together."""


class BoardRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A drawing to save."""

    game: Annotated[str, Meta(max_length=40)]
    name: PlayerName
    drawing: Any


class BoardSaved(Struct, frozen=True):
    """The id of a saved board."""

    id: str


async def _post_edit(services: Services, request: Request, body: EditRequest) -> EditorState:
    """POST /api/editor/{game}"""
    return await _draw_edit(services, request, request.path_params["game"], body)


async def _save_board(services: Services, request: Request, body: BoardRequest) -> BoardSaved:
    """POST /api/boards"""
    if not body.name.strip():
        raise RequestError(422, "The board needs a name.")
    editor, name = _find_editor(body.game), check_name(body.name)
    check_click_rate(services, request)
    await services[DrawQueue].draw(editor.show_drawing, body.drawing)  # raises WireError if it is not a drawing
    if not services[OwnerAuth].is_owner(request):
        await _check_room(services, request)
    id = new_id()
    await asyncio.to_thread(services[Store].boards.save, id, body.game, name, msgspec.json.encode(body.drawing))
    return BoardSaved(id)


async def _check_room(services: Services, request: Request) -> None:
    """Raises RequestError if too many boards are saved already, or someone saves many in a row."""
    if not services[TableLimiter].allow(client_address(request)):
        raise RequestError(429, "You have saved many boards. Wait a moment before the next one.")
    if await asyncio.to_thread(services[Store].boards.count) >= MAX_BOARDS:
        raise RequestError(503, "There is no room for more boards. Ask the owner of this server to delete some.")


async def _get_board(services: Services, request: Request) -> BoardDetails:
    """GET /api/boards/{id}"""
    return await find_board(services, request.path_params["id"])


async def _get_board_picture(services: Services, request: Request) -> Response:
    """GET /api/boards/{id}/picture.svg"""
    board = await find_board(services, request.path_params["id"])
    response = Response(board.board.picture, media_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


async def _delete_board(services: Services, request: Request) -> Empty:
    """DELETE /api/boards/{id}"""
    await asyncio.to_thread(services[Store].boards.delete, request.path_params["id"])
    return Empty()


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/editor/{game}",
        "Start a drawing, or click on it.",
        _post_edit,
        EditorState,
        EditRequest,
        compress=True,
        errors=(404, 503),
    ),
    Endpoint("GET", "/api/boards", "List saved boards, newest first.", _list_boards, list[BoardInfo], query=BoardQuery),
    Endpoint(
        "POST", "/api/boards", "Save a drawing.", _save_board, BoardSaved, BoardRequest, status=201, errors=(404, 503)
    ),
    Endpoint("GET", "/api/boards/{id}", "Show a saved board.", _get_board, BoardDetails, errors=(404, 422, 503)),
    Endpoint(
        "GET",
        "/api/boards/{id}/picture.svg",
        "Show the picture of a saved board alone.",
        _get_board_picture,
        media_type="image/svg+xml",
        errors=(404, 422, 503),
    ),
    Endpoint("DELETE", "/api/boards/{id}", "Delete a saved board.", _delete_board, owner_only=True),
)


_NEWEST = 8
ALL = 200
"""Saved boards on the page of all editors, and on a page of their own."""


async def _show_editors(request: Request) -> Response:
    """/editor: what can be drawn, and what others have drawn."""
    games = [game for game in GAMES.values() if game.parts.editor is not None]
    boards = await _list_boards(services_of(request), request, BoardQuery(limit=_NEWEST))
    return render_page(request, "editors.html", games=games, boards=boards)


async def _show_editor(request: Request) -> Response:
    """/editor/{game}: a new drawing, or a saved one to start from."""
    services, game, asked = services_of(request), request.path_params["game"], request.query_params
    editor, title = _find_editor(game), ""
    if "board" in asked:
        saved = await find_board(services, asked["board"])
        if saved.game != game:
            raise RequestError(404, f"'{saved.name}' is a board of {saved.game}.")
        state, title = saved.board, saved.name
    else:
        state = await _draw_edit(services, request, game, EditRequest(start=asked.get("start")))
    data: dict[str, object] = {"game": game, "board": asked.get("board"), "state": state}
    return render_page(
        request,
        "editor.html",
        game=GAMES[game],
        editor=editor,
        state=state,
        title=title,
        saved="board" in asked,
        data=msgspec.json.encode(data).decode(),
    )


async def _show_boards(request: Request) -> Response:
    """/boards"""
    boards = await _list_boards(services_of(request), request, BoardQuery(limit=ALL))
    return render_page(request, "boards.html", boards=boards)


ROUTES = [Route("/editor", _show_editors), Route("/editor/{game}", _show_editor), Route("/boards", _show_boards)]
