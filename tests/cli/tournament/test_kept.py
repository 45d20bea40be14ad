"""What a store holds, for people; what programs are told is in ../test_json.py."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.store import open_store

Fairplay = Callable[..., Result]

RUN = (
    *("tournament", "run", "fish", "random", "greedy", "first=greedy", "--setup", '{"rows": 4, "columns": 4}'),
    *("--seed", "3", "--jobs", "1"),
)
ONCE = ("--games", "1")


def test_matches_are_listed_as_replay_takes_them(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.cli.tournament.kept.PAGE_SIZE", 4)
    fairplay(*RUN, *ONCE)
    lines = fairplay("tournament", "matches", "1").output.splitlines()
    assert [line.split()[0] for line in lines] == [f"1/{number}" for number in range(6)]
    row = re.compile(r"1/\d +\w+ \d+, \w+ \d+: \w+(, \w+)? won \(nobody can move\)")
    assert all(row.fullmatch(line) for line in lines)
    assert fairplay("replay", lines[3].split()[0], "--text").exit_code == 0
    of_one = [line for line in lines if " first " in line]
    assert fairplay("tournament", "matches", "1", "--player", "first").output.splitlines() == of_one
    last = fairplay("tournament", "matches", "1", "--player", "first", "--last", "3").output.splitlines()
    assert last == of_one[-3:]


def test_a_list_has_one_line_for_each_tournament(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    fairplay("play", "fish", "random", *["greedy"] * 2, "--seed", "1", "--no-store", "--out", "records")
    fairplay("play", "trains", "buy-now", "hold-10", "--seed", "1", "--setup", '{"map": "tiny", "rails": 10}')
    fairplay(*RUN, *ONCE, *(f"player-with-a-long-name-{number}=random" for number in range(3)), "--matches", "1")
    series, tournament = fairplay("tournament", "list").output.splitlines()
    assert series == "   1  trains     series             1 match  finished    buy-now, hold-10"
    assert tournament.endswith("...") and len(tournament) == 80


def test_a_knock_out_ends_with_its_bracket_and_its_winner(fairplay: Fairplay) -> None:
    shown = fairplay(*RUN, "--format", "knock-out", "--option", "most=3").output
    found = re.search(r"\nknock-out\n  final    random \d+, greedy \d+, first \d+ -> (\w+)\nWinner: (\w+)\n", shown)
    assert found is not None and found[1] == found[2]


def test_a_finished_tournament_is_not_resumed(fairplay: Fairplay) -> None:
    fairplay(*RUN, *ONCE)
    before = Path("fairplay.db").read_bytes()
    again = fairplay("tournament", "resume", "1")
    assert again.stderr == "Tournament 1 is finished: there is nothing to resume.\n"
    assert again.stdout == fairplay("tournament", "show", "1").output
    assert Path("fairplay.db").read_bytes() == before


def test_a_tournament_that_is_being_run_is_not_deleted(fairplay: Fairplay) -> None:
    fairplay(*RUN, *ONCE)
    with open_store("fairplay.db") as store, store.lease(1):
        refused = fairplay("tournament", "delete", "1", "--yes")
    assert refused.exit_code == 1
    assert "tournament 1 is being run by process " in refused.output
    assert "6 matches" in fairplay("tournament", "list").output
    deleted = fairplay("tournament", "delete", "1", "--yes")
    assert deleted.output == "Deleted tournament 1 in fairplay.db: fish, 6 matches, random, greedy, first.\n"
    assert fairplay("tournament", "list").output == "There is no tournament in fairplay.db.\n"
