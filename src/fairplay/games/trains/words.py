"""Trains in words: the table for a terminal, a turn as a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from fairplay.core import Facts, Seat, Turn
from fairplay.games.trains.map import COLOURS, Destination, bits
from fairplay.games.trains.paths import joined
from fairplay.games.trains.rules import remaining, scores
from fairplay.games.trains.state import Acquire, Action, DrawCards, Hand, Pick, State, View

__all__ = ["board", "facts", "hand_in_words", "seat_name", "told", "turn"]

NAMES = ("amber", "teal", "violet", "rose", "olive", "brown", "navy", "grey")


def seat_name(seat: Seat) -> str:
    return NAMES[seat] if seat < len(NAMES) else f"seat {seat}"


def board(state: State) -> str:
    """The deck, then for each seat what it holds, wants and owns."""
    owned = sum(mask.bit_count() for mask in state.owned)
    count = len(state.chart.connections)
    lines = [f"{state.left} cards in the deck, {count - owned} of {count} connections free"]
    for seat in map(Seat, range(len(state.rails))):
        lines += seat_lines(state, seat)
    return "\n".join(lines)


def seat_lines(state: State, seat: Seat) -> Iterator[str]:
    mark = ">" if state.turn == seat else " "
    if seat in state.out:
        yield f"{mark} {seat_name(seat):7} removed"
        return
    points = scores(state)[seat][0]
    yield f"{mark} {seat_name(seat):7} {points:4} points, {state.rails[seat]} rails, {hand_in_words(state.hands[seat])}"
    if state.destinations[seat]:
        yield f"    wants {', '.join(' - '.join(pair) for pair in state.destinations[seat])}"
    if state.owned[seat]:
        yield f"    owns {', '.join(str(state.chart.connections[index]) for index in bits(state.owned[seat]))}"


def hand_in_words(hand: Hand) -> str:
    return f"cards: {cards_in_words(hand)}" if any(hand) else "no cards"


def cards_in_words(hand: Hand) -> str:
    return ", ".join(f"{count} {colour}" for colour, count in zip(COLOURS, hand, strict=True) if count)


def turn(turn: Turn[State, Action]) -> str:
    return told(turn, turn.seat)  # all that a turn hides is known to who took it


def told(turn: Turn[State, Action], to: Seat | None) -> str:
    """Destinations and the colours of cards are known to their owner alone (Trains 3.8)."""
    name, mine = seat_name(turn.seat), to == turn.seat
    match turn.action:
        case Pick(keep):
            return (
                f"{name} keeps {', '.join(' - '.join(pair) for pair in keep) if mine else f'{len(keep)} destinations'}"
            )
        case DrawCards():
            return f"{name} {draw_in_words(turn, mine=mine)}{closing_words(turn)}"
        case Acquire(connection):
            return f"{name} takes {connection}{closing_words(turn)}"
        case _:
            assert_never(turn.action)


def draw_in_words(turn: Turn[State, Action], *, mine: bool) -> str:
    red, blue, green, white = (
        after - before for before, after in zip(turn.before.hands[turn.seat], turn.after.hands[turn.seat], strict=True)
    )
    count = red + blue + green + white
    if not count:
        return "asks for cards, but the deck is empty"
    cards = f": {cards_in_words((red, blue, green, white))}" if mine else ""
    return f"draws {count} card{'' if count == 1 else 's'}{cards}"


def closing_words(turn: Turn[State, Action]) -> str:
    if turn.after.closer is not None and turn.before.closer is None and len(remaining(turn.after)) > 1:
        return " and begins the last round"
    return ""


def facts(shown: State | View) -> dict[Seat, Facts]:
    """The points only once a match is over: until then they would give destinations away."""
    points = scores(shown) if isinstance(shown, State) and shown.turn is None else {}
    sizes = shown.hand_sizes if isinstance(shown, View) else tuple(map(sum, shown.hands))
    found = {}
    for seat in map(Seat, range(len(shown.rails))):
        first = (("points", str(points[seat][0])),) if seat in points else ()
        public = (
            ("rails", str(shown.rails[seat])),
            ("cards", str(sizes[seat])),
            ("connections", str(shown.owned[seat].bit_count())),
        )
        if seat not in shown.out:
            found[seat] = (*first, *public, *own_facts(shown, seat))
    return found


def own_facts(shown: State | View, seat: Seat) -> Facts:
    """What the owner of a view knows of itself alone."""
    if not isinstance(shown, View) or shown.me != seat or not shown.destinations:
        return ()
    done = sum(is_joined(shown, pair) for pair in shown.destinations)
    return (("destinations", f"{done} of {len(shown.destinations)}"),)


def is_joined(view: View, pair: Destination) -> bool:
    """Do the connections of the owner of `view` join these cities?"""
    first, second = map(view.chart.number.__getitem__, pair)
    return joined(view.chart, view.owned[view.me], first, second)
