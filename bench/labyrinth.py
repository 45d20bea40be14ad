"""Labyrinth beside OpenSpiel's amazons: judging, applying and listing moves, refereed play, growth with the area."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from typing import Any, NamedTuple

from msgspec.structs import replace

from bench.measure import Figure, beside, rates
from bench.yardstick import openspiel
from fairplay.core import House
from fairplay.core.chance import choice, derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.state import Action, Setup, State, View
from fairplay.match.driver import Observer
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline

STANDARD = Setup("multi-goal")  # 7 x 7
SIDES = (7, 13, 25)


class Position(NamedTuple):
    """A state in the middle of a match, with some move that is legal there."""

    state: State
    view: View
    move: Action


def figures() -> list[Figure]:
    amazons = openspiel("amazons")
    against = partial(beside, amazons)
    return [
        Figure(amazons.name, rates(amazons.work)[0], "moves"),
        against("Labyrinth 7x7: why_illegal and apply", "moves", judged(positions(7)), bar=1 / 15),
        against("Labyrinth 7x7: legal_actions, all of them", "lists", listed(positions(7)), bar=1 / 1_000),
        against("Labyrinth 7x7, 2 seats: refereed Riemann", "turns", refereed("riemann"), bar=1 / 200),
        against("Labyrinth 7x7, 2 seats: refereed Euclid", "turns", refereed("euclid")),
        against("Labyrinth 7x7, 2 seats: refereed random play", "turns", refereed("random")),
        against("Labyrinth 7x7, 2 seats: refereed lookahead", "turns", refereed("lookahead")),
        *growth("why_illegal and apply", "moves", judged),
        *growth("legal_actions, all of them", "lists", listed),
        *growth("a choice of Riemann", "choices", chosen),
    ]


def positions(side: int, count: int = 100) -> Sequence[Position]:
    """Positions a few random turns into matches on a square board."""
    found = []
    for seed in range(count):
        rng = derived(seed, "positions", side)
        state = rules.start(Setup("multi-goal", rows=side, columns=side), 2, rng)
        for _ in range(10):
            mover = rules.to_move(state)
            assert mover is not None
            view = rules.view(state, mover)
            legal = rules.legal_actions(view)
            move = choice(rng, legal[1:] or legal)  # the first one is to pass
            found.append(Position(state, view, move))
            state = rules.apply(state, move)
    return found[9::10]


def judged(places: Sequence[Position]) -> Callable[[], int]:
    def work() -> int:
        for state, view, move in places:
            assert rules.why_illegal(view, move) is None
            rules.apply(state, move)
        return len(places)

    return work


def listed(places: Sequence[Position]) -> Callable[[], int]:
    def work() -> int:
        for _, view, _ in places:
            rules.legal_actions(view)
        return len(places)

    return work


def chosen(places: Sequence[Position]) -> Callable[[], int]:
    riemann = GAME.players.strategies["riemann"](derived(0))

    def work() -> int:
        for _, view, _ in places:
            riemann(view)
        return len(places)

    return work


def growth(name: str, unit: str, measured: Callable[[Sequence[Position]], Callable[[], int]]) -> list[Figure]:
    """The rates on ever larger boards; the notes say how cost grew beside the area."""
    found = rates(*(measured(positions(side, 20)) for side in SIDES))
    return [
        Figure(
            f"Labyrinth {side}x{side}: {name}",
            rate,
            unit,
            note=f"cost x {found[0] / rate:.1f} for area x {side**2 / SIDES[0] ** 2:.1f}",
        )
        for side, rate in zip(SIDES, found, strict=True)
    ]


def refereed(strategy: str, setup: Setup = STANDARD, seats: int = 2) -> Callable[[], int]:
    limited = replace(setup, rounds=50) if strategy == "random" else setup

    def played(seed: int, observers: tuple[Observer, ...] = ()) -> None:
        players = [House(GAME.players.strategies[strategy](derived(seed, seat))) for seat in range(seats)]
        play_inline(start_match(GAME, limited, seed, seats), players, observers)

    turns: list[list[Any]] = [[] for _ in range(20)]  # counted beforehand, not while the clock runs
    for seed, seen in enumerate(turns):
        played(seed, (seen.append,))
    counts, seeds = [len(seen) for seen in turns], cycle(range(len(turns)))

    def work() -> int:
        seed = next(seeds)
        played(seed)
        return counts[seed]

    return work
