"""Errors as answers: an HTTP status and one sentence, never a traceback or a path."""

import structlog
from msgspec import Struct
from starlette.exceptions import HTTPException

from fairplay.core import AbsentError, FairplayError, RecordError, RuleBookError, StoreError

MAX_REASON = 500
"""Characters of a reason; it may quote the request."""

LOG = structlog.get_logger("fairplay.web")


class Problem(Struct, frozen=True):
    """Why a request was refused."""

    error: str


class RequestError(FairplayError):
    """A request that cannot be served, with its HTTP status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class BusyError(FairplayError):
    """The server is doing as much of this as it is willing to."""


def reason_of(error: Exception) -> str:
    """What went wrong, for strangers: where the store is, is logged but not told."""
    if isinstance(error, StoreError) and not isinstance(error, AbsentError):
        LOG.error("the store failed", reason=str(error))
        return "The database is not available at the moment. Try again later."
    reason = str(error.detail) if isinstance(error, HTTPException) else str(error)
    return as_sentence(reason) if len(reason) <= MAX_REASON else f"{reason[:MAX_REASON]}…"


def as_sentence(text: str) -> str:
    """The message of an error as people read it: with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?", "…")) else ".")


def status_of(error: Exception) -> int | None:
    """The HTTP status of an error; None if the error is a bug of ours."""
    match error:
        case RequestError(status=status):
            return status
        case HTTPException(status_code=status):
            return status
        case BusyError():
            return 503
        case AbsentError():
            return 404
        case StoreError():
            return 503
        case RecordError():
            return 409
        case RuleBookError():
            return 500
        case FairplayError():
            return 422
        case _:
            return None
