"""The house player that is meant to win: it plans routes, keeps the cards they need, and lengthens its path.

Every turn it looks afresh at the cheapest routes that join its destinations together; what it owns costs nothing, what
others own is closed.  Cards and rails that the routes do not need go into whatever makes its longest path longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from itertools import combinations, islice, permutations
from random import Random
from typing import NamedTuple

from fairplay.core import Strategy
from fairplay.games.trains.deal import FEW_RAILS, remaining
from fairplay.games.trains.map import Chart, Destination, bits
from fairplay.games.trains.paths import joined, longest_path
from fairplay.games.trains.rules import DESTINATION_BONUS, DRAW, PATH_BONUS, acquirable, acquisitions
from fairplay.games.trains.state import Action, Pick, View

__all__ = ["best_pick", "best_turn", "plan", "planner"]

TURN_COST = 2.0
"""What a turn is worth, in cards: that is what a draw brings."""

PACE = 1.5
"""Rails that a player uses up per turn, about: what a draw and a purchase in turn come to."""

FULL_HAND = 12
"""With more cards than this, some are turned into rails even while routes are open."""

HOPE = 2.0
"""Routes that take more than so many times the turns left are given up: the estimate is a rough one."""

WIDEST_CHOICE = 60
"""So many ways to pick, or orders of routes, are weighed against each other and no more."""


class Plan(NamedTuple):
    """Connections still to be taken, and what they cost."""

    routes: int
    cost: float


def planner(rng: Random) -> Strategy[View, Action]:
    """Plans joint routes for its destinations, then goes for the longest path; watches the deck and the end."""
    return lambda view: best_pick(view) if view.picking else best_turn(view)


# -- routes ------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def exits(chart: Chart) -> Sequence[Sequence[tuple[int, int]]]:
    """For each city the connections that leave it, with the city at their other end."""
    found: list[list[tuple[int, int]]] = [[] for _ in chart.names]
    for index, (first, second) in enumerate(chart.ends):
        found[first].append((index, second))
        found[second].append((index, first))
    return found


def prices(view: View) -> list[float]:
    """What each connection costs: a turn and the cards still missing; free if owned, infinite if closed."""
    chart, mine, free = view.chart, view.owned[view.me], view.free
    price = []
    for index, length in enumerate(chart.lengths):
        if mine >> index & 1:
            price.append(0.0)
        elif free >> index & 1:
            missing = max(0, length - view.cards[chart.colours[index]])
            price.append(TURN_COST + length + missing)
        else:
            price.append(float("inf"))
    return price


def route(chart: Chart, price: Sequence[float], first: int, second: int) -> tuple[float, int] | None:
    """The cheapest way between two cities, as its price and the mask of its connections; None where there is none."""
    ways = exits(chart)
    queue: list[tuple[float, int, int]] = [(0.0, first, 0)]
    done = set()
    while queue:
        paid, city, used = heappop(queue)
        if city == second:
            return paid, used
        if city in done:
            continue
        done.add(city)
        for index, other in ways[city]:
            if other not in done and price[index] < float("inf"):
                heappush(queue, (paid + price[index], other, used | 1 << index))
    return None


def joint(chart: Chart, price: Sequence[float], wanted: Iterable[Destination], mine: int) -> Plan | None:
    """The cheapest routes for `wanted` one after the other, each using those before for nothing."""
    price = list(price)
    routes, cost = 0, 0.0
    for first, second in wanted:
        found = route(chart, price, chart.number[first], chart.number[second])
        if found is None:
            return None
        cost += found[0]
        routes |= found[1] & ~mine
        for index in bits(found[1]):
            price[index] = 0.0
    return Plan(routes, cost)


def length_of(chart: Chart, mask: int) -> int:
    return sum([chart.lengths[index] for index in bits(mask)])


def plan(view: View) -> Plan:
    """The cheapest routes for as many of the open destinations as the rails allow."""
    chart, mine, price = view.chart, view.owned[view.me], prices(view)
    rails = view.rails[view.me]
    wanted = [pair for pair in view.destinations if not is_joined(view, pair)]
    for count in range(len(wanted), 0, -1):
        plans = [joint(chart, price, some, mine) for some in orders(wanted, count)]
        fitting = [one for one in plans if one is not None and length_of(chart, one.routes) <= rails]
        if fitting:
            return min(fitting, key=lambda one: one.cost)
    return Plan(0, 0.0)


def orders(wanted: Sequence[Destination], count: int) -> Iterable[Sequence[Destination]]:
    """In which orders to look for routes to `count` of `wanted`: all, but of very many only the first."""
    return islice(permutations(wanted, count), WIDEST_CHOICE)


def is_joined(view: View, pair: Destination, more: int = 0) -> bool:
    number = view.chart.number
    return joined(view.chart, view.owned[view.me] | more, number[pair[0]], number[pair[1]])


def best_pick(view: View) -> Pick:
    """The destinations that are cheapest to join together."""
    kept, price = view.terms.kept, prices(view)

    def cost(wanted: Sequence[Destination]) -> float:
        found = joint(view.chart, price, wanted, 0)
        return found.cost if found is not None else float("inf")

    cheapest = sorted(view.offer, key=lambda pair: cost([pair]))
    return Pick(min(islice(combinations(cheapest, kept), WIDEST_CHOICE), key=cost))


# -- turns -------------------------------------------------------------------------------------


def best_turn(view: View) -> Action:
    affordable = acquirable(view)
    if not affordable:
        return DRAW
    turns = turns_left(view)
    planned = plan(view)
    if turns <= 1 or not view.left:
        return taken(view, max(bits(affordable), key=lambda index: worth(view, index)))
    if ready := affordable & planned.routes:
        return taken(view, max(bits(ready), key=lambda index: view.chart.lengths[index]))
    spare = within_spare(view, affordable, planned.routes)
    if planned.routes and not hurried(view, planned, turns):
        return taken(view, best_extension(view, spare)) if spare and sum(view.cards) > FULL_HAND else DRAW
    candidates = spare if planned.routes else affordable
    return taken(view, best_extension(view, candidates)) if candidates else DRAW


def taken(view: View, index: int) -> Action:
    return acquisitions(view.chart)[index]


def turns_left(view: View) -> int:
    """How many turns I shall have, about, this one included: until somebody runs out of rails."""
    others = [seat for seat in remaining(view) if seat != view.me]
    if any(view.rails[seat] <= FEW_RAILS for seat in others):
        return 1
    return 1 + int(min([(view.rails[seat] - FEW_RAILS) / PACE for seat in others], default=50.0))


def hurried(view: View, planned: Plan, turns: int) -> bool:
    """Is there no hope to finish the routes in time?"""
    needed, cards = [0, 0, 0, 0], 0
    for index in bits(planned.routes):
        needed[view.chart.colours[index]] += view.chart.lengths[index]
    for colour, count in enumerate(needed):
        cards += max(0, count - view.cards[colour])
    return planned.routes.bit_count() + cards / view.terms.per_draw > HOPE * turns


def within_spare(view: View, affordable: int, routes: int) -> int:
    """Of `affordable`, what leaves enough cards and rails for `routes`."""
    chart = view.chart
    reserved = [0, 0, 0, 0]
    for index in bits(routes):
        reserved[chart.colours[index]] += chart.lengths[index]
    cards = [max(0, have - need) for have, need in zip(view.cards, reserved, strict=True)]
    return affordable & chart.affordable(cards, max(0, view.rails[view.me] - sum(reserved)))


def worth(view: View, index: int) -> float:
    """The points that a connection brings if the game ended now."""
    bit = 1 << index
    points = float(view.chart.lengths[index])
    for pair in view.destinations:
        if not is_joined(view, pair) and is_joined(view, pair, bit):
            points += 2 * DESTINATION_BONUS
    rival = max((path(view.chart, view.owned[seat]) for seat in remaining(view) if seat != view.me), default=0)
    before, after = path(view.chart, view.owned[view.me]), path(view.chart, view.owned[view.me] | bit)
    if before < rival <= after:
        points += PATH_BONUS
    return points + (after - before) / 2


@lru_cache(maxsize=4096)
def path(chart: Chart, owned: int) -> int:
    return longest_path(chart, owned)


def best_extension(view: View, candidates: int) -> int:
    """The connection that does most for my longest path, and then for my points."""
    mine, chart = view.owned[view.me], view.chart
    before = path(chart, mine)
    return max(bits(candidates), key=lambda index: path(chart, mine | 1 << index) - before + chart.lengths[index])
