"""Who visits the server: accounts, recognised by their tokens, and the owner, who may also show the server's own token.

A browser has one account, by a secret in a cookie that no script can read; a key of a seat proves an account at one
table, and so can be handed on.  There is no other way to be known.
"""

from __future__ import annotations

import asyncio
import secrets
from hashlib import sha256
from hmac import compare_digest
from math import ceil
from time import monotonic

import structlog
from msgspec import Struct
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from fairplay.core import StoreError
from fairplay.net.strangers import hash_secret
from fairplay.store.accounts import OWNER, Accounts, NewToken, Token
from fairplay.web.http.endpoints import RequestError, client_address
from fairplay.web.http.limits import BoundedDict, FailureDelays

OWNER_COOKIE = "fairplay-owner"
_ACCOUNT_COOKIE = "fairplay-account"
_SEAT_COOKIE = "seat-"
"""The names of cookies; the last one is followed by the id of the table."""

SESSION_SECONDS = 30 * 86_400
_ACCOUNT_SECONDS = 365 * 86_400
_SEAT_SECONDS = 2 * 86_400
"""How long a browser keeps its secrets."""

_LINK_SECONDS = 86_400
"""How long a link works that nobody has used."""

CACHE_SECONDS = 30.0
"""How long a token is believed before the store is asked again: another server may have ended it."""

_CACHED_TOKENS = 10_000

_MAX_SECRETS = 4
"""Secrets of one request that are looked up."""

_VISITOR = "fairplay.visitor"

LOG = structlog.get_logger("fairplay.web")


class Visitor(Struct, frozen=True):
    """What the tokens of a request prove."""

    tokens: tuple[Token, ...] = ()
    is_owner: bool = False

    @property
    def account(self) -> str | None:
        """The account of the browser."""
        return next((token.account for token in self.tokens if token.scope == "account"), None)

    def accounts_at(self, table: str) -> set[str]:
        """The accounts that this visitor is at a table."""
        return {token.account for token in self.tokens if token.scope in ("account", f"seat {table}")}


_NOBODY = Visitor()


def visitor_of(connection: HTTPConnection) -> Visitor:
    """Who sent this request.  ASSUME it has passed the middleware."""
    visitor: Visitor = connection.scope.get(_VISITOR, _NOBODY)
    return visitor


class OwnerAuth:
    """Recognises visitors.  Nobody is the owner by default.

    Tokens are in the store: they survive a restart, and hold for all servers of the store; sessions of the owner only
    for those with the same token.
    """

    def __init__(self, token: str, accounts: Accounts) -> None:
        self.token, self.accounts = token, accounts
        self._delays = FailureDelays()
        self._known: BoundedDict[str, tuple[float, Token]] = BoundedDict(_CACHED_TOKENS)  # each believed until

    def is_owner(self, connection: HTTPConnection) -> bool:
        """Does this request come from the owner?  ASSUME it has passed the middleware."""
        return visitor_of(connection).is_owner

    async def recognize(self, connection: HTTPConnection) -> Visitor:
        """Find out who sent a request; counts wrong tokens of the server."""
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        is_owner = bool(
            scheme.lower() == "bearer" and self.token and self._is_right(client_address(connection), given.strip())
        )
        session = connection.cookies.get(OWNER_COOKIE, "")
        if session and not is_owner:
            token = await self._find(self._hash(session))
            is_owner = token is not None and token.scope == "session" and token.account == OWNER
        found = [await self._find(hash_secret(secret)) for secret in _list_secrets(connection)]
        return Visitor(tuple(token for token in found if token is not None), is_owner)

    async def sign_in(self, address: str, token: str, key: str) -> str:
        """A new session for somebody with the token, or with the key of a link; raises RequestError.

        Each failure makes the address wait longer before it may try again.
        """
        if seconds := self._delays.seconds_to_wait(address):
            raise RequestError(429, f"That was wrong too often. Try again in {ceil(seconds)} seconds.")
        if key:
            right = await asyncio.to_thread(self.accounts.take_token, _hash_key("", key), "link")
            if not right:
                self._delays.fail(address)
                raise RequestError(401, "This link is used up or too old. Start the server again for a new one.")
        elif not self._is_right(address, token):
            raise RequestError(401, "This is not the token of this server.")
        self._delays.forget(address)
        session = secrets.token_urlsafe(24)
        await asyncio.to_thread(_admit_owner, self.accounts, NewToken(self._hash(session), "session", SESSION_SECONDS))
        return session

    async def close_session(self, connection: HTTPConnection) -> None:
        """End the session of this browser, if it has one."""
        hashed = self._hash(connection.cookies.get(OWNER_COOKIE, ""))
        self._known.pop(hashed, None)
        await asyncio.to_thread(self.accounts.take_token, hashed, "session")

    def _is_right(self, address: str, token: str) -> bool:
        """Is this the token?  Takes as long for a wrong one.  For those who have to wait, none is right."""
        if self._delays.seconds_to_wait(address):
            return False
        if self.token and compare_digest(token.encode(), self.token.encode()):
            return True
        self._delays.fail(address)
        return False

    async def _find(self, hashed: str) -> Token | None:
        until, token = self._known.get(hashed, (0.0, None))
        if token is not None and until > monotonic():
            return token
        try:
            token = await asyncio.to_thread(self.accounts.find_token, hashed)
        except StoreError as error:
            LOG.error("a visitor cannot be asked for in the store", reason=str(error))
            return token  # who was known before the store went away still is
        if token is not None:
            self._remember(hashed, token)
        return token

    def _remember(self, hashed: str, token: Token) -> None:
        self._known[hashed] = monotonic() + CACHE_SECONDS, token

    async def find_secret(self, secret: str) -> Token | None:
        """What a secret proves, if anything."""
        return await self._find(hash_secret(secret))

    async def hand_key(self, account: str, table: str) -> SeatProof:
        """A key to a seat that an account has at a table; raises StoreError."""
        key = secrets.token_urlsafe(16)
        await self._admit("", NewToken(hash_secret(key), f"seat {table}"), account=account)
        return SeatProof(account, key)

    async def admit(self, request: HTTPConnection, table: str, name: str) -> SeatProof:
        """An account for a visitor who takes a seat at a table, with a key to it; raises StoreError."""
        key, secret, account = secrets.token_urlsafe(16), "", visitor_of(request).account
        given = [NewToken(hash_secret(key), f"seat {table}")]
        if account is None:
            secret = secrets.token_urlsafe(24)
            given.append(NewToken(hash_secret(secret), "account", _ACCOUNT_SECONDS))
        return SeatProof(await self._admit(name, *given, account=account), key, secret)

    async def _admit(self, name: str, *given: NewToken, account: str | None) -> str:
        """Keep tokens of an account, and know them from now on; the account, which may be new."""
        found = await asyncio.to_thread(self.accounts.admit, name, *given, account=account)
        for token in given:
            self._remember(token.hash, Token(token.hash, found, token.scope))
        return found

    def _hash(self, session: str) -> str:
        """What is kept of a session; it is worth nothing once the token is another."""
        return _hash_key(self.token, session)


def _hash_key(token: str, key: str) -> str:
    """What is kept of a session or of the key of a link."""
    return sha256(f"{token}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()


class SeatProof(Struct, frozen=True):
    """Who takes a seat, and the secrets that prove it."""

    account: str
    key: str = ""  # to the seat; empty: nobody new has taken it
    secret: str = ""  # of the browser's new account; empty: it has one already

    def keep(self, response: Response, request: HTTPConnection, table: str) -> None:
        """Let the browser keep the secrets: no script can read them, and no URL carries them."""
        cookies = (
            (_ACCOUNT_COOKIE, self.secret, _ACCOUNT_SECONDS),
            (f"{_SEAT_COOKIE}{table}", self.key, _SEAT_SECONDS),
        )
        secure = request.url.scheme == "https"
        for name, secret, seconds in cookies:
            if secret:
                response.set_cookie(name, secret, max_age=seconds, httponly=True, samesite="lax", secure=secure)


def _list_secrets(connection: HTTPConnection) -> list[str]:
    """The secrets of a request that may prove an account, but for the owner's: a key in the header, else cookies."""
    if key := connection.headers.get("fairplay-seat"):
        return [key]
    path = connection.url.path
    seats = [key for name, key in connection.cookies.items() if name.startswith(_SEAT_COOKIE) and _is_of(name, path)]
    shown = [connection.cookies.get(_ACCOUNT_COOKIE, ""), *seats]
    return [secret for secret in shown if secret][:_MAX_SECRETS]


def _is_of(cookie: str, path: str) -> bool:
    """Does the cookie of a seat belong to the table of a path?"""
    return cookie.removeprefix(_SEAT_COOKIE) in path.split("/")


def _admit_owner(accounts: Accounts, token: NewToken) -> None:
    """Keep a token of the owner."""
    accounts.admit("", token, account=OWNER)
    accounts.grant(OWNER, OWNER)


def make_owner_link(accounts: Accounts, url: str) -> str:
    """A link that makes the one who opens it first the owner; the part after # is never sent in a URL."""
    key = secrets.token_urlsafe(24)
    _admit_owner(accounts, NewToken(_hash_key("", key), "link", _LINK_SECONDS))
    return f"{url}sign-in#{key}"


class OwnerMiddleware:
    """Finds out once for each request who sent it."""

    def __init__(self, app: ASGIApp, owner: OwnerAuth) -> None:
        self.app, self.owner = app, owner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            scope[_VISITOR] = await self.owner.recognize(HTTPConnection(scope))
        await self.app(scope, receive, send)
