"""The review graph: well-formed, a line for every seat, a link at every mark, and safe whatever players are called."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.match.review.analysis import Analysis, ReviewedTurn, mark_loss
from fairplay.parts.thinking import Candidate
from fairplay.report.line_styles import style_lines
from fairplay.report.review_chart import review_chart

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
