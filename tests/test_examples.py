"""The same small bot in three languages: each plays every game to its end, and all three play the same match."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from fairplay.catalog import GAMES
from fairplay.core import House
from fairplay.core.chance import derived
from fairplay.play.record import recorded
from fairplay.run.bots import seating
from fairplay.run.inline import run
from fairplay.run.process import Program, farewell

EXAMPLES = Path(__file__).parent.parent / "examples"
BOTS = sorted(EXAMPLES.glob("native_bot.*"))
LONGEST = 80


def need(tool: str) -> str:
    """The path of a tool; skips without it, but never where the tests must be complete."""
    found = shutil.which(tool)
    if found is None:
        assert not os.environ.get("CI"), f"{tool} is missing, and with CI set no test may be skipped"
        pytest.skip(f"{tool} is missing: this example was not run")
    return found


def command_of(path: Path, folder: Path) -> str:
    if path.suffix == ".js":
        return f"cmd:{need('node')} {path}"
    if path.suffix == ".c":
        program = folder / "native_bot"
        strict = ["-O2", "-Wall", "-Wextra", "-Werror", "-o", str(program), str(path)]
        subprocess.run([need("cc"), *strict], check=True, timeout=60)
        return f"cmd:{program}"
    return f"cmd:{sys.executable} -S {path}"


@cache
def same_rule_in_this_process(name: str) -> list[bytes]:
    """The match that the rule of the examples plays: the (7 times id)-th legal action."""
    return lines(name, [RuleOfTheExamples(name) for _ in range(2)])


class RuleOfTheExamples(House):
    """The examples' rule; every question and all news counts one further."""

    __slots__ = ("number",)

    def __init__(self, name: str) -> None:
        self.number = 0
        rules = GAMES[name].rules

        def choose(view: Any) -> Any:
            self.number += 1
            legal = rules.legal_actions(view)
            return legal[7 * self.number % len(legal)]

        super().__init__(choose)

    def hear(self, news: object) -> None:
        self.number += 1


def lines(name: str, players: list[Any]) -> list[bytes]:
    game, written = GAMES[name], list[bytes]()
    setup = next(iter(game.variants.values()))
    outcome = run(recorded(game, setup, 5, ("one", "two"), written.append), players)
    farewell(players, outcome)
    assert outcome.faults == (None, None), outcome.faults
    return written


@pytest.mark.parametrize("name", ["fish", "labyrinth", "trains"])
@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
def test_an_example_plays_every_game(path: Path, name: str, tmp_path: Path) -> None:
    spec = command_of(path, tmp_path)
    players = [seating(GAMES[name], spec)(derived(5, "player", seat)) for seat in range(2)]
    assert all(isinstance(player, Program) for player in players)
    assert lines(name, players) == same_rule_in_this_process(name)


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
def test_an_example_is_short_and_needs_nothing_of_ours(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < LONGEST
    assert "fairplay" not in text


def test_there_is_one_in_each_of_three_languages() -> None:
    assert [path.suffix for path in BOTS] == [".c", ".js", ".py"]
