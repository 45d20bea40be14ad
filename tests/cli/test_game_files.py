"""Commands with a game that is one file: where a game is named, its path is taken; and what is kept of its matches."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.processes import FAIRPLAY, PIPES, ended, joining
from fairplay import game_files
from fairplay.catalog import open_game
from fairplay.cli import root
from fairplay.contest.contest import Batch, Match
from fairplay.match.record import read_record
from fairplay.run.bots import RULE_BOOKS
from fairplay.run.engines import worker
from fairplay.run.isolation.sandbox import find_level
from file_games import put_takeaway, undo_taking
from web.people import finished, open_table
from web.servers import inside, outside

BOT = "def choose(view):\n    return {'do': 'take', 'matches': 1}\n"

TRUSTED = "takeaway.py is trusted as a rule book: it can do whatever you can.\n"


@pytest.fixture(autouse=True)
def work(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the file of a game and a bot; the store lies elsewhere."""
    put_takeaway(tmp_path)
    (tmp_path / "bot.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("FAIRPLAY_DB", str(tmp_path_factory.mktemp("store") / "fairplay.db"))
    return tmp_path


def run(*words: str, code: int = 0) -> tuple[str, str]:
    """What a command prints to its output and to its standard error, as if it were the first in its process."""
    with undo_taking():
        done = CliRunner().invoke(root, words)
    assert done.exit_code == code, done.output
    return done.stdout, done.stderr


def change_rules(folder: Path) -> None:
    """Another rule book of the same game: it says another thing of the end."""
    put_takeaway(folder, {"no match is left": "nothing is left"})


# -- naming it ---------------------------------------------------------------------------------


def test_it_is_played_and_the_terminal_says_once_that_it_is_trusted() -> None:
    out, err = run("play", "./takeaway.py", "random", "bot.py")
    assert "won (no match is left; seed" in out and err == f"./{TRUSTED}"
    assert "replay 1/0 --game ./takeaway.py " in out
    assert run("play", "takeaway.py", "random", "random", "--games", "2", "--json")[1] == TRUSTED


def test_it_is_listed_and_a_bot_for_it_is_checked() -> None:
    out, _ = run("games", "./takeaway.py")
    assert out.startswith("takeaway\n  take one to three matches; the last match wins\n")
    assert "takeaway" not in run("games")[0], "it was not kept"
    out, _ = run("check", "bot.py", "--game", "./takeaway.py", "--positions", "5")
    assert "bot.py is ready to play." in out
    Path("bot.py").write_text("def choose(view):\n    return None\n")
    out, _ = run("check", "bot.py", "--game", "./takeaway.py", code=1)
    assert "such as one of legal_actions(view), from fairplay_files.takeaway" in out


@pytest.mark.parametrize("module", ["fairplay_files.takeaway", "takeaway"])
@pytest.mark.parametrize("trust", [["--trust"], []], ids=["trusted", "isolated"])
def test_a_bot_finds_the_rules_by_their_name_and_beside_itself(work: Path, module: str, trust: list[str]) -> None:
    assert f"{game_files.PACKAGE}." == RULE_BOOKS
    (work / "bot.py").write_text(f"from {module} import Take\ndef choose(view):\n    return Take(1)\n")
    out, _ = run("play", "./takeaway.py", "bot.py", "bot.py", *trust, "--json")
    assert json.loads(out)["matches"][0]["faults"] == [None, None]
    assert "takeaway" not in sys.modules


@pytest.mark.skipif(find_level().level != "sandboxed", reason="this machine has no sandbox")
def test_a_sandbox_shows_the_file_and_nobody_can_write_it(work: Path) -> None:
    """It lies in another folder than the bot, and beside a secret."""
    game = put_takeaway(work / "games")
    (work / "games" / "secret.txt").write_text("secret")
    (work / "bots").mkdir()
    (work / "bots" / "bot.py").write_text(SPY.format(folder=str(game.parent)))
    out, _ = run("play", "games/takeaway.py", "bots/bot.py", "random", "--json", "--logs", "logs")
    assert json.loads(out)["matches"][0]["faults"] == [None, None]
    (log,) = (work / "logs").iterdir()
    assert log.read_text() == "['takeaway.py'] OSError fairplay_files.takeaway\n"


SPY = """
import os, sys
from fairplay_files.takeaway import Take, legal_actions
seen = os.listdir({folder!r})
try:
    open({folder!r} + "/takeaway.py", "a")
    said = "written"
except OSError:
    said = "OSError"
print(seen, said, Take.__module__, file=sys.stderr)

def choose(view):
    return legal_actions(view)[0]
"""


def test_a_tournament_in_a_file_names_it_beside_itself(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = 'game = "./takeaway.py"\nplayers = ["random", "bot.py"]\noptions = { games = 1 }\n'
    (work / "contest.toml").write_text(plan)
    (work / "elsewhere").mkdir()
    monkeypatch.chdir(work / "elsewhere")
    out, _ = run("tournament", "run", "../contest.toml", "--jobs", "1", "--json")
    assert json.loads(out)["tables"]["matches"] == 2


def test_workers_of_this_machine_load_it_by_its_path() -> None:
    out, _ = run("tournament", "run", "./takeaway.py", "random", "bot.py", "--games", "2", "--jobs", "2", "--json")
    assert [row["faults"] for row in json.loads(out)["tables"]["standings"]] == [0, 0]


def test_players_join_over_a_network(work: Path) -> None:
    options = ["--most", "1", "--least", "1", "--port", "0", "--games", "1", "--jobs", "1", "--json"]
    command = [*FAIRPLAY, "tournament", "serve", "./takeaway.py", "bot.py", *options]
    with subprocess.Popen(command, cwd=work, **PIPES) as server:
        try:
            assert server.stderr is not None
            assert server.stderr.readline().decode() == f"./{TRUSTED}"
            where = server.stderr.readline().decode().strip().removeprefix("listening on ").replace(" port ", ":")
            player = joining(work, "./takeaway.py", where, "--name", "ann", "--player", "random")
            assert ended(player)[0] == 0
            code, out, err = ended(server)
        finally:
            server.kill()
    assert code == 0, err
    assert json.loads(out)["tables"]["matches"] == 2 and json.loads(out)["faults"] == []


def test_a_knock_out_that_could_seat_nobody_is_refused_before_anyone_signs_up() -> None:
    """A game for exactly two: three players could not be seated."""
    _, err = run("serve-tcp", "./takeaway.py", "--protocol", "native", "--port", "0", code=2)
    assert "Error: a knock-out seats any number of players, and takeaway seats 2; use `fairplay tournament" in err


def test_the_page_serves_it(work: Path) -> None:
    """Its house players think in processes of their own, to which values of derived types travel."""
    run("new-game", "mine")
    with (
        outside(work / "page.db", "./takeaway.py", "mine/mine.py", folder=work) as server,
        server.client() as client,
    ):
        assert "takeaway" in client.get("/").raise_for_status().text
        match = open_table(client, "takeaway", "random", "random")["id"]
        assert finished(server, match)
        derived = open_table(client, "mine", "search", "search")["id"]
        record = finished(server, derived)
    outcome = read_record(record.splitlines(keepends=True)).outcome
    assert outcome is not None and outcome.faults == (None, None)
    with inside(work / "page.db") as again, again.client() as client, undo_taking():
        said = client.get(f"/api/matches/{match}")
        assert (said.status_code, said.json()["error"][:40]) == (404, "This match is one of takeaway, a game th")
        (work / "takeaway.py").write_text(f"{(work / 'takeaway.py').read_text()}\n# changed\n")
        open_game("takeaway.py")
        assert "it was played by another version of the rules" in client.get(f"/matches/{match}").text
    _, err = run("serve", "fish", code=2)
    assert "fish: all installed games are served; expected the file of a game, such as ./fish.py" in err


def test_no_bot_pays_for_a_file_that_changes_while_it_plays(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its process would load another rule book than the referee has; those of the next matches are started early."""
    play_match = worker.play_match

    def change_and_play(batch: Batch, match: Match, *given: Any) -> Any:
        if match.number == 1:
            change_rules(work)
        return play_match(batch, match, *given)

    monkeypatch.setattr(worker, "play_match", change_and_play)
    _, err = run("play", "./takeaway.py", "bot.py", "random", "--games", "5", code=1)
    assert "Error: ./takeaway.py has changed since it was loaded: start again" in err
    assert "resume 1 --game ./takeaway.py" in err
    _, err = run("tournament", "resume", "1", "--game", "takeaway.py", "--jobs", "1")
    assert "Note: what is kept was played by another takeaway.py" in err


# -- what was kept -----------------------------------------------------------------------------


def test_what_was_kept_is_found_when_the_file_is_named() -> None:
    run("play", "./takeaway.py", "random", "random", "--seed", "3")
    hint = "add --game takeaway.py"
    for command in (["replay", "1/0", "--text"], ["tournament", "show", "1"], ["analyse", "1/0"]):
        assert hint in run(*command, code=1 if command[0] != "tournament" else 2)[1]
    out, err = run("replay", "1/0", "--text", "--game", "./takeaway.py")
    assert "no match is left" in out and err == f"./{TRUSTED}"
    assert "consistent" in run("replay", "1/0", "--verify", "--game", "./takeaway.py")[0]
    assert "tournament 1" in run("tournament", "resume", "1", "--game", "./takeaway.py")[1].lower()
    assert "random" in run("tournament", "show", "1", "--game", "./takeaway.py")[0]
    assert "expected a Python file, such as ./fish.py" in run("replay", "1/0", "--game", "fish", code=2)[1]


def test_a_replay_by_another_version_says_so_and_is_not_verified(work: Path) -> None:
    run("play", "./takeaway.py", "random", "random", "--seed", "3", "--out", "records")
    assert "Note" not in run("replay", "1/0", "--text", "--game", "takeaway.py")[1]
    (work / "takeaway.py").write_text(f"{(work / 'takeaway.py').read_text()}\n# changed\n")
    for match in ("1/0", "records/match-0001.jsonl"):
        out, err = run("replay", match, "--text", "--game", "takeaway.py")
        assert "no match is left" in out
        assert "Note: this match was played by another takeaway.py: SHA-256 " in err
        assert json.loads(run("replay", match, "--json", "--game", "takeaway.py")[0])["consistent"] is False
        out, err = run("replay", match, "--verify", "--game", "takeaway.py", code=1)
        assert out == "" and f"Error: {match}: it cannot be verified: it was played by another takeaway.py" in err


def test_a_record_that_no_longer_follows_from_the_file_says_so_first(work: Path) -> None:
    run("play", "./takeaway.py", "random", "random", "--seed", "3")
    change_rules(work)
    _, err = run("replay", "1/0", "--text", "--game", "takeaway.py", code=1)
    assert "Note: this match was played by another takeaway.py" in err
    assert "Error: 1/0: the match replays to another outcome" in err


def test_a_tournament_is_taken_only_with_the_rule_book_that_played_it(work: Path) -> None:
    run("tournament", "run", "takeaway.py", "random", "bot.py", "--games", "1", "--jobs", "1")
    run("tournament", "export", "1", "first.fairplay")
    other = ["--db", "other.db"]
    assert "takeaway, which is not known here" in run("tournament", "import", "first.fairplay", *other, code=1)[1]
    taking = ["tournament", "import", "first.fairplay", "--game", "takeaway.py", *other]
    assert "2 matches consistent" in run(*taking)[0]
    change_rules(work)
    assert "match 0: it cannot be verified: it was played by another takeaway.py" in run(*taking, code=1)[1]


# -- what is wrong with it ---------------------------------------------------------------------


def test_a_bad_file_is_the_mistake_of_whoever_typed_it(work: Path) -> None:
    (work / "mine.py").write_text("x = 1\nGAME = x.y\n")
    for command in (["play", "mine.py", "random"], ["games", "mine.py"], ["tournament", "run", "mine.py", "random"]):
        _, err = run(*command, code=2)
        assert err == "Error: mine.py, line 2: AttributeError: 'int' object has no attribute 'y'\n"
    said = "Error: there is no game 'takeaway'; there are: .*; did you mean takeaway.py?\n"
    assert re.fullmatch(said.replace("?", r"\?"), run("play", "takeaway", "random", code=2)[1])
    assert run("play", "none.py", "random", code=2)[1] == "Error: none.py: there is no such file\n"
    assert run("play", "./none", "random", code=2)[1].startswith("Error: ./none: the file of a game is Python")
