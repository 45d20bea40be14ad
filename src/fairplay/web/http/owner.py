"""The owner of the server, recognised by a token or by a session that the token opened."""

from __future__ import annotations

import secrets
from hashlib import sha256
from hmac import compare_digest
from time import monotonic
from typing import Final

from starlette.requests import HTTPConnection

from fairplay.web.bounded import BoundedDict
from fairplay.web.settings import Settings

__all__ = ["OWNER_COOKIE", "OwnerAuth"]

OWNER_COOKIE: Final = "fairplay-owner"

SESSION_SECONDS: Final = 12 * 3600

MAX_SESSIONS: Final = 100
"""Sessions at once; the oldest is closed first."""


class OwnerAuth:
    """Decides whether a request comes from the owner."""

    def __init__(self, settings: Settings) -> None:
        self.token, self.is_local = settings.token, settings.is_local
        self._sessions: BoundedDict[str, float] = BoundedDict(MAX_SESSIONS)  # hashed, each with the time it ends

    def is_owner(self, connection: HTTPConnection) -> bool:
        """Does this come from the owner?  Without a token, everyone on this machine is the owner, and nobody else."""
        if not self.token:
            return self.is_local
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(given.strip()):
            return True
        session = connection.cookies.get(OWNER_COOKIE, "")
        return self._sessions.get(hash_session(session), 0.0) > monotonic()

    def is_token(self, given: str) -> bool:
        """Is this the token?  Takes as long for a wrong one as for the right one."""
        return bool(self.token) and compare_digest(given.encode(), self.token.encode())

    def open_session(self) -> str:
        """A new session, for someone who gave the token."""
        session = secrets.token_urlsafe(24)
        self._sessions[hash_session(session)] = monotonic() + SESSION_SECONDS
        return session

    def close_session(self, connection: HTTPConnection) -> None:
        """End the session of this browser, if it has one."""
        self._sessions.pop(hash_session(connection.cookies.get(OWNER_COOKIE, "")), None)


def hash_session(session: str) -> str:
    """What is kept of a session."""
    return sha256(session.encode()).hexdigest()
