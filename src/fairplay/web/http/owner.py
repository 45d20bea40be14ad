"""Who may do what: the owner by token, a person by the key of a seat, and everybody else."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from hashlib import sha256
from hmac import compare_digest
from time import monotonic
from typing import Final

from starlette.requests import HTTPConnection

from fairplay.core import Seat
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.timeline import EVERYTHING, Looker
from fairplay.web.settings import Settings

__all__ = ["OWNER_COOKIE", "Owners", "may_see", "seat_cookie", "seat_held"]

OWNER_COOKIE: Final = "fairplay-owner"
HOURS: Final = 12
MOST: Final = 100
"""Sessions of the owner at once; the oldest is forgotten."""


class Owners:
    """Knows the owner again: by the token itself, or by a session that the token opened."""

    def __init__(self, settings: Settings) -> None:
        self.token, self.at_home = settings.token, settings.at_home
        self._sessions: OrderedDict[str, float] = OrderedDict()  # hashed, each with the time when it ends

    def knows(self, connection: HTTPConnection) -> bool:
        """Does this come from the owner?"""
        if not self.token:
            return self.at_home
        kind, _, given = connection.headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self.is_token(given.strip()):
            return True
        session = connection.cookies.get(OWNER_COOKIE, "")
        return self._sessions.get(fingerprint(session), 0.0) > monotonic()

    def is_token(self, given: str) -> bool:
        return bool(self.token) and compare_digest(given.encode(), self.token.encode())

    def opened(self) -> str:
        """A new session, for somebody who gave the token."""
        session = secrets.token_urlsafe(24)
        self._sessions[fingerprint(session)] = monotonic() + HOURS * 3600
        while len(self._sessions) > MOST:
            self._sessions.popitem(last=False)
        return session

    def closed(self, connection: HTTPConnection) -> None:
        """The end of a session."""
        self._sessions.pop(fingerprint(connection.cookies.get(OWNER_COOKIE, "")), None)


def fingerprint(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def seat_cookie(id: str) -> str:
    """The name of the cookie that holds the key of a seat."""
    return f"seat-{id}"


def seat_held(connection: HTTPConnection, match: LiveMatch) -> Seat | None:
    """The seat whose key came along, in a cookie or in the header `Fairplay-Seat`."""
    key = connection.headers.get("fairplay-seat") or connection.cookies.get(seat_cookie(match.id), "")
    return match.seat_of(key)


def may_see(looker: Looker, held: Seat | None, *, owner: bool) -> bool:
    """May somebody look at a match that runs in this way?  Who plays sees what the seat sees, owner or not."""
    if looker is None or looker == held:
        return True
    return owner and held is None and (looker == EVERYTHING or isinstance(looker, int))
