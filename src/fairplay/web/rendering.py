"""Templates into pages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeVar

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fairplay import __version__
from fairplay.web.context import server_of

__all__ = ["page", "rendered", "templates"]

T = TypeVar("T")


async def page(read: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """What a page needs from the store, read without holding anybody up."""
    return await asyncio.to_thread(read, *arguments, **named)


def rendered(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """A page.  Whatever is put into it is escaped, except our own drawings."""
    server = server_of(request)
    owner = server.owners.knows(request)
    text = (
        templates()
        .get_template(template)
        .render(**values, path=request.url.path, owner=owner, token=bool(server.settings.token), version=__version__)
    )
    return HTMLResponse(text, status)


@cache
def templates() -> Environment:
    made = Environment(
        loader=PackageLoader("fairplay.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters["when"] = when
    made.filters["drawing"] = drawing
    made.filters["data"] = data
    return made


def when(seconds: float) -> str:
    """A time as people write it; always UTC, so that two people talk about the same moment."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def drawing(picture: str) -> Markup:
    """SVG of our own, put into the page as it is."""
    return Markup(picture)


def data(json: str) -> Markup:
    """JSON for the script of a page, which no text in it can break out of."""
    return Markup(json.replace("<", "\\u003c"))
