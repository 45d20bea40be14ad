"""All tables of a contest at once."""

from __future__ import annotations

import msgspec
import pytest

from contest.samples import DUEL, SEATS, contest, win
from fairplay.contest.contest import Result
from fairplay.contest.intervals import Estimate
from fairplay.contest.rating import RatingRow
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
    assert tuple(line.player for line in tables.ratings) == tables.order
    assert [meeting and meeting.points for meeting in tables.cross[0]] == [None, 2.0, 2.0]
    assert board.standings()[0].player == "player 2"
    assert read_tables(msgspec.json.encode(tables)) == tables


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
"""Tables as every version has kept them: an end of an interval that is not there is null."""


def test_tables_are_read_as_they_were_kept() -> None:
    tables = read_tables(KEPT)
    assert tables is not None
    assert tables.ratings == (RatingRow("a", 1, Estimate(1500.0, None, None)),)
    assert tables.standings[0].average == Estimate(9.5, None, None)
    assert msgspec.json.encode(tables) == KEPT


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
