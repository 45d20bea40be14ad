"""A match in a frame on another site: the board and the means to play it back, nothing private."""

from __future__ import annotations

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from fairplay.web.http.endpoints import parse_number, services_of
from fairplay.web.http.security import allow_framing
from fairplay.web.matches.access import find_access
from fairplay.web.rendering.draw_queue import DrawQueue
from fairplay.web.rendering.templates import render_template
from fairplay.web.sharing.drawings import describe_players, draw_moment
from fairplay.web.sharing.meta import list_names
from fairplay.web.watching.timeline import EVERYTHING, Viewer, format_viewer

__all__ = ["ROUTES"]


class EmbedPage(Struct, frozen=True):
    """What the script of the frame needs to know."""

    id: str
    viewer: str  # the public, or everything once there are no secrets: never a seat
    number: int  # the moment that is shown
    last: int
    live: bool


async def show_embed(request: Request) -> Response:
    """/embed/{id}"""
    allow_framing(request)
    id = request.path_params["id"]
    services = services_of(request)
    access = await find_access(services, request, id)
    timeline, turn = access.timeline, parse_number(request, "turn")
    number = timeline.last if turn is None else min(turn, timeline.last)
    viewer: Viewer = EVERYTHING if access.is_revealed else None
    picture = await services[DrawQueue].draw(draw_moment, timeline, number, open=access.is_revealed)
    live = access.live is not None
    data = EmbedPage(id, format_viewer(viewer), number, timeline.last, live)
    text = render_template(
        "embed.html",
        id=id,
        title=f"{timeline.game.name.capitalize()}: {list_names(timeline.names)}",
        label=describe_players(timeline),
        picture=picture,
        words=timeline.describe_event(number, viewer),
        page=data,
        data=msgspec.json.encode(data).decode(),
    )
    return HTMLResponse(text, headers={"Cross-Origin-Resource-Policy": "cross-origin"})


ROUTES = [Route("/embed/{id}", show_embed)]
