"""What answers take: measured beside the match."""

from __future__ import annotations

from contextlib import suppress
from itertools import count

from fairplay.contest.contest import Effort
from fairplay.core import House
from fairplay.run.engines.metering import ALL_MEASURED, ONE_OF, Meter, Sample, measure_effort, meter_players


def test_every_answer_counts_also_one_that_fails() -> None:
    ticks = count(0, 1_000_000)

    def choose(view: int) -> int:
        return 10 // view

    meter = Meter(choose, lambda: next(ticks))
    assert [meter.choose(view) for view in (1, 2)] == [10, 5]
    with suppress(ZeroDivisionError):
        meter.choose(0)
    assert measure_effort(None, meter) == Effort(3, 0.003)


def test_players_of_this_process_are_measured_and_play_the_same() -> None:
    player = House(lambda view: view + 1)
    (meter, none) = meter_players([player, object()])
    assert none is None and meter is not None
    assert (player.choose(1), meter.answers) == (2, 1)
    assert measure_effort(object(), None) is None


def test_the_first_matches_and_then_a_sample_are_measured() -> None:
    sample = Sample()
    measured = [number for number in range(10 * ONE_OF) if sample.takes(number, ["ann", "bob"])]
    assert measured == [*range(ALL_MEASURED), *range(ONE_OF, 10 * ONE_OF, ONE_OF)]


def test_a_player_who_comes_late_is_measured_all_the_same() -> None:
    sample = Sample()
    assert sample.takes(0, ["ann", "bob"]) and not sample.takes(17, ["ann", "bob"])
    assert sample.takes(18, ["ann", "carl"]) and not sample.takes(19, ["carl", "bob"])


def test_efforts_of_matches_add_up() -> None:
    assert Effort(2, 1.0, start=0.5) + Effort(3, 2.0, start=0.25) == Effort(5, 3.0, start=0.75)
    assert (Effort(0, 0.0, "wall") + Effort(1, 2.0)).clock == "wall"
