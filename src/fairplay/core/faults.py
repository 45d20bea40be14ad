"""Misbehaviour as values, our own failures as one tree of exceptions."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from msgspec import Struct

__all__ = [
    "ABSENCE",
    "AbsentError",
    "FairplayError",
    "Fault",
    "FaultKind",
    "IllegalActionError",
    "KernelSizeError",
    "Misbehaved",
    "MissingStoreError",
    "NotationError",
    "NumberError",
    "RecordError",
    "SetupError",
    "StoreError",
    "UsageError",
    "WireError",
]

LONGEST_DETAIL = 2_000
"""Characters of a fault's detail that are kept; the last ones say most."""


LONGEST_QUOTE = 80
"""Characters of a text that are quoted where it cannot be understood."""


class FaultKind(StrEnum):
    """Every way a player can disqualify itself."""

    ILLEGAL = "illegal"
    MALFORMED = "malformed"
    TIMED_OUT = "timed-out"
    CRASHED = "crashed"
    GONE = "gone"
    EXCEEDED = "exceeded"


class Fault(Struct, frozen=True):
    """A player's misbehaviour: which kind, and the words for its author."""

    kind: FaultKind
    detail: str = ""

    @staticmethod
    def of(kind: FaultKind, detail: str) -> Fault:
        """A fault whose detail is cut to a bounded length, keeping its end."""
        if len(detail) > LONGEST_DETAIL:
            detail = "…" + detail[1 - LONGEST_DETAIL :]
        # A lone surrogate cannot be written as UTF-8; the words must not break the record.
        return Fault(kind, detail.encode("utf-8", "replace").decode())

    @property
    def is_absence(self) -> bool:
        """Does it say no more than that the player was not there, since it was thrown out of an earlier match?"""
        return self == ABSENCE


ABSENCE: Final = Fault(FaultKind.GONE, "absent since it was thrown out of an earlier match")
"""What happens to a player that cannot come back, in each match that it would have had."""


class FairplayError(Exception):
    """Something of ours, or of the person who runs it, went wrong; says what in one sentence."""


class UsageError(FairplayError):
    """The person who runs the program asked for something that does not exist or cannot be."""


class SetupError(FairplayError):
    """The chosen parameters cannot be dealt."""


class IllegalActionError(FairplayError):
    """The rules forbid this action now; says why."""


class WireError(FairplayError):
    """A JSON value is not of the expected form; `path` says where, such as ``$.cards.red``."""

    def __init__(self, message: str, path: str = "$") -> None:
        super().__init__(f"{message} at {path}")
        self.path = path


class NotationError(FairplayError):
    """A text is not an action, or a position, in the notation of its game."""

    def __init__(self, text: str, expected: str, noun: str = "an action") -> None:
        shown = text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"
        super().__init__(f"'{shown.encode('utf-8', 'replace').decode()}' is not {noun}; expected {expected}")


class NumberError(FairplayError):
    """No action of this setup has that number, or no number that action."""


class KernelSizeError(FairplayError):
    """The kernel of a game does not support matches of this size; says which it does."""


class RecordError(FairplayError):
    """A record is damaged, cut off, or does not replay to what it claims."""


class EngineError(FairplayError):
    """Matches cannot be played on; those that are finished stay finished."""


class StoreError(FairplayError):
    """Matches could not be kept or found."""


class AbsentError(StoreError):
    """What was asked for is not in the store; the words name no place, so that anybody may read them."""


class MissingStoreError(StoreError):
    """There is no store in this place, and none was to be made."""


class Misbehaved(Exception):  # noqa: N818 - not an error of ours: it carries a fault to the runner
    """Raised on behalf of a player to report a fault that is not a plain crash."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.detail)
        self.fault = fault
