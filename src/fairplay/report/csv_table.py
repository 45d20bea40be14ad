"""The table of a tournament for a spreadsheet."""

from __future__ import annotations

import csv
import io

from fairplay.contest.scoreboard import Tables

__all__ = ["format_csv"]

FIGURES = ("rating", "win share", "tie share", "fault share", "average")


def format_csv(tables: Tables) -> str:
    """One line per player: rating and standings, every figure with its interval; cells without a figure are empty."""
    out = io.StringIO()
    writer = csv.writer(out)
    columns = [f"{name}{end}" for name in FIGURES for end in ("", " low", " high")]
    writer.writerow(["player", "matches", "wins", "ties", "losses", "faults", *columns, "level"])
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
                " ".join(row.levels) or "house",
            ]
        )
    return out.getvalue()
