"""All tables of a contest at once."""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from random import Random

import msgspec
import pytest

from contest.samples import DUEL, SEATS, contest, interval, win
from fairplay.contest.contest import Result
from fairplay.contest.intervals import Estimate
from fairplay.contest.rating import rate_strengths
from fairplay.contest.schedule import schedule_of
from fairplay.contest.scoreboard import MAX_CROSS_PLAYERS, Scoreboard, read_tables, tables_of
from fairplay.contest.sequential import verdict_of
from fairplay.core import Outcome, Seat


def result(number: int, winner: int, loser: int) -> Result:
    outcome = Outcome(((Seat(0),), (Seat(1),)), ((2,), (1,)), (None, None), "over")
    return Result(number, (winner, loser), number // 2, outcome, b"", 0.0)


@pytest.mark.parametrize("format", ["round-robin", "knock-out", "ladder"])
def test_the_best_stands_first_in_every_table(format: str) -> None:
    board = Scoreboard(contest(3, format))
    for number, (winner, loser) in enumerate([(2, 0), (2, 1), (0, 1), (2, 0), (2, 1), (0, 1)]):
        board.add(result(number, winner, loser))
    tables = board.tables()
    assert tables.matches == 6
    assert tables.order == ("player 2", "player 0", "player 1")
    assert tuple(line.player for line in tables.standings) == tables.order
    assert [meeting and meeting.points for meeting in tables.cross[0]] == [None, 2.0, 2.0]
    assert board.standings()[0].player == "player 2"
    assert read_tables(msgspec.json.encode(tables)) == tables


@pytest.mark.no_cover  # other tests run the same lines
@pytest.mark.parametrize(("seats", "matches"), [(2, 600), (4, 400), (8, 400)])
def test_intervals_of_a_ladder_hold_the_truth(seats: int, matches: int) -> None:
    """At least 93 of 100 do, although who meets depends on who won; the running guesses covered 80 to 44 of 100."""
    strengths = [log(10) * player / 15 for player in range(16)]
    truth = rate_strengths(strengths)
    held = total = 0
    for seed in range(20):
        simulated, rng = msgspec.structs.replace(contest(16, "ladder", size=seats), seed=seed), Random(seed)
        board, schedule = Scoreboard(simulated), schedule_of(simulated, range(2, 9))
        while board.matches < matches:
            fixtures = schedule.next_round()
            outcomes = [drawn(strengths, fixture.line_up, rng) for fixture in fixtures]
            schedule.report(outcomes)
            for fixture, outcome in zip(fixtures, outcomes, strict=True):
                board.add(Result(board.matches, fixture.line_up, fixture.deal, outcome, b"", 0.0))
        for row in board.tables().standings:
            low, high = interval(row.rating)
            held += low <= truth[int(row.player.split()[1])] <= high
            total += 1
    assert held / total >= 0.93


def drawn(strengths: Sequence[float], line_up: Sequence[int], rng: Random) -> Outcome:
    """A match as Plackett and Luce draw it."""
    form = [strengths[player] - log(-log(rng.random())) for player in line_up]
    order = sorted(range(len(line_up)), key=form.__getitem__, reverse=True)
    return Outcome(tuple((Seat(seat),) for seat in order), ((0,),) * len(order), (None,) * len(order), "over")


def test_a_swiss_has_an_order_of_its_own() -> None:
    board = Scoreboard(contest(3, "swiss"))
    for number, (winner, loser) in enumerate([(2, 0), (2, 1), (0, 1)]):
        board.add(result(number, winner, loser))
    tables = board.tables()
    assert [(row.place, row.player) for row in tables.swiss] == [(1, "player 2"), (2, "player 0"), (3, "player 1")]
    assert read_tables(msgspec.json.encode(tables)) == tables
    assert Scoreboard(contest(3, "ladder")).tables().swiss == ()


def test_many_players_have_no_cross_table() -> None:
    board = Scoreboard(contest(MAX_CROSS_PLAYERS + 1))
    board.add(result(0, 0, 1))
    assert board.tables().order == ()
    assert board.tables().cross == ()


KEPT = (
    b'{"matches":1,"ratings":[{"player":"a","matches":1,"rating":[1500.0,null,null]}],"standings":[{"player":"a",'
    b'"matches":1,"wins":1,"ties":0,"losses":0,"faults":0,"win_share":[1.0,0.2,1.0],"tie_share":[0.0,0.0,0.8],'
    b'"fault_share":[0.0,0.0,0.8],"average":[9.5,null,null]}],"order":["a"],"cross":[[null]]}'
)
"""Tables as versions before 0.3 kept them: figures as three numbers, the end of an interval that is not there null."""


def test_tables_are_read_as_they_were_kept() -> None:
    tables = read_tables(KEPT)
    assert tables is not None
    (row,) = tables.standings
    assert (row.rating, row.average) == (Estimate(1500.0, None, None), Estimate(9.5, None, None))
    assert read_tables(msgspec.json.encode(tables)) == tables


def test_what_is_not_a_table_is_not_read_as_one() -> None:
    assert [read_tables(lines) for lines in (b"", b"[]", b'{"matches":1}', KEPT[:-1])] == [None] * 4


def test_a_contest_names_its_players() -> None:
    assert contest(2).names == ("player 0", "player 1")


def test_matches_after_the_decision_do_not_count() -> None:
    decided = contest(stop=DUEL, games=1_000)
    results = [win(number) for number in range(400)]
    tables, trial = tables_of(decided, results, SEATS)
    assert trial is not None and trial.test.verdict == "better"
    assert 0 < tables.matches < 400
    assert tables_of(decided, results[: tables.matches], SEATS)[0] == tables
    stated = verdict_of(decided, trial)
    assert stated is not None
    assert stated.sentence.startswith(f"player 0 > player 1: better after {trial.test.observations} observations;")


def test_without_a_test_everything_counts_and_there_is_no_verdict() -> None:
    tables, trial = tables_of(contest(), [win(number) for number in range(6)], SEATS)
    assert (tables.matches, trial) == (6, None)
    assert verdict_of(contest(), trial) is None
