"""The moving picture of the front page is the one that the drawing of Fish gives today, and shows every moment."""

from __future__ import annotations

from xml.etree import ElementTree

from tools.moving_picture import TARGET, animate, draw_match, draw_moments

from fairplay.catalog import GAMES


def test_it_can_be_made_again() -> None:
    """After a change that is meant to alter it: ``python -m tools.moving_picture``."""
    assert TARGET.read_text("utf-8") == draw_match()
    assert TARGET.stat().st_size < 300_000


def test_every_element_of_every_moment_is_in_it() -> None:
    pictures = [*draw_moments(GAMES["fish"], ["greedy", "random"], {"rows": 3, "columns": 3, "fish": 1}, 1)]
    moving = ElementTree.fromstring(animate(pictures, "a match"))
    penguins = {element.get("transform") for element in moving.iter() if "penguin" in element.get("class", "")}
    drawn = {
        element.get("transform")
        for picture in pictures
        for element in ElementTree.fromstring(picture).iter()
        if "penguin" in element.get("class", "")
    }
    assert len(pictures) > 5
    assert penguins == drawn
