"""`fairplay check`: a checklist for a bot's author."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "native_bot.py"

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
    result = fairplay("check", bot(tmp_path), "--positions", "5", "--seed", "1")
    assert result.exit_code == 0, result.output
    for game in ("fish", "labyrinth", "trains"):
        for check in ("answers legally", "answers in time", "ends by itself"):
            assert f"ok   {game}: {check}" in result.output
    assert "is ready to play." in result.output
    assert "nim" not in result.output


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([("version=1", "version=2")], ["FAIL starts and says hello", "it speaks version 2 of the protocol"]),
        ([('["fish", "labyrinth", "trains"]', '["chess"]')], ["FAIL plays a game that is here", "it claims chess"]),
        ([("legal[7 * number % len(legal)]", "7")], ["FAIL fish: answers legally", "after 0 answers: malformed"]),
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
    ("arguments", "words"),
    [
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
