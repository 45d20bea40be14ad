"""The pages of the API: what there is, and a form to try it."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.web.description.openapi import build_openapi
from fairplay.web.description.sockets import SOCKETS
from fairplay.web.http.endpoints import Endpoint, json_response
from fairplay.web.rendering.pages import render_page

__all__ = ["build_api_routes"]


def build_api_routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """The description of the API, for people and for programs."""
    description = build_openapi(endpoints, SOCKETS)

    async def show_api(request: Request) -> Response:
        return render_page(request, "api.html", endpoints=endpoints, sockets=SOCKETS)

    async def show_try(request: Request) -> Response:
        return render_page(request, "api_try.html", endpoints=endpoints)

    async def get_openapi(request: Request) -> Response:
        return json_response(description)

    return [Route("/api", show_api), Route("/api/try", show_try), Route("/api/openapi.json", get_openapi)]
