"""A game with chance after the deal at the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

pytestmark = pytest.mark.usefixtures("pig")

Fairplay = Callable[..., Result]


@pytest.fixture
def record(fairplay: Fairplay, tmp_path: Path) -> str:
    result = fairplay("play", "pig", "careful", "random", "--seed", "3", "--out", "out")
    assert result.exit_code == 0, result.output
    return str(tmp_path / "out" / "match-0001.jsonl")


def test_what_befell_stands_in_the_list_of_turns(fairplay: Fairplay, record: str) -> None:
    text = fairplay("replay", record).output
    assert "3  roll  red chose to roll" in text
    assert "4  -     the die fell on" in text
    assert "turn 4 of" in (shown := fairplay("replay", record, "--text", "--at", "4").output)
    assert "the die fell on" in shown


def test_a_seat_is_told_what_is_public(fairplay: Fairplay, record: str) -> None:
    assert "red got a bonus of" in fairplay("replay", record).output
    for more in ((), ("--text", "--at", "1"), ("--json",)):
        shown = fairplay("replay", record, "--seat", "1", *more).output
        assert "bonus" in shown and "red got a bonus of" not in shown
    events = json.loads(fairplay("replay", record, "--json", "--seat", "1").output)["events"]
    assert events[0] == {"seat": None, "befell": {"came": "bonus", "seat": 0, "points": None}}
    fairplay("replay", record, "--seat", "1", "--html", "mine.html")
    assert "red got a hidden bonus" in (page := Path("mine.html").read_text())
    assert "red got a bonus of" not in page


def test_programs_are_told_what_befell(fairplay: Fairplay, record: str) -> None:
    events = json.loads(fairplay("replay", record, "--json").output)["events"]
    assert events[0]["seat"] is None and events[0]["befell"]["points"] in (0, 1, 2)
    assert events[2] == {"seat": 0, "action": {"do": "roll"}, "text": "roll"}


def test_it_is_drawn_verified_and_chosen_again(fairplay: Fairplay, record: str) -> None:
    fairplay("replay", record, "--svg", "four.svg", "--at", "4")
    assert Path("four.svg").read_text().startswith("<svg")
    verified = fairplay("replay", record, "--verify", "--house")
    assert verified.exit_code == 0 and "consistent" in verified.output
    assert verified.output.count("gives the same") == 2


def test_an_outcome_that_the_seed_does_not_draw_is_refused(fairplay: Fairplay, record: str, tmp_path: Path) -> None:
    lines = Path(record).read_bytes().splitlines(keepends=True)
    forged = tmp_path / "forged.jsonl"
    other = next(at for at, line in enumerate(lines) if b'"die"' in line)
    forged.write_bytes(b"".join([*lines[:other], *lines[other + 1 :]]))
    refused = fairplay("replay", str(forged), "--verify")
    assert refused.exit_code == 1 and f"line {other + 1}" in refused.output


def test_a_review_says_what_was_luck(fairplay: Fairplay, record: str) -> None:
    text = fairplay("analyse", record).output
    assert "luck: red" in text and "points" in text
    document = json.loads(fairplay("analyse", record, "--json").output)
    assert {luck["number"] for luck in document["luck"]} & {turn["number"] for turn in document["turns"]} == set()


def test_a_person_at_the_terminal_sees_what_befalls(fairplay: Fairplay) -> None:
    said = fairplay("play", "pig", "human", "careful", "--seed", "3", given="roll\nhold\n" * 20).output
    assert "red got a hidden bonus" in said
    assert said.index("red chose to roll") < said.index("the die fell on")


def test_a_tournament_is_reported_and_its_turns_are_exported(fairplay: Fairplay) -> None:
    pytest.importorskip("numpy")
    run = fairplay("tournament", "run", "pig", "careful", "random", "--games", "2", "--report", "r.html")
    assert run.exit_code == 0, run.output
    assert "the die fell on" in Path("r.html").read_text()
    assert "written to" in fairplay("tournament", "export", "1", "turns.npz", "--turns").output
    assert fairplay("tournament", "export", "1", "all.fpz").exit_code == 0
    assert fairplay("tournament", "import", "all.fpz", "--db", "other.db").exit_code == 0
