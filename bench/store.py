"""The store beside the bare loop: what it costs to keep a match, and how many bytes it takes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec

from bench.measure import Figure, Yardstick, beside, rates
from fairplay.contest.contest import Contest, Entrant, Result
from fairplay.core import House
from fairplay.core.chance import derived
from fairplay.games.fish import GAME
from fairplay.games.fish.players.strategies import minimax
from fairplay.games.fish.state import Setup
from fairplay.match.packing import packed
from fairplay.match.replay import record_match, start_match
from fairplay.run.inline import play_inline
from fairplay.store import open_store
from fairplay.store.store import Store

BATCH = 100
SPEC = "minimax:depth=1"
STANDARD = Setup()  # 8 x 8
CONTEST = Contest(
    "fish",
    (Entrant("first", SPEC), Entrant("second", SPEC)),
    "round-robin",
    {},
    msgspec.Raw(msgspec.json.encode(STANDARD)),
    1,
    3.0,
)


def figures() -> list[Figure]:
    bare = Yardstick("Fish 8x8, 2 seats, minimax depth 1: bare loop", "matches", played())
    with TemporaryDirectory() as folder, open_store(Path(folder) / "bench.db") as store:
        adds, reads = added(store), read_back(store)
        grown, seconds = growth(store, Path(folder), adds)
        return [
            Figure(bare.name, rates(bare.work)[0], bare.unit),
            beside(bare, "the same, recorded", "matches", played(record=True)),
            beside(bare, "the same, recorded, packed and stored in SQLite", "matches", kept(store), bar=0.85),
            Figure(
                f"matches stored in SQLite, {BATCH} a transaction",
                rates(adds)[0],
                "matches",
                note=f"{BATCH / seconds:,.0f}/s by the clock; {grown:,.0f} bytes each, record {record_bytes():,.0f}",
            ),
            Figure("results read out of SQLite, without records", rates(reads)[0], "matches"),
        ]


def played(*, record: bool = False) -> Callable[[], int]:
    seeds = count()

    def work() -> int:
        seed = next(seeds)
        if record:
            result(seed)
        else:
            play_inline(start_match(GAME, STANDARD, seed, 2), players(seed))
        return 1

    return work


def players(seed: int) -> list[House]:
    return [House(minimax(derived(seed, seat), depth=1)) for seat in range(2)]


def result(seed: int, *, pack: bool = False) -> Result:
    lines: list[bytes] = []
    outcome = play_inline(record_match(GAME, STANDARD, seed, (SPEC, SPEC), lines.append), players(seed))
    return Result(seed, (0, 1), seed, outcome, packed(lines) if pack else b"", 0.0)


def kept(store: Store) -> Callable[[], int]:
    """Play a batch and store it."""
    id, seeds = store.create(CONTEST), count()

    def work() -> int:
        store.add(id, [result(next(seeds), pack=True) for _ in range(BATCH)])
        return BATCH

    return work


@cache
def batch() -> tuple[Result, ...]:
    return tuple(result(seed, pack=True) for seed in range(BATCH))


def added(store: Store) -> Callable[[], int]:
    """Store a batch that was played before."""
    id, numbers = store.create(CONTEST), count()

    def work() -> int:
        store.add(id, [msgspec.structs.replace(each, number=next(numbers)) for each in batch()])
        return BATCH

    return work


def read_back(store: Store) -> Callable[[], int]:
    id = store.create(CONTEST)
    store.add(
        id, (msgspec.structs.replace(each, number=20 * each.number + copy) for each in batch() for copy in range(20))
    )
    return lambda: sum(1 for _ in store.results(id))


def growth(store: Store, folder: Path, adds: Callable[[], int]) -> tuple[float, float]:
    """By how many bytes a match lets the files grow, and how many seconds by the clock a batch takes."""
    before, started, rounds = size(folder, store), perf_counter(), 50
    for _ in range(rounds):
        adds()
    seconds = (perf_counter() - started) / rounds
    return (size(folder, store) - before) / (rounds * BATCH), seconds


def size(folder: Path, store: Store) -> int:
    """Bytes of the database once everything has moved out of its log."""
    with store.database.engine.execution_options(begin=None).connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return sum(file.stat().st_size for file in folder.glob("*.db"))


def record_bytes() -> float:
    return sum(len(each.record) for each in batch()) / BATCH
