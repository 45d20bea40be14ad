"""`fairplay check`: a checklist for a bot's author."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.catalog import GAMES
from fairplay.run import bot_check

EXAMPLE = Path(__file__).parents[3] / "examples" / "native_bot.py"

Fairplay = Callable[..., Result]


def bot(folder: Path, *changes: tuple[str, str]) -> str:
    """The example, with some words of it exchanged."""
    home = folder / "mine"
    home.mkdir()
    text = EXAMPLE.read_text("utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (home / "bot.py").write_text(text, "utf-8")
    return f"cmd:{sys.executable} mine/bot.py"


def test_a_good_bot_is_ready_for_every_game_it_claims(fairplay: Fairplay, tmp_path: Path) -> None:
    claims = ('["*"]', '["fish", "labyrinth", "trains"]')
    result = fairplay("check", bot(tmp_path, claims), "--positions", "5", "--seed", "1")
    assert result.exit_code == 0, result.output
    assert "plays fish, labyrinth, trains" in result.output
    for game in ("fish", "labyrinth", "trains"):
        for check in ("answers legally", "answers in time", "ends by itself"):
            assert f"ok   {game}: {check}" in result.output
    assert "is ready to play." in result.output
    assert "nim" not in result.output


def test_a_bot_for_every_game_is_tried_with_those_of_packages_too(fairplay: Fairplay, tmp_path: Path) -> None:
    result = fairplay("check", bot(tmp_path), "--positions", "1", "--seed", "1", "--json")
    report = json.loads(result.output)
    assert (report["ready"], report["games"]) == (True, [*GAMES])
    assert "nim" in report["games"]
    assert report["items"][0]["seen"] == "native_bot.py, plays every game"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("version=1", "version=2")], ["FAIL starts and says hello", "it speaks version 2 of the protocol"]),
        ([('["*"]', '["chess"]')], ["FAIL plays a game that is here", "it claims chess"]),
        ([("legal[7 * number % len(legal)]", "[7]")], ["FAIL fish: answers legally", "after 0 answers: malformed"]),
        (
            [("legal[7 * number % len(legal)]", '{"do": "place", "at": [99, 99]}')],
            ["FAIL fish: answers legally", "illegal", 'Fix: say "legal": true'],
        ),
        (
            [
                (
                    '            print(message["outcome"]',
                    '            import time; time.sleep(60); print(message["outcome"]',
                )
            ],
            ["ok   fish: answers legally", "FAIL fish: ends by itself", "after bye it was still there"],
        ),
        (
            [('            print(message["outcome"]["ending"], file=sys.stderr)\n', "            sys.exit(4)\n")],
            ["FAIL fish: ends by itself", "ended with status 4"],
        ),
        (
            [('say(said, type="heard", id=message["id"])', "import time; time.sleep(60)")],
            ["FAIL fish: answers in time", "no answer within 0.5 s", "flush standard output"],
        ),
        (
            [("    told, said =", "    print('starting up', flush=True)\n    told, said =")],
            ["FAIL starts and says hello", "text for people belongs on standard error"],
        ),
        (  # stumble 2: the line that was not meant is quoted, not the answer after it
            [('say(said, type="answer"', 'print("thinking"); say(said, type="answer"')],
            ["FAIL fish: answers legally", "got 'thinking' (text for people belongs on standard error)"],
        ),
        (
            [("    told, said =", "    raise ImportError('no torch')\n    told, said =")],
            ["FAIL starts and says hello", "exit code 1 before its hello", "ImportError: no torch"],
        ),
    ],
)
def test_what_to_fix(fairplay: Fairplay, tmp_path: Path, changes: list[tuple[str, str]], said: list[str]) -> None:
    result = fairplay("check", bot(tmp_path, *changes), "--positions", "5", "--patience", "0.5")
    assert result.exit_code == 1, result.output
    for words in said:
        assert words in result.output
    assert "is not ready." in result.output


def test_a_report_for_programs(fairplay: Fairplay, tmp_path: Path) -> None:
    result = fairplay("check", bot(tmp_path), "--game", "fish", "--positions", "5", "--json")
    report = json.loads(result.output)
    assert report["ready"] is True
    assert (report["name"], report["games"]) == ("native_bot.py", ["fish"])
    assert [item["check"] for item in report["items"] if item["passed"]] == [
        "starts and says hello",
        "starts in time",
        "runs in its own process",
        "fish: answers legally",
        "fish: answers in time",
        "fish: ends by itself",
    ]


def test_a_python_file_is_checked_in_a_process_of_its_own(fairplay: Fairplay, tmp_path: Path) -> None:
    shutil.copy(EXAMPLE.parent / "ten_lines.py", tmp_path / "mine.py")
    assert fairplay("check", "mine.py", "--game", "fish", "--positions", "5").exit_code == 0
    failed = fairplay("check", "mine.py", "--game", "trains", "--positions", "5")
    assert failed.exit_code == 1
    assert "AttributeError" in failed.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "def choose(view):\n    1\n",
            ["malformed: choose returned None; did you forget `return`?", "legal_actions(view)"],
        ),
        (
            "async def choose(view):\n    return 1\n",
            ["FAIL can be loaded", "'choose' is `async def`, and nobody awaits it"],
        ),
        ("def choose(view):\n    yield 1\n", ["FAIL can be loaded", "has a `yield` in it; return the action instead"]),
        ("def choose(view):\n    return 1 +\n", ["FAIL can be loaded", "SyntaxError", "line 2"]),
        (
            "class Mine:\n    def choose(self, view):\n        return view.fsih\n",
            [
                "ok   can be loaded                the class Mine",
                "crashed: AttributeError",
                "bot.py:3 in choose",
                "--trust",
            ],
        ),
    ],
)
def test_a_python_author_reads_of_python(fairplay: Fairplay, tmp_path: Path, text: str, said: list[str]) -> None:
    """Stumbles 3 and 13: no protocol, no lines, no transcripts, none of our own source."""
    (tmp_path / "bot.py").write_text(text)
    result = fairplay("check", "bot.py", "--game", "fish", "--positions", "5")
    assert result.exit_code == 1, result.output
    for words in said:
        assert words in result.output
    for foreign in ("JSON", "native", "hello", "RuntimeWarning", "bot_process", "line with bye"):
        assert foreign not in result.output


def test_slow_starts_and_answers_get_a_warning(
    fairplay: Fairplay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_check, "NEAR", 0.0)
    shutil.copy(EXAMPLE.parent / "ten_lines.py", tmp_path / "mine.py")
    arguments = ("check", "mine.py", "--game", "fish", "--positions", "1", "--setup", '{"rows": 3, "columns": 4}')
    result = fairplay(*arguments, "--json")
    items = {item["check"]: item for item in json.loads(result.stdout)["items"]}
    assert "load less" in items["starts in time"]["warning"]
    assert "near the limit" in items["fish: answers in time"]["warning"]
    assert items["fish: answers in time"]["seen"].startswith("median ")


def test_a_variant_is_checked_that_the_program_claims(fairplay: Fairplay, tmp_path: Path) -> None:
    mine = bot(tmp_path, ("legal=True", 'legal=True, variants={"fish": ["standard"]}'))
    arguments = ("check", mine, "--game", "fish", "--positions", "5", "--variant")
    assert fairplay(*arguments, "standard").exit_code == 0
    result = fairplay(*arguments, "original")
    assert "it claims standard fish" in result.output, result.output
    refused = fairplay("play", "fish", mine, "greedy", "--variant", "original")
    assert (refused.exit_code, "original fish is played here, not standard" in refused.stderr) == (2, True)
    assert not (tmp_path / "fairplay.db").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["cmd:true", "--variant", "standard"], "say of which game: --game NAME"),
        (["mine.py"], "say which game it plays: --game fish|labyrinth"),
        (["mine.py", "--game", "fish"], "there is no file mine.py"),
        (["cmd:./missing"], "cmd:./missing: there is no file ./missing"),
        (["cmd:true", "--game", "chess"], "there is no game 'chess'"),
        (["cmd:true", "--patience", "0"], "must be more than 0 seconds"),
    ],
)
def test_wrong_use(fairplay: Fairplay, arguments: list[str], words: str) -> None:
    result = fairplay("check", *arguments)
    assert result.exit_code == 2
    assert words in result.output
    assert "Traceback" not in result.output
