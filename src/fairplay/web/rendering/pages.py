"""Pages out of templates."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fairplay import __version__
from fairplay.web.context import services_of
from fairplay.web.front.visitors import find_own_games
from fairplay.web.rendering.templates import render_template
from fairplay.web.sharing.meta import describe_page

__all__ = ["render_page"]


def render_page(request: Request, template: str, status: int = 200, **values: object) -> Response:
    """A page, with what every page shows."""
    services = services_of(request)
    path = request.url.path
    text = render_template(
        template,
        **values,
        path=path,
        own_games=[game for game in find_own_games(services, request) if path != f"/matches/{game.id}"],
        owner=services.owner.is_owner(request),
        has_token=bool(services.settings.token),
        version=__version__,
        meta=describe_page(request, template, values),
    )
    return HTMLResponse(text, status)
