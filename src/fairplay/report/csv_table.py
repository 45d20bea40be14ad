"""The table of a tournament for a spreadsheet."""

from __future__ import annotations

import csv
import io

from fairplay.contest.scoreboard import Tables

__all__ = ["format_csv"]

FIGURES = ("rating", "win share", "tie share", "fault share", "average")


def format_csv(tables: Tables) -> str:
    """One line per player: rating and standing, every figure with its interval; a cell is empty where there is none."""
    out = io.StringIO()
    writer = csv.writer(out)
    columns = [f"{name}{end}" for name in FIGURES for end in ("", " low", " high")]
    writer.writerow(["player", "matches", "wins", "ties", "losses", "faults", *columns])
    ratings = {line.player: line.rating for line in tables.ratings}
    for line in tables.standings:
        estimates = (ratings[line.player], line.win_share, line.tie_share, line.fault_share, line.average)
        numbers = [number for estimate in estimates for number in estimate or (None, None, None)]
        cells = ["" if number is None else f"{number:.6g}" for number in numbers]
        writer.writerow([line.player, line.matches, line.wins, line.ties, line.losses, line.faults, *cells])
    return out.getvalue()
