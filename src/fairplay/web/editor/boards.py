"""Boards: drawings as they are edited, and those that were saved."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import lru_cache
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request

from fairplay.catalog import GAMES
from fairplay.core import UsageError
from fairplay.core.clicks import Choice
from fairplay.core.editor import Editor, EditorScreen, Tool
from fairplay.store.store import Store
from fairplay.web.games.setups import playable_variants
from fairplay.web.http.endpoints import Services, client_address
from fairplay.web.http.errors import RequestError
from fairplay.web.rendering.draw_queue import DrawQueue

__all__ = [
    "BoardDetails",
    "BoardInfo",
    "BoardQuery",
    "EditRequest",
    "EditorState",
    "check_click_rate",
    "draw_edit",
    "find_board",
    "find_editor",
    "list_boards",
]

CACHED_BOARDS: Final = 64
"""Saved boards that are kept drawn."""

MAX_STROKE: Final = 100
"""Elements that one stroke may touch after the first."""

ClickKey: TypeAlias = Annotated[str, Meta(max_length=200)]
"""What was clicked, such as ``at=2,3``."""


class EditRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A click on a drawing; without a drawing, a new one; without a click, the drawing stays as it is.

    `stroke` are the elements that the pointer was dragged over after the click.  Those that the tool cannot change are
    left as they are.
    """

    drawing: Any = None
    start: Annotated[str, Meta(max_length=40)] | None = None
    tool: Annotated[str, Meta(max_length=40)] = ""
    click: ClickKey = ""
    stroke: Annotated[tuple[ClickKey, ...], Meta(max_length=MAX_STROKE)] = ()
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


def find_editor(game: str) -> Editor[Any]:
    """The editor of a game; raises RequestError if it has none."""
    editor = GAMES[game].parts.editor if game in GAMES else None
    if editor is None:
        raise RequestError(404, f"There is no editor for '{game[:40]}'.")
    return editor


def draw_board(editor: Editor[Any], drawing: Any) -> EditorState:
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


def apply_edit(editor: Editor[Any], edit: EditRequest) -> EditorState:
    """The drawing after a click; raises WireError or UsageError."""
    drawing = editor.start_drawing(edit.start or next(iter(editor.STARTS))) if edit.drawing is None else edit.drawing
    if edit.click:
        drawing = editor.edit_drawing(drawing, edit.tool, edit.click, edit.text)
    for key in edit.stroke:
        with suppress(UsageError):
            drawing = editor.edit_drawing(drawing, edit.tool, key, edit.text)
    return draw_board(editor, drawing)


def check_click_rate(services: Services, request: Request) -> None:
    """Raises RequestError if someone clicks faster than people do."""
    if not services[DrawQueue].limiter.allow(client_address(request)):
        raise RequestError(429, "Too many clicks at once. Try again in a moment.")


async def draw_edit(services: Services, request: Request, game: str, edit: EditRequest) -> EditorState:
    """The drawing of `game` after a click, when it is its turn; raises FairplayError."""
    editor = find_editor(game)
    check_click_rate(services, request)
    return await services[DrawQueue].draw(apply_edit, editor, edit)


# -- saved boards ------------------------------------------------------------------------------


async def list_boards(services: Services, request: Request, query: BoardQuery) -> list[BoardInfo]:
    """GET /api/boards: saved boards of installed games, newest first."""
    boards = await asyncio.to_thread(services[Store].boards.newest, query.game, query.limit)
    return [BoardInfo(board.id, board.game, board.name, board.created) for board in boards if board.game in GAMES]


async def find_board(services: Services, id: str) -> BoardDetails:
    """A saved board; raises StoreError if there is none, WireError if it was drawn for another version."""
    board = await asyncio.to_thread(services[Store].boards.get, id)
    state, variants = await services[DrawQueue].draw(draw_saved_board, board.game, board.drawing)
    return BoardDetails(board.id, board.game, board.name, board.created, state, variants)


@lru_cache(CACHED_BOARDS)
def draw_saved_board(game: str, drawing: bytes) -> tuple[EditorState, tuple[str, ...]]:
    """A saved drawing, and the variants that can be played on it."""
    decoded = msgspec.json.decode(drawing)
    state = draw_board(find_editor(game), decoded)
    return state, playable_variants(GAMES[game], decoded, state.seats)
