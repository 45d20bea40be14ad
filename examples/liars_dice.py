# examples/liars_dice.py
"""Bid on the dice of all, or call the last bid a lie; whoever has dice to the end wins."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.core import Chance
from fairplay.core.chance import below
from fairplay.defaults import Action, BySeat, Own

SEATS = range(2, 7)
VERBS = {"bid": "bid"}
Hand = Annotated[tuple[Annotated[int, Meta(ge=1, le=6)], ...], Meta(max_length=5)]


class State(Struct, frozen=True):
    dice: Own[Hand]
    left: BySeat[Annotated[int, Meta(ge=0, le=5)]]  # how many dice each seat has
    points: BySeat[Annotated[int, Meta(ge=0, le=6)]]  # seats that lost their last die before this one did
    turn: int = 0
    bidder: Annotated[int, Meta(ge=0, le=5)] = 0
    quantity: Annotated[int, Meta(ge=0, le=30)] = 0
    face: Annotated[int, Meta(ge=0, le=6)] = 0


class Bid(Action):
    quantity: Annotated[int, Meta(ge=1, le=30)]
    face: Annotated[int, Meta(ge=1, le=6)]


class Call(Action):
    pass


def start(setup, seats, rng):
    return State(((),) * seats, (5,) * seats, (0,) * seats)


def chance(state):
    """Dice are thrown one by one at the beginning of each round."""
    return Chance((1,) * 6, (1, 2, 3, 4, 5, 6)) if throwing(state) else None


def befall(state, outcome):
    seat = throwing(state)[0]
    return replace(state, dice=with_item(state.dice, seat, (*state.dice[seat], outcome)))


def public_outcome(outcome):
    return None


def describe_outcome(outcome):
    return "a die was thrown" if outcome is None else f"a die showed {outcome}"


def to_move(state):
    return state.turn if sum(map(bool, state.left)) > 1 else None


def legal_actions(view):
    numbers = [(quantity, face) for quantity in range(1, sum(view.left) + 1) for face in range(1, 7)]
    bids = [Bid(*number) for number in numbers if number > (view.quantity, view.face)]
    return [*bids, Call()] if view.quantity else bids


def apply(state, action):
    if isinstance(action, Bid):
        turn = next_with_dice(state.left, state.turn + 1)
        return replace(state, turn=turn, bidder=state.turn, quantity=action.quantity, face=action.face)
    told = sum(hand.count(state.face) for hand in state.dice)
    loser = state.turn if told >= state.quantity else state.bidder
    return new_round(state, loser, state.left[loser] - 1)


def remove(state, seat):
    return new_round(state, seat, 0) if state.left[seat] else state


def scores(state):
    return [len(state.left) if left else points for left, points in zip(state.left, state.points, strict=True)]


def imagine(view, rng):
    unseen = [tuple(1 + below(rng, 6) for _ in range(left)) for left in view.left]
    dice = tuple(guess if hand is None else hand for guess, hand in zip(unseen, view.dice, strict=True))
    return State(dice, view.left, view.points, view.turn, view.bidder, view.quantity, view.face)


def new_round(state, loser, left):
    """Everybody throws again; the loser, who keeps so many dice, or the next seat bids first."""
    seats, after = len(state.left), with_item(state.left, loser, left)
    points = state.points if left else with_item(state.points, loser, state.left.count(0))
    return State(((),) * seats, after, points, next_with_dice(after, loser))


def next_with_dice(left, seat):
    return next((at % len(left) for at in range(seat, seat + len(left)) if left[at % len(left)]), 0)


def throwing(state):
    """Seats with dice to throw, unless the match is over."""
    seats = range(len(state.left)) if sum(map(bool, state.left)) > 1 else ()
    return [seat for seat in seats if len(state.dice[seat]) < state.left[seat]]


def with_item(items, at, item):
    return (*items[:at], item, *items[at + 1 :])
