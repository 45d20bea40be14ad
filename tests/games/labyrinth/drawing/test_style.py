"""Styles and definitions."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.games.labyrinth.drawing.style import STYLE, bind_rule, build_definitions


def test_every_rule_is_bound_to_pictures_of_labyrinth() -> None:
    assert bind_rule(".a,.b .c{fill:red}") == ".labyrinth-board .a,.labyrinth-board .b .c{fill:red}"
    for mark in (".lit", ".chosen", ".near", ".hint"):
        assert f"[data-at]{mark}" in STYLE
        assert f"{mark} .plate" in STYLE


def test_what_a_match_does_not_show_is_not_defined() -> None:
    plain, original = build_definitions(2, False), build_definitions(4, True)
    assert "labyrinth-treasure" not in plain
    assert "labyrinth-treasure-amethyst" in original
    assert "labyrinth-pawn-2" not in plain
    for definitions in (plain, original):
        ids = [element.get("id") for element in ElementTree.fromstring(f"<defs>{definitions}</defs>")]
        assert None not in ids
        assert len(set(ids)) == len(ids)


def test_no_class_stands_in_a_definition() -> None:
    """Rules do not reach what is drawn by ``use``."""
    assert 'class="' not in build_definitions(6, True)
