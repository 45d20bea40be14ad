"""What templates make of values."""

from __future__ import annotations

from fairplay.web.matches.listing import MatchInfo
from fairplay.web.pages.home import Hero
from fairplay.web.rendering.pages import embed_json, format_time, player_path, render_template
from fairplay.web.sharing.links import PageMeta


def test_a_score_of_nothing_is_a_number_and_a_removed_seat_has_none() -> None:
    match = MatchInfo("a", "labyrinth", ("x", "y", "z"), "over", 3, 0.0, (1,), (0, 7, None))
    page = render_template("match_list.html", matches=[match])
    assert "0 : 7 : –" in page
    assert "<strong>y&nbsp;★</strong>" in page


def test_everything_in_a_page_is_escaped_but_our_own_drawings() -> None:
    match = MatchInfo("a", "fish", ("<b>", "y"), "playing", 3, 0.0)
    assert "&lt;b&gt;, y" in render_template("match_list.html", matches=[match])
    assert "<svg" in render_template("home.html", **HOME)


HOME = {
    "games_here": "Fish",
    "cards": [],
    "hero": Hero("", 3, "<svg></svg>", "red moved"),
    "running": [],
    "recent": [],
    "tournaments": [],
    "own_games": [],
    "path": "/",
    "owner": False,
    "version": "1",
    "meta": PageMeta("Fairplay", "games"),
}


def test_no_text_ends_the_script_that_holds_it() -> None:
    assert embed_json('{"name":"</script>"}') == '{"name":"\\u003c/script>"}'


def test_a_time_is_the_same_for_everyone() -> None:
    assert format_time(0) == "1970-01-01 00:00 UTC"


def test_the_path_of_a_player_holds_any_name() -> None:
    assert player_path("fish", "a/b ?") == "/players/fish/a%2Fb%20%3F"
