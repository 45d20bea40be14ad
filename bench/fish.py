"""Fish beside OpenSpiel's amazons: refereed and raw random play, search, replay."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count, cycle
from typing import Any

from bench.measure import Figure, beside, rates
from bench.yardstick import openspiel
from fairplay.core import House
from fairplay.core.chance import choice, derived
from fairplay.games.fish import GAME, rules
from fairplay.games.fish.players.strategies import minimax, random
from fairplay.games.fish.state import Setup
from fairplay.match.driver import Observer
from fairplay.match.record import read_record
from fairplay.match.replay import record_match, replay_record, start_match
from fairplay.run.inline import play_inline

STANDARD = Setup()  # 8 x 8
SMALL = Setup(rows=5, columns=5)


def figures() -> list[Figure]:
    amazons = openspiel("amazons")
    against = partial(beside, amazons)
    large = Setup(rows=25, columns=25)
    return [
        Figure(amazons.name, rates(amazons.work)[0], "moves"),
        against("Fish 8x8, 2 seats: rule book alone, random play", "moves", raw_playout(), bar=1 / 5),
        against("Fish 8x8, 2 seats: refereed random play", "moves", refereed(), bar=1 / 10),
        against("Fish 8x8, 2 seats: refereed and recorded", "moves", refereed(record=True)),
        against("Fish 8x8, 2 seats: replay and verify", "moves", replayed()),
        against("Fish 5x5, 2 seats: a match of minimax depth 1", "matches", searched(1), per=8_000),
        against("Fish 5x5, 2 seats: a match of minimax depth 2", "matches", searched(2), bar=1.0, per=8_000),
        against("Fish 25x25, 4 seats: refereed random play", "moves", refereed(large, 4)),
    ]


def raw_playout() -> Callable[[], int]:
    seeds = count()

    def work() -> int:
        rng = derived(next(seeds))
        state, moves = rules.start(STANDARD, 2, rng), 0
        while (mover := rules.to_move(state)) is not None:
            state = rules.apply(state, choice(rng, rules.legal_actions(rules.view(state, mover))))
            moves += 1
        return moves

    return work


def refereed(setup: Setup = STANDARD, seats: int = 2, *, record: bool = False) -> Callable[[], int]:
    lines: list[bytes] = []

    def played(seed: int, observers: tuple[Observer, ...] = ()) -> None:
        specs = ("random",) * seats
        orders = (
            record_match(GAME, setup, seed, specs, lines.append) if record else start_match(GAME, setup, seed, seats)
        )
        play_inline(orders, [House(random(derived(seed, seat))) for seat in range(seats)], observers)
        lines.clear()

    turns: list[list[Any]] = [[] for _ in range(20)]  # counted beforehand, not while the clock runs
    for seed, seen in enumerate(turns):
        played(seed, (seen.append,))
    moves, seeds = [len(seen) for seen in turns], cycle(range(len(turns)))

    def work() -> int:
        seed = next(seeds)
        played(seed)
        return moves[seed]

    return work


def replayed() -> Callable[[], int]:
    lines: list[bytes] = []
    play_inline(
        record_match(GAME, STANDARD, 1, ("random",) * 2, lines.append),
        [House(random(derived(1, seat))) for seat in range(2)],
    )
    return lambda: sum(1 for _ in replay_record(GAME, read_record(lines)))


def searched(depth: int) -> Callable[[], int]:
    seeds = count()

    def work() -> int:
        seed = next(seeds)
        play_inline(
            start_match(GAME, SMALL, seed, 2), [House(minimax(derived(seed, seat), depth=depth)) for seat in range(2)]
        )
        return 1

    return work
