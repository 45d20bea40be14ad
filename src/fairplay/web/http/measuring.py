"""Figures of requests and sockets: how many, how they ended, how long they took.

The values of labels are bounded: routes are those of the application, and whatever else is asked for is `other`.
"""

from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds."""

_OTHER = "other"
_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
_CLOSE_CODES = frozenset({1000, 1001, 1003, 1005, 1006, 1008, 1011, 1012, 1013, 4403, 4404})


class RequestMetrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter("fairplay_requests", "Requests served.", labels, registry=self.registry)
        self.errors = Counter("fairplay_request_errors", "Requests that met a bug.", ["route"], registry=self.registry)
        self.seconds = Histogram(
            "fairplay_request_seconds", "Time to answer.", ["route"], buckets=_BUCKETS, registry=self.registry
        )
        self.serving = Gauge("fairplay_requests_serving", "Requests being served.", registry=self.registry)
        self.opened = Counter("fairplay_sockets_opened", "Sockets opened.", ["route"], registry=self.registry)
        self.closed = Counter("fairplay_sockets_closed", "Sockets closed.", ["route", "code"], registry=self.registry)


class MeasuringMiddleware:
    """Counts every request and every socket; it stands before all others."""

    def __init__(self, app: ASGIApp, metrics: RequestMetrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self.measure_request(scope, receive, send)
        elif scope["type"] == "websocket":
            await self.measure_socket(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def measure_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a request with its status, and the time until the answer was sent."""
        status, started = 0, perf_counter()

        async def send_noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        with self.metrics.serving.track_inprogress():
            await self.app(scope, receive, send_noted)
        route, method = _route_name(scope), scope["method"] if scope["method"] in _METHODS else _OTHER
        self.metrics.requests.labels(method, route, status or "gone").inc()
        self.metrics.seconds.labels(route).observe(perf_counter() - started)
        if status == 500:
            self.metrics.errors.labels(route).inc()

    async def measure_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count a socket when it is accepted and when it is closed, by whomever."""
        is_open, code = False, 0  # the side that closes it first says why

        async def receive_noted() -> Message:
            nonlocal code
            message = await receive()
            if message["type"] == "websocket.disconnect":
                code = code or message.get("code", 1005)
            return message

        async def send_noted(message: Message) -> None:
            nonlocal is_open, code
            if message["type"] == "websocket.accept":
                is_open = True
                self.metrics.opened.labels(_route_name(scope)).inc()
            elif message["type"] == "websocket.close":
                code = code or message.get("code", 1000)
            await send(message)

        try:
            await self.app(scope, receive_noted, send_noted)
        finally:
            if is_open:
                name = str(code) if code in _CLOSE_CODES else _OTHER
                self.metrics.closed.labels(_route_name(scope), name).inc()


def _route_name(scope: Scope) -> str:
    """The path of the route that serves a request, as the application writes it."""
    route = scope.get("route")
    return route.path if isinstance(route, Route | WebSocketRoute | Mount) else _OTHER
