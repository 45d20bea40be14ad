"""The schedule of a contest: what cannot begin is refused, rounds come one after the other, a limit cuts them off."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from contest.samples import FISH, SEATS, SETUP, contest
from fairplay.contest.contest import Fixture, Stop
from fairplay.contest.formats.formats import start_format
from fairplay.contest.schedule import Schedule, check_contest, count_matches
from fairplay.core import Outcome, Seat, SetupError, UsageError


@pytest.mark.parametrize("format", ["knock-out", "round-robin", "swiss", "gauntlet", "ladder"])
def test_a_contest_that_can_be_played_is_not_refused(format: str) -> None:
    check_contest(FISH, contest(6, format), SETUP)


def test_too_few_players_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^1 players are too few for a knock-out of fish$"):
        check_contest(FISH, contest(1, "knock-out"), SETUP)
    with pytest.raises(UsageError, match="a match needs at least 2 players, not 1"):
        check_contest(FISH, contest(1), SETUP)


def test_a_setup_that_cannot_be_dealt_is_refused() -> None:
    tiny = msgspec.structs.replace(SETUP, rows=1, columns=1)
    with pytest.raises(SetupError):
        check_contest(FISH, contest(2), tiny)


def outcomes(fixtures: list[Fixture]) -> list[Outcome]:
    return [Outcome(((Seat(0),),), ((1,), (0,)), (None, None), "over") for _ in fixtures]


def played(most: int | None, **options: Any) -> list[int]:
    """The lengths of the rounds that are played with such a limit."""
    chosen = contest(4, "swiss", **options)
    rounds, lengths = Schedule(start_format(chosen, SEATS), most), list[int]()
    while fixtures := rounds.next_round():
        lengths.append(len(fixtures))
        rounds.report(outcomes(fixtures))
    return lengths


def test_a_limit_cuts_the_last_round_short() -> None:
    whole = played(None, rounds=3, games=1)
    assert len(whole) == 3
    assert played(sum(whole), rounds=3, games=1) == whole
    assert played(sum(whole) + 1, rounds=3, games=1) == whole
    assert played(whole[0] + 1, rounds=3, games=1) == [whole[0], 1]


def test_the_total_is_known_where_it_does_not_depend_on_who_wins() -> None:
    assert count_matches(contest(4, games=10), SEATS) == 6 * 2 * 10
    assert count_matches(contest(4, games=10, stop=Stop(matches=7)), SEATS) == 7
    assert count_matches(contest(4, "ladder"), SEATS) is None
    assert count_matches(contest(4, "ladder", Stop(matches=7)), SEATS) == 7
