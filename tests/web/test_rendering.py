"""What templates make of values."""

from __future__ import annotations

from fairplay.web.matches.api import MatchInfo
from fairplay.web.rendering import templates


def test_a_score_of_nothing_is_a_number_and_a_removed_seat_has_none() -> None:
    match = MatchInfo("a", "labyrinth", ("x", "y", "z"), "over", 3, 0.0, (1,), (0, 7, None))
    page = templates().get_template("match_list.html").render(matches=[match])
    assert "0 : 7 : –" in page
    assert "<strong>y ★</strong>" in page
