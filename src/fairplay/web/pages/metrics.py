"""Monitoring: whether the server can do its work, and its figures as Prometheus text."""

import asyncio
from collections.abc import Iterator
from time import monotonic
from typing import Literal

from msgspec import Struct
from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from fairplay import __version__
from fairplay.core import StoreError
from fairplay.store.store import Store
from fairplay.web.http.endpoints import Endpoint, Services, json_response
from fairplay.web.http.measuring import RequestMetrics
from fairplay.web.http.sockets import SocketLimit
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.sharing.maker import PictureMaker

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


ENDPOINTS = (
    Endpoint("GET", "/health", "Check that the server can do its work.", _get_health, Health, errors=(503,)),
    Endpoint("GET", "/metrics", "Figures for Prometheus.", _get_metrics, media_type="text/plain", owner_only=True),
)
