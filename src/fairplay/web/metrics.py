"""How the server is doing, for those who keep an eye on it: Prometheus text."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from fairplay.web.context import Server
from fairplay.web.http.endpoints import Endpoint
from fairplay.web.matches.registry import Hall

__all__ = ["ENDPOINTS"]


class HallNumbers(Collector):
    """The numbers of a hall, read when they are asked for."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall

    def collect(self) -> Iterator[Metric]:
        hall = self.hall
        yield GaugeMetricFamily("fairplay_matches_running", "Matches that run now.", len(hall.live))
        yield GaugeMetricFamily("fairplay_watchers", "Sockets that are open now.", hall.watchers)
        yield CounterMetricFamily("fairplay_matches_finished", "Matches that ended since the start.", hall.finished)
        yield CounterMetricFamily("fairplay_watchers_dropped", "Watchers dropped for lagging.", hall.dropped)
        yield GaugeMetricFamily("fairplay_lines_waiting", "Record lines not yet in the store.", hall.waiting)
        yield GaugeMetricFamily("fairplay_moments_kept", "Moments of running matches in memory.", hall.moments)


async def metrics(server: Server, request: Request) -> Response:
    registry = CollectorRegistry()
    registry.register(HallNumbers(server.hall))
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")


async def health(server: Server, request: Request) -> dict[str, str]:
    return {"status": "ok"}


ENDPOINTS = (
    Endpoint("GET", "/health", "Whether the server answers.", health, dict[str, str]),
    Endpoint("GET", "/metrics", "Numbers for Prometheus.", metrics, media="text/plain", owner=True),
)
