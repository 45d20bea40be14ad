"""What is shown while a tournament is played."""

from __future__ import annotations

import re
import sys

import pytest
from msgspec.structs import replace

from fairplay.cli.tournament.live import LiveTable, MatchLog, announce_endless
from fairplay.contest.contest import Stop
from fairplay.games.fish import GAME
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Inline
from fairplay.run.keeping import MemoryKeeper
from run.contests import contest


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
