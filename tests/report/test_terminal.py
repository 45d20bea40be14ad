"""Tables on a terminal."""

from __future__ import annotations

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.report.terminal import MAX_PRINTED_CROSS, print_standings, print_tables
from report.samples import TABLES

FISH = GAMES["fish"]


def test_every_figure_has_its_interval_where_it_has_one(capsys: pytest.CaptureFixture[str]) -> None:
    print_tables(FISH, TABLES)
    text = capsys.readouterr().out
    lines = {
        line.split("│")[1].strip(): [cell.strip() for cell in line.split("│")[2:-1]]
        for line in text.splitlines()
        if "│" in line
    }
    share, unknown = "3 = 75% [50%, 88%]", "0 = 0% [0%, 100%]"
    assert lines["ann"] == ["1600 [1500, 1700]", "4", share, unknown, "9.5 [8.0, 11.0]", unknown]
    assert lines["new"] == ["1500", "4", share, unknown, "-", unknown]
    assert lines["1. ann"] == ["·", "62%", "·"]
    assert "average fish" in text


def test_a_name_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    name = "[red]ann[/b] :boom:"
    standings = [msgspec.structs.replace(line, player=name) for line in TABLES.standings]
    ratings = [msgspec.structs.replace(line, player=name) for line in TABLES.ratings]
    changed = {"standings": standings, "ratings": ratings, "order": (name,) * 3}
    print_tables(FISH, msgspec.structs.replace(TABLES, **changed))
    assert capsys.readouterr().out.count(name) == 6


def test_no_escape_in_a_name_reaches_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    name = "\x1b[2J\x9b31mann\n\u202e"
    renamed = msgspec.json.encode(TABLES).decode().replace('"ann"', msgspec.json.encode(name).decode())
    print_tables(FISH, msgspec.json.decode(renamed, type=type(TABLES)))
    text = capsys.readouterr().out
    assert r"\x1b[2J\x9b31mann\n\u202e" in text and not any(each in text for each in "\x1b\x9b\u202e")


def test_many_players_have_no_cross_table(capsys: pytest.CaptureFixture[str]) -> None:
    many = MAX_PRINTED_CROSS + 1
    print_tables(FISH, msgspec.structs.replace(TABLES, order=("x",) * many, cross=((None,) * many,) * many))
    assert "1. " not in capsys.readouterr().out


def test_standings_without_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    print_standings(FISH, TABLES.standings)
    text = capsys.readouterr().out
    assert "rating" not in text
    assert "3 = 75% [50%, 88%]" in text
