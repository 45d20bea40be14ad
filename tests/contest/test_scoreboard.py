"""All tables of a contest at once."""

from __future__ import annotations

import csv
import io

import msgspec
import pytest

from fairplay.contest.contest import Contest, Result
from fairplay.contest.intervals import Estimate
from fairplay.contest.rating import Rating
from fairplay.contest.scoreboard import CROSSABLE, Scoreboard, read_tables, written_csv
from fairplay.core import Outcome, Seat


def contest(players: int, format: str = "round-robin") -> Contest:
    entrants = tuple((f"player {number}", "random") for number in range(players))
    return Contest("fish", entrants, format, {}, msgspec.Raw(b"{}"), 1, 3.0)


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
    board = Scoreboard(contest(CROSSABLE + 1))
    board.add(result(0, 0, 1))
    assert board.tables().order == ()
    assert board.tables().cross == ()


def test_a_spreadsheet_has_a_line_for_each_player_and_a_cell_for_each_figure() -> None:
    board = Scoreboard(contest(3))
    for number, (winner, loser) in enumerate([(2, 0), (2, 0), (2, 0), (2, 0)]):
        board.add(result(number, winner, loser))
    head, *lines = csv.reader(io.StringIO(written_csv(board.tables())))
    assert [line[0] for line in lines] == ["player 2", "player 1", "player 0"]
    assert {len(line) for line in lines} == {len(head)}
    best, unknown, _ = (dict(zip(head, line, strict=True)) for line in lines)
    assert (best["matches"], best["wins"], best["average"], best["average low"]) == ("4", "4", "2", "2")
    assert (unknown["matches"], unknown["rating low"], unknown["average"]) == ("0", "", "")


KEPT = (
    b'{"matches":1,"ratings":[{"player":"a","matches":1,"rating":[1500.0,null,null]}],"standings":[{"player":"a",'
    b'"matches":1,"wins":1,"ties":0,"losses":0,"faults":0,"win_share":[1.0,0.2,1.0],"tie_share":[0.0,0.0,0.8],'
    b'"fault_share":[0.0,0.0,0.8],"average":[9.5,null,null]}],"order":["a"],"cross":[[null]]}'
)
"""Tables as every version has kept them: an end of an interval that is not there is null."""


def test_tables_are_read_as_they_were_kept() -> None:
    tables = read_tables(KEPT)
    assert tables is not None
    assert tables.ratings == (Rating("a", 1, Estimate(1500.0, None, None)),)
    assert tables.standings[0].average == Estimate(9.5, None, None)
    assert msgspec.json.encode(tables) == KEPT


def test_what_is_not_a_table_is_not_read_as_one() -> None:
    assert [read_tables(lines) for lines in (b"", b"[]", b'{"matches":1}', KEPT[:-1])] == [None] * 4


def test_a_contest_names_its_players() -> None:
    assert contest(2).names == ("player 0", "player 1")
