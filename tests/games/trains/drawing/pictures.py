"""How the tests of pictures look into them, and a state that they draw."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.core import Seat
from fairplay.games.trains import rules
from fairplay.games.trains.maps.files import map_from_json
from fairplay.games.trains.state import Acquire, Setup, State
from games.trains.sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A, B = Seat(0), Seat(1)
SVG = "{http://www.w3.org/2000/svg}"


def parse_picture(text: str) -> ElementTree.Element:
    """The root of a picture."""
    return ElementTree.fromstring(text)


def elements_with(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    """The elements that have the attribute ``data-<name>``."""
    return [element for element in root.iter() if f"data-{name}" in element.attrib]


def some_state() -> State:
    """The first of two seats has just taken a connection."""
    start = played(Setup(map=M, deck=cards("rrrrbbbb" + "gw"), destinations="ordered"), 2)
    return rules.apply(start, Acquire(line("Alma-Bree red 3")))
