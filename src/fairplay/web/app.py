"""The web server as an ASGI application."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from fairplay.core import FairplayError
from fairplay.store.store import Store
from fairplay.web import metrics
from fairplay.web.context import Server
from fairplay.web.editor import api as editor
from fairplay.web.editor.drawing_queue import Easel
from fairplay.web.http.compression import Shrink
from fairplay.web.http.endpoints import Endpoint, Problem, answer, reason_of, routes, status_of
from fairplay.web.http.openapi import described
from fairplay.web.http.owner import Owners
from fairplay.web.http.security import Guard, Meter
from fairplay.web.http.styles import allowed_styles
from fairplay.web.matches import api as matches
from fairplay.web.matches import pages, sockets
from fairplay.web.matches.registry import Hall
from fairplay.web.rendering import rendered
from fairplay.web.settings import Settings
from fairplay.web.tournaments import api as tournaments
from fairplay.web.tournaments import players
from fairplay.web.tournaments.cache import Looks
from fairplay.web.tournaments.runner import Contests

__all__ = ["ENDPOINTS", "application"]

ENDPOINTS: tuple[Endpoint, ...] = (
    *matches.ENDPOINTS,
    *tournaments.ENDPOINTS,
    *players.ENDPOINTS,
    *editor.ENDPOINTS,
    *metrics.ENDPOINTS,
)


def application(settings: Settings, store: Store) -> Starlette:
    """The server over `store`.  It plays from start-up to shut-down; running matches go on when it starts again."""
    hall = Hall(store, settings.matches, settings.patience)
    tables = Meter(settings.tables / 60, settings.tables)
    contests = Contests(store)
    looks = Looks(store, contests, tournaments.fragment)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        await hall.open()
        await contests.open()
        yield
        await contests.close()
        await hall.close()

    app = Starlette(
        routes=[
            *pages.ROUTES,
            *tournaments.ROUTES,
            *players.ROUTES,
            *editor.ROUTES,
            *routes(ENDPOINTS),
            *sockets.ROUTES,
            Route("/api", describe),
            Route("/api/openapi.json", openapi),
            Mount("/static", StaticFiles(packages=[("fairplay.web", "static")])),
        ],
        middleware=[Middleware(Guard, settings=settings, styles=allowed_styles()), Middleware(Shrink)],
        exception_handlers={FairplayError: failed, HTTPException: failed},
        lifespan=lifespan,
    )
    app.state.server = Server(settings, store, hall, Owners(settings), tables, contests, looks, Easel(settings.edits))
    return app


async def openapi(request: Request) -> Response:
    return answer(described(ENDPOINTS))


async def describe(request: Request) -> Response:
    return rendered(request, "api.html", endpoints=ENDPOINTS)


async def failed(request: Request, error: Exception) -> Response:
    """An error as a page, or as JSON where a program asked; one sentence, no traceback."""
    if isinstance(error, HTTPException):
        status, reason = error.status_code, WORDS.get(error.status_code, error.detail)
    else:
        status, reason = status_of(error) or 500, reason_of(error)
    if request.url.path.startswith("/api/"):
        response = answer(Problem(reason), status)
    else:
        response = rendered(request, "error.html", status, code=status, reason=reason)
    response.headers.update(getattr(error, "headers", None) or {})
    return response


WORDS = {404: "There is no such page.", 405: "This page cannot be used in that way."}
