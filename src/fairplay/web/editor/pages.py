"""The pages of the editor."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.web.editor.boards import BoardQuery, EditRequest, draw_edit, find_board, find_editor, list_boards
from fairplay.web.http.endpoints import services_of
from fairplay.web.http.errors import RequestError
from fairplay.web.rendering.pages import render_page

__all__ = ["ROUTES"]

NEWEST = 8
ALL = 200
"""Saved boards on the page of all editors, and on a page of their own."""


async def show_editors(request: Request) -> Response:
    """/editor: what can be drawn, and what others have drawn."""
    games = [game for game in GAMES.values() if game.parts.editor is not None]
    boards = await list_boards(services_of(request), request, BoardQuery(limit=NEWEST))
    return render_page(request, "editors.html", games=games, boards=boards)


async def show_editor(request: Request) -> Response:
    """/editor/{game}: a new drawing, or a saved one to start from."""
    services, game, asked = services_of(request), request.path_params["game"], request.query_params
    editor, title = find_editor(game), ""
    if "board" in asked:
        saved = await find_board(services, asked["board"])
        if saved.game != game:
            raise RequestError(404, f"'{saved.name}' is a board of {saved.game}.")
        state, title = saved.board, saved.name
    else:
        state = await draw_edit(services, request, game, EditRequest(start=asked.get("start")))
    data: dict[str, Any] = {"game": game, "board": asked.get("board"), "state": state}
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


async def show_boards(request: Request) -> Response:
    """/boards"""
    boards = await list_boards(services_of(request), request, BoardQuery(limit=ALL))
    return render_page(request, "boards.html", boards=boards)


ROUTES = [Route("/editor", show_editors), Route("/editor/{game}", show_editor), Route("/boards", show_boards)]
