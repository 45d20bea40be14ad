"""The same small bot in three languages: each plays every game to its end, and all three play the same match.

Over standard input and output, and over TCP against a server in a process of its own.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import House
from fairplay.core.chance import derived
from fairplay.match.record import Header, read_record
from fairplay.match.replay import record_match
from fairplay.run.entrants import seat_entrant
from fairplay.run.inline import play_inline
from fairplay.run.isolation.program import Program, end_programs

EXAMPLES = Path(__file__).parent.parent / "examples"
TOYS = Path(__file__).parent / "toys"
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
        subprocess.run([need("cc"), *strict], check=True, timeout=300)
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


FAIRPLAY = [sys.executable, "-c", "from fairplay.cli import main; main()"]


@pytest.mark.parametrize("name", ["fish", "labyrinth", "trains", "nim"])
@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
def test_an_example_plays_every_game_over_tcp(path: Path, name: str, tmp_path: Path) -> None:
    """The record is that of the same rule in this process; nobody is let in without the token."""
    bot = shlex.split(command_of(path, tmp_path).removeprefix("cmd:"))
    environment = {**os.environ, "FAIRPLAY_TOKEN": "swordfish", "PYTHONPATH": str(TOYS)}
    options = ["--port", "0", "--protocol", "native", "--most", "2", "--least", "2", "--out", "kept", "--no-store"]
    pipes: Any = {"cwd": tmp_path, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    server = subprocess.Popen([*FAIRPLAY, "serve-tcp", name, *options], env=environment, bufsize=0, **pipes)
    assert server.stderr is not None
    where = f"127.0.0.1:{server.stderr.readline().split(b';')[0].split()[-1].decode()}"
    stranger = subprocess.run(
        [*bot, where, "stranger"], env={**environment, "FAIRPLAY_TOKEN": "x"}, timeout=300, **pipes
    )
    assert stranger.returncode == 0
    players = [subprocess.Popen([*bot, where, own], env=environment, **pipes) for own in ("one", "two")]
    for player in players:
        player.communicate(timeout=300)
        assert player.returncode == 0
    assert b"Traceback" not in server.communicate(timeout=300)[1]
    assert server.returncode == 0
    written = (tmp_path / "kept" / "match-0001.jsonl").read_bytes().splitlines(keepends=True)
    header = read_record(written).header
    setup = msgspec.json.decode(header.setup, type=GAMES[name].setup)
    assert sorted(header.players) == ["one", "two"]
    near = lines(name, [RuleOfTheExamples(name) for _ in range(2)], setup, header.seed, header.players, begun=header)
    assert near == written[:-1], "all but the signature"
    assert header.levels == ("connection", "connection")


def lines(
    name: str,
    players: list[Any],
    setup: Any = None,
    seed: int = 5,
    names: tuple[str, ...] = ("one", "two"),
    begun: Header | None = None,
) -> list[bytes]:
    game, written = GAMES[name], list[bytes]()
    setup = setup or next(iter(game.variants.values()))
    outcome = play_inline(record_match(game, setup, seed, names, written.append, begun=begun), players)
    end_programs(players, outcome)
    assert outcome.faults == (None, None), outcome.faults
    return written


@pytest.mark.parametrize("name", ["fish", "labyrinth", "trains", "nim"])
@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
def test_an_example_plays_every_game(path: Path, name: str, tmp_path: Path) -> None:
    spec = command_of(path, tmp_path)
    players = [seat_entrant(GAMES[name], spec)(derived(5, "player", seat)) for seat in range(2)]
    assert all(isinstance(player, Program) for player in players)
    assert lines(name, players) == same_rule_in_this_process(name)


MISLEADING = {
    "type": "ask",
    "id": 3,
    "deadline": 1.0,
    "view": {"legal": [{"do": "not in the list"}], "note": '","legal":[1],"view":', "id": 4},
    "legal": [{"do": "first"}, {"do": "second", "legal": [0], "text": '\\"]}'}],
}


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
def test_no_view_misleads_an_example(path: Path, tmp_path: Path) -> None:
    """A game may call its fields what it likes."""
    bot = shlex.split(command_of(path, tmp_path).removeprefix("cmd:"))
    ran = subprocess.run(
        bot, input=msgspec.json.encode(MISLEADING) + b"\n", capture_output=True, timeout=300, check=True
    )
    hello, answer = map(msgspec.json.decode, ran.stdout.splitlines())
    assert hello["games"] == ["*"]
    assert answer == {"type": "answer", "id": 3, "action": {"do": "second", "legal": [0], "text": '\\"]}'}}


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
def test_an_example_is_short_and_needs_nothing_of_ours(path: Path) -> None:
    text = path.read_text("utf-8")
    assert len(text.splitlines()) < LONGEST
    assert "fairplay" not in text


def test_there_is_one_in_each_of_three_languages() -> None:
    assert [path.suffix for path in BOTS] == [".c", ".js", ".py"]
