"""Results as rows of the table of matches, and back."""

from __future__ import annotations

from typing import Any

import msgspec

from fairplay.contest.contest import Result
from fairplay.core import Outcome
from fairplay.store.schema import matches

__all__ = ["OUTCOME", "WITHOUT_RECORD", "outcome_in", "result_in", "row_of"]

OUTCOME = (matches.c.ranking, matches.c.scores, matches.c.faults, matches.c.ending)
WITHOUT_RECORD = (matches.c.number, matches.c.line_up, matches.c.deal, *OUTCOME, matches.c.seconds)


def row_of(contest: int, result: Result, stored: float) -> dict[str, Any]:
    """The row that keeps `result`."""
    line_up, outcome = result.line_up, result.outcome
    faulty = [player for player, fault in zip(line_up, outcome.faults, strict=True) if fault is not None]
    return {
        "contest": contest,
        "number": result.number,
        "deal": result.deal,
        "line_up": line_up,
        "winners": [line_up[seat] for seat in outcome.winners],
        "faulty": faulty,
        "ranking": outcome.ranking,
        "scores": outcome.scores,
        "faults": outcome.faults if faulty else None,
        "ending": outcome.ending,
        "seconds": result.seconds,
        "stored": stored,
        "record": result.record or None,
    }


def result_in(row: Any, record: bytes) -> Result:
    """The result that `row` keeps; ASSUME it was selected WITHOUT_RECORD or more."""
    return Result(row.number, tuple(row.line_up), row.deal, outcome_in(row), record, row.seconds)


def outcome_in(row: Any) -> Outcome:
    """The outcome that `row` keeps; ASSUME it was selected with OUTCOME."""
    faults = row.faults or [None] * len(row.scores)
    return msgspec.convert(
        {"ranking": row.ranking, "scores": row.scores, "faults": faults, "ending": row.ending}, Outcome
    )
