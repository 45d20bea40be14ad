"""The strongest house player that does not search: it plans routes, keeps the cards they need, and lengthens its path.

On every turn it looks for the cheapest routes that join its destinations; what it owns costs nothing, what others own
is closed.  Cards and rails that the routes do not need go into connections that make its longest path longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations, islice, permutations
from random import Random
from typing import NamedTuple

from fairplay.core import Strategy
from fairplay.games.trains.deal import FEW_RAILS, remaining_seats
from fairplay.games.trains.map import Destination, RailNetwork, bits
from fairplay.games.trains.paths import are_joined, cheapest_route, longest_path
from fairplay.games.trains.rules import DRAW, acquirable_connections, acquire_actions
from fairplay.games.trains.scoring import DESTINATION_BONUS, PATH_BONUS
from fairplay.games.trains.state import Action, Pick, View

TURN_COST = 2
"""What a turn is worth, in cards: a draw brings this many."""

_PACE = 1.5
"""Rails that a player uses up in a turn, roughly: the average of drawing and buying in turn."""

FULL_HAND = 12
"""With more cards than this, it buys spare connections even while routes are open."""

_GIVE_UP_FACTOR = 2.0
"""Routes are given up if they take this many times the turns left: the estimate is rough."""

_MAX_CANDIDATES = 60
"""How many ways to pick, or orders of routes, are compared at most."""


class _RoutePlan(NamedTuple):
    """Connections still to be taken, and what they cost."""

    routes: int
    cost: float


def planner(rng: Random) -> Strategy[View, Action]:
    """Plans shared routes for its destinations, then goes for the longest path; watches the deck and the end."""
    return lambda view: best_pick(view) if view.picking else best_turn(view)


# -- routes ------------------------------------------------------------------------------------


def _connection_prices(view: View) -> list[float]:
    """Price each connection: a turn and the cards still missing; nothing if owned, infinite if closed."""
    network, mine, free = view.network, view.owned[view.me], view.free
    price = []
    for index, length in enumerate(network.lengths):
        if mine >> index & 1:
            price.append(0.0)
        elif free >> index & 1:
            missing = max(0, length - view.cards[network.colors[index]])
            price.append(TURN_COST + length + missing)
        else:
            price.append(float("inf"))
    return price


def _join_routes(
    network: RailNetwork, price: Sequence[float], wanted: Iterable[Destination], mine: int
) -> _RoutePlan | None:
    """Find the cheapest routes for `wanted` one after the other; each may use the ones before for nothing."""
    price = list(price)
    routes, cost = 0, 0.0
    for pair in wanted:
        route = cheapest_route(network, price, pair)
        if route is None:
            return None
        cost += route[0]
        routes |= route[1] & ~mine
        for index in bits(route[1]):
            price[index] = 0.0
    return _RoutePlan(routes, cost)


def _total_length(network: RailNetwork, mask: int) -> int:
    """Add up the lengths of the connections of a mask."""
    return sum([network.lengths[index] for index in bits(mask)])


def best_plan(view: View) -> _RoutePlan:
    """Find the cheapest routes for as many of the open destinations as the rails allow."""
    network, mine, price = view.network, view.owned[view.me], _connection_prices(view)
    rails = view.rails[view.me]
    wanted = [pair for pair in view.destinations if not _is_joined(view, pair)]
    for count in range(len(wanted), 0, -1):
        plans = [_join_routes(network, price, some, mine) for some in _destination_orders(wanted, count)]
        fitting = [one for one in plans if one is not None and _total_length(network, one.routes) <= rails]
        if fitting:
            return min(fitting, key=lambda one: one.cost)
    return _RoutePlan(0, 0.0)


def _destination_orders(wanted: Sequence[Destination], count: int) -> Iterable[Sequence[Destination]]:
    """List the orders in which to look for routes to `count` of `wanted`; of very many only the first ones."""
    return islice(permutations(wanted, count), _MAX_CANDIDATES)


def _is_joined(view: View, pair: Destination, more: int = 0) -> bool:
    """Do my connections, with `more` added to them, join this destination?"""
    return are_joined(view.network, view.owned[view.me] | more, pair)


def best_pick(view: View) -> Pick:
    """Keep the destinations that are cheapest to join together."""
    kept, price = view.terms.kept, _connection_prices(view)

    def cost(wanted: Sequence[Destination]) -> float:
        plan = _join_routes(view.network, price, wanted, 0)
        return plan.cost if plan is not None else float("inf")

    cheapest = sorted(view.offer, key=lambda pair: cost([pair]))
    return Pick(min(islice(combinations(cheapest, kept), _MAX_CANDIDATES), key=cost))


# -- turns -------------------------------------------------------------------------------------


def best_turn(view: View) -> Action:
    """Take what the plan needs, or what is worth most at the end; draw otherwise."""
    affordable = acquirable_connections(view)
    if not affordable:
        return DRAW
    turns = _turns_left(view)
    plan = best_plan(view)
    if turns <= 1 or not view.left:
        return _take_connection(view, max(bits(affordable), key=lambda index: _points_now(view, index)))
    if ready := affordable & plan.routes:
        return _take_connection(view, max(bits(ready), key=lambda index: view.network.lengths[index]))
    spare = _spare_connections(view, affordable, plan.routes)
    if plan.routes and not _is_hopeless(view, plan, turns):
        return _take_connection(view, _best_extension(view, spare)) if spare and sum(view.cards) > FULL_HAND else DRAW
    candidates = spare if plan.routes else affordable
    return _take_connection(view, _best_extension(view, candidates)) if candidates else DRAW


def _take_connection(view: View, index: int) -> Action:
    """The action that takes a connection."""
    return acquire_actions(view.network)[index]


def _turns_left(view: View) -> int:
    """Estimate how many turns I have left, this one included, before someone runs out of rails."""
    others = [seat for seat in remaining_seats(view) if seat != view.me]
    if any(view.rails[seat] <= FEW_RAILS for seat in others):
        return 1
    return 1 + int(min([(view.rails[seat] - FEW_RAILS) / _PACE for seat in others], default=50.0))


def _is_hopeless(view: View, plan: _RoutePlan, turns: int) -> bool:
    """Is it too late to finish the routes?"""
    needed, cards = [0, 0, 0, 0], 0
    for index in bits(plan.routes):
        needed[view.network.colors[index]] += view.network.lengths[index]
    for color, count in enumerate(needed):
        cards += max(0, count - view.cards[color])
    return plan.routes.bit_count() + cards / view.terms.per_draw > _GIVE_UP_FACTOR * turns


def _spare_connections(view: View, affordable: int, routes: int) -> int:
    """Those of `affordable` that leave enough cards and rails for `routes`."""
    network = view.network
    reserved = [0, 0, 0, 0]
    for index in bits(routes):
        reserved[network.colors[index]] += network.lengths[index]
    cards = [max(0, have - need) for have, need in zip(view.cards, reserved, strict=True)]
    return affordable & network.affordable(cards, max(0, view.rails[view.me] - sum(reserved)))


def _points_now(view: View, index: int) -> float:
    """The points that a connection would bring if the game ended now."""
    bit = 1 << index
    points = float(view.network.lengths[index])
    for pair in view.destinations:
        if not _is_joined(view, pair) and _is_joined(view, pair, bit):
            points += 2 * DESTINATION_BONUS
    rival = max(
        (_longest_cached(view.network, view.owned[seat]) for seat in remaining_seats(view) if seat != view.me),
        default=0,
    )
    before, after = (
        _longest_cached(view.network, view.owned[view.me]),
        _longest_cached(view.network, view.owned[view.me] | bit),
    )
    if before < rival <= after:
        points += PATH_BONUS
    return points + (after - before) / 2


@lru_cache(maxsize=4096)
def _longest_cached(network: RailNetwork, owned: int) -> int:
    """The longest path, cached: several questions of one turn need it."""
    return longest_path(network, owned)


def _best_extension(view: View, candidates: int) -> int:
    """Find the connection that does most for my longest path and my points."""
    mine, network = view.owned[view.me], view.network
    before = _longest_cached(network, mine)
    return max(
        bits(candidates),
        key=lambda index: _longest_cached(network, mine | 1 << index) - before + network.lengths[index],
    )
