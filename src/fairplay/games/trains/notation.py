"""Trains actions as short texts: `draw`, `Ash-Birch red 3`, `keep Ash-Birch; Cedar-Elm`."""

from __future__ import annotations

import re
from typing import Any, Final, assert_never

import msgspec

from fairplay.core import NotationError
from fairplay.games.trains.map import Connection
from fairplay.games.trains.state import Acquire, Action, DrawCards, Pick

__all__ = ["format_action", "parse_action"]

EXPECTED: Final = "'draw', CITY-CITY COLOR LENGTH, such as 'Ash-Birch red 3', or 'keep CITY-CITY; CITY-CITY'"
CONNECTION: Final = re.compile(
    r"(?P<first>[^-;]+)-(?P<second>[^-;]+?) (?P<color>red|blue|green|white)(?: (?P<length>[3-5]))?"
)
PAIR: Final = re.compile(r"([^-;]+)-([^-;]+)")


def format_action(action: Action) -> str:
    """Write an action."""
    match action:
        case DrawCards():
            return "draw"
        case Acquire(Connection(first, second, color, length)):
            return f"{first}-{second} {color} {length}"
        case Pick(keep):
            return f"keep {'; '.join('-'.join(pair) for pair in keep)}"
        case _:
            assert_never(action)


def parse_action(text: str, shown: Any = None) -> Action:
    """Read an action.  With a state or view, a connection may leave out its length; raises NotationError."""
    if text.strip() == "draw":
        return DrawCards()
    if text.startswith("keep"):
        return parse_pick(text)
    found = CONNECTION.fullmatch(text)
    if found is None:
        raise NotationError(text, EXPECTED)
    cities = sorted([found["first"], found["second"]])
    if found["length"] is not None:
        return Acquire(msgspec.convert([*cities, found["color"], int(found["length"])], Connection))
    return Acquire(find_connection(text, cities, found["color"], shown))


def parse_pick(text: str) -> Pick:
    """Read the destinations to keep; raises NotationError."""
    pairs = [PAIR.fullmatch(part.removeprefix(" ")) for part in text.removeprefix("keep").split(";")]
    if not all(pairs):
        raise NotationError(text, EXPECTED)
    return Pick(tuple((min(pair.groups()), max(pair.groups())) for pair in pairs if pair))


def find_connection(text: str, cities: list[str], color: str, shown: Any) -> Connection:
    """The only connection of this colour between the cities; raises NotationError."""
    known: tuple[Connection, ...] = () if shown is None else shown.network.connections
    fitting = [each for each in known if [each.first, each.second] == cities and each.color == color]
    if len(fitting) != 1:
        lengths = ", ".join(str(each.length) for each in fitting)
        raise NotationError(text, f"its length at the end: {lengths}" if fitting else EXPECTED)
    return fitting[0]
