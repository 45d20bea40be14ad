"""`python -m tests.marathon [--matches N] [GAME ...]`: so many random matches of each game, looked at turn by turn.

Every state keeps the invariant of its game, states survive JSON, and every match ends (abuse 37 and 39).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from time import monotonic

sys.path.insert(0, str(Path(__file__).parent))

from fairplay.catalog import GAMES
from fairplay.testing.walks import pass_through_json
from kit import kit, walk

MATCHES = 100_000
"""Of each game."""

BLOCK = 250
"""Matches that one process plays in a row."""

LONGEST = 20_000
"""No match has more turns."""

EIGHTH = 8
"""One state of so many goes through JSON, which costs more than all the rest."""


def played(name: str, seeds: Iterable[int]) -> int:
    """Play a random match for each seed; how many turns there were in all.  In every other one, seats are removed."""
    expected, codec, turns = kit(name), GAMES[name].codec, 0
    tables = [perft.table for perft in expected.perft]
    for seed in seeds:
        found = walk(name, tables[seed % len(tables)], seed, LONGEST, faults=seed // len(tables) % 2 == 1)
        where = f"{name}, table {seed % len(tables)}, seed {seed}"
        assert found.game.rules.to_move(found.state) is None, f"{where}: no end after {LONGEST:,} turns"
        for number, state in enumerate(found.states):
            expected.invariant(state)
            if (number + seed) % EIGHTH == 0:
                assert codec.state_from_json(pass_through_json(codec.state_to_json(state))) == state, f"{where}: JSON"
        turns += len(found.events)
    return turns


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.marathon", description=__doc__)
    parser.add_argument("--matches", type=int, default=MATCHES, help=f"of each game ({MATCHES:,})")
    parser.add_argument("games", nargs="*", metavar="GAME", help="all of them, unless some are named")
    chosen = parser.parse_args()
    if unknown := set(chosen.games) - set(GAMES):
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(GAMES)}")
    matches = chosen.matches
    with ProcessPoolExecutor() as pool:
        for name in chosen.games or GAMES:
            started = monotonic()
            blocks = [range(first, min(first + BLOCK, matches)) for first in range(0, matches, BLOCK)]
            turns = sum(pool.map(partial(played, name), blocks))
            took = monotonic() - started
            print(f"{name:10} {matches:,} matches, {turns:,} turns, {took:,.0f} s: all ended lawfully", flush=True)


if __name__ == "__main__":
    main()
