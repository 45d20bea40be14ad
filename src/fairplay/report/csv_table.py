"""The rows of a table, flat: for a spreadsheet, and for Python."""

import csv
import io
from collections.abc import Sequence
from typing import TypeAlias

from fairplay.contest.scoreboard import FaultGroup, StandingsRow, Tables, describe_group

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
