"""The 102 gems as drawings."""

from __future__ import annotations

from itertools import combinations
from xml.etree import ElementTree

import pytest

from fairplay.games.labyrinth.gems import CUTS, FAMILIES, LOOKS, gem
from fairplay.games.labyrinth.tiles import GEMS


def test_every_gem_looks_different() -> None:
    """Labyrinth 10.6: 102 drawings of our own."""
    assert list(LOOKS) == list(GEMS)
    assert len(set(LOOKS.values())) == len(GEMS)
    assert sorted(name for names in FAMILIES.values() for name in names.split()) == list(GEMS)
    drawings = {gem(name, 0, 0, 1).replace(name, "") for name in GEMS}
    assert len(drawings) == len(GEMS)


def test_gems_have_the_cut_their_name_asks_for() -> None:
    assert LOOKS["yellow-heart"][1] == LOOKS["blue-spinel-heart"][1] == "heart"
    assert LOOKS["ruby-diamond-profile"][1] == "kite"
    assert LOOKS["iolite-emerald-cut"][1] == "emerald"
    assert LOOKS["raw-beryl"][1] == "raw"
    assert {cut for _, cut in LOOKS.values()} <= set(CUTS)


@pytest.mark.parametrize(("one", "other"), list(combinations(FAMILIES, 2)))
def test_colours_of_gems_differ_visibly(one: str, other: str) -> None:
    parts = [[int(color[start : start + 2], 16) for start in (1, 3, 5)] for color in (one, other)]
    assert sum(abs(a - b) for a, b in zip(*parts, strict=True)) > 60


@pytest.mark.parametrize("name", GEMS)
def test_a_gem_carries_its_name(name: str) -> None:
    drawing = ElementTree.fromstring(gem(name, 3, 4, 5))
    assert drawing.get("data-gem") == name
    assert drawing.findtext("title") == name
    assert drawing.get("transform") == "translate(3 4)scale(5)"
