"""Pages out of templates."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fairplay import __version__
from fairplay.web.context import services_of
from fairplay.web.http.templates import render_template

__all__ = ["render_page"]


def render_page(request: Request, template: str, status: int = 200, **values: object) -> Response:
    """A page, with what every page shows."""
    services = services_of(request)
    text = render_template(
        template,
        **values,
        path=request.url.path,
        owner=services.owner.is_owner(request),
        has_token=bool(services.settings.token),
        version=__version__,
    )
    return HTMLResponse(text, status)
