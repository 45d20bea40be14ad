"""Tables on a terminal."""

from __future__ import annotations

import re

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.report.terminal import MAX_PRINTED_CROSS, NO_INTERVAL, describe_notes, print_standings, print_tables
from report.samples import TABLES

FISH = GAMES["fish"]


def rows_of(text: str) -> dict[str, list[str]]:
    """The cells of all tables by the first cell of their row."""
    cells = [re.split(r"  +", line) for line in text.splitlines() if "  " in line]
    return {first: rest for first, *rest in cells}


def test_every_figure_has_its_interval_where_it_has_one(capsys: pytest.CaptureFixture[str]) -> None:
    print_tables(FISH, TABLES, wide=True)
    rows, share, unknown = rows_of(capsys.readouterr().out), "3 = 75% [50%, 88%]", "0 = 0% [0%, 100%]"
    assert rows["ann"] == ["1600 [1500, 1700]", "4", share, unknown, "9.5 [8.0, 11.0]", unknown]
    assert rows["new"] == ["1500", "4", share, unknown, "-", unknown]
    assert rows["1. ann"] == ["·", "62", "·"]


@pytest.mark.parametrize("width", [60, 80])
def test_tables_fit_the_width(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    faulty = replace(TABLES.standings[0], player="a/folder/with/quite_a_long_name.py", ties=1, faults=1)
    print_tables(FISH, replace(TABLES, standings=(*TABLES.standings, faulty)))
    text = capsys.readouterr().out
    assert max(map(len, text.split("\n\n")[0].splitlines())) <= width
    rows = rows_of(text)
    assert rows["ann"][:3] == ["1600 [1500, 1700]", "4", "75% [50, 88]"]
    assert any(re.fullmatch(r"a/f.*….*\.py", name) for name in rows)
    assert describe_notes(TABLES.standings) == [NO_INTERVAL]


def test_columns_that_say_nothing_are_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    print_tables(FISH, TABLES)
    text = capsys.readouterr().out
    assert "tied" not in text and "faults" not in text


def test_matches_that_a_player_missed_have_a_column_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    first, *others = TABLES.standings
    print_tables(FISH, replace(TABLES, standings=(replace(first, faults=1, absences=3), *others)))
    standings = capsys.readouterr().out.split("\n\n")[0]
    assert re.search(r"faults +absent *\n", standings)
    assert [rows_of(standings)[name][-2:] for name in ("ann", "new")] == [["1", "3"], ["0", "0"]]


def test_a_name_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    name = "[red]ann[/b] :boom:"
    standings = [msgspec.structs.replace(line, player=name) for line in TABLES.standings]
    print_tables(FISH, msgspec.structs.replace(TABLES, standings=standings))
    assert capsys.readouterr().out.count(name) == 6


def test_no_escape_in_a_name_reaches_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    name = "\x1b[2J\x9b31mann\n\u202e"
    renamed = msgspec.json.encode(TABLES).decode().replace('"ann"', msgspec.json.encode(name).decode())
    print_tables(FISH, msgspec.json.decode(renamed, type=type(TABLES)))
    text = capsys.readouterr().out
    assert r"\x1b[2J\x9b31mann\n\u202e" in text and not any(each in text for each in "\x1b\x9b\u202e")


def test_many_players_have_no_cross_table(capsys: pytest.CaptureFixture[str]) -> None:
    many = MAX_PRINTED_CROSS + 1
    print_tables(FISH, replace(TABLES, standings=TABLES.standings[:1] * many))
    assert "1. " not in capsys.readouterr().out


def test_standings_without_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    print_standings(FISH, [replace(row, rating=None) for row in TABLES.standings])
    text = capsys.readouterr().out
    assert "rating" not in text
    assert "75% [50, 88]" in text or "3 = 75% [50%, 88%]" in text
