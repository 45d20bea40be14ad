"""What commands print: JSON, a progress bar, and hints that can be pasted."""

import json
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

import click
import msgspec

from fairplay.contest.contest import Contest
from fairplay.contest.planning import SEED_RISK
from fairplay.contest.specs import ProgramSpec, is_process, parse_spec
from fairplay.core.names import escape_controls

T = TypeVar("T")

UNSEEN = re.compile("[\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
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


def print_json(value: Any) -> None:
    """EFFECT: prints any value that msgspec can write; a program reads the same value, a terminal obeys nothing."""
    formatted = msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    click.echo(UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], formatted))


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
        if self.quiet or self.total is None or elapsed < MEASURED_SECONDS:
            return
        self.quiet = True
        seconds = elapsed / self.played * self.total
        if seconds > LONG_RUN:
            click.echo(f"{self.total} matches take about {describe_seconds(seconds)}{self._advice()}.", err=True)

    def _advice(self) -> str:
        return "; with --trust, Python files run in this process, which is quicker" if self.hint else ""


MEASURED_SECONDS = 3.0
"""How long a run is measured before it is estimated."""

LONG_RUN = 60.0
"""Seconds: who waits longer wants to know."""


def describe_seconds(seconds: float) -> str:
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
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield bar.track(items, total=total)


def log_progress(items: Iterable[T], total: int, label: str, clock: Callable[[], float] = monotonic) -> Iterator[T]:
    """`items`, with a line every few seconds that says how many of them are done."""
    due = clock() + LOG_SECONDS
    for count, item in enumerate(items, 1):
        yield item
        if clock() >= due and count < total:
            click.echo(f"{label}: {count} of {total}", err=True)
            due = clock() + LOG_SECONDS


LOG_SECONDS = 5.0
"""Time between two lines that say how far something has come, at least."""
