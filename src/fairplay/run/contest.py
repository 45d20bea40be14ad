"""Carry a contest out: rounds from its format, matches to an engine, results to whoever keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import monotonic

from fairplay.contest.contest import Contest, Match, Result, matches
from fairplay.contest.formats.rounds import Rounds
from fairplay.core import EngineError, Outcome
from fairplay.run.engines.pool import Engine

__all__ = ["carry_out"]

Known = Callable[[Sequence[int]], dict[int, Outcome]]
"""The outcomes of those of the numbered matches that were played before."""

Keep = Callable[[list[Result]], object]
"""Keeps results; they are safe when it returns."""

WRITE_EVERY = 0.5
"""Seconds between two writes of finished matches."""

MANY = 500
"""Results that are written at once at the latest."""


def carry_out(contest: Contest, rounds: Rounds, engine: Engine, known: Known, keep: Keep) -> Iterator[Result]:
    """Play what is missing of all rounds; yields every new result once it is kept, in any order."""
    first, outcomes = 0, None
    while True:
        try:
            fixtures = rounds.send(outcomes)  # type: ignore[arg-type]  # the first one is None
        except StopIteration:
            return
        wanted = matches(contest, fixtures, first)
        found = known([match.number for match in wanted])
        for result in played([match for match in wanted if match.number not in found], contest, engine, keep):
            found[result.number] = result.outcome
            yield result
        outcomes = [found[match.number] for match in wanted]
        first += len(fixtures)


def played(missing: Sequence[Match], contest: Contest, engine: Engine, keep: Keep) -> Iterator[Result]:
    if missing:
        for batch in filter(None, gathered(engine.results(contest, missing))):
            keep(batch)
            yield from batch


def gathered(results: Iterable[Result]) -> Iterator[list[Result]]:
    """Results in batches worth a write; what is finished is given out even when the engine stops before its end."""
    batch: list[Result] = []
    due = monotonic() + WRITE_EVERY
    try:
        for result in results:
            batch.append(result)
            if monotonic() >= due or len(batch) >= MANY:
                yield batch
                batch, due = [], monotonic() + WRITE_EVERY
    except (KeyboardInterrupt, EngineError):
        yield batch
        raise
    yield batch
