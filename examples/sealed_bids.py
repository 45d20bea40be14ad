# examples/sealed_bids.py
"""Everybody bids a card for each prize, face down; the highest card that nobody else bid takes it."""

from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.core.chance import choice, shuffled
from fairplay.defaults import Action, BySeat, Hidden, Own

SEATS = range(2, 6)
VERBS = {"bid": "bid"}
CARDS = (1, 2, 3, 4, 5, 6, 7)
Card = Annotated[int, Meta(ge=1, le=7)]


class State(Struct, frozen=True):
    hands: BySeat[Annotated[tuple[Card, ...], Meta(max_length=7)]]
    points: BySeat[Annotated[int, Meta(ge=0, le=28)]]
    bids: Own[Annotated[int, Meta(ge=0, le=7)]]  # 0: none
    ready: BySeat[bool]  # who has bid
    prizes: Annotated[tuple[Card, ...], Meta(max_length=7)]  # so far; the last one is bid for
    deck: Hidden[tuple[Card, ...]]
    turn: int = 0
    over: bool = False


class Bid(Action):
    card: Annotated[int, Meta(ge=0, le=7)]  # 0: another seat's, which is secret


def start(setup, seats, rng):
    first, *deck = shuffled(rng, CARDS)
    return State((CARDS,) * seats, (0,) * seats, (0,) * seats, (False,) * seats, (first,), tuple(deck))


def to_move(state):
    return None if state.over else state.turn


def legal_actions(view):
    return [Bid(card) for card in view.hands[view.me]]


def public_action(action):
    return Bid(0)


def apply(state, action):
    bids = with_item(state.bids, state.turn, action.card)
    ready = with_item(state.ready, state.turn, True)
    return reveal(replace(state, bids=bids, ready=ready, turn=(state.turn + 1) % len(bids)))


def remove(state, seat):
    return reveal(replace(state, bids=with_item(state.bids, seat, 0), ready=with_item(state.ready, seat, True)))


def reveal(state):
    """The state after a prize has been taken, once all have bid for it."""
    if not all(state.ready):
        return state
    highest = max((bid for bid in state.bids if state.bids.count(bid) == 1), default=0)
    hands = tuple(
        tuple(card for card in hand if card != bid) for hand, bid in zip(state.hands, state.bids, strict=True)
    )
    points = tuple(
        each + state.prizes[-1] * (0 < bid == highest) for each, bid in zip(state.points, state.bids, strict=True)
    )
    ready, prizes = tuple(seat in state.removed for seat in range(len(hands))), state.prizes + state.deck[:1]
    return State(hands, points, (0,) * len(hands), ready, prizes, state.deck[1:], state.turn, not state.deck)


def scores(state):
    return state.points


def imagine(view, rng):
    out = view.removed
    guesses = [
        choice(rng, hand) if ready and seat not in out else 0
        for seat, (hand, ready) in enumerate(zip(view.hands, view.ready, strict=True))
    ]
    bids = tuple(guess if own is None else own for guess, own in zip(guesses, view.bids, strict=True))
    deck = shuffled(rng, [card for card in CARDS if card not in view.prizes])
    return State(view.hands, view.points, bids, view.ready, view.prizes, tuple(deck), view.turn, view.over)


def with_item(items, at, item):
    return (*items[:at], item, *items[at + 1 :])
