# examples/trains_better.py: plan the cheapest ways together, save cards for them, then make the longest path longer
from itertools import combinations, permutations

from fairplay.games.trains.map import COLORS
from fairplay.games.trains.paths import longest_path
from fairplay.games.trains.rules import legal_actions
from fairplay.games.trains.state import Acquire, DrawCards, Pick

TURN = 2  # what a turn costs, in cards: a draw brings this many
FULL_HAND = 12  # with more cards than this, buy what the plan can spare
FEW_RAILS = 3  # with this few, a rival may end the match on its next turn


def choose(view):
    if view.picking:
        return Pick(min(combinations(view.offer, view.terms.kept), key=lambda pairs: cost(view, plan(view, pairs))))
    possible = [action.connection for action in legal_actions(view) if isinstance(action, Acquire)]
    wanted = plan(view, view.destinations)
    ready = [connection for connection in possible if connection in wanted]
    if ready:
        return Acquire(max(ready, key=lambda connection: connection.length))
    if not wanted or ends_soon(view):
        spare = possible
    else:
        full = sum(view.cards) > FULL_HAND
        spare = [connection for connection in possible if full and is_spare(view, connection, wanted)]
    return Acquire(max(spare, key=lambda connection: gain(view, connection))) if spare else DrawCards()


def plan(view, pairs):
    """What to build so that all these destinations are joined, as cheaply as possible; each way may use the others."""
    plans = []
    for order in permutations(pairs):
        wanted = []
        for pair in order:
            wanted += cheapest_way(view, pair, [*view.connections(), *wanted])
        plans.append(wanted)
    return min(plans, key=lambda wanted: cost(view, wanted))


def cheapest_way(view, pair, owned):
    """What has to be added to `owned` to join two cities; nothing if there is no way."""
    taken = [connection for seat in range(len(view.owned)) if seat != view.me for connection in view.connections(seat)]
    usable = [connection for connection in view.map.connections if connection not in taken]
    price = {connection: 0 if connection in owned else cost(view, [connection]) for connection in usable}
    paid, ways, growing = {pair[0]: 0}, {pair[0]: []}, True
    while growing:
        growing = False
        for connection in usable:
            for here, there in [(connection.first, connection.second), (connection.second, connection.first)]:
                if here in paid and paid[here] + price[connection] < paid.get(there, 1_000_000):
                    paid[there], growing = paid[here] + price[connection], True
                    ways[there] = ways[here] if connection in owned else [*ways[here], connection]
    return ways.get(pair[1], [])


def cost(view, connections):
    """What these connections cost: a turn each, their cards, and once more the cards that I do not have."""
    needed = dict.fromkeys(COLORS, 0)
    for connection in connections:
        needed[connection.color] += connection.length
    missing = sum(max(0, needed[color] - have) for color, have in zip(COLORS, view.cards, strict=True))
    return TURN * len(connections) + sum(needed.values()) + missing


def is_spare(view, connection, wanted):
    """Would cards and rails for all that is wanted be left?"""
    same = [other for other in wanted if other.color == connection.color]
    cards = view.cards[COLORS.index(connection.color)] - connection.length
    rails = view.rails[view.me] - connection.length
    return cards >= sum(other.length for other in same) and rails >= sum(other.length for other in wanted)


def ends_soon(view):
    """Is the deck empty, or may somebody end the match on the next turn?"""
    return not view.left or any(rails <= FEW_RAILS for seat, rails in enumerate(view.rails) if seat not in view.out)


def gain(view, connection):
    """How much longer my longest path gets, and the points of the connection itself."""
    mine, bit = view.owned[view.me], 1 << view.network.index[connection]
    return longest_path(view.network, mine | bit) - longest_path(view.network, mine) + connection.length
