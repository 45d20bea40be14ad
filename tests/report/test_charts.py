"""Charts: well-formed, with every rating in its place, and safe whatever players are called."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from fairplay.contest.scoreboard import StandingsRow
from fairplay.contest.statistics import Estimate
from fairplay.report.charts import MAX_NAME_LENGTH, ChartPoint, make_axis, rating_chart, rating_history_chart
from report.samples import standing

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('&')</script>\""


def rating(name: str, value: float, spread: float = 30.0) -> StandingsRow:
    return standing(name, None, Estimate(value, value - spread, value + spread))


def read(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def per_cent(element: ElementTree.Element, name: str) -> float:
    return float(element.attrib[name].removesuffix("%"))


@pytest.mark.parametrize(("low", "high"), [(1500, 1500), (1490.1, 1502), (-2000, 4000), (1000, 2000), (0, 10**6)])
def test_an_axis_shows_everything_in_round_numbers(low: float, high: float) -> None:
    made = make_axis(low, high, 5)
    assert made.first <= low <= high <= made.last
    assert 0 <= made.share(low) <= made.share(high) <= 1
    assert made.first % made.step == made.last % made.step == 0
    assert len(made.marks) <= 6 or made.step == 10_000


def test_every_player_has_a_dot_inside_its_interval() -> None:
    svg = read(rating_chart([rating("best", 1700), rating("middle", 1500, 60), rating("last", 1300)]))
    dots = [per_cent(dot, "cx") for dot in svg.iter(f"{SVG}circle")]
    bars = [
        (per_cent(bar, "x1"), per_cent(bar, "x2")) for bar in svg.iter(f"{SVG}line") if bar.get("class") == "interval"
    ]
    assert dots == sorted(dots, reverse=True) and len({*dots}) == 3
    assert all(0 <= left < dot < right <= 100 for dot, (left, right) in zip(dots, bars, strict=True))
    assert bars[1][1] - bars[1][0] == pytest.approx(2 * (bars[0][1] - bars[0][0]), abs=0.05)


def test_intervals_after_few_matches_do_not_squeeze_the_dots_together() -> None:
    svg = read(rating_chart([rating("one", 1600, 1500), rating("other", 1400, 1500)]))
    dots = [per_cent(dot, "cx") for dot in svg.iter(f"{SVG}circle")]
    assert dots[0] - dots[1] > 20
    bars = [bar for bar in svg.iter(f"{SVG}line") if bar.get("class") == "interval"]
    assert all(0 <= per_cent(bar, "x1") < per_cent(bar, "x2") <= 100 for bar in bars)


def test_a_chart_names_itself_and_every_figure() -> None:
    svg = read(rating_chart([rating("best", 1700.4)], lambda name: f"/players/fish/{name}"))
    assert svg.attrib["role"] == "group"  # an image would hide its links
    assert read(rating_chart([rating("best", 1700.4)])).attrib["role"] == "img"
    assert svg.attrib["aria-label"] == "ratings with 95 % intervals"
    assert [title.text for title in svg.iter(f"{SVG}title")] == ["best: 1700 [1670, 1730], 4 matches"]
    assert [link.attrib["href"] for link in svg.iter(f"{SVG}a")] == ["/players/fish/best"]


def test_names_are_text_whatever_they_are() -> None:
    svg = read(rating_chart([rating(HOSTILE, 1500)], lambda name: f"/{name}"))
    assert not list(svg.iter(f"{SVG}script"))
    assert f"{HOSTILE}: 1500" in (svg.findtext(f".//{SVG}title") or "")
    assert [link.attrib["href"] for link in svg.iter(f"{SVG}a")] == [f"/{HOSTILE}"]


def test_a_long_name_is_shortened_but_its_title_is_not() -> None:
    svg = read(rating_chart([rating("x" * 99, 1500)]))
    assert [text.text for text in svg.iter(f"{SVG}text") if (text.text or "").startswith("x")] == [
        "x" * (MAX_NAME_LENGTH - 1) + "…"
    ]
    assert (svg.findtext(f".//{SVG}title") or "").startswith("x" * 99)


def test_players_that_have_not_played_have_a_row_without_a_dot() -> None:
    unknown = replace(standing("new", None, Estimate(1500.0, None, None)), matches=0)
    svg = read(rating_chart([rating("a", 1500), unknown]))
    assert len(list(svg.iter(f"{SVG}circle"))) == 1
    assert [title.text for title in svg.iter(f"{SVG}title")][1] == "new: not rated yet"
    assert svg.attrib["height"] == read(rating_chart([rating("a", 1500), rating("new", 1500)])).attrib["height"]
    assert not list(read(rating_chart([unknown])).iter(f"{SVG}circle"))
    assert list(read(rating_chart([])).iter(f"{SVG}line"))


def test_ratings_over_time_go_from_left_to_right_and_up() -> None:
    points = [
        ChartPoint(f"#{number}", Estimate(1400.0 + 50 * number, 1300, 1700), f"/t/{number}") for number in range(4)
    ]
    svg = read(rating_history_chart(points))
    across = [per_cent(dot, "cx") for dot in svg.iter(f"{SVG}circle")]
    down = [float(dot.attrib["cy"]) for dot in svg.iter(f"{SVG}circle")]
    assert across == sorted(across) and across[0] > 0 and across[-1] < 100
    assert down == sorted(down, reverse=True)
    assert len([line for line in svg.iter(f"{SVG}line") if line.get("class") == "trend"]) == 3
    assert [link.attrib["href"] for link in svg.iter(f"{SVG}a")] == [f"/t/{number}" for number in range(4)]
    assert next(link.attrib["aria-label"] for link in svg.iter(f"{SVG}a")) == "#0: 1400 [1300, 1700]"


def test_one_rating_stands_in_the_middle() -> None:
    svg = read(rating_history_chart([ChartPoint(HOSTILE, Estimate(1500.0, 1400, 1600), f"/{HOSTILE}")]))
    (dot,) = svg.iter(f"{SVG}circle")
    assert 40 < per_cent(dot, "cx") < 70
    assert not list(svg.iter(f"{SVG}script"))


def test_a_rating_without_bounds_has_a_dot_alone() -> None:
    points = [ChartPoint("a", Estimate(1500.0, None, None), "/a"), ChartPoint("b", Estimate(1600.0, 1500, 1700), "/b")]
    svg = read(rating_history_chart(points))
    assert len(list(svg.iter(f"{SVG}circle"))) == 2
    assert len([line for line in svg.iter(f"{SVG}line") if line.get("class") == "interval"]) == 1
    assert svg.findtext(f".//{SVG}title") == "a: 1500"


def test_of_many_points_some_are_labelled() -> None:
    points = [ChartPoint(f"#{number}", Estimate(1500.0, 1400, 1600), "/") for number in range(30)]
    texts = [
        text.text for text in read(rating_history_chart(points)).iter(f"{SVG}text") if (text.text or "").startswith("#")
    ]
    assert texts == [f"#{number}" for number in range(0, 30, 4)]
