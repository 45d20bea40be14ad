"""Monitoring: whether the server answers, and its figures as Prometheus text."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.requests import Request
from starlette.responses import Response

from fairplay.web.context import Services
from fairplay.web.http.endpoints import Endpoint

__all__ = ["ENDPOINTS"]


class ServerCollector(Collector):
    """The figures of a server, read when they are asked for."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def collect(self) -> Iterator[Metric]:
        """All figures."""
        matches, sockets = self.services.registry, self.services.sockets
        yield GaugeMetricFamily("fairplay_matches_running", "Running matches.", len(matches.running))
        yield GaugeMetricFamily("fairplay_watchers", "Open sockets.", sockets.open)
        yield CounterMetricFamily("fairplay_matches_finished", "Matches finished.", matches.finished_count)
        yield CounterMetricFamily("fairplay_watchers_dropped", "Watchers that lagged.", matches.dropped_watchers)
        yield GaugeMetricFamily("fairplay_lines_waiting", "Record lines not yet stored.", matches.unwritten_lines)
        yield GaugeMetricFamily("fairplay_moments_kept", "Moments in memory.", matches.moments_in_memory)


async def get_metrics(services: Services, request: Request) -> Response:
    """GET /metrics"""
    registry = CollectorRegistry()
    registry.register(ServerCollector(services))
    return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")


async def get_health(services: Services, request: Request) -> dict[str, str]:
    """GET /health"""
    return {"status": "ok"}


ENDPOINTS = (
    Endpoint("GET", "/health", "Check that the server answers.", get_health, dict[str, str]),
    Endpoint("GET", "/metrics", "Figures for Prometheus.", get_metrics, media_type="text/plain", owner_only=True),
)
