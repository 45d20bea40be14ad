"""The review graph: well-formed, a line for every seat, a link at every mark, and safe whatever players are called."""

from __future__ import annotations

import re
from colorsys import rgb_to_hsv
from dataclasses import replace
from itertools import combinations
from xml.etree import ElementTree

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.core.thinking import Candidate
from fairplay.match.review.analysis import Analysis, ReviewedTurn, mark_loss
from fairplay.report.reviews import review_chart, style_lines, to_linear
from kit import TESTS

STATIC = TESTS.parent / "src" / "fairplay"
SHEETS = [STATIC / "web" / "static" / "fairplay.css", *STATIC.glob("report/templates/*.css")]
PAPERS = sorted({*re.findall(r"--(?:paper|sheet): ?(#[0-9a-f]{6})", "".join(file.read_text() for file in SHEETS))})
COLORED = [name for name, game in GAMES.items() if game.shown.seat_color is not None]
SVG = "{http://www.w3.org/2000/svg}"
STYLES = style_lines(GAMES["fish"], 2)
HOSTILE = "<script>alert('&')</script>\""


def make_turn(number: int, seat: int, before: tuple[float, ...], after: tuple[float, ...]) -> ReviewedTurn:
    loss = round(before[seat] - after[seat], 9)
    best, played = Candidate("best", before), Candidate("played", after)
    return ReviewedTurn(number, Seat(seat), "played", best, played, loss, mark_loss(loss), 1, exact=False)


def make_analysis(end: tuple[float, ...] | None = (0.0, 1.0)) -> Analysis:
    turns = (make_turn(1, 0, (0.6, 0.4), (0.3, 0.7)), make_turn(2, 1, (0.2, 0.8), (0.2, 0.8)))
    return Analysis("search", turns, (), 1, 4, end)


def test_lines_show_what_each_seat_could_expect() -> None:
    svg = ElementTree.fromstring(review_chart(make_analysis(), [HOSTILE, "other"], STYLES))
    first, second = (line.attrib["points"] for line in svg.iter(f"{SVG}polyline"))
    assert first == "0,40.0 1,70.0 4,100.0"
    assert second == "1,20.0 2,20.0 4,0.0"
    assert HOSTILE in "".join(svg.itertext())


def test_marks_are_links_to_their_turns() -> None:
    svg = ElementTree.fromstring(review_chart(make_analysis(), ["a", "b"], STYLES, link=lambda turn: f"/turns/{turn}"))
    (link,) = svg.iter(f"{SVG}a")
    assert (link.attrib["href"], link.attrib["data-turn"]) == ("/turns/1", "1")
    assert link.attrib["aria-label"] == "Turn 1: blunder, 30 points lost"
    assert [text.text for text in link.iter(f"{SVG}text")] == ["??"]
    (dot,) = link.iter(f"{SVG}circle")
    assert dot.attrib["fill"] == STYLES[0].color == next(svg.iter(f"{SVG}polyline")).attrib["stroke"]


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_no_two_lines_look_the_same(seats: int) -> None:
    svg = ElementTree.fromstring(
        review_chart(Analysis("x", (), (), None, 0, None), ["name"] * seats, style_lines(GAMES["trains"], seats))
    )
    looks = [(line.attrib["stroke"], line.attrib.get("stroke-dasharray")) for line in svg.iter(f"{SVG}polyline")]
    assert len({*looks}) == seats


def test_a_match_that_was_cut_off_ends_where_it_ends() -> None:
    svg = ElementTree.fromstring(review_chart(make_analysis(end=None), ["a", "b"], STYLES))
    assert [line.attrib["points"] for line in svg.iter(f"{SVG}polyline")] == ["0,40.0 1,70.0", "1,20.0 2,20.0"]


# -- the lines of seats ------------------------------------------------------------------------


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
    assert game.shown.seat_color is not None
    for seat, style in enumerate(style_lines(game, game.seats[-1])):
        piece = game.shown.seat_color(Seat(seat))
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
    game = replace(GAMES["fish"], shown=replace(GAMES["fish"].shown, seat_color=None))
    assert len({style.color for style in style_lines(game, 4)}) == 4
