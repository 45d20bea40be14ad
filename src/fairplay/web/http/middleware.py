"""What every request passes, and every response: they are counted, checked and compressed.

Requests are checked for host, origin, rate and size, and responses carry the headers that security asks for.

Responses that may contain keys are not compressed: the length of a compressed response tells a listener what repeats
in it (BREACH).  Responses to GET and HEAD never hold a key and are compressed.  Others are sent as they are, unless
their endpoint says that they hold none.
"""

import gzip
import re
from functools import lru_cache
from time import perf_counter
from urllib.parse import urlsplit

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipResponder, IdentityResponder
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairplay.net.strangers import address_group
from fairplay.web.http.limits import RateLimiter, Settings

# -- figures -----------------------------------------------------------------------------------

_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Seconds."""

_OTHER = "other"
_METHODS = frozenset({"GET", "HEAD", "POST", "DELETE", "OPTIONS"})
_CLOSE_CODES = frozenset({1000, 1001, 1003, 1005, 1006, 1008, 1011, 1012, 1013, 4403, 4404})


class RequestMetrics:
    """The figures of one server: how many requests and sockets, how they ended, how long they took.

    The values of labels are bounded: routes are those of the application, and whatever else is asked for is `other`.
    """

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


# -- security ----------------------------------------------------------------------------------

MAX_BODY = 1 << 20
"""Bytes of the body of one request."""

MAX_ALL_BODIES = 64 << 20
"""Bytes of the bodies of all requests that are being served."""

_CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src {styles}; img-src 'self' data:; manifest-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors {framers}"
)

_FRAMABLE = "fairplay.framable"
"""The entry of an ASGI scope that says that pages of other sites may show its response in a frame."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_PAGELESS_TYPES = ("text/css", "text/javascript")
_PAGELESS_HEADERS = ("X-Content-Type-Options", "Cross-Origin-Resource-Policy")
"""What scripts and styles carry: the other headers, a kilobyte of them, mean something to a page alone."""

_RETRY = {"Retry-After": "1"}

_PAGE_SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}
"""The scheme of the page that sends a request, by the scheme of the request."""

LOG = structlog.get_logger("fairplay.web")


def allow_framing(request: Request) -> None:
    """Let pages of other sites show the response to this request in a frame: nothing private may be on it."""
    request.scope[_FRAMABLE] = True


class SecurityMiddleware:
    """Refuses requests that must not come in, and adds security headers to the responses."""

    def __init__(self, app: ASGIApp, settings: Settings, styles: str) -> None:
        self.app, self.settings = app, settings
        self.headers = {**HEADERS, "Content-Security-Policy": _CONTENT_POLICY.format(styles=styles, framers="'none'")}
        self.framable_policy = _CONTENT_POLICY.format(styles=styles, framers="*")
        self.limiter = RateLimiter(settings.rate, settings.burst)
        self.body_bytes = 0  # of requests that are being served

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self.find_refusal(scope)
        if refusal is not None:
            await self.send_refusal(refusal, scope, receive, send)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self.serve_request(scope, receive, send)

    def find_refusal(self, scope: Scope) -> JSONResponse | None:
        """Why this request is not served at all; None if it is."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self.settings.hosts and _parse_host(host) not in self.settings.hosts:
            return _error_response(421, "Unknown host.")
        origin = headers.get("origin")
        is_safe = scope["type"] == "http" and scope["method"] in ("GET", "HEAD", "OPTIONS")
        if origin is not None and not is_safe and origin != f"{_PAGE_SCHEMES[scope['scheme']]}://{host}":
            return _error_response(403, "Cross-origin request refused.")
        if not self.limiter.allow(address_group((scope.get("client") or ("",))[0])):
            return _error_response(429, "Too many requests. Try again in a moment.")
        return None

    async def send_refusal(self, response: JSONResponse, scope: Scope, receive: Receive, send: Send) -> None:
        """Send a response that no endpoint made; a WebSocket is not opened."""
        response.headers.update(self.headers)
        if scope["type"] == "http":
            await response(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": "refused"})

    async def serve_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the application respond; bodies are counted as they come in, headers are added as they go out."""
        started, total = False, 0

        async def receive_counted() -> Message:
            nonlocal total
            message = await receive()
            length = len(message.get("body", b""))
            total += length
            self.body_bytes += length
            if total > MAX_BODY:
                raise HTTPException(413, f"The request is too large; the limit is {MAX_BODY} bytes.")
            if self.body_bytes > MAX_ALL_BODIES:
                raise HTTPException(503, "The server is busy with large requests. Try again in a moment.", _RETRY)
            return message

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self.add_headers(message, scope)
            await send(message)

        try:
            await self.app(scope, receive_counted, send_with_headers)
        except ClientDisconnect:
            return  # before its body was complete; no one is left to answer
        except Exception:
            LOG.exception("a request failed", method=scope["method"], path=scope["path"][:200])
            if not started:
                await self.send_refusal(_error_response(500, "Internal server error."), scope, receive, send)
        finally:
            self.body_bytes -= total

    def add_headers(self, message: Message, scope: Scope) -> None:
        """Add what the response does not say itself.  A browser keeps our own files, but asks whether they changed."""
        headers, is_static = MutableHeaders(scope=message), scope["path"].startswith("/static/")
        if _FRAMABLE in scope:
            headers.setdefault("Content-Security-Policy", self.framable_policy)
        is_pageless = is_static and headers.get("Content-Type", "").startswith(_PAGELESS_TYPES)
        for name in _PAGELESS_HEADERS if is_pageless else self.headers:
            headers.setdefault(name, self.headers[name])
        headers.setdefault("Cache-Control", "no-cache" if is_static else "no-store")


def _error_response(status: int, reason: str) -> JSONResponse:
    return JSONResponse({"error": reason}, status, _RETRY if status == 429 else None)


def _parse_host(header: str) -> str:
    """The name in a Host header, without the port; empty if it is malformed."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


# -- compression -------------------------------------------------------------------------------

_LEVEL = 4
"""Takes half the time of the default, for a few per cent more bytes."""

MIN_BYTES = 500
"""Smaller bodies fit into one packet anyway."""

LARGE_BYTES = 256 << 10
"""Larger bodies are compressed in a thread, and not cached."""

_CACHE_SIZE = 64

_ACCEPTS_GZIP = re.compile(
    r"(?:^|[,\s])(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[0-9.]+\s*)?(?:,|$)", re.IGNORECASE
)
"""An Accept-Encoding header that names gzip, and not with a weight of zero."""

_ALLOWED = "fairplay.compression_allowed"
"""The entry of an ASGI scope that says that its response holds no key."""


def allow_compression(request: Request) -> None:
    """Say that the response to this request holds no key, although it is not a GET."""
    request.scope[_ALLOWED] = True


def _may_compress(scope: Scope) -> bool:
    """Is there no key in the response?"""
    return scope["method"] in ("GET", "HEAD") or _ALLOWED in scope


class CompressionMiddleware:
    """Compresses what may be compressed, and the same body only once."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        accepted = _ACCEPTS_GZIP.search(Headers(scope=scope).get("accept-encoding", ""))
        responder = CachedGzipResponder(self.app) if accepted else IdentityResponder(self.app, MIN_BYTES)

        async def send_unless_secret(message: Message) -> None:
            await (responder.send_with_compression if _may_compress(scope) else send)(message)

        responder.send = send
        await self.app(scope, receive, send_unless_secret)


class CachedGzipResponder(GZipResponder):
    """One response; a body that comes in one piece is looked up in the cache first."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__(app, MIN_BYTES, _LEVEL, thread_minimum_size=LARGE_BYTES)
        self.streaming = False

    async def apply_compression(self, body: bytes, *, more_body: bool) -> bytes:
        """The body, or a piece of it, compressed."""
        self.streaming = self.streaming or more_body
        if self.streaming or len(body) >= LARGE_BYTES:
            return await super().apply_compression(body, more_body=more_body)
        return compress_body(body)


@lru_cache(_CACHE_SIZE)
def compress_body(body: bytes) -> bytes:
    """A whole body, compressed; the latest ones are cached."""
    return gzip.compress(body, _LEVEL, mtime=0)
