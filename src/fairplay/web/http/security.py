"""Between the network and the pages: where requests come from, how many, how large, and what every answer says."""

from __future__ import annotations

from collections import OrderedDict
from time import monotonic
from typing import Final
from urllib.parse import urlsplit

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from fairplay.web.settings import Settings

__all__ = ["Guard", "Meter"]

LARGEST: Final = 1 << 20
"""Bytes of a request's body."""

MOST: Final = 64 << 20
"""Bytes of all bodies that are read at the same time."""

ADDRESSES: Final = 10_000
"""Addresses whose requests are counted; the one not heard of for longest is forgotten."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src {styles}; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""What a page may load and obey."""

HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

RETRY: Final = {"Retry-After": "1"}

LOG = structlog.get_logger("fairplay.web")


class Meter:
    """Lets so much through in the long run, and so much at once, for each address."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._seen: OrderedDict[str, tuple[float, float]] = OrderedDict()  # what is left, and when that was

    def allows(self, address: str) -> bool:
        """Count one more; False where it is too much."""
        now = monotonic()
        left, then = self._seen.pop(address, (self.burst, now))
        left = min(self.burst, left + (now - then) * self.rate)
        self._seen[address] = (max(left - 1, 0.0), now)
        while len(self._seen) > ADDRESSES:
            self._seen.popitem(last=False)
        return left >= 1


class Guard:
    """Refuses what must not come in, and puts our headers onto what goes out."""

    def __init__(self, app: ASGIApp, settings: Settings, styles: str) -> None:
        self.app, self.settings = app, settings
        self.headers = {**HEADERS, "Content-Security-Policy": POLICY.format(styles=styles)}
        self.meter = Meter(settings.rate, settings.burst)
        self.reading = 0  # bytes of bodies whose requests are not answered yet

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        refusal = self.refusal(scope)
        if refusal is not None:
            await self.refuse(refusal, scope, receive, send)
        elif scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self.answered(scope, receive, send)

    def refusal(self, scope: Scope) -> JSONResponse | None:
        """Why this request is not even looked at."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self.settings.hosts and name_in(host) not in self.settings.hosts:
            return refused(421, "this server does not go by that name")
        origin = headers.get("origin")
        asks = scope["type"] == "http" and scope["method"] in ("GET", "HEAD", "OPTIONS")
        if origin is not None and not asks and origin.partition("://")[2] != host:
            return refused(403, "a page of another site may not ask for this")
        if not self.meter.allows((scope.get("client") or ("",))[0]):
            return refused(429, "too many requests; try again in a moment")
        return None

    async def refuse(self, response: JSONResponse, scope: Scope, receive: Receive, send: Send) -> None:
        response.headers.update(self.headers)
        if scope["type"] == "http":
            await response(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": "refused"})

    async def answered(self, scope: Scope, receive: Receive, send: Send) -> None:
        started, total = False, 0

        async def receiving() -> Message:
            nonlocal total
            message = await receive()
            length = len(message.get("body", b""))
            total += length
            self.reading += length
            if total > LARGEST:
                raise HTTPException(413, f"the request is too large; expected at most {LARGEST} bytes")
            if self.reading > MOST:
                raise HTTPException(503, "many people send a lot just now; try again in a moment", RETRY)
            return message

        async def sending(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                ours = scope["path"].startswith("/static/")
                headers.setdefault("Cache-Control", "no-cache" if ours else "no-store")  # no-cache: keep, but ask
            await send(message)

        try:
            await self.app(scope, receiving, sending)
        except ClientDisconnect:
            return  # in the midst of a body; nobody is there to be answered
        except Exception:
            LOG.exception("a request failed", method=scope["method"], path=scope["path"][:200])
            if not started:
                await self.refuse(refused(500, "something went wrong here"), scope, receive, send)
        finally:
            self.reading -= total


def refused(status: int, reason: str) -> JSONResponse:
    return JSONResponse({"error": reason}, status, RETRY if status == 429 else None)


def name_in(host: str) -> str:
    """The name in a Host header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""
