"""Pages out of templates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from fairplay import __version__
from fairplay.web.http.endpoints import Services, services_of
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.http.settings import Settings
from fairplay.web.rendering.templates import render_template


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
