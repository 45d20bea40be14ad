"""What commands print."""

from __future__ import annotations

import re
import sys
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest
from msgspec.structs import replace

from fairplay.cli.output import (
    LiveTable,
    MatchLog,
    Pace,
    announce_endless,
    log_progress,
    print_json,
    program_name,
    track_progress,
)
from fairplay.contest.contest import Stop
from fairplay.games.fish import GAME
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Inline
from fairplay.run.keeping import MemoryKeeper
from run.contests import contest


def test_the_program_is_called_as_it_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("shutil.which", lambda name: None)
    program = tmp_path / "bin" / "fairplay"
    program.parent.mkdir()
    program.touch()
    monkeypatch.setattr(sys, "argv", [str(program)])
    assert program_name() == "bin/fairplay"
    monkeypatch.setattr(sys, "argv", ["-c"])
    assert program_name() == "fairplay"
    monkeypatch.setattr("shutil.which", lambda name: "/usr/bin/fairplay")
    monkeypatch.setattr(sys, "argv", [str(program)])
    assert program_name() == "fairplay"


def test_json_is_laid_out_for_people_too(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": (1, None)})
    assert capsys.readouterr().out == '{\n  "a": [\n    1,\n    null\n  ]\n}\n'


def test_a_bar_is_shown_on_a_terminal_alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with track_progress([1, 2], 2, "playing", quiet=False) as items:
        assert [*items] == [1, 2]
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    for quiet in (True, False):
        with track_progress([1, 2], 2, "playing", quiet=quiet) as items:
            assert [*items] == [1, 2]
        assert ("playing" in capsys.readouterr().err) == (not quiet)


def measure(total: int | None, specs: list[str], seconds: list[float], *, quiet: bool = False) -> str:
    """What is said of a run whose matches end at these times."""
    clock = iter([100.0, *(100.0 + each for each in seconds)])  # the first one starts slowly, and does not count
    heard = StringIO()
    with redirect_stderr(heard):
        pace = Pace(total, specs, quiet=quiet, clock=lambda: next(clock))
        for _ in (None, *seconds):
            pace.note_match()
    return heard.getvalue()


def test_a_long_run_says_once_how_long_it_will_take() -> None:
    said = measure(1_000, ["bot.py", "greedy"], [1.0, 2.0, 4.0, 5.0])
    assert said.startswith("1000 matches take about 22 minutes; with --trust")
    assert said.count("\n") == 1
    assert "--trust" not in measure(1_000, ["cmd:./bot", "trusted:bot.py"], [4.0])
    assert "4 hours" in measure(3_600, ["greedy"], [4.0])
    assert "100 seconds" in measure(20, ["greedy"], [5.0])


def test_of_a_short_run_nothing_is_said() -> None:
    assert measure(10, ["bot.py"], [4.0, 8.0]) == ""
    assert measure(None, ["bot.py"], [4.0, 8.0]) == "", "a ladder has no end"
    assert measure(1_000, ["bot.py"], [4.0], quiet=True) == ""


def test_off_a_terminal_progress_is_a_line_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    now = iter([0.0, 1.0, 6.0, 6.0, 7.0, 12.0])
    assert list(log_progress("abcd", 4, "playing", lambda: next(now))) == [*"abcd"]
    assert capsys.readouterr().err == "playing: 2 of 4\n"


@pytest.mark.parametrize(
    ("terminal", "quiet", "shown"), [(True, False, True), (True, True, False), (False, False, False)]
)
def test_the_standings_are_shown_on_a_terminal_while_they_change(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, terminal: bool, quiet: bool, shown: bool
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    competition = Competition(GAME, contest(), MemoryKeeper())
    with LiveTable(GAME, quiet=quiet) as table:
        for result in competition.results(Inline()):
            table.show(competition, result)
    told = capsys.readouterr()
    assert told.out == ""
    assert ("player 0" in told.err and "playing fish" in told.err) == shown


def test_off_a_terminal_slow_matches_have_a_line_each_and_quick_ones_share_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    now = 0.0
    competition = Competition(GAME, contest(), MemoryKeeper())
    log = MatchLog(GAME, quiet=False, clock=lambda: now)
    for number, result in enumerate(competition.results(Inline())):
        now += 9.0 if number < 2 else 1.0
        log.note(competition, result)
        if number == 6:
            break
    first, second, third = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"1 of 20 matches: match 0, player \d \d+, player \d \d+: player \d won", first)
    assert second.startswith("2 of 20 matches: match 1, ")
    assert re.fullmatch(r"7 of 20 matches, 1 a second, player \d leads with \d+% won", third)


def test_a_ladder_without_an_end_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    ladder = replace(contest(), format="ladder", options={})
    announce_endless(ladder, quiet=False)
    assert capsys.readouterr().err == "A ladder without --matches plays until Ctrl-C.\n"
    announce_endless(replace(ladder, stop=Stop(5)), quiet=False)
    announce_endless(ladder, quiet=True)
    assert capsys.readouterr().err == ""
