"""What commands print: JSON, hints that can be pasted, and how far something has come: in bars, lines, live tables."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

import click
import msgspec

from fairplay.contest.contest import Contest, Result
from fairplay.contest.planning import SEED_RISK
from fairplay.contest.schedule import count_matches
from fairplay.contest.specs import ProgramSpec, is_process, parse_spec
from fairplay.core import AnyGame
from fairplay.core.names import escape_controls
from fairplay.report.terminal import format_match_count, make_bar, standings_table
from fairplay.report.text_table import find_width
from fairplay.run.competition import Competition

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live

T = TypeVar("T")

_UNSEEN = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters that JSON leaves as they are, and a terminal may obey."""


def program_name() -> str:
    """How to call this program again from here."""
    if shutil.which("fairplay") or not Path(sys.argv[0]).is_file():
        return "fairplay"
    started = Path(sys.argv[0]).absolute()
    return str(started.relative_to(Path.cwd()) if started.is_relative_to(Path.cwd()) else started)


def echo(text: str, *, err: bool = False, bold: bool = False) -> None:
    """EFFECT: prints text that may come from strangers; what would steer a terminal is shown instead of obeyed."""
    click.secho(escape_controls(text, keep="\n\t"), err=err, bold=bold or None)


def print_json(value: object) -> None:
    """EFFECT: prints any value that msgspec can write; a program reads the same value, a terminal obeys nothing."""
    formatted = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    click.echo(_UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], formatted))


def fail_where_thrown_out(names: Iterable[str]) -> None:
    """End with exit code 1 if players were thrown out, by these names."""
    if listed := ", ".join(dict.fromkeys(names)):
        echo(f"--strict: thrown out: {listed}", err=True)
        sys.exit(1)


def warn_of_seed(contest: Contest) -> None:
    """Say that the seed was chosen, if a player could gain by guessing it."""
    if contest.seed_chosen:
        click.echo(SEED_RISK, err=True)


class Pace:
    """Says once how long a run will take, as its first matches show, if that is more than a minute.

    What comes before the first result does not count: workers start then, and players may have to be compiled.
    """

    def __init__(
        self, total: int | None, specs: Iterable[str], *, quiet: bool, clock: Callable[[], float] = monotonic
    ) -> None:
        """`total` is the number of matches to play, None if nobody can say."""
        self.total, self.quiet, self.clock = total, quiet, clock
        self.hint = any(is_process(spec) and not isinstance(parse_spec(spec), ProgramSpec) for spec in specs)
        self.played = 0
        self.started: float | None = None  # when the first match was over

    def note_match(self) -> None:
        """One more match is over."""
        now = self.clock()
        if self.started is None:
            self.started = now
            return
        self.played += 1
        elapsed = now - self.started
        if self.quiet or self.total is None or elapsed < _MEASURED_SECONDS:
            return
        self.quiet = True
        seconds = elapsed / self.played * self.total
        if seconds > _LONG_RUN:
            click.echo(f"{self.total} matches take about {_describe_seconds(seconds)}{self._advice()}.", err=True)

    def _advice(self) -> str:
        return "; with --trust, Python files run in this process, which is quicker" if self.hint else ""


_MEASURED_SECONDS = 3.0
"""How long a run is measured before it is estimated."""

_LONG_RUN = 60.0
"""Seconds: who waits longer wants to know."""


def _describe_seconds(seconds: float) -> str:
    """A duration in the unit that people would use."""
    for unit, size in (("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} seconds"


@contextmanager
def track_progress(items: Iterable[T], total: int, label: str, *, quiet: bool) -> Iterator[Iterable[T]]:
    """`items`, with a bar on a terminal while they are worked through, elsewhere with a line now and then."""
    if quiet or not sys.stderr.isatty():
        yield items if quiet else log_progress(items, total, label)
        return
    with make_bar(label) as bar:
        yield bar.track(items, total=total)


def log_progress(items: Iterable[T], total: int, label: str, clock: Callable[[], float] = monotonic) -> Iterator[T]:
    """`items`, with a line every few seconds that says how many of them are done."""
    due = clock() + _LOG_SECONDS
    for count, item in enumerate(items, 1):
        yield item
        if clock() >= due and count < total:
            click.echo(f"{label}: {count} of {total}", err=True)
            due = clock() + _LOG_SECONDS


_LOG_SECONDS = 5.0
"""Time between two lines that say how far something has come, at least."""


# -- a tournament while it is played -----------------------------------------------------------

_REFRESH_SECONDS = 0.5

_SHOWN_PLAYERS = 20
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
        self._due = monotonic() + _REFRESH_SECONDS
        if self._live is None:
            self._live = self._open()
        # Refreshed from here, not by a thread of the library: the board must not change while it is being read.
        self._live.update(self._render(competition), refresh=True)

    def _open(self) -> Live:
        from rich.console import Console
        from rich.live import Live

        self._bar = make_bar(f"playing {self.game.name}")
        self._task = self._bar.add_task("", total=None)
        live = Live(console=Console(stderr=True), auto_refresh=False, transient=True)
        live.__enter__()
        return live

    def _render(self, competition: Competition) -> Group:
        from rich.console import Group

        total = count_matches(competition.contest, self.game.seats)
        self._bar.update(self._task, completed=competition.board.matches, total=total)
        rows = competition.board.standings()[:_SHOWN_PLAYERS]
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
        if self.quiet or elapsed < _LOG_SECONDS:
            return
        total = count_matches(competition.contest, self.game.seats)
        count = f"{competition.board.matches} of {format_match_count(total)}" if total else ""
        count = count or format_match_count(competition.board.matches)
        if self._played == 1:
            echo(f"{count}: {_describe_result(competition.contest, result)}", err=True)
        else:
            leader = competition.board.standings()[0]
            lead = f"{leader.player} leads with {leader.win_share.value:.0%} won"
            echo(f"{count}, {self._played / elapsed:.2g} a second, {lead}", err=True)
        self._played, self._since = 0, self.clock()


def _describe_result(contest: Contest, result: Result) -> str:
    """Who met whom in a match, and who won it."""
    names, outcome = [contest.names[player] for player in result.line_up], result.outcome
    scores = ["out" if score is None else str(score[0]) for score in outcome.scores]
    met = ", ".join(f"{name} {score}" for name, score in zip(names, scores, strict=True))
    winners = ", ".join(names[seat] for seat in outcome.winners)
    return f"match {result.number}, {met}: {winners or 'nobody'} won"
