"""Rates in CPU time, best of several, and a table that puts them beside the yardstick."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import NamedTuple

from msgspec import Struct


class Yardstick(NamedTuple):
    """Something users know, to measure against."""

    name: str
    unit: str
    work: Callable[[], int]


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


def rates(*works: Callable[[], int], repeats: int = 5, seconds: float = 0.3) -> list[float]:
    """How many things each of `works` does per second of CPU time: the best of some repeats, each at least so long.

    A work returns how many it did.  They take turns, so that a busy moment of the machine hits all of them alike;
    the first run of each, which fills caches, is not measured.
    """
    best = [0.0] * len(works)
    for work in works:
        work()
    for _ in range(repeats):
        for index, work in enumerate(works):
            gc.collect()
            done, started = 0, process_time()
            while (spent := process_time() - started) < seconds or not done:
                done += work()
            best[index] = max(best[index], done / spent)
    return best


def beside(
    yardstick: Yardstick, name: str, unit: str, work: Callable[[], int], *, bar: float | None = None, per: int = 1
) -> Figure:
    """The rate of `work` and its ratio to the yardstick, measured in turns; `per` of the yardstick's count as one."""
    ours, theirs = rates(work, yardstick.work)
    against = yardstick.unit if per == 1 else f"{per:,} {yardstick.unit}"
    return Figure(name, ours, unit, against, ours * per / theirs, bar)


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
    Console(width=None if sys.stdout.isatty() else 140).print(table)
