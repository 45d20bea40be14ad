"""How the tests of pictures look into them."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from fairplay.games.labyrinth import GAME

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*arguments: object) -> ElementTree.Element:
    return ElementTree.fromstring(GAME.shown.picture(*arguments))


def marked(root: ElementTree.Element, mark: str) -> Iterator[ElementTree.Element]:
    return (element for element in root.iter() if element.get(mark) is not None)


def titles(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}title")]


def place_of(tile: ElementTree.Element) -> str:
    """Where a tile lies, however it is turned."""
    return (tile.get("transform") or "").partition("rotate")[0]
