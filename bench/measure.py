"""Rates in CPU time, best of several, and a table that puts them beside the yardstick."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from time import process_time

from msgspec import Struct

__all__ = ["Figure", "rate", "show"]


class Figure(Struct, frozen=True):
    """One measured rate, the yardstick it is compared with, and the ratio it must reach."""

    name: str
    rate: float
    unit: str
    yardstick: str = ""
    ratio: float | None = None
    bar: float | None = None
    note: str = ""

    @property
    def passed(self) -> bool | None:
        return None if self.bar is None or self.ratio is None else self.ratio >= self.bar


def rate(work: Callable[[], int], *, repeats: int = 5, seconds: float = 0.4) -> float:
    """How many things `work` does per second of CPU time: the best of some repeats, each at least so long.

    `work` returns how many it did; the first run, which fills caches, is not measured.
    """
    work()
    best = 0.0
    for _ in range(repeats):
        gc.collect()
        done, started = 0, process_time()
        while (spent := process_time() - started) < seconds or not done:
            done += work()
        best = max(best, done / spent)
    return best


def show(figures: Sequence[Figure]) -> None:
    """Print the figures as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(title="CPU time, one process, best of several", title_justify="left")
    for heading in ("what", "rate", "of the yardstick", "bar", ""):
        table.add_column(heading, justify="left" if heading in ("what", "") else "right")
    for figure in figures:
        ratio = "" if figure.ratio is None else f"{figure.ratio:.4g} of {figure.yardstick}"
        bar = "" if figure.bar is None else f"{figure.bar:.4g}"
        mark = "" if figure.passed is None else "ok" if figure.passed else "BELOW"
        table.add_row(figure.name, f"{figure.rate:,.0f} {figure.unit}/s", ratio, bar, f"{mark} {figure.note}".strip())
    console = Console()
    console.print(table, width=None if console.is_terminal else 160)
