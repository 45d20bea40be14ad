"""The newest moment of a match as a small picture for lists, as everybody may see it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from fairplay.web.http.endpoints import Endpoint, Services
from fairplay.web.matches.access import find_access
from fairplay.web.rendering.draw_queue import DrawQueue

__all__ = ["ENDPOINTS"]


async def get_newest_picture(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/picture.svg"""
    access = await find_access(services, request, request.path_params["id"])
    picture = await services[DrawQueue].draw(access.timeline.draw, access.timeline.last, None)
    response = Response(str(picture), media_type="image/svg+xml")
    if access.live is None:
        response.headers["Cache-Control"] = "public, max-age=3600"
    return response


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/matches/{id}/picture.svg",
        "Draw the newest moment of a match, as everybody may see it.",
        get_newest_picture,
        media_type="image/svg+xml",
        errors=(404, 503),
    ),
)
