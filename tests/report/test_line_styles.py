"""The lines of seats in graphs: in the colours of the pieces, seen on every page, and told apart."""

from __future__ import annotations

import re
from colorsys import rgb_to_hsv
from dataclasses import replace
from itertools import combinations

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.report.line_styles import style_lines, to_linear
from kit import TESTS

STATIC = TESTS.parent / "src" / "fairplay"
SHEETS = [STATIC / "web" / "static" / "fairplay.css", *STATIC.glob("report/templates/*.css")]
PAPERS = sorted({*re.findall(r"--(?:paper|sheet): ?(#[0-9a-f]{6})", "".join(file.read_text() for file in SHEETS))})
COLORED = [name for name, game in GAMES.items() if game.seat_color is not None]


def parts(color: str) -> tuple[float, float, float]:
    red, green, blue = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    light = sorted(
        sum(share * to_linear(part) for share, part in zip((0.2126, 0.7152, 0.0722), parts(color), strict=True))
        for color in (one, other)
    )
    return (light[1] + 0.05) / (light[0] + 0.05)


def hue(color: str) -> float:
    return rgb_to_hsv(*parts(color))[0]


@pytest.mark.parametrize("name", COLORED)
def test_a_line_has_the_hue_of_the_pieces(name: str) -> None:
    game = GAMES[name]
    assert game.seat_color is not None
    for seat, style in enumerate(style_lines(game, game.seats[-1])):
        piece = game.seat_color(Seat(seat))
        apart = abs(hue(style.color) - hue(piece))
        assert min(apart, 1 - apart) < 0.03, (seat, piece, style.color)


def test_the_pages_have_light_and_dark_papers() -> None:
    assert any(contrast(paper, "#000000") > 15 for paper in PAPERS) and any(
        contrast(paper, "#ffffff") > 15 for paper in PAPERS
    )


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("paper", PAPERS)
def test_a_line_is_seen_on_light_and_on_dark_pages(name: str, paper: str) -> None:
    for style in style_lines(GAMES[name], GAMES[name].seats[-1]):
        assert contrast(style.color, paper) >= 3


@pytest.mark.parametrize("name", GAMES)
def test_no_two_seats_have_the_same_line(name: str) -> None:
    styles = style_lines(GAMES[name], GAMES[name].seats[-1])
    assert all(one != other for one, other in combinations(styles, 2))


def test_a_game_need_not_say_what_colours_its_pieces_have() -> None:
    game = replace(GAMES["fish"], seat_color=None)
    assert len({style.color for style in style_lines(game, 4)}) == 4
