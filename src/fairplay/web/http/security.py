"""What every request must pass and every response must carry: host, origin, rate, size, security headers."""

from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairplay.net.addresses import address_group
from fairplay.web.http.limits import RateLimiter, Settings

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
