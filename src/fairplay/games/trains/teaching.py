"""Trains for those who have never played it: five pictures, and advice turn by turn."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.core.shown import Lesson, Teaching, TurnAdvice
from fairplay.games.trains.drawing.canvas import DECK_KEY, connection_key
from fairplay.games.trains.drawing.picture import draw_picture
from fairplay.games.trains.map import Color, Connection, Destination, bits
from fairplay.games.trains.paths import are_joined, shortest_way
from fairplay.games.trains.rules import DRAW, acquirable_connections, apply, start, view
from fairplay.games.trains.state import Acquire, Action, Pick, Setup, State, View

# -- lessons -----------------------------------------------------------------------------------

_LEARNER, _RIVAL = Seat(0), Seat(1)
_HANDS: Sequence[Color] = (*("white", "white", "white", "green"), *("blue", "blue", "red", "white"))
_DRAWN: Sequence[Color] = (*("white", "red"), *("blue", "red"), *("blue", "blue"), *("green", "red"))
KEPT = ((("Ash", "Dogwood"), ("Birch", "Fir")), (("Ash", "Cedar"), ("Cedar", "Fir")))
_OTHERS = (("Ash", "Birch"), ("Ash", "Elm"), ("Birch", "Elm"))


def _deal_lesson() -> State:
    """A small match in which both seats have picked their destinations."""
    setup = Setup(
        map="tiny",
        rails=12,
        deck_size=40,
        deck=(*_HANDS, *_DRAWN, *(24 * ("green",))),
        destinations=(*KEPT[0], *_OTHERS, *KEPT[1]),
    )
    return apply(apply(start(setup, 2, derived(0)), Pick(KEPT[0])), Pick(KEPT[1]))


def take(state: State, *lines: str) -> State:
    """Give the seat to move connections such as ``Ash-Elm white``, without cards, each for its rails."""
    network, seat = state.network, state.turn
    assert seat is not None
    owned, rails = list(state.owned), list(state.rails)
    for index, one in enumerate(network.connections):
        if f"{one.first}-{one.second} {one.color}" in lines:
            owned[seat] |= 1 << index
            rails[seat] -= one.length
    return replace(state, owned=tuple(owned), rails=tuple(rails))


@cache
def draw_lessons() -> tuple[Lesson, ...]:
    """Draw the five lessons on a small map."""
    dealt = _deal_lesson()
    drawn = apply(apply(dealt, DRAW), DRAW)
    mine = view(drawn, _LEARNER)
    wanted = mine.network.connections[_first_affordable(mine)]
    rivalled = replace(take(replace(dealt, turn=_RIVAL), "Birch-Cedar green", "Ash-Birch blue"), turn=_LEARNER)
    joined = take(rivalled, "Ash-Elm white", "Dogwood-Elm white")
    closing = replace(take(rivalled, "Ash-Elm white", "Dogwood-Elm white", "Birch-Elm blue"), closer=_LEARNER)
    return (
        Lesson(
            "Your destinations",
            "At the start you keep two secret destinations: each one whose two cities your connections join brings "
            "10 points, and each one you miss costs 10.",
            draw_picture(view(joined, _LEARNER), seats=False),
        ),
        Lesson(
            "Draw cards",
            "In your turn you either draw two cards from the deck or take one connection.",
            draw_picture(view(dealt, _LEARNER), lit=[DECK_KEY]),
        ),
        Lesson(
            "Take a connection",
            "A connection costs as many cards of its colour, and as many of your rails, as it has segments; then it is "
            "yours alone.",
            draw_picture(mine, lit=[DECK_KEY, connection_key(wanted)], chosen=[connection_key(wanted)]),
        ),
        Lesson(
            "Count the points",
            "Every segment of your connections is worth a point, the longest path of all 20, a destination joined 10, "
            "and a destination missed takes 10 off.",
            draw_picture(replace(closing, turn=None), open=True),
        ),
        Lesson(
            "The last round",
            "When somebody has two rails or fewer left at the end of a turn, all the others have one more turn each.",
            draw_picture(replace(closing, turn=_RIVAL), seats=False),
        ),
    )


def _first_affordable(mine: View) -> int:
    """The first connection that the viewer can take."""
    return next(bits(acquirable_connections(mine)))


# -- advice ------------------------------------------------------------------------------------


class _OpenRoutes(NamedTuple):
    """What is still to be taken, and for which destination."""

    route: Sequence[int]
    aims: Sequence[Destination]  # for each connection of the route


def advise(mine: View, turn: int) -> TurnAdvice | None:
    """Say what a beginner should do in its turn number `turn`, and why."""
    if mine.picking:
        return _advise_pick(mine)
    plan = _plan_routes(mine)
    can = acquirable_connections(mine)
    useful = [(index, aim) for index, aim in zip(plan.route, plan.aims, strict=True) if can >> index & 1]
    if mine.closer is not None:
        return _advise_last(mine, useful, can)
    if useful:
        return _advise_take(mine, *useful[0])
    if plan.route:
        return _advise_draw(mine, plan, turn)
    if can:
        return _advise_points(mine, _longest_of(mine, can))
    words = "Draw cards until you can take another connection: every segment is worth a point."
    return TurnAdvice("Draw cards" if mine.left else "Ask for cards", words if mine.left else _EMPTY_DECK, DRAW)


_EMPTY_DECK = "The deck is empty: all you can do is ask for cards until the match ends."


def _advise_pick(mine: View) -> TurnAdvice:
    """Advise to keep the destinations that need the fewest rails together."""
    picks = list(combinations(mine.offer, mine.terms.kept))[:_MOST_PICKS]
    costs = {pick: _count_rails(mine, _route_for(mine, pick).route) for pick in picks}
    best = min(picks, key=costs.__getitem__)
    names = " and ".join(f"{first} to {second}" for first, second in best)
    words = f"Keep {names}: {costs[best]} rails are enough for {'both' if len(best) == 2 else 'them'}. "
    return TurnAdvice("Choose your destinations", f"{words}Short ways that share a part are the easiest.", Pick(best))


_MOST_PICKS = 200


def _advise_take(mine: View, index: int, aim: Destination) -> TurnAdvice:
    """Advise to take a connection that helps to join a destination."""
    one = mine.network.connections[index]
    words = f"{_name_route(one)} costs {one.length} {one.color} cards, and you have them"
    return TurnAdvice("Take a connection", f"{words}: {_name_purpose(mine, index, aim)}.", Acquire(one))


def _name_purpose(mine: View, index: int, aim: Destination) -> str:
    """What a connection does for a destination."""
    done = are_joined(mine.network, mine.owned[mine.me] | 1 << index, aim)
    return f"it joins {_name_pair(aim, 'and')}" if done else f"it is on your way from {_name_pair(aim)}"


def _advise_points(mine: View, one: Connection) -> TurnAdvice:
    """Advise to take any connection, as there is nothing to be done for destinations."""
    joined = all(are_joined(mine.network, mine.owned[mine.me], pair) for pair in mine.destinations)
    why = "Your destinations are joined" if joined else "You can no longer join the rest of your destinations"
    words = f"{why}. Now {_name_route(one)} is worth {one.length} points, and the longest path of all 20."
    return TurnAdvice("Collect points", words, Acquire(one))


def _advise_draw(mine: View, plan: _OpenRoutes, turn: int) -> TurnAdvice:
    """Advise to draw, and say which cards are missing."""
    if not mine.left:
        return TurnAdvice("Ask for cards", _EMPTY_DECK, DRAW)
    words = _name_missing(mine, plan)
    first = " Click the deck: you get two cards, and nobody else sees them." if turn <= 1 else ""
    return TurnAdvice("Draw cards", f"{words}{first}", DRAW)


def _name_missing(mine: View, plan: _OpenRoutes) -> str:
    """The cards that are missing for the cheapest connection of a plan; empty if none are."""
    index = min(plan.route, key=lambda index: _missing_cards(mine, index))
    one, missing = mine.network.connections[index], _missing_cards(mine, index)
    return (
        f"You need {missing} more {one.color} card{'' if missing == 1 else 's'} for {_name_route(one)}."
        if missing
        else ""
    )


def _advise_last(mine: View, useful: Sequence[tuple[int, Destination]], can: int) -> TurnAdvice:
    """Advise on the last turn of the match: complete a destination, or else collect points."""
    for index, aim in useful:
        if are_joined(mine.network, mine.owned[mine.me] | 1 << index, aim):
            one = mine.network.connections[index]
            words = f"This is your last turn, and {_name_route(one)} joins {_name_pair(aim, 'and')}."
            return TurnAdvice("The last round", words, Acquire(one))
    if can:
        one = _longest_of(mine, can)
        words = f"This is your last turn: {_name_route(one)} brings the most points, {one.length}."
        return TurnAdvice("The last round", words, Acquire(one))
    return TurnAdvice("The last round", "This is your last turn, and you cannot pay for a connection: just draw.", DRAW)


def explain(mine: View, action: Action) -> str:
    """Say what speaks for an action."""
    if isinstance(action, Pick):
        plan = _route_for(mine, action.keep)
        whole = {*plan.aims} == {*action.keep}
        return f"{_count_rails(mine, plan.route)} rails are enough for all of it." if whole else ""
    plan = _plan_routes(mine)
    if not isinstance(action, Acquire):
        return _name_missing(mine, plan) if plan.route else ""
    index = mine.network.index[action.connection]
    if index not in plan.route:
        return f"It brings {_count_points(action.connection.length)}."
    purpose = _name_purpose(mine, index, plan.aims[plan.route.index(index)])
    return f"{purpose[0].upper()}{purpose[1:]}."


def _count_points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}"


# -- routes ------------------------------------------------------------------------------------


def _plan_routes(mine: View) -> _OpenRoutes:
    """Plan how to join the destinations that are not joined yet and that the rails still allow."""
    return _route_for(mine, mine.destinations)


def _route_for(mine: View, destinations: Sequence[Destination]) -> _OpenRoutes:
    """The cheapest ways to join destinations one after the other, each using the ways before."""
    owned, rails = mine.owned[mine.me], mine.rails[mine.me]
    prices = [2 * length + _missing_cards(mine, index) for index, length in enumerate(mine.network.lengths)]
    route, aims = list[int](), list[Destination]()
    for aim in destinations:
        way = shortest_way(mine.network, owned, mine.free & ~owned, aim, prices)
        if way and _count_rails(mine, way) <= rails:
            rails -= _count_rails(mine, way)
            route, aims = route + way, aims + [aim] * len(way)
            for index in way:
                owned |= 1 << index
    return _OpenRoutes(route, aims)


def _missing_cards(mine: View, index: int) -> int:
    """How many cards the viewer lacks for a connection."""
    return max(0, mine.network.lengths[index] - mine.cards[mine.network.colors[index]])


def _count_rails(mine: View, route: Sequence[int]) -> int:
    """How many rails the connections of a route take."""
    return sum(mine.network.lengths[index] for index in route)


def _longest_of(mine: View, mask: int) -> Connection:
    """The longest of some connections."""
    return max((mine.network.connections[index] for index in bits(mask)), key=lambda one: one.length)


def _name_route(one: Connection) -> str:
    """A connection in words."""
    return f"{one.first} to {one.second}"


def _name_pair(pair: Destination, between: str = "to") -> str:
    """A destination in words."""
    return f"{pair[0]} {between} {pair[1]}"


TEACHING = Teaching("5 to 10", draw_lessons, advise, explain)
