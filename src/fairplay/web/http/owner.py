"""The owner of the server, recognised by a token, or by the session of a browser that a token or a link opened."""

from __future__ import annotations

import asyncio
import secrets
from hashlib import sha256
from hmac import compare_digest
from math import ceil
from time import monotonic
from typing import Final

import structlog
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from fairplay.core import StoreError
from fairplay.store.web.owner_keys import OwnerKeys
from fairplay.web.http.endpoints import client_address
from fairplay.web.http.errors import RequestError
from fairplay.web.http.limits import BoundedDict, FailureDelays

__all__ = ["OWNER_COOKIE", "SESSION_SECONDS", "OwnerAuth", "OwnerMiddleware", "make_owner_link"]

OWNER_COOKIE: Final = "fairplay-owner"

SESSION_SECONDS: Final = 30 * 86_400

LINK_SECONDS: Final = 86_400
"""How long a link works that nobody has used."""

CACHE_SECONDS: Final = 30.0
"""How long a session is believed before the store is asked again: another server may have closed it."""

CACHED_SESSIONS: Final = 100

IS_OWNER: Final = "fairplay.is_owner"

LOG = structlog.get_logger("fairplay.web")


class OwnerAuth:
    """Decides whether a request comes from the owner.  Nobody is the owner by default.

    Sessions are in the store: they survive a restart, and hold for all servers of the store that have the same token.
    """

    def __init__(self, token: str, keys: OwnerKeys) -> None:
        self.token = token
        self._keys = keys
        self._delays = FailureDelays()
        self._sessions: BoundedDict[str, float] = BoundedDict(CACHED_SESSIONS)  # hashed, each believed until

    def is_owner(self, connection: HTTPConnection) -> bool:
        """Does this request come from the owner?  ASSUME it has passed the middleware."""
        return bool(connection.scope.get(IS_OWNER, False))

    async def recognize(self, connection: HTTPConnection) -> bool:
        """Find out whether a request comes from the owner; counts wrong tokens."""
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.token and self._is_right(client_address(connection), given.strip()):
            return True
        session = connection.cookies.get(OWNER_COOKIE, "")
        return bool(session) and await self._is_session(session)

    async def sign_in(self, address: str, token: str, key: str) -> str:
        """A new session for somebody with the token, or with the key of a link; raises RequestError.

        Each failure makes the address wait longer before it may try again.
        """
        if seconds := self._delays.seconds_to_wait(address):
            raise RequestError(429, f"That was wrong too often. Try again in {ceil(seconds)} seconds.")
        if key:
            right = await asyncio.to_thread(self._keys.take, hash_key("", key), "link")
            if not right:
                self._delays.fail(address)
                raise RequestError(401, "This link is used up or too old. Start the server again for a new one.")
        elif not self._is_right(address, token):
            raise RequestError(401, "This is not the token of this server.")
        self._delays.forget(address)
        session = secrets.token_urlsafe(24)
        await asyncio.to_thread(self._keys.add, self._hash(session), "session", SESSION_SECONDS)
        return session

    async def close_session(self, connection: HTTPConnection) -> None:
        """End the session of this browser, if it has one."""
        hashed = self._hash(connection.cookies.get(OWNER_COOKIE, ""))
        self._sessions.pop(hashed, None)
        await asyncio.to_thread(self._keys.take, hashed, "session")

    def _is_right(self, address: str, token: str) -> bool:
        """Is this the token?  Takes as long for a wrong one.  For those who have to wait, none is right."""
        if self._delays.seconds_to_wait(address):
            return False
        if self.token and compare_digest(token.encode(), self.token.encode()):
            return True
        self._delays.fail(address)
        return False

    async def _is_session(self, session: str) -> bool:
        hashed = self._hash(session)
        if self._sessions.get(hashed, 0.0) > monotonic():
            return True
        try:
            if not await asyncio.to_thread(self._keys.holds, hashed, "session"):
                return False
        except StoreError as error:
            LOG.error("the owner cannot be recognised", reason=str(error))
            return False
        self._sessions[hashed] = monotonic() + CACHE_SECONDS
        return True

    def _hash(self, session: str) -> str:
        """What is kept of a session; it is worth nothing once the token is another."""
        return hash_key(self.token, session)


def hash_key(token: str, key: str) -> str:
    """What is kept of a session or of the key of a link."""
    return sha256(f"{token}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()


def make_owner_link(keys: OwnerKeys, url: str) -> str:
    """A link that makes the one who opens it first the owner; the part after # is never sent in a URL."""
    key = secrets.token_urlsafe(24)
    keys.add(hash_key("", key), "link", LINK_SECONDS)
    return f"{url}sign-in#{key}"


class OwnerMiddleware:
    """Finds out once for each request whether it comes from the owner."""

    def __init__(self, app: ASGIApp, owner: OwnerAuth) -> None:
        self.app, self.owner = app, owner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            scope[IS_OWNER] = await self.owner.recognize(HTTPConnection(scope))
        await self.app(scope, receive, send)
