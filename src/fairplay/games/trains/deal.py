"""Dealing a match of Trains, and dealing again what one seat cannot see."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import comb
from random import Random

from msgspec.structs import replace

from fairplay.core import Seat, SetupError
from fairplay.core.chance import below, shuffled
from fairplay.core.tuples import with_item
from fairplay.games.trains.map import COLOURS, Chart, Destination, Map, bits, chart, flaws
from fairplay.games.trains.map_files import find_map
from fairplay.games.trains.state import Hand, Setup, State, Terms, View

__all__ = [
    "FEW_RAILS",
    "NO_CARDS",
    "NotEnoughDestinations",
    "imagine",
    "needed",
    "next_pick",
    "remaining",
    "start",
    "with_cards",
]

NO_CARDS: Hand = (0, 0, 0, 0)
FEW_RAILS = 2
"""Trains 4.1: whoever ends a turn with so many rails or fewer begins the last round."""

MOST_PICKS = 1 << 60
"""More ways to pick cannot be counted by `len`."""


class NotEnoughDestinations(SetupError):  # noqa: N818 - a lack, and the rule book's word for it
    """The map has too few destinations for so many seats (Trains 2.2)."""


# -- dealing -----------------------------------------------------------------------------------


def start(setup: Setup, seats: int, rng: Random) -> State:
    check(setup, seats)
    chart = charted(find_map(setup.map) if isinstance(setup.map, str) else setup.map)
    if (enough := needed(setup, seats)) > chart.destination_count:
        raise NotEnoughDestinations(
            f"not enough destinations: {seats} seats need {enough}, the map has {chart.destination_count}"
        )
    deck = (
        bytes(shuffled(rng, full_deck(setup.deck_size)))
        if setup.deck is None
        else bytes(map(COLOURS.index, setup.deck))
    )
    sequence = dealt_destinations(setup, chart, enough, rng)
    terms = Terms(setup.rails, len(deck), setup.dealt, setup.per_draw, setup.offered, setup.kept)
    fresh = State(
        chart=chart,
        terms=terms,
        deck=deck,
        drawn=0,
        sequence=sequence,
        hands=(NO_CARDS,) * seats,
        rails=(setup.rails,) * seats,
        owned=(0,) * seats,
        destinations=((),) * seats,
        out=frozenset(),
        turn=None,
    )
    return next_pick(fresh, -1)


def check(setup: Setup, seats: int) -> None:
    """Trains 13.1; raises SetupError."""
    if setup.most < 2 * setup.fewest - 1:
        raise SetupError(f"most seats must be at least {2 * setup.fewest - 1} where the fewest are {setup.fewest}")
    if not setup.fewest <= seats <= setup.most:
        raise SetupError(
            f"this game of Trains is played by {setup.fewest} to {setup.most} seats, not {seats}"
        )  # Trains 1.10
    if setup.offered < setup.kept:
        raise SetupError(f"{setup.kept} destinations cannot be kept of {setup.offered} offered")
    if comb(setup.offered, setup.kept) > MOST_PICKS:
        raise SetupError(f"there are too many ways to keep {setup.kept} destinations of {setup.offered}")


@lru_cache(maxsize=64)
def charted(map: Map) -> Chart:
    """The chart of `map`; raises SetupError if the map breaks a rule."""
    for flaw in flaws(map):
        raise SetupError(f"the map is flawed: {flaw.what} at {flaw.where}")
    return chart(map)


def needed(setup: Setup | Terms, seats: int) -> int:
    """How many destinations a match for so many seats needs (Trains 2.2, 13.2)."""
    return setup.offered + setup.kept * (seats - 1)


def full_deck(size: int) -> bytes:
    """The cards of a deck in no order (Trains 1.8, 13.1)."""
    each, more = divmod(size, len(COLOURS))
    return b"".join(bytes([colour]) * (each + (colour < more)) for colour in range(len(COLOURS)))


def dealt_destinations(setup: Setup, chart: Chart, enough: int, rng: Random) -> tuple[Destination, ...]:
    """The front of the sequence (Trains 2.1): nobody ever sees more of it than `enough`."""
    match setup.destinations:
        case None:
            return tuple(random_destinations(chart, enough, frozenset(), rng))
        case "ordered":
            return tuple(chart.destination(rank) for rank in range(enough))
        case given:
            if strange := [pair for pair in given if not chart.is_destination(pair)]:
                raise SetupError(f"{' - '.join(strange[0])} is no destination of this map")
            if len(set(given)) != len(given):
                raise SetupError("a destination is given twice")
            if len(given) < enough:
                raise NotEnoughDestinations(f"not enough destinations: {enough} are needed, {len(given)} are given")
            return given[:enough]


def random_destinations(
    chart: Chart, count: int, without: frozenset[Destination], rng: Random
) -> Iterator[Destination]:
    """So many different destinations in random order, none of them in `without`."""
    every = chart.destination_count
    if every < 4 * (count + len(without)):
        drawn = (pair for pair in map(chart.destination, shuffled(rng, range(every))) if pair not in without)
        yield from (pair for _, pair in zip(range(count), drawn, strict=False))
        return
    seen = set(without)
    while count:
        pair = chart.destination(below(rng, every))
        if pair not in seen:
            seen.add(pair)
            count -= 1
            yield pair


def next_pick(state: State, seat: int) -> State:
    """`state` with `seat` finished before play: the next one has its cards (Trains 2.3, 2.4), or play begins (3.1)."""
    seats = len(state.hands)
    for other in map(Seat, range(seat + 1, seats)):
        if other not in state.out:
            drawn = min(len(state.deck), state.drawn + state.terms.dealt)
            hand = with_cards(NO_CARDS, state.deck[state.drawn : drawn])
            return replace(state, drawn=drawn, hands=with_item(state.hands, other, hand), turn=other)
    left = remaining(state)
    return replace(state, turn=left[0] if left else None, picking=False)


def remaining(state: State | View) -> list[Seat]:
    """The seats never removed, in turn order."""
    return [seat for seat in map(Seat, range(len(state.rails))) if seat not in state.out]


def with_cards(hand: Hand, cards: bytes) -> Hand:
    """`hand` with these cards added."""
    counts = list(hand)
    for colour in cards:
        counts[colour] += 1
    return tuple(counts)  # type: ignore[return-value]  # four, as before


# -- imagining ---------------------------------------------------------------------------------


def imagine(view: View, rng: Random) -> State:
    """A state that fits all that `view` shows: its unknown cards and destinations are dealt anew."""
    deck, hands = imagined_cards(view, rng)
    sequence, destinations = imagined_destinations(view, rng)
    return State(
        chart=view.chart,
        terms=view.terms,
        deck=deck,
        drawn=len(deck) - view.left,
        sequence=sequence,
        hands=hands,
        rails=view.rails,
        owned=view.owned,
        destinations=destinations,
        out=view.out,
        turn=view.turn,
        picking=view.picking,
        closer=imagined_closer(view),
    )


def imagined_cards(view: View, rng: Random) -> tuple[bytes, tuple[Hand, ...]]:
    """The deck and all hands: what is neither in my hand nor paid for a connection can be anywhere."""
    spent = paid(view)
    known = [mine + gone for mine, gone in zip(view.cards, spent, strict=True)]
    full = full_deck(view.terms.deck_size)
    unknown = [colour for colour in range(4) for _ in range(full.count(colour) - known[colour])]
    # A given deck may be made up otherwise; then the unknown cards are as many as there must be, of any colours left.
    pool = bytes(shuffled(rng, unknown)[: len(full) - sum(known)])
    hands, at = [], 0
    for seat, size in enumerate(view.hand_sizes):
        hands.append(view.cards if seat == view.me else with_cards(NO_CARDS, pool[at : at + size]))
        at += 0 if seat == view.me else size
    # Whoever is being dealt to has the last cards that left the deck; nobody looks at the order of the others.
    newest = cards_of(hands[view.turn]) if view.turn is not None else b""
    older = [cards_of(hand) for seat, hand in enumerate(hands) if seat != view.turn]
    discarded = pool[at : len(pool) - view.left]
    front = b"".join([cards_of(spent), discarded, *older, newest])
    return front + pool[len(pool) - view.left :], tuple(hands)


def paid(view: View) -> Hand:
    """The cards that the owners of connections have paid for them."""
    counts = [0] * len(COLOURS)
    for mask in view.owned:
        for index in bits(mask):
            counts[view.chart.colours[index]] += view.chart.lengths[index]
    return tuple(counts)  # type: ignore[return-value]  # one per colour


def cards_of(hand: Hand) -> bytes:
    return b"".join(bytes([colour]) * count for colour, count in enumerate(hand))


def imagined_destinations(
    view: View, rng: Random
) -> tuple[tuple[Destination, ...], tuple[tuple[Destination, ...], ...]]:
    """The sequence, and what everybody keeps."""
    terms, seats = view.terms, len(view.rails)
    keepers = [seat for seat in remaining(view) if not view.picking or (view.turn is not None and seat < view.turn)]
    strangers = [seat for seat in keepers if seat != view.me]
    in_sequence = needed(terms, seats) - terms.kept * len(keepers)
    seen = frozenset(view.destinations + view.offer)
    wanted = terms.kept * len(strangers) + in_sequence - len(view.offer)
    fresh = list(random_destinations(view.chart, wanted, seen, rng))
    kept: list[tuple[Destination, ...]] = [()] * seats
    if view.me in keepers:
        kept[view.me] = view.destinations
    for seat in strangers:
        kept[seat] = tuple(sorted(fresh[: terms.kept]))
        fresh = fresh[terms.kept :]
    return (*shuffled(rng, view.offer), *fresh), tuple(kept)


def imagined_closer(view: View) -> Seat | None:
    """Who began the last round, if it has begun: everybody's rails tell."""
    left = remaining(view)
    if view.picking or not left:
        return None
    if view.terms.rails <= FEW_RAILS:  # then the first completed turn has begun it (Trains 13.1)
        return left[0] if view.turn != left[0] else None
    # Whoever has few rails and is not the closer had its last turn since, so the closer comes first after the mover.
    turn = view.turn or 0
    few = [seat for seat in left if view.rails[seat] <= FEW_RAILS]
    return min(few, key=lambda seat: (seat - turn) % len(view.rails), default=None)
