"""Answers made shorter for those who can read them so: pages, drawings, JSON and scripts shrink to a fifth.

How long an answer is when it was compressed tells whoever listens what repeats in it.  So what holds a key is sent as
it is: those are answers to POST, of which only the drawings below are compressed.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from typing import Final

from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipResponder, IdentityResponder
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["Shrink"]

LEVEL: Final = 4
"""Half the time of the usual one, for a few per cent more bytes."""

SMALLEST: Final = 500
"""Bytes below which it is not worth it: they fit into one packet anyway."""

LARGEST: Final = 256 << 10
"""Bytes above which it is done in a thread, and not remembered."""

REMEMBERED: Final = 64

ACCEPTED: Final = re.compile(
    r"(?:^|[,\s])(?:gzip|\*)\s*(?:;\s*q=(?!0(?:\.0*)?\s*(?:,|$))[0-9.]+\s*)?(?:,|$)", re.IGNORECASE
)
"""The name of it, unless it is there to say that it is not wanted."""

DRAWINGS: Final = re.compile(r"/api/matches/[^/]+/wish|/api/editor/[^/]+")
"""What is asked for by POST and large, and holds no key."""


class Shrink:
    """Compresses what may be compressed, the same body once for everybody."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not harmless(scope):
            await self.app(scope, receive, send)
        elif ACCEPTED.search(Headers(scope=scope).get("accept-encoding", "")):
            await Shrinking(self.app, SMALLEST, LEVEL, thread_minimum_size=LARGEST)(scope, receive, send)
        else:
            await IdentityResponder(self.app, SMALLEST)(scope, receive, send)


class Shrinking(GZipResponder):
    """One answer; a body that comes as a whole is looked up first."""

    async def apply_compression(self, body: bytes, *, more_body: bool) -> bytes:
        if more_body or self._compressor is not None or len(body) >= LARGEST:
            return await super().apply_compression(body, more_body=more_body)
        return shrunk(body)


@lru_cache(REMEMBERED)
def shrunk(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)


def harmless(scope: Scope) -> bool:
    """Is there no key in the answer to this?"""
    return scope["method"] in ("GET", "HEAD") or DRAWINGS.fullmatch(scope["path"]) is not None
