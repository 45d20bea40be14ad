"""Tables on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fairplay.contest.formats.swiss_points import SwissRow
from fairplay.contest.standings import Meeting, StandingsRow, describe_levels
from fairplay.core import AnyGame
from fairplay.core.escaping import escape_controls

if TYPE_CHECKING:
    from rich.table import Table

    from fairplay.contest.scoreboard import Tables

__all__ = ["print_standings", "print_tables", "standings_table"]

MAX_PRINTED_CROSS: Final = 12
"""With more players than this, no cross-table is printed."""


def print_table(table: Table) -> None:
    """Print a table, folded to the width of the terminal if there is one."""
    from rich.console import Console

    # Off a terminal the width is unknown: never fold a table that goes into a file.
    Console(width=None if sys.stdout.isatty() else 150).print(table)


def print_standings(game: AnyGame, rows: Sequence[StandingsRow]) -> None:
    """Print the standings alone."""
    print_table(standings_table(game, rows))
    print_levels(rows)


def print_tables(game: AnyGame, tables: Tables) -> None:
    """Print the standings with ratings, the order of a Swiss tournament, then who beat whom."""
    ratings = {row.player: f"{row.rating:.0f}" for row in tables.ratings}
    print_table(standings_table(game, tables.standings, ratings))
    if tables.swiss:
        print_table(swiss_table(tables.swiss))
    if tables.order and len(tables.order) <= MAX_PRINTED_CROSS:
        print_table(cross_table(tables.order, tables.cross))
    print_levels(tables.standings)


def print_levels(rows: Sequence[StandingsRow]) -> None:
    """Print how players were kept apart, unless all of them are of the house."""
    if sentence := describe_levels(rows):
        sys.stdout.write(f"{sentence}\n")


def standings_table(game: AnyGame, rows: Sequence[StandingsRow], ratings: dict[str, str] | None = None) -> Table:
    """The standings, each figure with its 95 % interval; `ratings` are texts by player."""
    from rich.table import Table
    from rich.text import Text  # a name as a plain string would be read as markup

    table = Table(title=f"{game.name}: standings, with 95 % intervals", title_justify="left")
    table.add_column("player")
    rating = ("rating",) if ratings is not None else ()
    for heading in (*rating, "matches", "wins", "ties", f"average {game.unit}", "faults"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(
            Text(escape_controls(row.player)),
            *([ratings[row.player]] if ratings is not None else ()),
            str(row.matches),
            f"{row.wins} = {row.win_share:.0%}",
            f"{row.ties} = {row.tie_share:.0%}",
            f"{row.average:.1f}" if row.average else "-",
            f"{row.faults} = {row.fault_share:.0%}",
        )
    return table


def swiss_table(rows: Sequence[SwissRow]) -> Table:
    """The order of a Swiss tournament, with what breaks ties."""
    from rich.table import Table
    from rich.text import Text  # a name as a plain string would be read as markup

    table = Table(title="Swiss order: points, then Buchholz points, then direct encounter", title_justify="left")
    for heading in ("place", "player", "points", "Buchholz", "direct"):
        table.add_column(heading, justify="left" if heading == "player" else "right")
    for row in rows:
        table.add_row(str(row.place), Text(row.player), f"{row.points:.3f}", f"{row.buchholz:.3f}", f"{row.direct:+d}")
    return table


def cross_table(order: Sequence[str], cross: Sequence[Sequence[Meeting | None]]) -> Table:
    """Points of each row against each column, in per cent."""
    from rich.table import Table
    from rich.text import Text  # a name as a plain string would be read as markup

    table = Table(title="points won against, in per cent", title_justify="left")
    table.add_column("player")
    for number in range(1, len(order) + 1):
        table.add_column(str(number), justify="right")
    for number, (name, line) in enumerate(zip(order, cross, strict=True), 1):
        table.add_row(
            Text(f"{number}. {escape_controls(name)}"),
            *("·" if each is None else f"{each.share.value:.0%}" for each in line),
        )
    return table
