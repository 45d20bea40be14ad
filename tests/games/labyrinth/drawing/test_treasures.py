"""The treasures of the original game as pictures."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from fairplay.games.labyrinth.deal import TREASURES
from fairplay.games.labyrinth.drawing.treasures import (
    TREASURE_SHAPES,
    define_treasures,
    draw_treasure,
    name_treasure,
    treasure_icon,
)


def test_every_treasure_looks_different_and_is_called_differently() -> None:
    """Labyrinth 13.3: the first 24 gems."""
    assert tuple(TREASURE_SHAPES) == TREASURES
    assert len({shape.gold + shape.cord for shape in TREASURE_SHAPES.values()}) == len(TREASURES)
    assert len({shape.noun for shape in TREASURE_SHAPES.values()}) == len(TREASURES)
    assert name_treasure("amethyst") == "amethyst goblet"
    assert name_treasure("black-onyx") == "black onyx cat"


@pytest.mark.parametrize("gem", TREASURES)
def test_a_treasure_is_drawn_by_what_is_defined(gem: str) -> None:
    defined = {element.get("id") for element in ElementTree.fromstring(f"<defs>{define_treasures()}</defs>")}
    assert (ElementTree.fromstring(draw_treasure(gem)).get("href") or "").removeprefix("#") in defined
    assert ElementTree.fromstring(treasure_icon(gem)).get("viewBox")


def test_other_gems_are_shown_alone() -> None:
    assert name_treasure("ruby") == "ruby"
    assert "href" not in draw_treasure("ruby")
