"""Trains for the laws: small maps, odd settings, a scrambler of all that is hidden, an illegal action of each class."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import strategies as st
from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.chance import below, derived, shuffled
from fairplay.games.trains.deal import remaining_seats
from fairplay.games.trains.map import COLORS, Connection, bits
from fairplay.games.trains.maps.generator import generate_map
from fairplay.games.trains.players.strategies import absent_connection
from fairplay.games.trains.state import Acquire, Action, DrawCards, Hand, Pick, Setup, State, View
from fairplay.testing import Kit, Perft, Table


@st.composite
def dealt(draw: st.DrawFn) -> Table:
    """All settings of Trains 13.1, small, on the tiny map or one made for the occasion."""
    seats = draw(st.integers(2, 4))
    kept = draw(st.integers(1, 3))
    seed = draw(st.none() | st.integers(0, 20))
    map = "tiny" if seed is None else generate_map(derived(seed, "map"), 7 + seed % 3)
    room = 15 - kept * (seats - 1)  # the tiny map has 15 destinations, the others more
    deck = draw(st.none() | st.lists(st.sampled_from(COLORS), max_size=30).map(tuple))
    return Table(
        Setup(
            map=map,
            rails=draw(st.integers(0, 20)),
            deck_size=draw(st.integers(0, 40)),
            dealt=draw(st.integers(0, 5)),
            per_draw=draw(st.integers(1, 3)),
            offered=draw(st.integers(kept, min(5, room))),
            kept=kept,
            deck=deck,
            destinations=draw(st.sampled_from([None, "ordered"])),
        ),
        seats,
    )


def scramble(state: State, seat: Seat | None, rng: Random) -> State:
    """Other hands, other destinations and another deck: whatever `seat` has not been handed itself."""
    network, others = state.network, [other for other in remaining_seats(state) if other != seat]
    hands = list(state.hands)
    for other in others:
        hands[other] = any_hand(sum(state.hands[other]), rng)
    every = shuffled(rng, map(network.destination, range(network.destination_count)))
    picking = seat is not None and state.picking and state.turn == seat
    offer = state.sequence[: state.terms.offered] if picking else ()
    own = () if seat is None else state.destinations[seat]
    fresh = [pair for pair in every if pair not in offer and pair not in own]
    destinations = list(state.destinations)
    for other in others:
        destinations[other] = tuple(sorted(fresh.pop() for _ in state.destinations[other]))
    # My own first cards are told in deck order, so the cards that left the deck last stay while I pick.
    mine = state.deck[state.drawn - sum(state.hands[seat]) : state.drawn] if picking and seat is not None else b""
    before, after = state.drawn - len(mine), state.left
    return replace(
        state,
        deck=any_cards(before, rng) + mine + any_cards(after, rng),
        sequence=(*shuffled(rng, offer), *fresh[: len(state.sequence) - len(offer)]),
        hands=tuple(hands),
        destinations=tuple(destinations),
    )


def disguise(action: Action, seat: Seat | None, rng: Random) -> Action:
    """Others see that destinations are kept, and how many, but not which."""
    return Pick(tuple((f"{below(rng, 99)}", "Z") for _ in action.keep)) if isinstance(action, Pick) else action


def any_cards(count: int, rng: Random) -> bytes:
    return bytes(below(rng, 4) for _ in range(count))


def any_hand(size: int, rng: Random) -> Hand:
    cards = any_cards(size, rng)
    return cards.count(0), cards.count(1), cards.count(2), cards.count(3)


def illegal(view: View) -> Iterator[tuple[str, Action]]:
    connections = view.network.connections
    some = connections[0]
    if view.picking:
        keep = view.offer[: view.terms.kept]
        yield "a draw while picking", DrawCards()
        yield "a connection while picking", Acquire(some)
        yield "one too few", Pick(keep[1:])
        yield "one twice", Pick((*keep[1:], keep[-1], keep[-1])[-len(keep) :] if len(keep) > 1 else (*keep, *keep))
        yield "not offered", Pick((*keep[1:], ("Nowhere", "Somewhere")))
        if len(view.offer) > len(keep):
            yield "one too many", Pick(view.offer[: view.terms.kept + 1])
        return
    yield "a pick after picking", Pick(view.destinations)
    yield "no such connection", Acquire(absent_connection(view.map))
    yield "a reversed pair", Acquire(Connection(some.second, some.first, some.color, some.length))
    yield "another length", Acquire(Connection(some.first, some.second, some.color, 3 + (some.length - 2) % 3))
    if taken := [index for mask in view.owned for index in bits(mask)]:
        yield "an owned connection", Acquire(connections[taken[0]])
    rich = [one for one in connections if view.cards[COLORS.index(one.color)] < one.length]
    if rich:
        yield "too few cards", Acquire(rich[0])
    if view.rails[view.me] < some.length:
        yield "too few rails", Acquire(some)


def invariant(state: State) -> None:
    """Cards, rails, connections and destinations are each in one place only; a removed seat has nothing."""
    terms, network = state.terms, state.network
    assert 0 <= state.drawn <= len(state.deck) == terms.deck_size
    spent = [0, 0, 0, 0]
    for seat in range(len(state.rails)):
        lengths = 0
        for index in bits(state.owned[seat]):
            spent[network.colors[index]] += network.lengths[index]
            lengths += network.lengths[index]
        assert seat in state.out or state.rails[seat] == terms.rails - lengths
    for color in range(4):
        held = sum(hand[color] for hand in state.hands)
        gone = state.deck[: state.drawn].count(color)
        assert held + spent[color] <= gone if state.out else held + spent[color] == gone
    assert sum(mask.bit_count() for mask in state.owned) == int.bit_count(sum(state.owned))
    places = [*state.sequence, *(pair for pairs in state.destinations for pair in pairs)]
    assert len(set(places)) == len(places)
    assert all(network.is_destination(pair) for pair in places)
    assert state.turn not in state.out
    for seat in map(Seat, range(len(state.rails))):
        if seat in state.out:
            assert not sum(state.hands[seat]) and not state.owned[seat] and not state.destinations[seat]
        elif not state.picking:
            assert len(state.destinations[seat]) == terms.kept
    assert state.picking or state.idle <= len(remaining_seats(state))


KIT = Kit(
    tables=dealt(),
    scramble=scramble,
    disguise=disguise,
    hides=True,
    illegal=illegal,
    invariant=invariant,
    perft=[  # counted by the reference, and counted again in test_reference.py
        Perft(Table(Setup(map="tiny", rails=9, deck_size=24), 2), 1, (10, 100, 100, 100, 200)),
        Perft(Table(Setup(map="tiny", rails=20, deck_size=60, offered=2, dealt=12), 3), 1, (1, 1, 1, 7, 52, 252)),
        Perft(Table(Setup(map="tiny", rails=9, deck_size=24), 2), 3, (1, 1, 2, 2, 5, 17), 4),
        Perft(Table(Setup(map="tiny", rails=9, deck_size=24), 2), 4, (2, 4, 14, 39, 170, 527), 6),
        Perft(Table(Setup(map="tiny", rails=12, deck_size=40, dealt=8), 2), 5, (4, 13, 13, 22, 22), 8),
        Perft(Table(Setup(map="tiny", rails=20, deck_size=60, offered=2, dealt=12), 3), 6, (1, 3, 5, 8), 9),
        Perft(Table(Setup(map="tiny", rails=6, deck_size=30, offered=2), 3), 7, (1, 1, 1, 4, 8, 26), 7),
        Perft(Table(Setup(map="tiny", rails=3, deck_size=24, dealt=6), 2), 8, (3, 12, 12, 12, 12, 12), 2),
        Perft(Table(Setup(map="small"), 2), 9, (10, 100, 100), 0),
        Perft(Table(Setup(map="small"), 2), 10, (3, 24, 70), 12),
        Perft(Table(Setup(map="small", dealt=10), 3), 11, (5, 5, 34), 9),
        Perft(Table(Setup(map="small", rails=10), 4), 12, (2, 6, 6, 6), 20),
        Perft(Table(Setup(map="small", deck_size=60), 5), 13, (1, 4, 13, 34, 34), 25),
        Perft(Table(Setup(map="small"), 8), 14, (3, 9, 45, 81), 40),
        Perft(Table(Setup(map="small", rails=8, dealt=20), 2), 15, (22, 318, 4595), 3),
        Perft(Table(Setup(map="continent"), 2), 16, (16, 112, 217), 30),
        Perft(Table(Setup(map="continent", dealt=12), 4), 17, (7, 7, 7), 13),
        Perft(Table(Setup(map="continent", rails=20), 8), 18, (4, 20, 140, 420), 60),
        Perft(Table(Setup(map="coast"), 2), 19, (7, 7, 13), 20),
        Perft(Table(Setup(map="coast", dealt=15, rails=12), 3), 20, (20, 210, 2664), 5),
    ],
    longest=600,
    plays_on_alone=True,
    alike=[
        (Setup(deck=("red", "blue"), deck_size=7), Setup(deck=("blue", "red"))),
        (Setup(deck=("red", "blue")), Setup(deck_size=2)),
        (Setup(destinations="ordered"), Setup()),
        (Setup(destinations=(("Ash", "Birch"),)), Setup(destinations=(("Ash", "Cedar"),))),
    ],
)
