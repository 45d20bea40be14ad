"""Kernels beside OpenSpiel's amazons, both at random: one core, and all cores at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count

from bench.measure import Figure, beside, rates
from bench.yardstick import openspiel, openspiel_compiled
from fairplay.catalog import GAMES
from fairplay.core.chance import derived
from fairplay.kernels.loading import LoadedKernel, load_kernel

AMAZONS = 2_650_000
"""Moves per CPU second of OpenSpiel's C++ loop where the bars were set."""

BARS = {"fish": 12e6 / AMAZONS, "trains": 2.5e6 / AMAZONS, "labyrinth": 1e6 / AMAZONS}
"""For two seats and one core, scaled to the amazons that OpenSpiel plays in C++ on the same machine."""

MATCHES = {"fish": 2_000, "trains": 500, "labyrinth": 100}
"""Of one run."""


def figures() -> list[Figure]:
    python, compiled = openspiel("amazons"), openspiel_compiled("amazons")
    found = [
        Figure(python.name, rates(python.work)[0], "moves"),
        Figure(compiled.name, rates(compiled.work)[0], "moves"),
    ]
    for game, bar in BARS.items():
        for seats in (2, 4):
            kernel, name = load_standard(game, seats), f"{game.capitalize()}, {seats} seats: kernel, random play"
            work = played(kernel, MATCHES[game])
            found.append(beside(python, name, "turns", work))
            found.append(beside(compiled, name, "turns", work, bar=bar if seats == 2 else None))
            found.append(on_all_cores(kernel, name, MATCHES[game]))
    return found


def load_standard(name: str, seats: int) -> LoadedKernel:
    """The kernel for the standard variant."""
    game = GAMES[name]
    setup = next(iter(game.variants.values()))
    return load_kernel(game, game.rules.start(setup, seats, derived(1, "deal")), setup=setup)


def played(kernel: LoadedKernel, matches: int, threads: int = 1) -> Callable[[], int]:
    """Whole matches from the deal to the scores; returns turns."""
    seeds = count(step=matches * threads)
    return lambda: kernel.play_random(next(seeds), matches * threads, threads).turns


def on_all_cores(kernel: LoadedKernel, name: str, matches: int) -> Figure:
    """The rate of each core where all of them play, and the ratio to one that plays alone."""
    cores = os.cpu_count() or 1
    alone, together = rates(played(kernel, matches), played(kernel, matches, cores))
    return Figure(f"{name}, {cores} cores at once", together, "turns per core", "one core", together / alone)
