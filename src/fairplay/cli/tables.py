"""Tables for people, on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairplay.contest.standings import Meeting, Standing
from fairplay.core import AnyGame

if TYPE_CHECKING:
    from rich.table import Table

    from fairplay.contest.scoreboard import Tables

__all__ = ["print_standings", "print_tables", "standings_table"]

WIDEST_CROSS = 12
"""Players up to whom the cross-table is printed."""


def print_table(table: Table) -> None:
    from rich.console import Console

    # Off a terminal the width is unknown: never fold a table that goes into a file.
    Console(width=None if sys.stdout.isatty() else 150).print(table)


def print_standings(game: AnyGame, lines: Sequence[Standing]) -> None:
    print_table(standings_table(game, lines))


def print_tables(game: AnyGame, tables: Tables) -> None:
    """Ratings with the standings beside them, then who beat whom."""
    ratings = {line.player: f"{line.rating:.0f}" for line in tables.ratings}
    print_table(standings_table(game, tables.standings, ratings))
    if tables.order and len(tables.order) <= WIDEST_CROSS:
        print_table(cross_table(tables.order, tables.cross))


def standings_table(game: AnyGame, lines: Sequence[Standing], ratings: dict[str, str] | None = None) -> Table:
    """The standings, each figure with its 95 % interval."""
    from rich.table import Table

    table = Table(title=f"{game.name}: standings, with 95 % intervals", title_justify="left")
    table.add_column("player")
    rating = ("rating",) if ratings is not None else ()
    for heading in (*rating, "matches", "wins", "ties", f"average {game.unit}", "faults"):
        table.add_column(heading, justify="right")
    for line in lines:
        table.add_row(
            line.player,
            *([ratings[line.player]] if ratings is not None else ()),
            str(line.matches),
            f"{line.wins} = {line.win_share:.0%}",
            f"{line.ties} = {line.tie_share:.0%}",
            f"{line.average:.1f}" if line.average else "-",
            f"{line.faults} = {line.fault_share:.0%}",
        )
    return table


def cross_table(order: Sequence[str], cross: Sequence[Sequence[Meeting | None]]) -> Table:
    """Points of each row against each column, in per cent."""
    from rich.table import Table

    table = Table(title="points won against, in per cent", title_justify="left")
    table.add_column("player")
    for number in range(1, len(order) + 1):
        table.add_column(str(number), justify="right")
    for number, (name, line) in enumerate(zip(order, cross, strict=True), 1):
        table.add_row(f"{number}. {name}", *("·" if each is None else f"{each.share.value:.0%}" for each in line))
    return table
