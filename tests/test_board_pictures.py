"""The pictures of the front page are those that the games draw today; the moving one shows every moment."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from tools.board_pictures import FOLDER, PICTURES, draw_moments

from fairplay.catalog import GAMES
from fairplay.web.sharing.pictures import animate_pictures


@pytest.mark.parametrize("name", PICTURES)
def test_it_can_be_made_again(name: str) -> None:
    """After a change that is meant to alter it: ``python -m tools.board_pictures``."""
    file = FOLDER / name
    assert file.read_text("utf-8") == PICTURES[name]()
    assert file.stat().st_size < 300_000


def test_every_element_of_every_moment_is_in_it() -> None:
    pictures = [*draw_moments(GAMES["fish"], ["greedy", "random"], {"rows": 3, "columns": 3, "fish": 1}, 1)]
    moving = ElementTree.fromstring(animate_pictures(pictures, "a match"))
    penguins = {element.get("transform") for element in moving.iter() if "penguin" in element.get("class", "")}
    drawn = {
        element.get("transform")
        for picture in pictures
        for element in ElementTree.fromstring(picture).iter()
        if "penguin" in element.get("class", "")
    }
    assert len(pictures) > 5
    assert penguins == drawn
