"""Trains as short texts: `draw`, `Ash-Birch red 3`, `keep Ash-Birch; Cedar-Elm`; positions on one line.

    tiny | 45 250 4 2 5 2 | rbgw>wwrb... | Ash-Elm | 1,0,2,1 45: Ash-Birch red 3: Ash-Fir; Elm-Fir / out | 0 play 0 - 7

The map, by its name or as JSON; rails, deck size, cards dealt, cards per draw, destinations offered and kept; the deck
as it was before the first card was dealt, `>` behind those that have left it; the destinations still to be offered; for
each seat its cards (red, blue, green, white) and rails, its connections, its destinations; then whose turn it is,
whether destinations are picked, the idle turns, who began the last round, and how many turns were completed.
"""

import re
from collections.abc import Iterable, Sequence
from typing import assert_never

import msgspec

from fairplay.core import Json, NotationError, SetupError, WireError
from fairplay.core.convert import text as write_json
from fairplay.games.trains.codec import state_from_json
from fairplay.games.trains.map import COLORS, Connection, Destination, Map, bits
from fairplay.games.trains.maps.files import find_map, packaged_maps
from fairplay.games.trains.state import Acquire, Action, DrawCards, Pick, State, Terms, View

_EXPECTED = "'draw', CITY-CITY COLOR LENGTH, such as 'Ash-Birch red 3', or 'keep CITY-CITY; CITY-CITY'"
_CONNECTION = re.compile(
    r"(?P<first>[^-;]+)-(?P<second>[^-;]+?) (?P<color>red|blue|green|white)(?: (?P<length>[3-5]))?"
)
_PAIR = re.compile(r"([^-;]+)-([^-;]+)")


def format_action(action: Action) -> str:
    match action:
        case DrawCards():
            return "draw"
        case Acquire(Connection(first, second, color, length)):
            return f"{first}-{second} {color} {length}"
        case Pick(keep):
            return f"keep {_format_destinations(keep)}".rstrip()  # other seats are told of a pick without them
        case _:
            assert_never(action)


def parse_action(text: str, shown: State | View | None = None) -> Action:
    """Read an action.  With a state or view, a connection may leave out its length; raises NotationError."""
    if text.strip() == "draw":
        return DrawCards()
    if text.startswith("keep"):
        return _parse_pick(text)
    found = _CONNECTION.fullmatch(text)
    if found is None:
        raise NotationError(text, _EXPECTED)
    cities = sorted([found["first"], found["second"]])
    if found["length"] is not None:
        return read_action(text, {"do": "acquire", "connection": [*cities, found["color"], int(found["length"])]})
    return Acquire(_find_connection(text, cities, found["color"], shown))


def _parse_pick(text: str) -> Action:
    """Read the destinations to keep; raises NotationError."""
    if text.strip() == "keep":
        return Pick(())
    pairs = [_PAIR.fullmatch(part.removeprefix(" ")) for part in text.removeprefix("keep").split(";")]
    if not all(pairs):
        raise NotationError(text, _EXPECTED)
    return read_action(text, {"do": "pick", "keep": [sorted(pair.groups()) for pair in pairs if pair]})


def read_action(text: str, form: Json) -> Action:
    """The action of this form; raises NotationError if a field of it is wrong, such as a name that is too long."""
    try:
        action: Action = msgspec.convert(form, Action)
    except msgspec.ValidationError:
        raise NotationError(text, _EXPECTED) from None
    return action


def _find_connection(text: str, cities: list[str], color: str, shown: State | View | None) -> Connection:
    """The only connection of this colour between the cities; raises NotationError."""
    known: Sequence[Connection] = () if shown is None else shown.network.connections
    fitting = [each for each in known if [each.first, each.second] == cities and each.color == color]
    if len(fitting) != 1:
        lengths = ", ".join(str(each.length) for each in fitting)
        there_is = f"a connection of this map, such as '{format_action(Acquire(known[0]))}'" if known else _EXPECTED
        raise NotationError(text, f"its length at the end: {lengths}" if fitting else there_is)
    return fitting[0]


# -- positions ---------------------------------------------------------------------------------

_LETTERS = "rbgw"
_PHASES = ("play", "pick")
_POSITION = "MAP | TERMS | DECK | DESTINATIONS | SEAT / SEAT | TURN PHASE IDLE CLOSER NUMBER"


def format_position(state: State) -> str:
    """Write a state on one line, its hidden cards and destinations too."""
    cards = "".join(_LETTERS[card] for card in state.deck)
    seats = " / ".join(_format_seat(state, seat) for seat in range(len(state.rails)))
    sections = (
        _format_map(state.network.map),
        " ".join(str(getattr(state.terms, name)) for name in Terms.__struct_fields__),
        f"{cards[: state.drawn]}>{cards[state.drawn :]}",
        _format_destinations(state.sequence),
        seats,
        f"{_dash(state.turn)} {_PHASES[state.picking]} {state.idle} {_dash(state.closer)} {state.turn_number}",
    )
    return " | ".join(sections)


def _format_map(map: Map) -> str:
    """The name of a packaged map, any other map as JSON."""
    names = (name for name, packaged in packaged_maps().items() if packaged.map == map)
    return next(names, None) or write_json(map)


def _format_seat(state: State, seat: int) -> str:
    """Cards and rails, connections, destinations; or that the seat is out."""
    if seat in state.out:
        return "out"
    owned = (Acquire(state.network.connections[index]) for index in bits(state.owned[seat]))
    hand = ",".join(map(str, state.hands[seat]))
    connections = "; ".join(map(format_action, owned))
    return f"{hand} {state.rails[seat]}: {connections}: {_format_destinations(state.destinations[seat])}"


def _format_destinations(pairs: Iterable[Destination]) -> str:
    """Destinations, one after the other."""
    return "; ".join("-".join(pair) for pair in pairs)


def _dash(seat: int | None) -> str:
    """A seat, or a dash for none."""
    return "-" if seat is None else str(seat)


def parse_position(text: str) -> State:
    """Read a state; raises NotationError."""
    try:
        map, terms, deck, sequence, seats, rest = text.split(" | ")
        turn, phase, idle, closer, number = rest.split()
        gone, left = deck.split(">")
        return state_from_json(
            {
                "map": _parse_map(map),
                "terms": dict(zip(Terms.__struct_fields__, _map_numbers(terms.split(" ")), strict=True)),
                "deck": [COLORS[_LETTERS.index(letter)] for letter in gone + left],
                "drawn": len(gone),
                "sequence": _parse_destinations(sequence),
                "seats": [_parse_seat(seat) for seat in seats.split(" / ")],
                "turn": None if turn == "-" else int(turn),
                "picking": _PHASES.index(phase) == 1,
                "idle": int(idle),
                "closer": None if closer == "-" else int(closer),
                "variant": "standard",
                "turn_number": int(number),
            }
        )
    except (ValueError, LookupError, RecursionError, SetupError, WireError, msgspec.MsgspecError):
        raise NotationError(text, _POSITION, "a position of Trains") from None


def _parse_map(text: str) -> Json:
    """A map as JSON; raises SetupError if there is no packaged one of this name."""
    return msgspec.to_builtins(find_map(text)) if not text.startswith("{") else msgspec.json.decode(text.encode())


def _map_numbers(texts: Iterable[str]) -> list[int]:
    """Whole numbers; raises ValueError."""
    return [int(text) for text in texts]


def _parse_destinations(text: str) -> Json:
    """Pairs of cities; raises ValueError."""
    return [pair.split("-") for pair in text.split("; ") if pair]


def _parse_seat(text: str) -> Json:
    """All about one seat; raises ValueError."""
    if text == "out":
        return {"cards": {}, "rails": 0, "acquired": [], "destinations": [], "out": True}
    first, owned, destinations = text.split(":")
    hand, rails = first.split(" ")
    acquired = [parse_action(connection) for connection in owned.removeprefix(" ").split("; ") if connection]
    return {
        "cards": dict(zip(COLORS, _map_numbers(hand.split(",")), strict=True)),
        "rails": int(rails),
        "acquired": [msgspec.to_builtins(action)["connection"] for action in acquired],
        "destinations": _parse_destinations(destinations.removeprefix(" ")),
        "out": False,
    }
