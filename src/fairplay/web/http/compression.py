"""Gzip compression, except for responses that may contain keys.

The length of a compressed response tells a listener what repeats in it (BREACH).  Responses to GET and HEAD never hold
a key and are compressed.  Others are sent as they are, unless their endpoint says that they hold none.
"""

import gzip
import re
from functools import lru_cache

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipResponder, IdentityResponder
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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
