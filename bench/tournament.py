"""Tournaments: what pool, store and ratings cost beside the bare loop, how jobs scale, and how large a match is kept.

``python -m bench.tournament 100000`` plays a tournament of so many matches and shows that its memory stays flat.
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec

from bench.measure import Figure, Yardstick, beside, rates
from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant, Fixture, Match
from fairplay.contest.schedule import number_matches
from fairplay.contest.scoreboard import Scoreboard, tables_of
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Engine, Inline, Pool
from fairplay.run.keeping import StoreKeeper
from fairplay.store import open_store

BATCH = 100
HOUSE = {
    "fish": ("minimax:depth=1", "minimax:depth=1"),
    "trains": ("buy-now", "hold-10"),
    "labyrinth": ("euclid", "riemann"),
}


def contest(game: str, specs: tuple[str, ...], games: int = 1, setup: dict[str, object] | None = None) -> Contest:
    chosen = msgspec.convert(setup or {}, GAMES[game].setup)
    players = tuple(Entrant(f"{number}: {spec}", spec) for number, spec in enumerate(specs))
    return Contest(game, players, "round-robin", {"games": games}, msgspec.Raw(msgspec.json.encode(chosen)), 1, 3.0)


def numbered(of: Contest) -> Iterator[list[Match]]:
    """Batches of matches without end."""
    for first in count(0, BATCH):
        fixtures = [Fixture((number % 2, 1 - number % 2), (first + number) // 2) for number in range(BATCH)]
        yield number_matches(of, fixtures, first)


def figures() -> list[Figure]:
    fish = contest("fish", HOUSE["fish"])
    bare = Yardstick("Fish 8x8, minimax depth 1: played and recorded, one process", "bare matches", plain(fish))
    with TemporaryDirectory() as folder, open_store(Path(folder) / "bench.db") as store:
        id, board = store.create(fish), Scoreboard(fish)

        def kept() -> int:
            batch = next(work)
            results = list(Inline().results(fish, batch))
            store.add(id, results)
            for result in results:
                board.add(result)
            return len(results)

        work = numbered(fish)
        lines = [
            Figure(bare.name, rates(bare.work)[0], "matches"),
            beside(bare, "the same, stored and rated", "matches", kept, bar=0.85),
        ]
    alone, together = (by_the_clock(fish, jobs) for jobs in (1, 2))
    lines += [
        Figure("the same in a pool of 1 job, by the clock", alone, "matches"),
        Figure("the same in a pool of 2 jobs, by the clock", together, "matches", "1 job", together / alone, 1.8),
    ]
    return lines + [size_of(game, specs) for game, specs in HOUSE.items()]


def plain(of: Contest) -> Callable[[], int]:
    work = numbered(of)
    return lambda: sum(1 for _ in Inline().results(of, next(work)))


def by_the_clock(of: Contest, jobs: int, batches: int = 12) -> float:
    """Matches per second of a warm pool, the best of three."""
    best = 0.0
    with Pool(jobs) as pool:
        work = numbered(of)
        list(pool.results(of, next(work)))
        for _ in range(3):
            wanted = [match for _ in range(batches) for match in next(work)]
            started = perf_counter()
            done = sum(1 for _ in pool.results(of, wanted))
            best = max(best, done / (perf_counter() - started))
    return best


def size_of(game: str, specs: tuple[str, ...]) -> Figure:
    """How many bytes a match takes in an SQLite file."""
    of = contest(game, specs)
    with TemporaryDirectory() as folder, open_store(path := Path(folder) / "bench.db") as store:
        id, work = store.create(of), numbered(of)
        sizes, started = [], perf_counter()
        for _ in range(3):
            results = list(Inline().results(of, next(work)))
            store.add(id, results)
            sizes.append(sum(each.stat().st_size for each in path.parent.glob("bench.db*")))
        record = sum(len(result.record) for result in results) / len(results)
        rate = 3 * BATCH / (perf_counter() - started)
    note = f"{(sizes[-1] - sizes[0]) / (2 * BATCH):,.0f} bytes a match in the file, {record:,.0f} of them the record"
    return Figure(f"{game}: {specs[0]} and {specs[1]}, stored", rate, "matches", note=note)


def long_tournament(matches: int, engine: Engine) -> None:
    """A tournament of many short matches; prints memory on the way."""
    of = contest("fish", ("random", "random"), matches // 2, {"rows": 3, "columns": 3})
    with TemporaryDirectory() as folder, open_store(path := Path(folder) / "long.db") as store:
        id = store.create(of)
        running = Competition(GAMES["fish"], of, StoreKeeper(store, id))
        started = perf_counter()
        with closing(running.results(engine)) as results:
            for number, _ in enumerate(results, 1):
                if number % (matches // 10) == 0:
                    print(f"{number:>9,} matches  {perf_counter() - started:7.1f} s  {memory():6.1f} MiB")
        started = perf_counter()
        tables, _ = tables_of(of, store.results(id), GAMES["fish"].seats)
        print(f"tables of {tables.matches:,} matches in {perf_counter() - started:.1f} s, {memory():.1f} MiB")
        print(f"{path.stat().st_size / matches:,.0f} bytes a match")


def memory() -> float:
    """The most memory this process has had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    long_tournament(int(sys.argv[1]), Inline())
