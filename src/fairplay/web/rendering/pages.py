"""Pages out of templates, with what every page shows; and the queue of the boards that are drawn for them."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from typing import NamedTuple, ParamSpec, TypeVar
from urllib.parse import quote

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fairplay import __version__
from fairplay.web.http.endpoints import BusyError, Services, services_of
from fairplay.web.http.limits import RateLimiter, Settings
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.rendering.static_files import StaticLinks


@cache
def templates() -> Environment:
    """All templates.  Whatever is put into them is escaped."""
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("fairplay.web"), PackageLoader("fairplay.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        extensions=[StaticLinks],
    )
    environment.filters["when"] = format_time
    environment.filters["drawing"] = Markup  # SVG of our own
    environment.filters["data"] = embed_json
    environment.globals["player_path"] = player_path
    return environment


def render_template(name: str, **values: object) -> str:
    """A template with these values in it."""
    return templates().get_template(name).render(**values)


def format_time(seconds: float) -> str:
    """Seconds since 1970 as a date and time, always UTC so that everyone sees the same."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")


def embed_json(json: str) -> Markup:
    """JSON for a script element; no text in it can end the element."""
    return Markup(json.replace("<", "\\u003c"))


def player_path(game: str, name: str) -> str:
    """The path of a player's page."""
    return f"/players/{quote(game, safe='')}/{quote(name, safe='')}"


class OwnGame(Struct, frozen=True):
    """A running match in which the visitor has a seat."""

    id: str
    game: str
    rivals: tuple[str, ...]
    is_my_turn: bool


class PageFrame(NamedTuple):
    """What pages show besides their own content; higher parts of the server know it."""

    find_own_games: Callable[[Services, Request], Sequence[OwnGame]]
    describe_page: Callable[[Request, str, Mapping[str, object]], object]  # what a link to it looks like elsewhere


def render_page(request: Request, template: str, status: int = 200, **values: object) -> Response:
    """A page, with what every page shows."""
    services = services_of(request)
    frame = services[PageFrame]
    path = request.url.path
    text = render_template(
        template,
        **values,
        path=path,
        own_games=[game for game in frame.find_own_games(services, request) if path != f"/matches/{game.id}"],
        owner=services[OwnerAuth].is_owner(request),
        has_token=bool(services[Settings].token),
        version=__version__,
        meta=frame.describe_page(request, template, values),
    )
    return HTMLResponse(text, status)


# -- drawings ----------------------------------------------------------------------------------

P = ParamSpec("P")
T = TypeVar("T")

MAX_WAITING = 100
"""Drawings in the queue."""


class DrawQueue:
    """Draws one board after another, beside everything else, so that no match waits for a drawing.

    Clicks that come faster than people click are refused.
    """

    def __init__(self, rate: float) -> None:
        """`rate` is how many clicks an address may make in a second, in the long run."""
        self.limiter = RateLimiter(rate, 10 * rate)
        self._lock = asyncio.Lock()
        self._waiting = 0

    async def draw(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `work`, done in a thread when it is its turn; raises BusyError if the queue is full."""
        if self._waiting >= MAX_WAITING:
            raise BusyError("Many boards are being drawn. Try again in a moment.")
        self._waiting += 1
        try:
            async with self._lock:
                return await asyncio.to_thread(work, *args, **kwargs)
        finally:
            self._waiting -= 1
