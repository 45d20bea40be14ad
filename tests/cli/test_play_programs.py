"""`fairplay play` with programs: `cmd:`, bot files in processes of their own, and what their authors see."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.match.record import read_record
from run.programs import confine

EXAMPLES = Path(__file__).parent.parent.parent / "examples"

Fairplay = Callable[..., Result]


def test_a_program_plays_and_its_standard_error_is_kept_on_request(fairplay: Fairplay) -> None:
    bot = f"cmd:{sys.executable} {EXAMPLES / 'native_bot.py'}"
    result = fairplay("play", "fish", bot, "greedy", "--seed", "1", "--out", "out", "--logs", "logs")
    assert result.exit_code == 0, result.output
    assert "replies in" in result.output
    (log,) = Path("logs").iterdir()
    assert log.name.startswith("match-0001-seat-0-") and log.name.endswith("native_bot.py.log")
    assert log.read_text() == "playing fish\nnobody can move\n"
    assert fairplay("replay", "out/match-0001.jsonl", "--verify").exit_code == 0


def test_a_report_for_programs_holds_what_each_took(fairplay: Fairplay) -> None:
    bot = f"cmd:{sys.executable} {EXAMPLES / 'native_bot.py'}"
    report = json.loads(fairplay("play", "fish", bot, "greedy", "--seed", "1", "--json").stdout)
    first, second = report["matches"][0]["programs"]
    assert first["name"] == "native_bot.py"
    assert second is None
    for effort in report["matches"][0]["efforts"]:
        assert effort["answers"] > 3 and effort["seconds"] > 0 and effort["clock"] == "cpu"
    assert report["matches"][0]["efforts"][0]["start"] > 0


def test_logs_of_a_tournament_lie_apart_and_never_mix(fairplay: Fairplay) -> None:
    Path("bot.py").write_text(
        "import sys\nfrom fairplay.games.fish.rules import legal_actions\n"
        "def choose(view):\n    print('seat', view.me, file=sys.stderr)\n    return legal_actions(view)[0]\n"
    )
    arguments = ("tournament", "run", "fish", "bot.py", "random", "--games", "1", "--jobs", "1", "--logs", "logs")
    result = fairplay(*arguments, "--setup", '{"rows": 3, "columns": 4}', "--json")
    assert result.exit_code == 0, result.output
    for seat in range(2):
        text = Path(f"logs/match-{seat + 1:04}-seat-{seat}-bot.py.log").read_text()
        assert {*text.splitlines()} == {f"seat {seat}"}
    efforts = json.loads(result.stdout)["efforts"]
    assert efforts["bot.py"]["start"] > 0 == efforts["random"]["start"]
    assert "already holds match-" in fairplay(*arguments).stderr


def test_isolated_files_play_the_same_match(fairplay: Fairplay) -> None:
    shutil.copy(EXAMPLES / "ten_lines.py", "mine.py")
    for folder, options in (("here", ["--trust"]), ("there", [])):
        fairplay("play", "fish", "mine.py", "greedy", "--seed", "7", "--out", folder, *options)
    paths = (Path(f"{folder}/match-0001.jsonl") for folder in ("here", "there"))
    here, there = (read_record(path.read_bytes().splitlines(keepends=True)) for path in paths)
    assert here.entries == there.entries
    assert here.header.levels == ("trusted", "house")
    assert there.header.levels in (("sandboxed", "house"), ("process", "house"))


def test_an_isolated_file_cannot_read_what_lies_about(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    confine("sandbox", monkeypatch)
    Path("bots").mkdir()
    Path("bots/mine.py").write_text("def choose(view):\n    return open('../purse.txt').read()\n")
    Path("purse.txt").write_text("a treasure")
    result = fairplay("play", "fish", "bots/mine.py", "greedy", "--seed", "7", "--json")
    match = json.loads(result.stdout)["matches"][0]
    assert (match["faults"][0]["kind"], match["levels"]) == ("crashed", ["sandboxed", "house"])
    assert "a treasure" not in result.stdout


def test_a_program_that_is_not_there_is_one_line_and_exit_code_2(fairplay: Fairplay) -> None:
    result = fairplay("play", "fish", "cmd:./missing", "greedy")
    assert result.exit_code == 2
    assert "cmd:./missing: there is no file ./missing" in result.output
    assert not Path("fairplay.db").exists()
