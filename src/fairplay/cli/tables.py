"""Tables for people."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from fairplay.core import AnyGame
from fairplay.play.standings import Estimate, Standing

__all__ = ["standings_table"]


def standings_table(game: AnyGame, lines: Sequence[Standing]) -> None:
    """Print the standings, each figure with its 95 % interval."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"{game.name}: standings, with 95 % intervals", title_justify="left")
    table.add_column("player")
    for heading in ("matches", "wins", "ties", "losses", "win share", f"average {game.unit}", "faults"):
        table.add_column(heading, justify="right")
    for line in lines:
        counts = (line.matches, line.wins, line.ties, line.losses)
        table.add_row(
            line.player,
            *map(str, counts),
            percent(line.win_share),
            decimal(line.average) if line.average else "-",
            str(line.faults),
        )
    # Off a terminal the width is unknown: never fold a table that goes into a file.
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def percent(estimate: Estimate) -> str:
    return f"{estimate.value:.0%} [{estimate.low:.0%}, {estimate.high:.0%}]"


def decimal(estimate: Estimate) -> str:
    return f"{estimate.value:.1f} [{estimate.low:.1f}, {estimate.high:.1f}]"
