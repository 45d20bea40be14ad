"""Carrying a contest out: rounds, known results, keeping, and stopping."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from typing import Any, Self

import pytest
from fairplay.run.contest import carry_out

from fairplay.contest.contest import Contest, Fixture, Match, Result
from fairplay.core import Outcome
from fairplay.run.engines.pool import Inline, WorkerError

from .contests import by_number, contest, fixtures


class Backwards(Inline):
    """An engine that finishes the last match first, and may be interrupted."""

    def __init__(self, interrupted_after: int | None = None, by: type[BaseException] = KeyboardInterrupt) -> None:
        self.interrupted_after, self.by = interrupted_after, by
        self.played: list[int] = []

    def __enter__(self) -> Self:
        return self

    def results(self, contest: Contest, matches: Iterable[Match]) -> Iterator[Result]:
        for result in super().results(contest, list(matches)[::-1]):
            if len(self.played) == self.interrupted_after:
                raise self.by
            self.played.append(result.number)
            yield result


def two_rounds(seen: list[Any]) -> Generator[list[Fixture], Sequence[Outcome], list[int]]:
    seen.append((yield fixtures(6)))
    seen.append((yield [Fixture((1, 0), 9)]))
    return [0]


def carried_out(engine: Inline, known: dict[int, Outcome], keep: Any) -> tuple[list[Result], list[Any]]:
    seen: list[Any] = []
    running = carry_out(
        contest(), two_rounds(seen), engine, lambda numbers: {n: known[n] for n in numbers if n in known}, keep
    )
    return list(running), seen


def test_the_order_in_which_matches_finish_changes_nothing() -> None:
    one, outcomes = carried_out(Inline(), {}, lambda batch: None)
    other, same_outcomes = carried_out(Backwards(), {}, lambda batch: None)
    assert by_number(one) == by_number(other)
    assert outcomes == same_outcomes
    assert [len(round_) for round_ in outcomes] == [6, 1]
    assert [result.number for result in one] == list(range(7))


def test_what_was_played_before_is_not_played_again() -> None:
    everything, outcomes = carried_out(Inline(), {}, lambda batch: None)
    known = {result.number: result.outcome for result in everything if result.number in (0, 3, 6)}
    engine = Backwards()
    again, same_outcomes = carried_out(engine, known, lambda batch: None)
    assert sorted(engine.played) == [1, 2, 4, 5]
    assert by_number(again) == [each for each in by_number(everything) if each[0] not in known]
    assert same_outcomes == outcomes


def test_a_result_is_kept_before_it_is_reported() -> None:
    kept: set[int] = set()
    running = carry_out(
        contest(),
        two_rounds([]),
        Inline(),
        lambda numbers: {},
        lambda batch: kept.update(each.number for each in batch),
    )
    for result in running:
        assert result.number in kept
    assert kept == set(range(7))


@pytest.mark.parametrize("error", [KeyboardInterrupt, WorkerError])
def test_what_was_finished_is_kept_when_somebody_interrupts_or_the_engine_gives_up(error: type[BaseException]) -> None:
    kept: list[int] = []
    with pytest.raises(error):
        carried_out(Backwards(4, error), {}, lambda batch: kept.extend(each.number for each in batch))
    assert sorted(kept) == [2, 3, 4, 5]


def test_a_keeper_that_fails_stops_the_contest() -> None:
    def full(batch: list[Result]) -> None:
        raise OSError("no space left")

    with pytest.raises(OSError, match="no space left"):
        carried_out(Inline(), {}, full)
