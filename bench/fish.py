"""Fish beside OpenSpiel's amazons: refereed and raw random play, search, replay."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from bench.measure import Figure, rate
from bench.yardstick import openspiel
from fairplay.core import House
from fairplay.core.chance import choice, derived
from fairplay.games.fish import GAME, rules
from fairplay.games.fish.state import Setup
from fairplay.games.fish.strategies import minimax, random
from fairplay.play.record import match, read, recorded, replay
from fairplay.run.inline import run

__all__ = ["figures"]

STANDARD = Setup()  # 8 x 8
SMALL = Setup(rows=5, columns=5)


def figures() -> list[Figure]:
    yardstick = openspiel("amazons")

    def beside(name: str, work: Callable[[], int], unit: str, bar: float | None = None, per_match: int = 1) -> Figure:
        measured = rate(work)
        against = "amazons moves" if per_match == 1 else f"{per_match:,} amazons moves"
        return Figure(name, measured, unit, against, measured * per_match / yardstick.rate, bar)

    return [
        yardstick,
        beside("Fish 8x8, 2 seats: rule book alone, random play", raw_playout(), "moves", 1 / 5),
        beside("Fish 8x8, 2 seats: refereed random play", refereed(), "moves", 1 / 10),
        beside("Fish 8x8, 2 seats: refereed and recorded", refereed(record=True), "moves"),
        beside("Fish 8x8, 2 seats: replay and verify", replayed(), "moves"),
        beside("Fish 5x5, 2 seats: match of minimax depth 1", searched(1), "matches", None, 8_000),
        beside("Fish 5x5, 2 seats: match of minimax depth 2", searched(2), "matches", 1.0, 8_000),
        beside("Fish 25x25, 4 seats: refereed random play", refereed(Setup(rows=25, columns=25), 4), "moves"),
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
    seeds = count()

    def work() -> int:
        seed, moves, lines = next(seeds), 0, list[bytes]()
        orders = (
            recorded(GAME, setup, seed, ("random",) * seats, lines.append)
            if record
            else match(GAME, setup, seed, seats)
        )

        def counted(choose: Callable[[object], object]) -> Callable[[object], object]:
            def counting(view: object) -> object:
                nonlocal moves
                moves += 1
                return choose(view)

            return counting

        run(orders, [House(counted(random(derived(seed, seat)))) for seat in range(seats)])  # type: ignore[arg-type]
        return moves

    return work


def replayed() -> Callable[[], int]:
    lines: list[bytes] = []
    run(
        recorded(GAME, STANDARD, 1, ("random",) * 2, lines.append),
        [House(random(derived(1, seat))) for seat in range(2)],
    )
    return lambda: sum(1 for _ in replay(GAME, read(lines)))


def searched(depth: int) -> Callable[[], int]:
    seeds = count()

    def work() -> int:
        seed = next(seeds)
        run(match(GAME, SMALL, seed, 2), [House(minimax(derived(seed, seat), depth=depth)) for seat in range(2)])
        return 1

    return work
