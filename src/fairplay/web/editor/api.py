"""The API of the editor: draw a board, save it, list and delete the saved ones."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from fairplay.core.names import check_name
from fairplay.store.store import Store
from fairplay.web.editor.boards import (
    BoardDetails,
    BoardInfo,
    BoardQuery,
    EditorState,
    EditRequest,
    check_click_rate,
    draw_edit,
    find_board,
    find_editor,
    list_boards,
)
from fairplay.web.http.endpoints import Empty, Endpoint, Services, client_address
from fairplay.web.http.errors import RequestError
from fairplay.web.http.limits import TableLimiter
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.matches.tables import PlayerName, new_id
from fairplay.web.rendering.draw_queue import DrawQueue

__all__ = ["ENDPOINTS", "MAX_BOARDS"]

MAX_BOARDS: Final = 5_000
"""Boards that people other than the owner may save, all together."""


class BoardRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A drawing to save."""

    game: Annotated[str, Meta(max_length=40)]
    name: PlayerName
    drawing: Any


class BoardSaved(Struct, frozen=True):
    """The id of a saved board."""

    id: str


async def post_edit(services: Services, request: Request, body: EditRequest) -> EditorState:
    """POST /api/editor/{game}"""
    return await draw_edit(services, request, request.path_params["game"], body)


async def save_board(services: Services, request: Request, body: BoardRequest) -> BoardSaved:
    """POST /api/boards"""
    if not body.name.strip():
        raise RequestError(422, "The board needs a name.")
    editor, name = find_editor(body.game), check_name(body.name)
    check_click_rate(services, request)
    await services[DrawQueue].draw(editor.show_drawing, body.drawing)  # raises WireError if it is not a drawing
    if not services[OwnerAuth].is_owner(request):
        await check_room(services, request)
    id = new_id()
    await asyncio.to_thread(services[Store].boards.save, id, body.game, name, msgspec.json.encode(body.drawing))
    return BoardSaved(id)


async def check_room(services: Services, request: Request) -> None:
    """Raises RequestError if too many boards are saved already, or someone saves many in a row."""
    if not services[TableLimiter].allow(client_address(request)):
        raise RequestError(429, "You have saved many boards. Wait a moment before the next one.")
    if await asyncio.to_thread(services[Store].boards.count) >= MAX_BOARDS:
        raise RequestError(503, "There is no room for more boards. Ask the owner of this server to delete some.")


async def get_board(services: Services, request: Request) -> BoardDetails:
    """GET /api/boards/{id}"""
    return await find_board(services, request.path_params["id"])


async def get_board_picture(services: Services, request: Request) -> Response:
    """GET /api/boards/{id}/picture.svg"""
    board = await find_board(services, request.path_params["id"])
    response = Response(board.board.picture, media_type="image/svg+xml")
    response.headers["Cache-Control"] = "private, max-age=3600"
    return response


async def delete_board(services: Services, request: Request) -> Empty:
    """DELETE /api/boards/{id}"""
    await asyncio.to_thread(services[Store].boards.delete, request.path_params["id"])
    return Empty()


ENDPOINTS = (
    Endpoint(
        "POST",
        "/api/editor/{game}",
        "Start a drawing, or click on it.",
        post_edit,
        EditorState,
        EditRequest,
        compress=True,
        errors=(404, 503),
    ),
    Endpoint("GET", "/api/boards", "List saved boards, newest first.", list_boards, list[BoardInfo], query=BoardQuery),
    Endpoint(
        "POST", "/api/boards", "Save a drawing.", save_board, BoardSaved, BoardRequest, status=201, errors=(404, 503)
    ),
    Endpoint("GET", "/api/boards/{id}", "Show a saved board.", get_board, BoardDetails, errors=(404, 422, 503)),
    Endpoint(
        "GET",
        "/api/boards/{id}/picture.svg",
        "Show the picture of a saved board alone.",
        get_board_picture,
        media_type="image/svg+xml",
        errors=(404, 422, 503),
    ),
    Endpoint("DELETE", "/api/boards/{id}", "Delete a saved board.", delete_board, owner_only=True),
)
