"""The treasures of the original game as pictures."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from fairplay.games.labyrinth.deal import TREASURES
from fairplay.games.labyrinth.drawing.treasures import (
    CUTS,
    FAMILIES,
    GEM_LOOKS,
    OUTLINES,
    TREASURE_SHAPES,
    define_treasures,
    draw_gem,
    draw_treasure,
    name_treasure,
    treasure_icon,
)
from fairplay.games.labyrinth.tiles import GEMS


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


# -- gems -------------------------------------------------------------------------------------


def test_every_gem_looks_different() -> None:
    """Labyrinth 10.6: 102 drawings of our own."""
    assert list(GEM_LOOKS) == list(GEMS)
    assert len(set(GEM_LOOKS.values())) == len(GEMS)
    assert sorted(name for names in FAMILIES.values() for name in names.split()) == list(GEMS)
    drawings = {draw_gem(name, 0, 0, 8) for name in GEMS}
    assert len(drawings) == len(GEMS)


def test_gems_have_the_cut_their_name_asks_for() -> None:
    assert GEM_LOOKS["yellow-heart"][1] == GEM_LOOKS["blue-spinel-heart"][1] == "heart"
    assert GEM_LOOKS["ruby-diamond-profile"][1] == "kite"
    assert GEM_LOOKS["iolite-emerald-cut"][1] == "emerald"
    assert GEM_LOOKS["raw-beryl"][1] == "raw"
    assert {cut for _, cut in GEM_LOOKS.values()} <= set(CUTS)


@pytest.mark.parametrize(("one", "other"), list(combinations(FAMILIES, 2)))
def test_colours_of_gems_differ_visibly(one: str, other: str) -> None:
    parts = [[int(color[start : start + 2], 16) for start in (1, 3, 5)] for color in (one, other)]
    assert sum(abs(a - b) for a, b in zip(*parts, strict=True)) > 60


@pytest.mark.parametrize("name", GEMS)
def test_a_gem_has_its_cut_in_its_colour(name: str) -> None:
    color, cut = GEM_LOOKS[name]
    drawing = ElementTree.fromstring(draw_gem(name, 3, 4, 5))
    assert drawing.get("transform") == "translate(3 4)scale(5)"
    assert (drawing[0].get("d"), drawing[0].get("fill")) == (OUTLINES[cut], color)


def test_every_cut_looks_different() -> None:
    assert len(set(OUTLINES.values())) == len(CUTS)
