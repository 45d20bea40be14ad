"""Misbehaviour as values, our own failures as one tree of exceptions."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

LONGEST_DETAIL = 2_000
"""Characters of a fault's detail that are kept; the last ones say most."""


_LONGEST_QUOTE = 80
"""Characters of a text that are quoted when it cannot be understood."""


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


ABSENCE = Fault(FaultKind.GONE, "absent since it was thrown out of an earlier match")
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
        shown = text if len(text) <= _LONGEST_QUOTE else text[:_LONGEST_QUOTE] + "…"
        super().__init__(f"'{shown.encode('utf-8', 'replace').decode()}' is not {noun}; expected {expected}")


class NumberError(FairplayError):
    """No action of this setup has that number, or no number that action."""


class KernelSizeError(FairplayError):
    """The kernel of a game does not support matches of this size; says which it does."""


class RecordError(FairplayError):
    """A record is damaged, cut off, or does not replay to what it claims."""


class EngineError(FairplayError):
    """Matches cannot be played on; those that are finished stay finished."""


class RuleBookFailure(Struct, frozen=True):
    """A bug of a rule book that ended a match, for which no player pays."""

    game: str
    error: str  # the exception in words
    place: str  # where the rule book raised it, such as "rules.py:45 in apply"
    turn: int = 0  # how many there had been
    seed: int | None = None
    match: str = ""  # as commands and pages call it; empty if it has no name

    def __str__(self) -> str:
        match = f"match {self.match}" if self.match else "a match"
        seed = "" if self.seed is None else f"seed {self.seed}, "
        where = f"{match}, {seed}after turn {self.turn}"
        return f"the rule book of {self.game} failed in {where}: {self.error}, at {self.place}"


class RuleBookError(EngineError):
    """Rule books failed: matches were broken off; all others were played as far as that is possible."""

    def __init__(self, *failures: RuleBookFailure) -> None:
        super().__init__(*failures)
        self.failures = failures

    def __str__(self) -> str:
        shown = [str(failure) for failure in self.failures[:_SHOWN_FAILURES]]
        more = len(self.failures) - len(shown)
        return "\n".join(shown) + (f"\nand so in {more} more" if more else "")

    def locate(self, **known: object) -> RuleBookError:
        """The same error with what somebody further up knows, such as its seed or its match."""
        return RuleBookError(*(replace(failure, **known) for failure in self.failures))


_SHOWN_FAILURES = 10
"""Failures that an error tells of one by one."""


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
