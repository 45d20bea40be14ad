"""Trains states and views as JSON that people can read."""

from collections.abc import Iterable, Sequence
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.core import Json, Seat, WireError
from fairplay.core.convert import as_type
from fairplay.games.trains.map import (
    COLORS,
    Color,
    Connection,
    Destination,
    Map,
    RailNetwork,
    bits,
    build_network,
    find_map_flaws,
)
from fairplay.games.trains.state import Hand, State, Terms, Variant, View

Natural: TypeAlias = Annotated[int, Meta(ge=0)]


class Cards(Struct, frozen=True):
    """How many cards of each colour; a missing colour means 0 (Trains 10.5)."""

    red: Natural = 0
    blue: Natural = 0
    green: Natural = 0
    white: Natural = 0


def cards_to_json(hand: Hand) -> Json:
    """Write a hand as the number of cards of each colour."""
    return dict(zip(COLORS, hand, strict=True))


def hand_from_cards(cards: Cards) -> Hand:
    return cards.red, cards.blue, cards.green, cards.white


def acquired_to_json(network: RailNetwork, mask: int) -> Json:
    """Write the connections of one player, in the order of Trains 8.2."""
    return [msgspec.to_builtins(network.connections[index]) for index in bits(mask)]


class _SeatJson(Struct, frozen=True):
    """All about one seat."""

    cards: Cards
    rails: Natural
    acquired: tuple[Connection, ...]
    destinations: tuple[Destination, ...]
    out: bool


class _StateJson(Struct, frozen=True):
    """All there is, known only to the referee."""

    map: Map
    terms: Terms
    deck: tuple[Color, ...]  # as it was before the first card was dealt
    drawn: Natural
    sequence: tuple[Destination, ...]
    seats: tuple[_SeatJson, ...]
    turn: Natural | None
    picking: bool
    idle: Natural
    closer: Natural | None
    variant: Variant
    turn_number: Natural


class PublicJson(Struct, frozen=True):
    """What everyone knows about a seat."""

    rails: Natural
    cards: Natural
    acquired: tuple[Connection, ...]
    out: bool


class ViewJson(Struct, frozen=True):
    """What the seat `me` may know."""

    me: Natural
    map: Map
    terms: Terms
    cards: Cards
    destinations: tuple[Destination, ...]
    offer: tuple[Destination, ...]
    left: Natural
    seats: tuple[PublicJson, ...]
    turn: Natural | None
    picking: bool
    idle: Natural  # completed turns in a row that changed nothing
    closer: Natural | None  # the seat whose turn began the last round
    variant: Variant
    turn_number: Natural  # completed turns


def state_to_json(state: State) -> Json:
    """Write a state as JSON."""
    seats = [
        {
            "cards": cards_to_json(state.hands[seat]),
            "rails": state.rails[seat],
            "acquired": acquired_to_json(state.network, state.owned[seat]),
            "destinations": [list(pair) for pair in state.destinations[seat]],
            "out": seat in state.out,
        }
        for seat in range(len(state.rails))
    ]
    return {
        "map": msgspec.to_builtins(state.network.map),
        "terms": msgspec.to_builtins(state.terms),
        "deck": [COLORS[card] for card in state.deck],
        "drawn": state.drawn,
        "sequence": [list(pair) for pair in state.sequence],
        "seats": seats,
        "turn": state.turn,
        "picking": state.picking,
        "idle": state.idle,
        "closer": state.closer,
        "variant": state.variant,
        "turn_number": state.turn_number,
    }


def state_from_json(value: Json) -> State:
    """Read a state; raises WireError."""
    form: _StateJson = as_type(value, _StateJson)
    network = _read_network(form.map)
    if form.drawn > len(form.deck):
        raise WireError(f"{form.drawn} cards cannot have left a deck of {len(form.deck)}", "$.drawn")
    if form.terms.deck_size != len(form.deck):
        raise WireError(f"expected the size of the deck, {len(form.deck)}", "$.terms.deck_size")
    return State(
        network=network,
        terms=_check_terms(form.terms),
        deck=bytes(map(COLORS.index, form.deck)),
        drawn=form.drawn,
        sequence=_read_destinations(network, form.sequence, "$.sequence"),
        hands=tuple(hand_from_cards(seat.cards) for seat in form.seats),
        rails=tuple(seat.rails for seat in form.seats),
        owned=_read_owners(network, [seat.acquired for seat in form.seats]),
        destinations=tuple(
            _read_destinations(network, seat.destinations, f"$.seats[{number}].destinations")
            for number, seat in enumerate(form.seats)
        ),
        out=frozenset(Seat(number) for number, seat in enumerate(form.seats) if seat.out),
        turn=_read_active_seat(form.turn, form.seats, "$.turn"),
        picking=form.picking,
        idle=form.idle,
        closer=None if form.closer is None else _read_seat(form.closer, form.seats, "$.closer"),
        turn_number=form.turn_number,
    )


def view_to_json(view: View) -> Json:
    """Write a view as JSON."""
    seats = [
        {
            "rails": view.rails[seat],
            "cards": view.hand_sizes[seat],
            "acquired": acquired_to_json(view.network, view.owned[seat]),
            "out": seat in view.out,
        }
        for seat in range(len(view.rails))
    ]
    return {
        "me": view.me,
        "map": msgspec.to_builtins(view.network.map),
        "terms": msgspec.to_builtins(view.terms),
        "cards": cards_to_json(view.cards),
        "destinations": [list(pair) for pair in view.destinations],
        "offer": [list(pair) for pair in view.offer],
        "left": view.left,
        "seats": seats,
        "turn": view.turn,
        "picking": view.picking,
        "idle": view.idle,
        "closer": view.closer,
        "variant": view.variant,
        "turn_number": view.turn_number,
    }


def view_from_json(value: Json) -> View:
    """Read a view; raises WireError."""
    form: ViewJson = as_type(value, ViewJson)
    network = _read_network(form.map)
    return View(
        me=_read_seat(form.me, form.seats, "$.me"),
        network=network,
        terms=_check_terms(form.terms),
        cards=hand_from_cards(form.cards),
        destinations=_read_destinations(network, form.destinations, "$.destinations"),
        offer=_read_destinations(network, form.offer, "$.offer"),
        rails=tuple(seat.rails for seat in form.seats),
        hand_sizes=tuple(seat.cards for seat in form.seats),
        owned=_read_owners(network, [seat.acquired for seat in form.seats]),
        left=form.left,
        out=frozenset(Seat(number) for number, seat in enumerate(form.seats) if seat.out),
        turn=_read_active_seat(form.turn, form.seats, "$.turn"),
        picking=form.picking,
        idle=form.idle,
        closer=None if form.closer is None else _read_seat(form.closer, form.seats, "$.closer"),
        turn_number=form.turn_number,
    )


def _read_network(map: Map) -> RailNetwork:
    """Build the network of a map that was read; raises WireError for a flaw, whose words name the connection."""
    for flaw in find_map_flaws(map):
        where, listed, _ = flaw.where.removeprefix("$").partition(".connections")
        raise WireError(flaw.what, f"$.map{where}{listed}")
    return build_network(map)


def _check_terms(terms: Terms) -> Terms:
    """Return `terms`; raises WireError if one of them is negative."""
    for name in terms.__struct_fields__:
        if getattr(terms, name) < 0:
            raise WireError("expected 0 or more", f"$.terms.{name}")
    return terms


def _read_destinations(network: RailNetwork, pairs: Sequence[Destination], path: str) -> tuple[Destination, ...]:
    """Return `pairs`; raises WireError for one that is not a destination of the map."""
    for index, pair in enumerate(pairs):
        if not network.is_destination(pair):
            raise WireError(f"{' - '.join(pair)} is not a destination of the map", f"{path}[{index}]")
    return tuple(pairs)


def _read_owners(network: RailNetwork, players: Iterable[Sequence[Connection]]) -> tuple[int, ...]:
    """Read who owns what; raises WireError for a connection that is not on the map or is owned twice."""
    owned, taken = [], 0
    for seat, player in enumerate(players):
        mask = 0
        for index, connection in enumerate(player):
            bit = network.bit(connection)
            if not bit or bit & (taken | mask):
                reason = "is owned twice" if bit else "is not a connection of the map"
                raise WireError(f"{connection} {reason}", f"$.seats[{seat}].acquired[{index}]")
            mask |= bit
        taken |= mask
        owned.append(mask)
    return tuple(owned)


def _read_seat(number: int, seats: Sequence[object], path: str) -> Seat:
    """Read the number of a seat; raises WireError."""
    if number >= len(seats):
        raise WireError(f"there is no seat {number}", path)
    return Seat(number)


def _read_active_seat(number: int | None, seats: Sequence[_SeatJson] | Sequence[PublicJson], path: str) -> Seat | None:
    """Read the number of a seat that is still in, or None; raises WireError."""
    if number is None:
        return None
    seat = _read_seat(number, seats, path)
    if seats[seat].out:
        raise WireError(f"seat {seat} is out", path)
    return seat
