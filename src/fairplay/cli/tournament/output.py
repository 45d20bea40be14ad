"""How tournaments are shown: a live table while they are played, the tables at the end."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from time import monotonic
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

import click

from fairplay.cli.options import ReportOptions
from fairplay.cli.output import echo, print_json, program_name
from fairplay.cli.storage import StoredContest
from fairplay.contest.contest import Effort
from fairplay.contest.deals import describe_deals
from fairplay.core import AnyGame
from fairplay.report.efforts import describe_efforts
from fairplay.run.entrants import are_house_players

if TYPE_CHECKING:
    from rich.console import Group
    from rich.live import Live

    from fairplay.contest.contest import Contest
    from fairplay.run.competition import Competition

__all__ = ["LiveTable", "show_tournament"]

REFRESH_SECONDS = 0.5

SHOWN_PLAYERS = 20
"""Players in the live table."""


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
        """Show the standings, though not more often than anyone can read them."""
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

        from fairplay.contest.schedule import count_matches
        from fairplay.report.terminal import standings_table

        total = count_matches(competition.contest, self.game.seats)
        self._bar.update(self._task, completed=competition.board.matches, total=total)
        return Group(standings_table(self.game, competition.board.standings()[:SHOWN_PLAYERS]), self._bar)


def show_tournament(
    stored: StoredContest, game: AnyGame, showing: ReportOptions, efforts: Mapping[str, Effort] | None = None
) -> None:
    """Print the tables of a tournament, and write them where they are wanted; `efforts` are those of this run."""
    from fairplay.report.csv_table import format_csv
    from fairplay.report.terminal import print_tables
    from fairplay.report.tournament_report import describe_unproven, load_tables

    store, id = stored.store, stored.id
    contest = store.contest(id)
    tables, verdict = load_tables(store, id, game)
    over, unproven = store.summary(id).finished is not None, store.history.count_unproven(id)
    seed = f"seed {contest.seed}" if over else "the seed is shown when it is over"  # it gives away every deal
    if showing.csv is not None:
        showing.csv.write_text(format_csv(tables), "utf-8")
    if showing.report is not None:
        from fairplay.report.page import render_page
        from fairplay.report.tournament_report import collect_report

        hint = f"{program_name()} replay {stored.short_reference('NUMBER')}"
        showing.report.parent.mkdir(parents=True, exist_ok=True)
        showing.report.write_text(render_page(collect_report(store, id, game, tables, hint)), "utf-8")
    if showing.as_json:
        where = {"id": id, "db": stored.place} if stored.lasting else {}
        print_json(
            {
                **where,
                "game": game.name,
                **report_chance(contest, over=over),
                "verdict": verdict,
                "unproven": unproven,
                "tables": tables,
                "efforts": efforts or {},
            }
        )
        return
    print_tables(game, tables)
    if unproven:
        echo(describe_unproven(unproven, tables.matches))
    for sentence in describe_deals(contest, all_house=are_house_players(contest.entrants)):
        echo(sentence)
    if verdict is not None:
        echo(verdict.sentence)
    for line in describe_efforts(efforts or {}):
        echo(line)
    if stored.lasting:
        example = f"{program_name()} replay {stored.short_reference(max(0, tables.matches - 1))}"
        click.echo(f"Tournament {id} in {stored.place}: {tables.matches} matches, {seed}.")
        click.echo(f"  {example}                  # step through a match")
        click.echo(f"  {example} --svg last.svg   # draw how it ended")
    else:
        click.echo(f"{tables.matches} matches, {seed}; nothing was kept.")
    if showing.report is not None:
        click.echo(f"Report: {showing.report}")


def report_chance(contest: Contest, *, over: bool) -> dict[str, Any]:
    """What `--json` says of a contest's deals; what gives them away only when it is `over`."""
    return {
        "seed": contest.seed if over else None,
        "seed_chosen": contest.seed_chosen,
        "secret": contest.secret if over else None,
        "deals": contest.deals,
    }
