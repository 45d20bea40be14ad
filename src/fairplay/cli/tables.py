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
    for heading in ("matches", "wins", "ties", f"average {game.unit}", "faults"):
        table.add_column(heading, justify="right")
    for line in lines:
        table.add_row(
            line.player,
            str(line.matches),
            counted(line.wins, line.win_share),
            counted(line.ties, line.tie_share),
            decimal(line.average) if line.average else "-",
            counted(line.faults, line.fault_share),
        )
    # Off a terminal the width is unknown: never fold a table that goes into a file.
    Console(width=None if sys.stdout.isatty() else 140).print(table)


def counted(count: int, estimate: Estimate) -> str:
    return f"{count} = {estimate.value:.0%} [{estimate.low:.0%}, {estimate.high:.0%}]"


def decimal(estimate: Estimate) -> str:
    return f"{estimate.value:.1f} [{estimate.low:.1f}, {estimate.high:.1f}]"
