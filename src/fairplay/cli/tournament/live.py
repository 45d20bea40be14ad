"""How a tournament is shown while it is played: a bar and standings on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self

from fairplay.cli.output import LOG_SECONDS, echo
from fairplay.contest.schedule import count_matches
from fairplay.core import AnyGame
from fairplay.report.terminal import format_match_count
from fairplay.report.text_table import find_width

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live

    from fairplay.contest.contest import Contest, Result
    from fairplay.run.competition import Competition

REFRESH_SECONDS = 0.5

SHOWN_PLAYERS = 20
"""Players in the live table."""


def announce_endless(contest: Contest, *, quiet: bool) -> None:
    """Say so if a contest does not end by itself."""
    if not quiet and contest.format == "ladder" and contest.stop.matches is None:
        echo("A ladder without --matches plays until Ctrl-C.", err=True)


class LiveTable:
    """A bar and live standings on a terminal, and a log elsewhere."""

    def __init__(self, game: AnyGame, *, quiet: bool) -> None:
        self.game, self.active = game, not quiet and sys.stderr.isatty()
        self._log = MatchLog(game, quiet=quiet or self.active)
        self._live: Live | None = None
        self._due = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, at)
            self._live = None

    def show(self, competition: Competition, result: Result) -> None:
        """Show the standings after one more match, though not more often than anyone can read them."""
        self._log.note(competition, result)
        if not self.active or monotonic() < self._due:
            return
        self._due = monotonic() + REFRESH_SECONDS
        if self._live is None:
            self._live = self._open()
        # Refreshed from here, not by a thread of the library: the board must not change while it is being read.
        self._live.update(self._render(competition), refresh=True)

    def _open(self) -> Live:
        from rich.console import Console
        from rich.live import Live
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn(f"playing {self.game.name}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns)
        self._task = self._bar.add_task("", total=None)
        live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
        live.__enter__()
        return live

    def _render(self, competition: Competition) -> Group:
        from rich.console import Group

        from fairplay.report.terminal import standings_table

        total = count_matches(competition.contest, self.game.seats)
        self._bar.update(self._task, completed=competition.board.matches, total=total)
        rows = competition.board.standings()[:SHOWN_PLAYERS]
        return Group(standings_table(self.game, rows, width=find_width()), self._bar)


class MatchLog:
    """A line for each match that is over, or every few seconds one for all since the last line."""

    def __init__(self, game: AnyGame, *, quiet: bool, clock: Callable[[], float] = monotonic) -> None:
        self.game, self.quiet, self.clock = game, quiet, clock
        self._played, self._since = 0, clock()

    def note(self, competition: Competition, result: Result) -> None:
        """One more match is over."""
        self._played += 1
        elapsed = self.clock() - self._since
        if self.quiet or elapsed < LOG_SECONDS:
            return
        total = count_matches(competition.contest, self.game.seats)
        count = f"{competition.board.matches} of {format_match_count(total)}" if total else ""
        count = count or format_match_count(competition.board.matches)
        if self._played == 1:
            echo(f"{count}: {describe_result(competition.contest, result)}", err=True)
        else:
            leader = competition.board.standings()[0]
            lead = f"{leader.player} leads with {leader.win_share.value:.0%} won"
            echo(f"{count}, {self._played / elapsed:.2g} a second, {lead}", err=True)
        self._played, self._since = 0, self.clock()


def describe_result(contest: Contest, result: Result) -> str:
    """Who met whom in a match, and who won it."""
    names, outcome = [contest.names[player] for player in result.line_up], result.outcome
    scores = ["out" if score is None else str(score[0]) for score in outcome.scores]
    met = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    winners = ", ".join(names[seat] for seat in outcome.winners)
    return f"match {result.number}, {met}: {winners or 'nobody'} won"
