"""Drawing boards: the API and the pages of the editor, and the boards that were saved."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.parts.clicks import Choice
from fairplay.parts.editor import Editor, Sheet, Tool
from fairplay.web.context import Server, server_of
from fairplay.web.http.endpoints import Endpoint, Nothing, RequestError
from fairplay.web.matches.setups import variants_on
from fairplay.web.matches.tables import Name, new_id
from fairplay.web.rendering import page, rendered

__all__ = ["ENDPOINTS", "MOST_BOARDS", "ROUTES"]

MOST_BOARDS = 5_000
"""Boards that are kept for people who are not the owner."""


# -- what is said ------------------------------------------------------------------------------


class Edit(Struct, frozen=True, forbid_unknown_fields=True):
    """A click on a drawing; without a drawing a new one is begun, without a click it stays as it is."""

    drawing: Any = None
    start: Annotated[str, Meta(max_length=40)] | None = None
    tool: Annotated[str, Meta(max_length=40)] = ""
    click: Annotated[str, Meta(max_length=200)] = ""
    text: Annotated[str, Meta(max_length=100)] = ""


class Drawn(Struct, frozen=True):
    """A drawing at work."""

    drawing: Any
    picture: str  # SVG
    tools: tuple[Tool, ...]
    problems: tuple[str, ...]  # what must be mended before it can be played
    seats: tuple[int, ...]  # how many can play on it
    choices: tuple[Choice, ...]  # what can be clicked besides the picture
    prompt: str


class NewBoard(Struct, frozen=True, forbid_unknown_fields=True):
    """A drawing to be kept."""

    game: Annotated[str, Meta(max_length=40)]
    name: Name
    drawing: Any


class Kept(Struct, frozen=True):
    """The id of a board."""

    id: str


class BoardInfo(Struct, frozen=True):
    """A board in a list."""

    id: str
    game: str
    name: str
    created: float  # seconds since 1970


class BoardNow(Struct, frozen=True):
    """A board to look at."""

    id: str
    game: str
    name: str
    created: float
    board: Drawn
    variants: tuple[str, ...]  # what can be played on it, the usual one first


class OfGame(Struct, frozen=True, forbid_unknown_fields=True):
    """Which boards."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 100


# -- drawings ----------------------------------------------------------------------------------


def editor_of(name: str) -> Editor[Any]:
    """The editor of a game; raises RequestError."""
    editor = GAMES[name].editor if name in GAMES else None
    if editor is None:
        raise RequestError(404, f"there is no editor for '{name[:40]}'")
    return editor


def drawn(editor: Editor[Any], drawing: Any) -> Drawn:
    sheet: Sheet = editor.sheet(drawing)
    return Drawn(drawing, str(sheet.picture), sheet.tools, sheet.problems, sheet.seats, sheet.choices, sheet.prompt)


def after(editor: Editor[Any], edit: Edit) -> Drawn:
    """The drawing after a click; raises WireError or UsageError."""
    drawing = editor.begun(edit.start or next(iter(editor.STARTS))) if edit.drawing is None else edit.drawing
    if edit.click:
        drawing = editor.edited(drawing, edit.tool, edit.click, edit.text)
    return drawn(editor, drawing)


def allowed(server: Server, request: Request) -> None:
    """Raises RequestError where somebody clicks faster than people do."""
    address = request.client.host if request.client else ""
    if not server.easel.clicks.allows(address):
        raise RequestError(429, "so many clicks at once; try again in a moment")


async def edit(server: Server, request: Request, body: Edit) -> Drawn:
    editor = editor_of(request.path_params["game"])
    allowed(server, request)
    return await server.easel.draw(after, editor, body)


# -- boards ------------------------------------------------------------------------------------


async def keep(server: Server, request: Request, body: NewBoard) -> Kept:
    editor, name = editor_of(body.game), body.name.strip()
    if not name:
        raise RequestError(422, "a board needs a name")
    allowed(server, request)
    await server.easel.draw(editor.sheet, body.drawing)  # raises WireError where it is no drawing
    if not server.owners.knows(request):
        await room(server, request)
    id = new_id()
    await page(server.store.keep_board, id, body.game, name, msgspec.json.encode(body.drawing))
    return Kept(id)


async def room(server: Server, request: Request) -> None:
    """Raises RequestError where so many boards are kept already, or somebody saves many in a row."""
    address = request.client.host if request.client else ""
    if not server.tables.allows(address):
        raise RequestError(429, "you saved many boards; wait a moment before the next one")
    if await page(server.store.count_boards) >= MOST_BOARDS:
        raise RequestError(503, "there is no room for further boards; ask the owner of this server")


async def listed(server: Server, game: str | None, limit: int) -> list[BoardInfo]:
    """The boards whose game there is, newest first."""
    found = await page(server.store.boards, game, limit)
    return [BoardInfo(board.id, board.game, board.name, board.created) for board in found if board.game in GAMES]


async def list_boards(server: Server, request: Request, query: OfGame) -> list[BoardInfo]:
    return await listed(server, query.game, query.limit)


async def found(server: Server, id: str) -> BoardNow:
    """A board, drawn; raises StoreError where there is none, and WireError where it is of another version."""
    board = await page(server.store.board, id)
    sheet, variants = await server.easel.draw(kept, board.game, board.drawing)
    return BoardNow(board.id, board.game, board.name, board.created, sheet, variants)


@lru_cache(maxsize=64)
def kept(game: str, drawing: bytes) -> tuple[Drawn, tuple[str, ...]]:
    """A saved drawing and what can be played on it; those that people look at most are drawn once."""
    decoded = msgspec.json.decode(drawing)
    sheet = drawn(editor_of(game), decoded)
    return sheet, variants_on(GAMES[game], decoded, sheet.seats)


async def look(server: Server, request: Request) -> BoardNow:
    return await found(server, request.path_params["id"])


async def picture(server: Server, request: Request) -> Response:
    shown = await found(server, request.path_params["id"])
    response = Response(shown.board.picture, media_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


async def drop(server: Server, request: Request) -> Nothing:
    await page(server.store.drop_board, request.path_params["id"])
    return Nothing()


ENDPOINTS = (
    Endpoint("POST", "/api/editor/{game}", "Begin a drawing, or click on it.", edit, Drawn, Edit, refusals=(404, 503)),
    Endpoint("GET", "/api/boards", "The saved boards, newest first.", list_boards, list[BoardInfo], query=OfGame),
    Endpoint("POST", "/api/boards", "Save a drawing.", keep, Kept, NewBoard, status=201, refusals=(404, 503)),
    Endpoint("GET", "/api/boards/{id}", "A saved board.", look, BoardNow, refusals=(404, 422, 503)),
    Endpoint(
        "GET",
        "/api/boards/{id}/picture.svg",
        "The same as a drawing alone.",
        picture,
        media="image/svg+xml",
        refusals=(404, 422, 503),
    ),
    Endpoint("DELETE", "/api/boards/{id}", "Forget a saved board.", drop, owner=True),
)


# -- pages -------------------------------------------------------------------------------------


async def choose(request: Request) -> Response:
    """What to draw, and what others drew."""
    games = [game for game in GAMES.values() if game.editor is not None]
    return rendered(request, "editors.html", games=games, boards=await listed(server_of(request), None, 8))


async def draw(request: Request) -> Response:
    server, name, asked = server_of(request), request.path_params["game"], request.query_params
    editor, title = editor_of(name), ""
    if "board" in asked:
        saved = await found(server, asked["board"])
        if saved.game != name:
            raise RequestError(404, f"'{saved.name}' is a board of {saved.game}")
        sheet, title = saved.board, saved.name
    else:
        allowed(server, request)
        sheet = await server.easel.draw(after, editor, Edit(start=asked.get("start")))
    facts = {"game": name, "board": asked.get("board"), "sheet": sheet}
    return rendered(
        request,
        "editor.html",
        game=GAMES[name],
        editor=editor,
        sheet=sheet,
        title=title,
        facts=msgspec.json.encode(facts).decode(),
    )


async def boards(request: Request) -> Response:
    return rendered(request, "boards.html", boards=await listed(server_of(request), None, 200))


ROUTES = [Route("/editor", choose), Route("/editor/{game}", draw), Route("/boards", boards)]
