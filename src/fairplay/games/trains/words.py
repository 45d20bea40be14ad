"""Trains in words: the table for a terminal, a turn as a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from fairplay.core import Seat, Turn
from fairplay.games.trains.map import COLOURS, bits
from fairplay.games.trains.rules import remaining, scores
from fairplay.games.trains.state import Acquire, Action, DrawCards, Hand, Pick, State

__all__ = ["board", "hand_in_words", "seat_name", "turn"]

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
    cards = [f"{count} {colour}" for colour, count in zip(COLOURS, hand, strict=True) if count]
    return f"cards: {', '.join(cards)}" if cards else "no cards"


def turn(turn: Turn[State, Action]) -> str:
    name = seat_name(turn.seat)
    match turn.action:
        case Pick(keep):
            return f"{name} keeps {', '.join(' - '.join(pair) for pair in keep)}"
        case DrawCards():
            count = turn.after.drawn - turn.before.drawn
            drawn = f"draws {count} card{'' if count == 1 else 's'}"
            return f"{name} {drawn if count else 'asks for cards, but the deck is empty'}{closing_words(turn)}"
        case Acquire(connection):
            return f"{name} takes {connection}{closing_words(turn)}"
        case _:
            assert_never(turn.action)


def closing_words(turn: Turn[State, Action]) -> str:
    if turn.after.closer is not None and turn.before.closer is None and len(remaining(turn.after)) > 1:
        return " and begins the last round"
    return ""
