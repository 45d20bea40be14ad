"""Trains values as JSON: readable states and views of our own, and the forms of the protocol (Trains 10)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.core import Json, Seat, WireError
from fairplay.core.convert import as_type
from fairplay.games.trains.deal import remaining
from fairplay.games.trains.map import COLOURS, Chart, Colour, Connection, Destination, Map, bits, chart, flaws
from fairplay.games.trains.state import Hand, State, Terms, View

__all__ = [
    "Natural",
    "ViewJson",
    "cards_to_json",
    "player_state_from_json",
    "player_state_to_json",
    "state_from_json",
    "state_to_json",
    "view_from_json",
    "view_to_json",
]

Natural: TypeAlias = Annotated[int, Meta(ge=0)]


class Cards(Struct, frozen=True):
    """Card* of Trains 10.1; a missing colour means 0 (Trains 10.5)."""

    red: Natural = 0
    blue: Natural = 0
    green: Natural = 0
    white: Natural = 0


def cards_to_json(hand: Hand) -> Json:
    return dict(zip(COLOURS, hand, strict=True))


def hand_of(cards: Cards) -> Hand:
    return cards.red, cards.blue, cards.green, cards.white


def acquired_to_json(chart: Chart, mask: int) -> Json:
    """The connections of one player, by Trains 8.2."""
    return [msgspec.to_builtins(chart.connections[index]) for index in bits(mask)]


# -- the established protocol ------------------------------------------------------------------


class PlayerStateForm(Struct, frozen=True):
    """Trains 10.1; how many destinations there are depends on the setup (Trains 13.4)."""

    this: dict[str, Any]
    acquired: tuple[tuple[Connection, ...], ...]


class ThisForm(Struct, frozen=True):
    rails: Natural
    cards: Cards
    acquired: tuple[Connection, ...]


def player_state_to_json(view: View) -> Json:
    """What the owner of `view` is shown when it is its turn (Trains 10.6)."""
    seats = remaining(view)
    mine = seats.index(view.me)
    destinations = {f"destination{number}": list(pair) for number, pair in enumerate(view.destinations, 1)}
    this = {
        **destinations,
        "rails": view.rails[view.me],
        "cards": cards_to_json(view.cards),
        "acquired": acquired_to_json(view.chart, view.owned[view.me]),
    }
    others = seats[mine + 1 :] + seats[:mine]
    return {"this": this, "acquired": [acquired_to_json(view.chart, view.owned[seat]) for seat in others]}


def player_state_from_json(value: Json, chart: Chart, terms: Terms | None = None) -> View:
    """The view that a player state spells, its owner as seat 0; raises WireError.

    Owned connections need not be on the map, and two players may own the same one (Trains 12.2).  What the protocol
    does not tell is left at what it must be at least: the hands of others are empty.
    """
    terms = terms or Terms()
    form: PlayerStateForm = as_type(value, PlayerStateForm)
    this: ThisForm = as_type_at(form.this, ThisForm, "$.this")
    numbers = range(1, terms.kept + 1)
    destinations = [destination_at(form.this, f"destination{number}") for number in numbers]
    players = (this.acquired, *form.acquired)
    for connection in (one for player in players for one in player):
        if connection.first >= connection.second:
            raise WireError(f"{connection} is not written with the smaller name first", "$")
    owned = tuple(sum({chart.bit(one) for one in player}) for player in players)
    spent = [sum(one.length for one in player) for player in players]
    rails = (this.rails, *(max(0, terms.rails - used) for used in spent[1:]))
    hand = hand_of(this.cards)
    return View(
        me=Seat(0),
        chart=chart,
        terms=terms,
        cards=hand,
        destinations=tuple(sorted(destinations)),
        offer=(),
        rails=rails,
        hand_sizes=(sum(hand), *(0 for _ in form.acquired)),
        owned=owned,
        left=max(0, terms.deck_size - sum(hand) - sum(spent)),
        out=frozenset(),
        turn=Seat(0),
        picking=False,
    )


def destination_at(this: dict[str, Any], key: str) -> Destination:
    if key not in this:
        raise WireError(f"Object missing required field {key}", "$.this")
    first, second = as_type_at(this[key], Destination, f"$.this.{key}")
    if first >= second:
        raise WireError(f"{second!r} must be written before {first!r}", f"$.this.{key}")
    return first, second


def as_type_at(value: Json, kind: Any, path: str) -> Any:
    """`value` as the type `kind`; raises WireError with a path that begins with `path`."""
    try:
        return as_type(value, kind)
    except WireError as error:
        message = str(error).removesuffix(f" at {error.path}")
        raise WireError(message, path + error.path.removeprefix("$")) from None


# -- our own -----------------------------------------------------------------------------------


class SeatJson(Struct, frozen=True):
    cards: Cards
    rails: Natural
    acquired: tuple[Connection, ...]
    destinations: tuple[Destination, ...]
    out: bool


class StateJson(Struct, frozen=True):
    map: Map
    terms: Terms
    deck: tuple[Colour, ...]  # as it was before the first card was dealt
    drawn: Natural
    sequence: tuple[Destination, ...]
    seats: tuple[SeatJson, ...]
    turn: Natural | None
    picking: bool
    idle: Natural
    closer: Natural | None


class PublicJson(Struct, frozen=True):
    """What everybody knows about a seat."""

    rails: Natural
    cards: Natural
    acquired: tuple[Connection, ...]
    out: bool


class ViewJson(Struct, frozen=True):
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


def state_to_json(state: State) -> Json:
    seats = [
        {
            "cards": cards_to_json(state.hands[seat]),
            "rails": state.rails[seat],
            "acquired": acquired_to_json(state.chart, state.owned[seat]),
            "destinations": [list(pair) for pair in state.destinations[seat]],
            "out": seat in state.out,
        }
        for seat in range(len(state.rails))
    ]
    return {
        "map": msgspec.to_builtins(state.chart.map),
        "terms": msgspec.to_builtins(state.terms),
        "deck": [COLOURS[card] for card in state.deck],
        "drawn": state.drawn,
        "sequence": [list(pair) for pair in state.sequence],
        "seats": seats,
        "turn": state.turn,
        "picking": state.picking,
        "idle": state.idle,
        "closer": state.closer,
    }


def state_from_json(value: Json) -> State:
    form: StateJson = as_type(value, StateJson)
    chart = chart_at(form.map)
    if form.drawn > len(form.deck):
        raise WireError(f"{form.drawn} cards cannot have left a deck of {len(form.deck)}", "$.drawn")
    if form.terms.deck_size != len(form.deck):
        raise WireError(f"expected the size of the deck, {len(form.deck)}", "$.terms.deck_size")
    return State(
        chart=chart,
        terms=checked(form.terms),
        deck=bytes(map(COLOURS.index, form.deck)),
        drawn=form.drawn,
        sequence=pairs_at(chart, form.sequence, "$.sequence"),
        hands=tuple(hand_of(seat.cards) for seat in form.seats),
        rails=tuple(seat.rails for seat in form.seats),
        owned=masks(chart, [seat.acquired for seat in form.seats]),
        destinations=tuple(
            pairs_at(chart, seat.destinations, f"$.seats[{number}].destinations")
            for number, seat in enumerate(form.seats)
        ),
        out=frozenset(Seat(number) for number, seat in enumerate(form.seats) if seat.out),
        turn=seat_at(form.turn, form.seats, "$.turn"),
        picking=form.picking,
        idle=form.idle,
        closer=None if form.closer is None else any_seat(form.closer, form.seats, "$.closer"),
    )


def view_to_json(view: View) -> Json:
    seats = [
        {
            "rails": view.rails[seat],
            "cards": view.hand_sizes[seat],
            "acquired": acquired_to_json(view.chart, view.owned[seat]),
            "out": seat in view.out,
        }
        for seat in range(len(view.rails))
    ]
    return {
        "me": view.me,
        "map": msgspec.to_builtins(view.chart.map),
        "terms": msgspec.to_builtins(view.terms),
        "cards": cards_to_json(view.cards),
        "destinations": [list(pair) for pair in view.destinations],
        "offer": [list(pair) for pair in view.offer],
        "left": view.left,
        "seats": seats,
        "turn": view.turn,
        "picking": view.picking,
    }


def view_from_json(value: Json) -> View:
    form: ViewJson = as_type(value, ViewJson)
    chart = chart_at(form.map)
    return View(
        me=any_seat(form.me, form.seats, "$.me"),
        chart=chart,
        terms=checked(form.terms),
        cards=hand_of(form.cards),
        destinations=pairs_at(chart, form.destinations, "$.destinations"),
        offer=pairs_at(chart, form.offer, "$.offer"),
        rails=tuple(seat.rails for seat in form.seats),
        hand_sizes=tuple(seat.cards for seat in form.seats),
        owned=masks(chart, [seat.acquired for seat in form.seats]),
        left=form.left,
        out=frozenset(Seat(number) for number, seat in enumerate(form.seats) if seat.out),
        turn=seat_at(form.turn, form.seats, "$.turn"),
        picking=form.picking,
    )


def chart_at(map: Map) -> Chart:
    """The chart of a map that was read; raises WireError for one with a flaw, whose words name the connection."""
    for flaw in flaws(map):
        where, listed, _ = flaw.where.removeprefix("$").partition(".connections")
        raise WireError(flaw.what, f"$.map{where}{listed}")
    return chart(map)


def checked(terms: Terms) -> Terms:
    for name in terms.__struct_fields__:
        if getattr(terms, name) < 0:
            raise WireError("expected no negative number", f"$.terms.{name}")
    return terms


def pairs_at(chart: Chart, pairs: Sequence[Destination], path: str) -> tuple[Destination, ...]:
    for index, pair in enumerate(pairs):
        if not chart.is_destination(pair):
            raise WireError(f"{' - '.join(pair)} is no destination of the map", f"{path}[{index}]")
    return tuple(pairs)


def masks(chart: Chart, players: Iterable[Sequence[Connection]]) -> tuple[int, ...]:
    """Who owns what; raises WireError for what is not on the map, or owned twice."""
    owned, taken = [], 0
    for seat, player in enumerate(players):
        mask = 0
        for index, connection in enumerate(player):
            bit = chart.bit(connection)
            if not bit or bit & (taken | mask):
                reason = "is owned twice" if bit else "is no connection of the map"
                raise WireError(f"{connection} {reason}", f"$.seats[{seat}].acquired[{index}]")
            mask |= bit
        taken |= mask
        owned.append(mask)
    return tuple(owned)


def any_seat(number: int, seats: Sequence[object], path: str) -> Seat:
    if number >= len(seats):
        raise WireError(f"there is no seat {number}", path)
    return Seat(number)


def seat_at(number: int | None, seats: Sequence[SeatJson] | Sequence[PublicJson], path: str) -> Seat | None:
    """Somebody who is still in, or nobody."""
    if number is None:
        return None
    seat = any_seat(number, seats, path)
    if seats[seat].out:
        raise WireError(f"seat {seat} is out", path)
    return seat
