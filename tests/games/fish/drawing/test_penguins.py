"""The penguins of Fish."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.core import Seat
from fairplay.games.fish.drawing.penguins import FIGURES, PENGUINS, draw_token
from fairplay.games.fish.state import COLORS


def test_penguins_differ_in_more_than_colour() -> None:
    assert tuple(FIGURES) == COLORS
    assert len({figure.dress for figure in FIGURES.values()}) == len(COLORS)
    assert len({(figure.build, figure.wings) for figure in FIGURES.values()}) == 3  # red and black by their dress alone


def test_a_token_wears_the_colours_of_the_board() -> None:
    for seat, color in enumerate(COLORS):
        token = draw_token(Seat(seat))
        root = ElementTree.fromstring(token)
        assert (root.get("viewBox"), root.get("aria-label")) == ("0 0 24 24", f"{color} penguin")
        assert FIGURES[color].coat in token
        assert FIGURES[color].dress in token and FIGURES[color].dress in PENGUINS
        assert " id=" not in token and "<style" not in token  # many of them stand on one page
