"""Nim in many copies, each with one fault in its rule book: `faulty_apply` raises in `apply`, and so on.

It fails in some matches and not in others: it depends on the deal, as mistakes of authors do.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Any

import nim
from fairplay.core import AnyGame, Event, HousePlayers, Score, Seat
from fairplay.core.chance import choice
from nim import rules
from nim.rules import Heaps, Setup, Take, View

__all__ = ["FAULTS"]


class FaultyRules:
    """The rule book of Nim with other functions in the place of some."""

    def __init__(self, **faulty: Any) -> None:
        vars(self).update({name: function for name, function in vars(rules).items() if callable(function)})
        vars(self).update(faulty)


def is_unlucky(state: Heaps) -> bool:
    """After the first turn of about half of all deals."""
    return state.turn_number == 1 and sum(state.heaps) % 2 == 1


def start(setup: Setup, seats: int, rng: Random) -> Heaps:
    dealt = rules.start(setup, seats, rng)
    if sum(dealt.heaps) % 2 == 0:
        raise IndexError(dealt.heaps[len(dealt.heaps)])
    return dealt


def apply(state: Heaps, action: Take) -> Heaps:
    return state if is_unlucky(state) and 1 // 0 else rules.apply(state, action)


def view(state: Heaps, seat: Seat) -> View:
    if is_unlucky(state):
        raise KeyError("the view of a seat\nthat nobody thought of")
    return rules.view(state, seat)


def legal_actions(view: View) -> list[Take]:
    return [] if is_unlucky(view.state) else [*rules.legal_actions(view)]


def raising_legal_actions(view: View) -> list[Take]:
    if is_unlucky(view.state):
        int("no number")
    return [*rules.legal_actions(view)]


def why_illegal(view: View, action: Take) -> str | None:
    return rules.why_illegal(view, action) if not is_unlucky(view.state) else exit("out of the process")


def remove(state: Heaps, seat: Seat) -> Heaps:
    raise LookupError(f"seat {seat} cannot be removed")


def public_action(action: Take) -> Take:
    raise ValueError("what others may know")


def notices(event: Event[Heaps, Take]) -> list[Any]:
    return [] if not is_unlucky(event.after) else next(iter([]))  # StopIteration would end a generator quietly


def scores(state: Heaps) -> dict[Seat, Score]:
    assert state.last != 0, "seat 0 cannot win"
    return {**rules.scores(state)}


FAULTS: dict[str, dict[str, Any]] = {
    "apply": {"apply": apply},
    "empty": {"legal_actions": legal_actions},
    "legal": {"legal_actions": raising_legal_actions},
    "notices": {"notices": notices},
    "public": {"public_action": public_action},
    "remove": {"remove": remove},
    "scores": {"scores": scores},
    "start": {"start": start},
    "view": {"view": view},
    "why": {"why_illegal": why_illegal},
}
"""What each of the games does instead of what Nim does."""


def spoil(name: str) -> AnyGame:
    """Nim with this fault, under a name of its own."""
    faulty: Any = FaultyRules(**FAULTS[name])

    def play_at_random(rng: Random) -> Callable[[View], Take]:
        return lambda view: choice(rng, faulty.legal_actions(view))

    strategies = {"random": play_at_random, "first": lambda rng: lambda view: faulty.legal_actions(view)[0]}
    parts = replace(nim.GAME.parts, kernel=None)
    return replace(nim.GAME, name=f"faulty_{name}", rules=faulty, players=HousePlayers(strategies), parts=parts)


def without(part: str, function: str) -> AnyGame:
    """Nim with a module that lacks a function."""
    whole: Any = getattr(nim.GAME, part)
    less: Any = ModuleType(f"{whole.__name__} without {function}")
    vars(less).update({name: value for name, value in vars(whole).items() if name != function})
    return replace(nim.GAME, name="faulty_missing", **{part: less})


def __getattr__(name: str) -> AnyGame:
    """The games, which entry points ask for: APPLY for `faulty_apply`, and so on."""
    if name.lower() not in FAULTS:
        raise AttributeError(name)
    return spoil(name.lower())
