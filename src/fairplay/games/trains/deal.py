"""Dealing a match of Trains, and dealing again what one seat cannot see."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from math import comb
from random import Random

from msgspec.structs import replace

from fairplay.core import Seat, SetupError
from fairplay.core.chance import below, shuffled
from fairplay.core.immutable import with_item
from fairplay.games.trains.map import COLORS, Destination, Map, RailNetwork, bits, build_network, find_map_flaws
from fairplay.games.trains.maps.files import find_map
from fairplay.games.trains.paths import MAX_STEPS, steps_of_longest_path
from fairplay.games.trains.state import Hand, Setup, State, Terms, View

NO_CARDS: Hand = (0, 0, 0, 0)
FEW_RAILS = 2
"""Trains 4.1: a seat that ends a turn with this many rails or fewer begins the last round."""

_MAX_PICKS = 1 << 60
"""The most ways to pick: `len` cannot count more."""


class NotEnoughDestinations(SetupError):  # noqa: N818 - a lack, and the rule book's word for it
    """The map has too few destinations for the seats (Trains 2.2)."""


# -- dealing -----------------------------------------------------------------------------------


def start(setup: Setup, seats: int, rng: Random) -> State:
    """Deal a match; raises SetupError (Trains 2.1 to 2.4)."""
    _check_setup(setup, seats)
    network = _checked_network(find_map(setup.map) if isinstance(setup.map, str) else setup.map)
    if (enough := destinations_needed(setup, seats)) > network.destination_count:
        raise NotEnoughDestinations(
            f"not enough destinations: {seats} seats need {enough}, the map has {network.destination_count}"
        )
    check_effort(network, min(setup.rails, setup.deck_size if setup.deck is None else len(setup.deck)))
    deck = (
        bytes(shuffled(rng, full_deck(setup.deck_size))) if setup.deck is None else bytes(map(COLORS.index, setup.deck))
    )
    sequence = deal_destinations(setup, network, enough, rng)
    terms = Terms(setup.rails, len(deck), setup.dealt, setup.per_draw, setup.offered, setup.kept)
    fresh = State(
        network=network,
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


def public_setup(setup: Setup) -> Setup:
    """The setup without the order of a given deck and of given destinations; how many cards there are is known."""
    size = setup.deck_size if setup.deck is None else len(setup.deck)
    return replace(setup, deck=None, deck_size=size, destinations=None)


def _check_setup(setup: Setup, seats: int) -> None:
    """Check what can be chosen (Trains 13.1); raises SetupError."""
    if setup.most < 2 * setup.fewest - 1:
        raise SetupError(f"with fewest={setup.fewest} seats, most must be at least {2 * setup.fewest - 1}")
    if not setup.fewest <= seats <= setup.most:
        raise SetupError(
            f"this game of Trains is played by {setup.fewest} to {setup.most} seats, not {seats}"
        )  # Trains 1.10
    if setup.offered < setup.kept:
        raise SetupError(f"{setup.kept} destinations cannot be kept: only {setup.offered} are offered")
    if comb(setup.offered, setup.kept) > _MAX_PICKS:
        raise SetupError(f"there are too many ways to keep {setup.kept} of {setup.offered} destinations")


@lru_cache(maxsize=64)
def _checked_network(map: Map) -> RailNetwork:
    """Build the network of `map`; raises SetupError if the map breaks a rule."""
    for flaw in find_map_flaws(map):
        raise SetupError(f"the map is flawed: {flaw.what} at {flaw.where}")
    return build_network(map)


@lru_cache(maxsize=64)
def check_effort(network: RailNetwork, segments: int) -> None:
    """Refuse a match whose score could take too long, if a seat can own this many `segments`; raises SetupError."""
    if steps_of_longest_path(network, segments) > MAX_STEPS:
        fits = range(segments)
        most = bisect_right(fits, MAX_STEPS, key=lambda less: steps_of_longest_path(network, less)) - 1
        raise SetupError(
            f"with {segments} rails on this map, the longest path could take too long to find; use at most {most}"
        )


def destinations_needed(setup: Setup | Terms, seats: int) -> int:
    """How many destinations a match for this many seats needs (Trains 2.2, 13.2)."""
    return setup.offered + setup.kept * (seats - 1)


def full_deck(size: int) -> bytes:
    """The cards of a deck, colour by colour (Trains 1.8, 13.1)."""
    each, more = divmod(size, len(COLORS))
    return b"".join(bytes([color]) * (each + (color < more)) for color in range(len(COLORS)))


def deal_destinations(setup: Setup, network: RailNetwork, enough: int, rng: Random) -> tuple[Destination, ...]:
    """Deal the front of the sequence (Trains 2.1): no more of it than `enough` is ever seen."""
    match setup.destinations:
        case None:
            return tuple(random_destinations(network, enough, frozenset(), rng))
        case "ordered":
            return tuple(network.destination(rank) for rank in range(enough))
        case given:
            if strange := [pair for pair in given if not network.is_destination(pair)]:
                raise SetupError(f"{' - '.join(strange[0])} is not a destination of this map")
            if len(set(given)) != len(given):
                raise SetupError("a destination is listed twice")
            if len(given) < enough:
                raise NotEnoughDestinations(f"not enough destinations: {enough} are needed, {len(given)} are listed")
            return given[:enough]


def random_destinations(
    network: RailNetwork, count: int, without: frozenset[Destination], rng: Random
) -> Iterator[Destination]:
    """Draw `count` different destinations in random order, none of them in `without`."""
    every = network.destination_count
    if every < 4 * (count + len(without)):
        drawn = (pair for pair in map(network.destination, shuffled(rng, range(every))) if pair not in without)
        yield from (pair for _, pair in zip(range(count), drawn, strict=False))
        return
    seen = set(without)
    while count:
        pair = network.destination(below(rng, every))
        if pair not in seen:
            seen.add(pair)
            count -= 1
            yield pair


def next_pick(state: State, seat: int) -> State:
    """Go on from `seat` before play: the next seat gets its cards (Trains 2.3, 2.4), or play begins (3.1)."""
    seats = len(state.hands)
    for other in map(Seat, range(seat + 1, seats)):
        if other not in state.out:
            drawn = min(len(state.deck), state.drawn + state.terms.dealt)
            hand = with_cards(NO_CARDS, state.deck[state.drawn : drawn])
            return replace(state, drawn=drawn, hands=with_item(state.hands, other, hand), turn=other)
    left = remaining_seats(state)
    return replace(state, turn=left[0] if left else None, picking=False)


def remaining_seats(state: State | View) -> list[Seat]:
    """List the seats that were never removed, in turn order."""
    return [seat for seat in map(Seat, range(len(state.rails))) if seat not in state.out]


def with_cards(hand: Hand, cards: bytes) -> Hand:
    """Add these cards to `hand`."""
    counts = list(hand)
    for color in cards:
        counts[color] += 1
    return tuple(counts)  # type: ignore[return-value]  # four, as before


# -- imagining ---------------------------------------------------------------------------------


def imagine(view: View, rng: Random) -> State:
    """Return a state that fits `view`: the cards and destinations it does not show are dealt again."""
    deck, hands = _imagined_cards(view, rng)
    sequence, destinations = _imagined_destinations(view, rng)
    return State(
        network=view.network,
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
        idle=view.idle,
        closer=view.closer,
        turn_number=view.turn_number,
    )


def _imagined_cards(view: View, rng: Random) -> tuple[bytes, tuple[Hand, ...]]:
    """Deal the deck and all hands: a card that is neither in my hand nor spent can be anywhere."""
    spent = _cards_spent(view)
    known = [mine + gone for mine, gone in zip(view.cards, spent, strict=True)]
    full = full_deck(view.terms.deck_size)
    unknown = [color for color in range(4) for _ in range(full.count(color) - known[color])]
    # A given deck may have other colours; then there are as many unknown cards as there must be, of any colours left.
    pool = bytes(shuffled(rng, unknown)[: len(full) - sum(known)])
    hands, at = [], 0
    for seat, size in enumerate(view.hand_sizes):
        hands.append(view.cards if seat == view.me else with_cards(NO_CARDS, pool[at : at + size]))
        at += 0 if seat == view.me else size
    # The seat being dealt to has the last cards that left the deck; the order of the others does not matter.
    newest = cards_of(hands[view.turn]) if view.turn is not None else b""
    older = [cards_of(hand) for seat, hand in enumerate(hands) if seat != view.turn]
    discarded = pool[at : len(pool) - view.left]
    front = b"".join([cards_of(spent), discarded, *older, newest])
    return front + pool[len(pool) - view.left :], tuple(hands)


def _cards_spent(view: View) -> Hand:
    """Count the cards that the owners of connections have spent on them."""
    counts = [0] * len(COLORS)
    for mask in view.owned:
        for index in bits(mask):
            counts[view.network.colors[index]] += view.network.lengths[index]
    return tuple(counts)  # type: ignore[return-value]  # one per colour


def cards_of(hand: Hand) -> bytes:
    """The cards of a hand, colour by colour."""
    return b"".join(bytes([color]) * count for color, count in enumerate(hand))


def _imagined_destinations(
    view: View, rng: Random
) -> tuple[tuple[Destination, ...], tuple[tuple[Destination, ...], ...]]:
    """Deal the sequence, and what each seat keeps."""
    terms, seats = view.terms, len(view.rails)
    keepers = [
        seat for seat in remaining_seats(view) if not view.picking or (view.turn is not None and seat < view.turn)
    ]
    others = [seat for seat in keepers if seat != view.me]
    in_sequence = destinations_needed(terms, seats) - terms.kept * len(keepers)
    seen = frozenset(view.destinations + view.offer)
    wanted = terms.kept * len(others) + in_sequence - len(view.offer)
    fresh = list(random_destinations(view.network, wanted, seen, rng))
    kept: list[tuple[Destination, ...]] = [()] * seats
    if view.me in keepers:
        kept[view.me] = view.destinations
    for seat in others:
        kept[seat] = tuple(sorted(fresh[: terms.kept]))
        fresh = fresh[terms.kept :]
    return (*shuffled(rng, view.offer), *fresh), tuple(kept)
