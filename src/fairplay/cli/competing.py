"""What the commands share that run tournaments: options, engines, a live table, the tables at the end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

import click

from fairplay.cli.common import json_option, print_json, program
from fairplay.core import AnyGame

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live

    from fairplay.run.competition import Competition
    from fairplay.run.engines.pool import Engine
    from fairplay.store.store import Store

__all__ = ["LiveTable", "choose_engine", "engine_options", "format_options", "report_options", "show_tournament"]

F = TypeVar("F", bound=Callable[..., Any])

REFRESH_SECONDS = 0.5

SHOWN_PLAYERS = 20
"""Players in the live table."""


def format_options(command: F) -> F:
    """The options that say who meets whom, and how often."""
    for option in (
        click.option("--matches", type=click.IntRange(1), help="Stop after N matches; a ladder needs it, or Ctrl-C."),
        click.option("--option", "more", multiple=True, metavar="NAME=VALUE", help="Another option of the format."),
        click.option("--seats", type=int, help="Players of one match. [default: the fewest the game allows]"),
        click.option("--games", type=int, help="Deals that every line-up plays. [default: by the format]"),
        click.option(
            "--format",
            default="round-robin",
            show_default=True,
            help="knock-out, round-robin, swiss, gauntlet, ladder.",
        ),
    ):
        command = option(command)
    return command


def report_options(command: F) -> F:
    """The options of every command that prints tables."""
    for option in (
        json_option,
        click.option("--csv", type=click.Path(path_type=Path, dir_okay=False), help="Write the table here as CSV."),
        click.option("--report", type=click.Path(path_type=Path, dir_okay=False), help="Write a page of HTML here."),
    ):
        command = option(command)
    return command


def engine_options(command: F) -> F:
    """The options of every command that plays many matches."""
    for option in (
        click.option("--on", metavar="dask|ADDRESS", help="Play on a Dask cluster: here, or at its scheduler."),
        click.option("--jobs", type=click.IntRange(1), help="Worker processes. [default: all cores]"),
    ):
        command = option(command)
    return command


def choose_engine(jobs: int | None, on: str | None, *, apart: bool = False) -> Engine:
    """Where matches are played; `apart` from this process, which has other things to do."""
    import os

    from fairplay.run.engines.pool import Inline, Pool

    jobs = jobs or len(os.sched_getaffinity(0))
    if on is not None:
        from fairplay.run.engines.cluster import Cluster

        return Cluster(None if on == "dask" else on, jobs)
    return Inline() if jobs == 1 and not apart else Pool(jobs)


class LiveTable:
    """A bar and live standings on a terminal, nothing elsewhere."""

    def __init__(self, game: AnyGame, *, quiet: bool) -> None:
        self.game, self.active = game, not quiet and sys.stderr.isatty()
        self._live: Live | None = None
        self._due = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._live is not None:
            self._live.__exit__(kind, error, at)
            self._live = None

    def show(self, competition: Competition) -> None:
        """Show how things stand, though not more often than anyone can read."""
        if not self.active or monotonic() < self._due:
            return
        self._due = monotonic() + REFRESH_SECONDS
        if self._live is None:
            self._live = self._open()
        # Refreshed from here, not by a thread of the library: the board must not change while it is being read.
        self._live.update(self._drawn(competition), refresh=True)

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

    def _drawn(self, competition: Competition) -> Group:
        from rich.console import Group

        from fairplay.contest.schedule import count_matches
        from fairplay.report.terminal import standings_table

        total = count_matches(competition.contest, self.game.seats)
        self._bar.update(self._task, completed=competition.board.matches, total=total)
        return Group(standings_table(self.game, competition.board.standings()[:SHOWN_PLAYERS]), self._bar)


def show_tournament(
    store: Store, id: int, game: AnyGame, db: str, report: Path | None, csv: Path | None, *, as_json: bool, kept: bool
) -> None:
    """Print the tables of a tournament, and write them where they are wanted; `kept`: it can be found again."""
    from fairplay.report.csv_table import format_csv
    from fairplay.report.terminal import print_tables
    from fairplay.report.tournament_report import load_tables

    contest = store.contest(id)
    tables, verdict = load_tables(store, id, game)
    if csv is not None:
        csv.write_text(format_csv(tables), "utf-8")
    if report is not None:
        from fairplay.report.page import render_page
        from fairplay.report.tournament_report import collect_report

        shown = collect_report(store, id, game, tables, f"{program()} replay {db}#{id}/NUMBER")
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(render_page(shown), "utf-8")
    if as_json:
        where = {"id": id, "db": db} if kept else {}
        print_json({**where, "game": game.name, "seed": contest.seed, "verdict": verdict, "tables": tables})
        return
    print_tables(game, tables)
    if verdict is not None:
        click.echo(verdict.sentence)
    if kept:
        example = f"{program()} replay {db}#{id}/{max(0, tables.matches - 1)}"
        click.echo(f"Tournament {id} in {db}: {tables.matches} matches, seed {contest.seed}.")
        click.echo(f"  {example}                  # step through a match")
        click.echo(f"  {example} --svg last.svg   # draw how it ended")
    else:
        click.echo(f"{tables.matches} matches, seed {contest.seed}; nothing was kept.")
    if report is not None:
        click.echo(f"Report: {report}")
