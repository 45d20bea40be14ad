"""The house players of Trains: those of Trains 8, random, the planner, and the search, which is the strongest."""

from collections.abc import Callable, Mapping
from itertools import combinations
from random import Random
from typing import TypeAlias

from fairplay.core import Strategy
from fairplay.core.chance import choice
from fairplay.games.trains.map import COLORS, Connection, Map
from fairplay.games.trains.players.planner import planner
from fairplay.games.trains.players.search import search
from fairplay.games.trains.rules import DRAW, acquirable_connections, acquire_actions, legal_actions
from fairplay.games.trains.state import Acquire, Action, Pick, View

TrainsStrategy: TypeAlias = Strategy[View, Action]

_HOLD_LIMIT = 10
"""Trains 8.5: with more cards than this, Hold-10 looks for something to buy."""


def random(rng: Random) -> TrainsStrategy:
    """Any legal action, all equally likely."""
    return lambda view: choice(rng, legal_actions(view))


def _buy_first(view: View) -> Action:
    """Take the first connection that can be taken, otherwise draw (Trains 8.4)."""
    mask = acquirable_connections(view)
    return acquire_actions(view.network)[(mask & -mask).bit_length() - 1] if mask else DRAW


def keep_first(view: View) -> Pick:
    """Keep the first destinations offered."""
    return Pick(view.offer[: view.terms.kept])


def keep_last(view: View) -> Pick:
    """Keep the last destinations offered."""
    return Pick(view.offer[len(view.offer) - view.terms.kept :])


def hold_10(rng: Random) -> TrainsStrategy:
    """Keeps the first destinations and buys only with more than ten cards in hand (Trains 8.5)."""

    def choose(view: View) -> Action:
        if view.picking:
            return keep_first(view)
        return _buy_first(view) if sum(view.cards) > _HOLD_LIMIT else DRAW

    return choose


def buy_now(rng: Random) -> TrainsStrategy:
    """Keeps the last destinations and buys whatever it can (Trains 8.6)."""
    return lambda view: keep_last(view) if view.picking else _buy_first(view)


def cheat(rng: Random) -> TrainsStrategy:
    """Asks for a connection that does not exist on its first turn; if it is not removed, plays Buy-Now (Trains 8.7)."""
    honest = False

    def choose(view: View) -> Action:
        nonlocal honest
        if view.picking:
            return keep_first(view)
        if honest:
            return _buy_first(view)
        honest = True
        return Acquire(absent_connection(view.map))

    return choose


def absent_connection(map: Map) -> Connection:
    """Find the first connection that `map` does not have (Trains 8.8).  ASSUME two cities."""
    names = sorted(city.name for city in map.cities)
    there = {(one.first, one.second, one.color): one.length for one in map.connections}
    for first, second in combinations(names, 2):
        for color in sorted(COLORS):
            if (first, second, color) not in there:
                return Connection(first, second, color, 3)
    first, second = names[:2]
    return Connection(first, second, "blue", min({3, 4, 5} - {there[first, second, "blue"]}))


STRATEGIES: Mapping[str, Callable[..., TrainsStrategy]] = {
    "random": random,
    "hold-10": hold_10,
    "buy-now": buy_now,
    "cheat": cheat,
    "planner": planner,
    "search": search,
}
