"""The live table; what is printed at the end is in test_tournament.py."""

from __future__ import annotations

import sys

import pytest

from fairplay.cli.tournament.output import LiveTable
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
        for _ in competition.results(Inline()):
            table.show(competition)
    told = capsys.readouterr()
    assert told.out == ""
    assert ("player 0" in told.err and "playing fish" in told.err) == shown
