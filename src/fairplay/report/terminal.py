"""The tables of a tournament on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fairplay.contest.standings import Meeting, StandingsRow, describe_levels
from fairplay.core import AnyGame
from fairplay.core.escaping import escape_controls
from fairplay.report.text_table import Column, build_table, find_width, print_table

if TYPE_CHECKING:
    from rich.table import Table

    from fairplay.contest.formats.swiss_points import SwissRow
    from fairplay.contest.intervals import Estimate
    from fairplay.contest.scoreboard import Tables

__all__ = ["describe_notes", "print_standings", "print_tables", "standings_table"]

MAX_PRINTED_CROSS: Final = 12
"""With more players than this, no cross-table is printed."""

NO_INTERVAL: Final = "Some figures have no interval: there were too few matches."


def print_standings(game: AnyGame, rows: Sequence[StandingsRow], *, wide: bool = False) -> None:
    """Print the standings alone."""
    print_table(standings_table(game, rows, choose_width(wide)))
    if notes := describe_notes(rows):
        sys.stdout.write("\n" + "\n".join(notes) + "\n")


def print_tables(game: AnyGame, tables: Tables, *, wide: bool = False) -> None:
    """Print the standings with ratings, the order of a Swiss tournament, then who beat whom."""
    width = choose_width(wide)
    print_table(standings_table(game, tables.standings, width))
    if tables.swiss:
        sys.stdout.write("\n")
        print_table(swiss_table(tables.swiss, width))
    if tables.order and len(tables.order) <= MAX_PRINTED_CROSS:
        sys.stdout.write("\n")
        print_table(cross_table(tables.order, tables.cross, width))


def choose_width(wide: bool) -> int | None:
    """How wide a table may be; None: as wide as it is."""
    return None if wide else find_width()


def describe_notes(rows: Sequence[StandingsRow]) -> list[str]:
    """What must be known to read the tables: missing intervals, and the levels unless all players are of the house."""
    figures = [row.rating for row in rows if row.matches] + [row.average for row in rows]
    levels = escape_controls(describe_levels(rows))
    missing = any(figure is not None and figure.interval is None for figure in figures)
    return [*([NO_INTERVAL] if missing else []), *([levels] if levels else [])]


def standings_table(game: AnyGame, rows: Sequence[StandingsRow], width: int | None = None) -> Table:
    """The standings, figures with their 95 % intervals; narrower than `width` if it can be."""
    columns = [Column("matches", [str(row.matches) for row in rows])]
    if any(row.rating for row in rows):
        columns.insert(
            0, Column("rating", [f"{row.rating:.0f}" if row.rating and row.matches else "-" for row in rows])
        )
    columns.append(share_column("won", [(row.matches, row.wins, row.win_share) for row in rows]))
    if width is None or any(row.ties for row in rows):
        ties = share_column("tied", [(row.matches, row.ties, row.tie_share) for row in rows], order=2)
        columns.append(ties._replace(short=[str(row.ties) for row in rows]))
    averages = [f"{row.average:.1f}" if row.average else "-" for row in rows]
    shortened = [f"{row.average.value:.1f}" if row.average else "-" for row in rows]
    columns.append(Column(f"average\n{game.unit}", averages, shortened, order=1))
    if width is None or any(row.faults or row.absences for row in rows):
        faults = share_column("faults", [(row.matches, row.faults, row.fault_share) for row in rows])
        columns.append(faults._replace(short=[str(row.faults) for row in rows]))
    if any(row.absences for row in rows):
        columns.append(Column("absent", [str(row.absences) for row in rows]))
    title = f"{game.name}: standings, with 95 % intervals"
    return build_table(title, [row.player for row in rows], columns, width)


def share_column(heading: str, shares: Sequence[tuple[int, int, Estimate]], order: int = 0) -> Column:
    """A column of counts as shares of the matches, given with the number of matches and the count."""
    whole = [f"{count} = {share:.0%}" if matches else "-" for matches, count, share in shares]
    short = [shorten_share(share) if matches else "-" for matches, _, share in shares]
    return Column(heading, whole, short, order)


def shorten_share(share: Estimate) -> str:
    """A share with its interval in as few letters as can be read."""
    low, high = share.interval or (0.0, 1.0)
    return f"{share.value:.0%} [{100 * low:.0f}, {100 * high:.0f}]"


def swiss_table(rows: Sequence[SwissRow], width: int | None = None) -> Table:
    """The order of a Swiss tournament, with what breaks ties."""
    columns = [
        Column("points", [f"{row.points:.3f}" for row in rows]),
        Column("Buchholz", [f"{row.buchholz:.3f}" for row in rows]),
        Column("direct", [f"{row.direct:+d}" for row in rows]),
    ]
    title = "Swiss order: points, then Buchholz points, then direct encounter"
    return build_table(title, [f"{row.place}. {row.player}" for row in rows], columns, width)


def cross_table(order: Sequence[str], cross: Sequence[Sequence[Meeting | None]], width: int | None = None) -> Table:
    """Points of each row against each column, in per cent."""
    columns = [
        Column(str(number), ["·" if cell is None else f"{100 * cell.share.value:.0f}" for cell in column])
        for number, column in enumerate(zip(*cross, strict=True), 1)
    ]
    names = [f"{number}. {name}" for number, name in enumerate(order, 1)]
    return build_table("points won against each other, in per cent", names, columns, width)
