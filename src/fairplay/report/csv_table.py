"""The table of a tournament for a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from fairplay.contest.fault_groups import FaultGroup, describe_group
from fairplay.contest.scoreboard import Tables

__all__ = ["format_csv"]

FIGURES = ("rating", "win share", "tie share", "fault share", "average")


def format_csv(tables: Tables, faults: Sequence[FaultGroup] = ()) -> str:
    """One line per player: rating and standings, every figure with its interval; cells without a figure are empty.

    In the last column are the reasons of its faults.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    columns = [f"{name}{end}" for name in FIGURES for end in ("", " low", " high")]
    writer.writerow(
        ["player", "matches", "wins", "ties", "losses", "faults", *columns, "absences", "level", "fault reasons"]
    )
    ratings = {row.player: row.rating for row in tables.ratings}
    for row in tables.standings:
        estimates = (ratings[row.player], row.win_share, row.tie_share, row.fault_share, row.average)
        numbers = [number for estimate in estimates for number in estimate or (None, None, None)]
        cells = ["" if number is None else f"{number:.6g}" for number in numbers]
        writer.writerow(
            [
                row.player,
                row.matches,
                row.wins,
                row.ties,
                row.losses,
                row.faults,
                *cells,
                row.absences,
                " ".join(row.levels) or "house",
                "; ".join(describe_group(group) for group in faults if group.player == row.player),
            ]
        )
    return out.getvalue()
