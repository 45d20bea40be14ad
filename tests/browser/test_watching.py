"""People who watch in a browser: live, and step by step."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

from browser.test_pages import SCHEMES, looked_at
from browser.watched import open_table, over, play_on, watched
from fairplay.catalog import GAMES
from fairplay.kernels.code import has_compiler
from fairplay.report.reviews import style_lines
from web.servers import Site, wait_until


def wait_beside(page: Page, true: Callable[[], bool]) -> None:
    """Wait until it is true while the page goes on."""

    def look() -> bool:
        page.wait_for_timeout(20)
        return true()

    wait_until(look)


@pytest.fixture
def recorded(context: BrowserContext) -> str:
    """A match that is over."""
    id = open_table(context, "fish", "greedy", "random")["id"]
    over(context, str(id))
    return str(id)


def number(page: Page) -> int:
    return int(page.locator("#number").text_content() or 0)


def test_a_live_match_is_seen_in_a_second_browser(
    page: Page, context: BrowserContext, browser: Browser, site: Site
) -> None:
    id = open_table(context, "fish", "me", "greedy")["id"]
    page.goto(f"/matches/{id}")
    other = browser.new_context(base_url=site.url)
    with watched(other.new_page(), site) as second:
        second.goto(f"/matches/{id}")
        for at in (2, 4, 6):
            play_on(page, Random(at), 1)
            expect(second.locator("#number")).to_have_text(str(at))
            expect(second.locator("#turns li")).to_have_count(at + 1)
        play_on(page, Random(1))
        for one in (page, second):
            expect(one.locator("#prompt")).to_contain_text("won")
        turns = [one.locator("#turns li").all_inner_texts() for one in (page, second)]
        assert turns[0] == [words.replace("guest 1", "You") for words in turns[1]]
        assert len(turns[0]) == number(page) + 1
    other.close()


def test_the_end_of_a_match_leaves_whoever_looks_where_they_are(page: Page, context: BrowserContext) -> None:
    id = open_table(context, "fish", "random", "random", pace=0.1)["id"]
    page.goto(f"/matches/{id}")
    page.evaluate("() => { window.untouched = true; }")
    expect(page.locator("#number")).to_have_text(re.compile(r"^([3-9]|\d\d)$"))
    page.keyboard.press("Home")
    expect(page.get_by_role("link", name="Download the record")).to_be_visible()
    expect(page.locator("#number")).to_have_text("0")
    assert page.evaluate("() => window.untouched"), "the page was loaded again"
    page.keyboard.press("End")
    expect(page.locator("#prompt")).to_contain_text("won")


def test_scrubbing_by_buttons_keys_list_and_slider(page: Page, recorded: str) -> None:
    page.goto(f"/matches/{recorded}")
    last = int(page.locator("#last").text_content() or 0)
    shown = page.locator("#number")
    pictures: dict[int, str] = {}
    for press, at in [
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("ArrowLeft", 0),
        ("End", last),
    ]:
        page.keyboard.press(press)
        expect(shown).to_have_text(str(at))
        page.wait_for_load_state("networkidle")
        page.wait_for_function("() => document.getAnimations().length === 0")
        picture = page.locator("#board").inner_html()
        assert pictures.setdefault(at, picture) == picture
    assert len({*pictures.values()}) == len(pictures)
    for button, at in [("First turn", 0), ("One turn forward", 1), ("One turn back", 0), ("Last turn", last)]:
        page.get_by_role("button", name=button, exact=True).click()
        expect(shown).to_have_text(str(at))
        page.keyboard.press("Home")  # after a click the keys still mean the match
        expect(shown).to_have_text("0")
        page.get_by_role("button", name=button, exact=True).click()
        expect(shown).to_have_text(str(1 if at == 1 else at))
    page.locator("#turns button").nth(3).click()
    expect(shown).to_have_text("3")
    expect(page.locator("#turns [aria-current]")).to_have_count(1)
    page.locator("#scrub").fill("5")
    expect(shown).to_have_text("5")


def test_space_plays_and_pauses(page: Page, recorded: str) -> None:
    page.goto(f"/matches/{recorded}?turn=0")
    page.locator("#speed").select_option("200")
    page.locator("#main").focus()
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
    page.wait_for_function("() => Number(document.querySelector('#number').textContent) >= 4")
    page.keyboard.press("Space")
    expect(page.locator("#play")).to_have_attribute("aria-label", "Play")
    at = number(page)
    page.wait_for_timeout(500)
    assert number(page) == at


def test_the_address_follows_the_turn_and_the_record_can_be_had(page: Page, recorded: str) -> None:
    page.goto(f"/matches/{recorded}")
    page.locator("#turns button").nth(4).click()
    expect(page.locator("#number")).to_have_text("4")
    page.wait_for_url("**turn=4")
    page.reload()
    expect(page.locator("#number")).to_have_text("4")
    with page.expect_download() as loaded:
        page.get_by_role("link", name="Download the record").click()
    assert loaded.value.path().read_bytes().startswith(b'{"fairplay":')


def test_every_seat_can_be_looked_at_once_it_is_over(page: Page, context: BrowserContext) -> None:
    id = open_table(context, "trains", "buy-now", "random")["id"]
    over(context, id)
    page.goto(f"/matches/{id}?turn=3")
    seen = set()
    for viewer in ("public", "0", "1", "all"):
        page.locator("#viewer").select_option(viewer)
        page.wait_for_url(f"**as={viewer}*")
        expect(page.locator("#number")).to_have_text("3")
        expect(page.locator("#root[data-status]")).to_be_visible()
        seen.add(page.locator("#table").inner_html())
    assert len(seen) == 4


def boxes(page: Page) -> list[Any]:
    """Where the board and the controls are on the page."""
    return [page.locator(one).bounding_box() for one in ("#board", ".controls", "#seats", "#turns")]


@pytest.mark.parametrize("game", ["fish", "trains", "labyrinth"])
@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_jumps_while_a_match_goes_on(page: Page, context: BrowserContext, game: str, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    id = open_table(context, game, *["random"] * 2, pace=0.3, quick=True)["id"]
    page.goto(f"/matches/{id}")
    page.wait_for_function("() => Number(document.querySelector('#last').textContent) >= 1")
    before = boxes(page)
    for seen in range(4):
        page.wait_for_function(f"() => Number(document.querySelector('#last').textContent) >= {seen + 2}")
        assert boxes(page) == before


def test_words_tell_what_happened_beside_the_board(page: Page, recorded: str) -> None:
    page.goto(f"/matches/{recorded}?turn=0")
    for number in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        expect(page.locator("#words")).to_have_text(page.locator("#turns li").nth(number).text_content() or "")
    expect(page.locator("#words")).to_have_attribute("role", "status")


def test_the_board_has_the_window(page: Page, recorded: str) -> None:
    for width, height in ((1920, 1080), (1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(f"/matches/{recorded}")
        box = page.locator("#board").bounding_box()
        assert box is not None
        assert box["width"] >= (width if width < 800 else 0.7 * width)
        assert box["y"] + box["height"] <= height


def test_full_screen(page: Page, recorded: str) -> None:
    page.goto(f"/matches/{recorded}")
    page.get_by_role("button", name="Full screen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.keyboard.press("Home")
    expect(page.locator("#number")).to_have_text("0")


# -- what the socket says ----------------------------------------------------------------------


def presence(**changes: Any) -> dict[str, Any]:
    nothing = {"remark": "", "watchers": 0, "offers": {"stop": [], "rematch": []}, "next": "", "emote": None}
    return {"status": "playing", "clock": None, "seats": ["", ""], "winners": [], "ending": "", **nothing, **changes}


def with_socket(page: Page, context: BrowserContext, *seats: str) -> tuple[WebSocketRoute, dict[str, Any], str]:
    """The page of a live match whose socket is ours to write on, its first moment, and its id."""
    id = open_table(context, "fish", *(seats or ("random", "random")), pace=60)["id"]
    moment = context.request.get(f"/api/matches/{id}/moments/0").json()
    routes: list[WebSocketRoute] = []
    page.route_web_socket(re.compile("/live"), lambda route: routes.append(route))
    page.goto(f"/matches/{id}")
    page.wait_for_function("() => document.querySelector('#prompt').textContent.trim()")
    wait_beside(page, lambda: bool(routes))
    return routes[0], moment, id


def test_clock_absence_and_the_end_come_without_a_moment(page: Page, context: BrowserContext) -> None:
    socket, _, _ = with_socket(page, context)
    states = page.locator("#seats .state")
    expect(states).to_have_text(["to move", ""])
    socket.send(json.dumps({"presence": presence(clock=65.0, seats=["away", ""])}))
    expect(page.locator("#clock")).to_have_text(re.compile("1:0[0-5]"))
    expect(states).to_have_text(["to move, away", ""])
    socket.send(json.dumps({"presence": presence()}))
    expect(page.locator("#clock.off")).to_be_attached()
    expect(states).to_have_text(["to move", ""])
    socket.send(json.dumps({"presence": presence(status="over", winners=[1])}))
    expect(states).to_have_text(["", "won"])
    expect(page.locator("#prompt")).to_have_text("random 2 won.")


def test_a_new_moment_stops_the_clock(page: Page, context: BrowserContext) -> None:
    socket, moment, _ = with_socket(page, context)
    socket.send(json.dumps({"presence": presence(clock=65.0)}))
    expect(page.locator("#clock")).to_be_visible()
    socket.send(json.dumps({"moment": {**moment, "number": 1, "words": "one", "to_move": 1}}))
    expect(page.locator("#clock.off")).to_be_attached()
    expect(page.locator("#seats .state")).to_have_text(["", "to move"])


def test_moments_that_a_server_lost_are_forgotten(page: Page, context: BrowserContext) -> None:
    """After a crash the last of them may be played again, and otherwise."""
    socket, moment, _ = with_socket(page, context)
    turns = page.locator("#turns li")
    for number, words in ((1, "one"), (2, "two"), (3, "three"), (2, "another two")):
        socket.send(json.dumps({"moment": {**moment, "number": number, "words": words}}))
    expect(turns).to_have_text(["The match begins.", "one", "another two"])
    expect(page.locator("#number")).to_have_text("2")
    socket.send(json.dumps({"moment": {**moment, "number": 3, "words": "another three"}}))
    expect(turns).to_have_text(["The match begins.", "one", "another two", "another three"])
    expect(page.locator("#last")).to_have_text("3")


def test_a_moment_that_comes_again_can_still_be_clicked(page: Page, context: BrowserContext) -> None:
    """As the first one does when somebody arrives with a name of their own."""
    socket, moment, _ = with_socket(page, context, "me", "random")
    assert moment["clicks"] and moment["to_move"] == 0
    lit = page.locator("#board [data-choice]")
    for words in ("The match begins.", "The match begins again."):
        socket.send(json.dumps({"moment": {**moment, "words": words}, "presence": presence()}))
        expect(page.locator("#words")).to_have_text(words)
        expect(page.locator("#root")).to_have_attribute("data-turn", "choosing")
        expect(lit).to_have_count(len(moment["clicks"]["nodes"][0]["next"]))


def test_a_page_that_shows_the_newest_moment_is_not_sent_it_again(page: Page, context: BrowserContext) -> None:
    frames: list[dict[str, Any]] = []

    def note(payload: str | bytes) -> None:
        frames.append(json.loads(gzip.decompress(payload) if isinstance(payload, bytes) else payload))

    page.on("websocket", lambda socket: socket.on("framereceived", note))
    id = open_table(context, "fish", "random", "random", pace=60)["id"]
    for path in (f"/matches/{id}", "/"):
        frames.clear()
        page.goto(path)
        wait_beside(page, lambda: any(frame["id"] == id for frame in frames))
        assert not [frame for frame in frames if frame["id"] == id and "moment" in frame], path


def test_a_match_that_is_over_is_reviewed(page: Page, context: BrowserContext) -> None:
    if not has_compiler():
        pytest.skip("a review needs numba")
    id = str(open_table(context, "fish", "greedy", "random", seed=7)["id"])
    over(context, id)
    page.goto(f"/matches/{id}")
    page.locator("#ending").get_by_role("button", name="Review").click()
    links = page.locator("#review-chart a")
    expect(links.first).to_be_visible(timeout=120_000)
    expect(page.locator("#review-by")).to_contain_text("nodes a turn")
    links.first.focus()
    page.keyboard.press("Enter")
    turn = links.first.get_attribute("data-turn")
    expect(page.locator("#number")).to_have_text(str(turn))
    expect(page.locator("#better")).to_contain_text("points lost; better: ")
    for scheme in SCHEMES:
        looked_at(page, "review", scheme)
    page.locator("#first").click()
    expect(page.locator("#better")).to_be_empty()
    page.wait_for_url("**turn=0")


@pytest.mark.parametrize("game", ["fish", "labyrinth", "trains"])
def test_the_graph_of_the_points_has_the_colours_of_the_pieces(page: Page, context: BrowserContext, game: str) -> None:
    """In the end panel, its legend, and under the slider."""
    id = open_table(context, game, "random", "random")["id"]
    over(context, str(id))
    page.goto(f"/matches/{id}")
    expect(page.locator("#progress .graph > path")).to_have_count(2)
    painted = [f"rgb({', '.join(map(str, bytes.fromhex(style.color[1:])))})" for style in style_lines(GAMES[game], 2)]
    strokes = "paths => paths.map((path) => getComputedStyle(path).stroke)"
    for graph in ("#progress", "#course"):
        assert page.locator(f"{graph} .graph > path").evaluate_all(strokes) == painted
    assert sorted(page.locator("#scores .sample path").evaluate_all(strokes)) == sorted(painted)
