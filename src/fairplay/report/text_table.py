"""Tables that fit the width of a terminal, by shortening figures and leaving columns out; and flat ones, as CSV."""

from __future__ import annotations

import csv
import io
import shutil
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, TextIO, TypeAlias

from fairplay.contest.scoreboard import FaultGroup, StandingsRow, Tables, describe_group
from fairplay.core.names import escape_controls

if TYPE_CHECKING:
    from rich.table import Table


_MIN_NAME = 12
"""Letters of a name for whose sake columns are left out."""

_GAP = 2


class Column(NamedTuple):
    """A column of figures, and what becomes of it when there is little room."""

    heading: str
    cells: Sequence[str]
    short: Sequence[str] | None = None  # cells when there is little room; None: the same
    order: int = 0  # which columns go first when there is too little room: the greatest; 0: this one stays

    def shorten(self) -> Column:
        """The column with its short cells."""
        return self if self.short is None else self._replace(cells=self.short)

    @property
    def width(self) -> int:
        """Letters that it takes."""
        return max(map(len, (*self.heading.split("\n"), *self.cells)))


def find_width() -> int:
    """The width of the terminal, of the variable COLUMNS, or 80."""
    return shutil.get_terminal_size().columns


def _cut_middle(name: str, width: int) -> str:
    """As much of a name as fits, with both its ends."""
    if len(name) <= width:
        return name
    kept = max(2, width - 1)
    return f"{name[: kept - kept // 2]}…{name[len(name) - kept // 2 :]}"


def _fit_columns(names: Sequence[str], columns: Sequence[Column], width: int) -> list[Column]:
    """Those of the columns that fit beside the names, whole if they can be."""
    longest, chosen = max(map(len, names), default=0), list(columns)
    if longest + _total_width(chosen) <= width:
        return chosen
    chosen = [column.shorten() for column in chosen]
    while width - _total_width(chosen) < min(longest, _MIN_NAME) and any(column.order for column in chosen):
        chosen.remove(max(chosen, key=lambda column: column.order))
    return chosen


def _total_width(columns: Sequence[Column]) -> int:
    """Letters that the columns take, with the gaps before them."""
    return sum(column.width + _GAP for column in columns)


def build_table(title: str, names: Sequence[str], columns: Sequence[Column], width: int | None = None) -> Table:
    """The table; names may be of strangers.  Without a width, nothing is shortened."""
    from rich.box import Box
    from rich.table import Table
    from rich.text import Text  # a name as a plain string would be read as markup

    shown = [escape_controls(name) for name in names]
    chosen, room = list(columns), None
    if width is not None:
        chosen = _fit_columns([*shown, "player"], columns, width)
        room = max(6, width - _total_width(chosen))
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold",
        box=Box("    \n    \n ── \n    \n    \n    \n    \n    \n"),
        show_edge=False,
        pad_edge=False,
        padding=(0, _GAP - 1, 0, 0),
    )
    table.add_column("player", no_wrap=True)
    for column in chosen:
        table.add_column(column.heading, justify="right", no_wrap=True)
    for index, name in enumerate(shown):
        cut = name if room is None else _cut_middle(name, room)
        table.add_row(Text(cut), *(Text(column.cells[index]) for column in chosen))
    return table


def print_table(table: Table) -> None:
    """Print a table without folding it, and without spaces at the ends of lines."""
    sys.stdout.write(format_table(table, sys.stdout))


def format_table(table: Table, file: TextIO | None = None) -> str:
    """The lines of a table as they look in `file`, with the colours of a terminal if it is one; None: plain text."""
    from rich.console import Console
    from rich.measure import Measurement

    title, table.title = table.title, None  # it would be folded to the width of the table
    endless = Console(width=_UNLIMITED)
    console = Console(
        file=file or io.StringIO(), width=max(len(str(title)), Measurement.get(endless, endless.options, table).maximum)
    )
    with console.capture() as capture:
        console.print(title, style="bold", highlight=False)
        console.print(table)
    return "\n".join(line.rstrip() for line in capture.get().splitlines()) + "\n"


_UNLIMITED = 100_000
"""A width that no table reaches."""


# -- the rows of a table, flat: for a spreadsheet, and for Python -------------------------------


_Cell: TypeAlias = str | int | float | None

_COUNTS = ("player", "matches", "wins", "ties", "losses", "faults")
_FIGURES = ("rating", "win_share", "tie_share", "fault_share", "average")


def flatten_row(row: StandingsRow, faults: Sequence[FaultGroup]) -> dict[str, _Cell]:
    """A row of the standings: counts, figures with the ends of their intervals beside them, and why it was removed."""
    cells: dict[str, _Cell] = {name: getattr(row, name) for name in _COUNTS}
    for name in _FIGURES:
        estimate = getattr(row, name)
        for end in ("value", "low", "high"):
            cells[name if end == "value" else f"{name}_{end}"] = None if estimate is None else getattr(estimate, end)
    reasons = "; ".join(describe_group(group) for group in faults if group.player == row.player)
    level = " ".join(row.levels) or "house"
    return cells | {"absences": row.absences, "level": level, "fault_reasons": reasons}


def format_csv(tables: Tables, faults: Sequence[FaultGroup] = ()) -> str:
    """One line per player, the strongest first; cells without a figure are empty."""
    out = io.StringIO()
    writer = csv.writer(out)
    for number, row in enumerate(tables.standings):
        cells = flatten_row(row, faults)
        if number == 0:
            writer.writerow([name.replace("_", " ") for name in cells])
        writer.writerow([f"{cell:.6g}" if isinstance(cell, float) else cell for cell in cells.values()])
    return out.getvalue()
