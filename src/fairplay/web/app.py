"""The web server as an ASGI application, and its monitoring: whether it can do its work, and figures for Prometheus."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Literal

from msgspec import Struct
from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response

from fairplay import __version__
from fairplay.core import FairplayError, StoreError
from fairplay.run.isolation.mounts import hide_paths
from fairplay.store import store_file
from fairplay.store.keys import open_keys
from fairplay.store.store import Store
from fairplay.web import editor, games, reviews, teaching
from fairplay.web.description import build_api_routes
from fairplay.web.house.pool import HousePool, default_processes
from fairplay.web.http.endpoints import Endpoint, Problem, Services, build_routes, json_response, reason_of, status_of
from fairplay.web.http.limits import Settings, TableLimiter
from fairplay.web.http.middleware import CompressionMiddleware, MeasuringMiddleware, RequestMetrics, SecurityMiddleware
from fairplay.web.http.owner import OwnerAuth, OwnerMiddleware
from fairplay.web.http.sockets import SocketLimit
from fairplay.web.matches import api as match_api
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.pages import home, tables
from fairplay.web.play import api as play_api, pages as match_pages
from fairplay.web.play.api import Rematches
from fairplay.web.rendering.pages import DrawQueue, PageFrame, render_page
from fairplay.web.rendering.static_files import allowed_styles, build_static_routes
from fairplay.web.sharing import api as sharing_api, links
from fairplay.web.sharing.links import describe_page
from fairplay.web.sharing.maker import PictureMaker
from fairplay.web.tournaments import api as tournament_api, players
from fairplay.web.tournaments.cache import TournamentCache
from fairplay.web.tournaments.runner import TournamentRunner

# -- monitoring --------------------------------------------------------------------------------

STORE_PATIENCE = 2.0
"""Seconds that the store may take to answer."""

_STARTED = monotonic()


class Health(Struct, frozen=True):
    """Whether the server can do its work; with the status 503 if not."""

    status: Literal["ok", "degraded"]
    store: Literal["ok", "unavailable"]
    version: str
    uptime: float  # seconds
    matches: int  # running
    watchers: int  # open sockets


class ServerCollector(Collector):
    """The figures of a server, read when they are asked for."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def collect(self) -> Iterator[Metric]:
        matches, sockets = self.services[MatchRegistry], self.services[SocketLimit]
        pictures = self.services[PictureMaker]
        yield GaugeMetricFamily("fairplay_matches_running", "Running matches.", len(matches.running))
        yield GaugeMetricFamily("fairplay_watchers", "Open sockets.", sockets.open)
        yield CounterMetricFamily("fairplay_matches_finished", "Matches finished.", matches.finished_count)
        yield CounterMetricFamily("fairplay_watchers_dropped", "Watchers that lagged.", matches.dropped_watchers)
        yield GaugeMetricFamily("fairplay_lines_waiting", "Record lines not yet stored.", matches.unwritten_lines)
        yield GaugeMetricFamily("fairplay_moments_kept", "Moments in memory.", matches.moments_in_memory)
        yield GaugeMetricFamily("fairplay_pictures_waiting", "Pictures being made.", pictures.waiting)
        yield GaugeMetricFamily("fairplay_picture_bytes", "Bytes of pictures kept.", pictures.cache.size)


async def _get_metrics(services: Services, request: Request) -> Response:
    """GET /metrics"""
    registry = CollectorRegistry()
    registry.register(ServerCollector(services))
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    text = generate_latest(registry) + generate_latest(services[RequestMetrics].registry)
    return Response(text, media_type="text/plain; version=0.0.4")


async def _get_health(services: Services, request: Request) -> Response:
    """GET /health"""
    is_well = await _is_store_well(services)
    health = Health(
        status="ok" if is_well else "degraded",
        store="ok" if is_well else "unavailable",
        version=__version__,
        uptime=round(monotonic() - _STARTED, 1),
        matches=len(services[MatchRegistry].running),
        watchers=services[SocketLimit].open,
    )
    return json_response(health, 200 if is_well else 503)


async def _is_store_well(services: Services) -> bool:
    """Does the store answer a small question in time?"""
    try:
        async with asyncio.timeout(STORE_PATIENCE):
            await asyncio.to_thread(services[Store].queue.contests)
    except (StoreError, TimeoutError):
        return False
    return True


# -- the application ----------------------------------------------------------------------------

ENDPOINTS: tuple[Endpoint, ...] = (
    *games.ENDPOINTS,
    *home.ENDPOINTS,
    *tables.ENDPOINTS,
    *match_api.ENDPOINTS,
    *play_api.ENDPOINTS,
    *reviews.ENDPOINTS,
    *tournament_api.ENDPOINTS,
    *players.ENDPOINTS,
    *editor.ENDPOINTS,
    *sharing_api.ENDPOINTS,
    Endpoint("GET", "/health", "Check that the server can do its work.", _get_health, Health, errors=(503,)),
    Endpoint("GET", "/metrics", "Figures for Prometheus.", _get_metrics, media_type="text/plain", owner_only=True),
)

PAGES = (
    *home.ROUTES,
    *tables.ROUTES,
    *teaching.ROUTES,
    *match_pages.ROUTES,
    *tournament_api.ROUTES,
    *players.ROUTES,
    *editor.ROUTES,
    *links.ROUTES,
    *match_api.ROUTES,
)

NOT_SERVED = {404: "There is no such page.", 405: "This page cannot be used in that way."}


def build_app(settings: Settings, store: Store) -> Starlette:
    """The server over `store`.  Matches and tournaments run while it does, and are resumed when it starts again."""
    services = build_services(settings, store)

    @asynccontextmanager
    async def run_services(app: Starlette) -> AsyncIterator[None]:
        await services[MatchRegistry].start()
        for words in settings.seated:
            await match_api.open_owner_table(services, words)
        await services[TournamentRunner].start()
        yield
        await services[TournamentRunner].stop()
        await services[reviews.Reviewer].stop()
        await services[MatchRegistry].stop()
        await services[PictureMaker].stop()

    app = Starlette(
        routes=[
            *PAGES,
            *build_routes(ENDPOINTS, services, services[OwnerAuth].is_owner),
            *build_api_routes(ENDPOINTS),
            *build_static_routes(),
        ],
        middleware=[
            Middleware(MeasuringMiddleware, metrics=services[RequestMetrics]),
            Middleware(SecurityMiddleware, settings=settings, styles=allowed_styles()),
            Middleware(OwnerMiddleware, owner=services[OwnerAuth]),
            Middleware(CompressionMiddleware),
        ],
        exception_handlers={FairplayError: show_error, HTTPException: show_error},
        lifespan=run_services,
    )
    app.state.services = services
    return app


def build_services(settings: Settings, store: Store) -> Services:
    """The parts of a server over `store`; nothing runs yet; raises StoreError if its key cannot be used."""
    keys = None if settings.key is None else open_keys(settings.key)
    tournaments = TournamentRunner(store, key=settings.key)
    pool = HousePool(settings.thinkers or default_processes(), settings.cpu)
    registry = MatchRegistry(store, pool, settings.matches, settings.patience, keys)
    registry.hidden = hide_paths([store_file(store.address), settings.key])
    return Services(
        settings,
        store,
        OwnerAuth(settings.token, store.accounts),
        SocketLimit(settings.watchers, settings.connections),
        registry,
        pool,
        TableLimiter(settings.tables / 60, settings.tables),
        reviews.Reviewer(pool),
        Rematches(registry),
        tournaments,
        TournamentCache(store, tournaments),
        DrawQueue(settings.edits),
        PictureMaker(pool.budgets.addresses),
        RequestMetrics(),
        PageFrame(home.find_own_games, describe_page),
    )


async def show_error(request: Request, error: Exception) -> Response:
    """An error as a page, or as JSON under /api/: one sentence, no traceback."""
    if isinstance(error, HTTPException):
        status, reason = error.status_code, NOT_SERVED.get(error.status_code, error.detail)
    else:
        status, reason = status_of(error) or 500, reason_of(error)
    if request.url.path.startswith("/api/"):
        response = json_response(Problem(reason), status)
    else:
        response = render_page(request, "error.html", status, code=status, reason=reason)
    response.headers.update(getattr(error, "headers", None) or {})
    return response
