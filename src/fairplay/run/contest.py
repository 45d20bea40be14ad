"""Carry a contest out: rounds from its format, matches to an engine, results to whoever keeps them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from time import monotonic
from typing import Any

from fairplay.core import Outcome
from fairplay.play.contest import Contest, Fixture, Match, Result, matches
from fairplay.run.pool import Engine

__all__ = ["carry_out"]

Known = Callable[[Sequence[int]], dict[int, Result]]
"""The results of those of the numbered matches that were played before."""

Keep = Callable[[list[Result]], object]
"""Keeps results; they are safe when it returns."""

WRITE_EVERY = 0.5
"""Seconds between two writes of finished matches."""

MANY = 500
"""Results that are written at once at the latest."""


def carry_out(
    contest: Contest,
    rounds: Generator[list[Fixture], Sequence[Outcome], Any],
    engine: Engine,
    known: Known,
    keep: Keep,
) -> Generator[Result, None, Any]:
    """Play all rounds; yields every result once it is kept, in any order; returns what the format returns."""
    first, outcomes = 0, None
    while True:
        try:
            fixtures = rounds.send(outcomes)  # type: ignore[arg-type]  # the first one is None
        except StopIteration as done:
            return done.value
        found: dict[int, Outcome] = {}
        for result in results_of_round(contest, matches(contest, fixtures, first), engine, known, keep):
            found[result.number] = result.outcome
            yield result
        outcomes = [found[number] for number in range(first, first + len(fixtures))]
        first += len(fixtures)


def results_of_round(
    contest: Contest, wanted: list[Match], engine: Engine, known: Known, keep: Keep
) -> Iterator[Result]:
    before = known([match.number for match in wanted])
    yield from before.values()
    missing = [match for match in wanted if match.number not in before]
    if missing:
        for batch in filter(None, gathered(engine.results(contest, missing))):
            keep(batch)
            yield from batch


def gathered(results: Iterable[Result]) -> Iterator[list[Result]]:
    """Results in batches worth a write; what is finished is given out even when the engine is interrupted."""
    batch: list[Result] = []
    due = monotonic() + WRITE_EVERY
    try:
        for result in results:
            batch.append(result)
            if monotonic() >= due or len(batch) >= MANY:
                yield batch
                batch, due = [], monotonic() + WRITE_EVERY
    except KeyboardInterrupt:
        yield batch
        raise
    yield batch
