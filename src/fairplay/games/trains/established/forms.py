"""The player state of Trains 10.1: what a player is shown of a match, as JSON."""

from typing import Any

from msgspec import Struct

from fairplay.core import Json, Seat, WireError
from fairplay.core.convert import as_type
from fairplay.games.trains.codec import Cards, Natural, acquired_to_json, cards_to_json, hand_from_cards
from fairplay.games.trains.deal import remaining_seats
from fairplay.games.trains.map import Connection, Destination, RailNetwork
from fairplay.games.trains.state import Terms, View


class _PlayerStateForm(Struct, frozen=True):
    """A player state; how many destinations there are depends on the setup (Trains 13.4)."""

    this: dict[str, Any]
    acquired: tuple[tuple[Connection, ...], ...]


class _ThisPlayerForm(Struct, frozen=True):
    """What a player state says of the player itself, apart from its destinations."""

    rails: Natural
    cards: Cards
    acquired: tuple[Connection, ...]


def player_state_to_json(view: View) -> Json:
    """Write down what the owner of `view` is shown when it is its turn (Trains 10.6)."""
    seats = remaining_seats(view)
    mine = seats.index(view.me)
    destinations = {f"destination{number}": list(pair) for number, pair in enumerate(view.destinations, 1)}
    this = {
        **destinations,
        "rails": view.rails[view.me],
        "cards": cards_to_json(view.cards),
        "acquired": acquired_to_json(view.network, view.owned[view.me]),
    }
    others = seats[mine + 1 :] + seats[:mine]
    return {"this": this, "acquired": [acquired_to_json(view.network, view.owned[seat]) for seat in others]}


def player_state_from_json(value: Json, network: RailNetwork, terms: Terms | None = None) -> View:
    """Read the view that a player state describes, its owner as seat 0; raises WireError.

    Owned connections need not be on the map, and two players may own the same one (Trains 12.2).  What the protocol
    does not tell has the least value it can have: the hands of others are empty.
    """
    terms = terms or Terms()
    form: _PlayerStateForm = as_type(value, _PlayerStateForm)
    this: _ThisPlayerForm = _as_type_at(form.this, _ThisPlayerForm, "$.this")
    numbers = range(1, terms.kept + 1)
    destinations = [_read_destination(form.this, f"destination{number}") for number in numbers]
    players = (this.acquired, *form.acquired)
    for connection in (one for player in players for one in player):
        if connection.first >= connection.second:
            raise WireError(f"{connection} is not written with the smaller name first", "$")
    owned = tuple(sum({network.bit(one) for one in player}) for player in players)
    spent = [sum(one.length for one in player) for player in players]
    rails = (this.rails, *(max(0, terms.rails - used) for used in spent[1:]))
    hand = hand_from_cards(this.cards)
    return View(
        me=Seat(0),
        network=network,
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


def _read_destination(this: dict[str, Any], key: str) -> Destination:
    """Read one destination of a player; raises WireError."""
    if key not in this:
        raise WireError(f"Object missing required field {key}", "$.this")
    first, second = _as_type_at(this[key], Destination, f"$.this.{key}")
    if first >= second:
        raise WireError(f"{second!r} must be written before {first!r}", f"$.this.{key}")
    return first, second


def _as_type_at(value: Json, kind: object, path: str) -> Any:
    """Read `value` as the type `kind`; raises WireError with a path that begins with `path`."""
    try:
        return as_type(value, kind)
    except WireError as error:
        message = str(error).removesuffix(f" at {error.path}")
        raise WireError(message, path + error.path.removeprefix("$")) from None
