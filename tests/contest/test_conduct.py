"""Conducting a contest: what cannot begin is refused, what is decided stops, and only what counts is counted."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.contest.conduct import check, limited, tables_of, total_of, trial_of, verdict_of
from fairplay.contest.contest import Contest, Fixture, Result, Stop
from fairplay.contest.formats.formats import schedule
from fairplay.core import Outcome, Seat, SetupError, UsageError

FISH = GAMES["fish"]
SETUP = next(iter(FISH.variants.values()))
SEATS = FISH.seats
DUEL = Stop(candidate="player 0", rival="player 1")


def contest(players: int = 2, format: str = "round-robin", stop: Stop = Stop(), **options: Any) -> Contest:
    entrants = tuple((f"player {number}", "random") for number in range(players))
    return Contest("fish", entrants, format, options, msgspec.Raw(msgspec.json.encode(SETUP)), 1, 3.0, stop)


def win(number: int, winner: int = 0, loser: int = 1) -> Result:
    """A match of a unit of two, in which the same player wins from both seats."""
    first = Seat(number % 2)
    line_up = (winner, loser) if first == 0 else (loser, winner)
    outcome = Outcome(((first,), (Seat(1 - first),)), ((2,), (1,)), (None, None), "over")
    return Result(number, line_up, number // 2, outcome, b"", 0.0)


@pytest.mark.parametrize("format", ["knock-out", "round-robin", "swiss", "gauntlet", "ladder"])
def test_a_contest_that_can_be_played_is_not_refused(format: str) -> None:
    check(FISH, contest(6, format), SETUP)


def test_too_few_players_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^1 players are too few for a knock-out of fish$"):
        check(FISH, contest(1, "knock-out"), SETUP)
    with pytest.raises(UsageError, match="a match needs at least 2 players, not 1"):
        check(FISH, contest(1), SETUP)


def test_a_setup_that_cannot_be_dealt_is_refused() -> None:
    tiny = msgspec.structs.replace(SETUP, rows=1, columns=1)
    with pytest.raises(SetupError):
        check(FISH, contest(2), tiny)


def test_a_test_needs_a_format_that_comes_round_and_players_that_are_there() -> None:
    assert trial_of(contest(), SEATS) is None
    assert trial_of(contest(stop=DUEL), SEATS) is not None
    for wrong in (contest(4, "swiss", DUEL), contest(4, stop=DUEL, removed="leave")):
        with pytest.raises(UsageError, match="needs the format round-robin or gauntlet, with removed=stay"):
            trial_of(wrong, SEATS)
    with pytest.raises(UsageError, match="there is no player 'x'; there are player 0, player 1"):
        trial_of(contest(stop=Stop(candidate="player 0", rival="x")), SEATS)


def test_matches_after_the_decision_do_not_count() -> None:
    decided = contest(stop=DUEL, games=1_000)
    results = [win(number) for number in range(400)]
    tables, trial = tables_of(decided, results, SEATS)
    assert trial is not None and trial.test.verdict == "better"
    assert 0 < tables.matches < 400
    assert tables_of(decided, results[: tables.matches], SEATS)[0] == tables
    told = verdict_of(decided, trial)
    assert told is not None
    assert told["sentence"].startswith(f"player 0 > player 1: better after {trial.test.observations} observations;")


def test_without_a_test_everything_counts_and_there_is_no_verdict() -> None:
    tables, trial = tables_of(contest(), [win(number) for number in range(6)], SEATS)
    assert (tables.matches, trial) == (6, None)
    assert verdict_of(contest(), trial) is None


def test_a_verdict_names_its_margin_and_everybody() -> None:
    against = contest(3, stop=Stop(candidate="player 0", margin=0.05))
    trial = trial_of(against, SEATS)
    told = verdict_of(against, trial)
    assert told is not None
    assert told["claim"] == "player 0 > all by 0.05"


def outcomes(fixtures: list[Fixture]) -> list[Outcome]:
    return [Outcome(((Seat(0),),), ((1,), (0,)), (None, None), "over") for _ in fixtures]


def played(most: int | None, **options: Any) -> list[int]:
    """The lengths of the rounds that are played with such a limit."""
    rounds, lengths = limited(schedule(contest(4, "swiss", **options), SEATS), most), list[int]()
    sent: Any = None
    while True:
        try:
            fixtures = rounds.send(sent)
        except StopIteration:
            return lengths
        lengths.append(len(fixtures))
        sent = outcomes(fixtures)


def test_a_limit_cuts_the_last_round_short() -> None:
    whole = played(None, rounds=3, games=1)
    assert len(whole) == 3
    assert played(sum(whole), rounds=3, games=1) == whole
    assert played(sum(whole) + 1, rounds=3, games=1) == whole
    assert played(whole[0] + 1, rounds=3, games=1) == [whole[0], 1]


def test_the_total_is_known_where_it_does_not_depend_on_who_wins() -> None:
    assert total_of(contest(4, games=10), SEATS) == 6 * 2 * 10
    assert total_of(contest(4, games=10, stop=Stop(matches=7)), SEATS) == 7
    assert total_of(contest(4, "ladder"), SEATS) is None
    assert total_of(contest(4, "ladder", Stop(matches=7)), SEATS) == 7
