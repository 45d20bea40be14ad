"""A game that is played by buttons alone: all of them are in sight, and the board stays where it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, ViewportSize

from browser.test_pages import AUDIT, AXE
from browser.watched import my_turn, open_table, watched
from fairplay.catalog import GAMES
from fairplay.core.shown import Choice, PartialMove
from web.servers import PATIENT, Site, inside

PROMPT = "Your turn: choose one of the things that you can do."
LABELS = (
    "Income: take 1 coin",
    "Foreign aid: take 2 coins",
    "Tax as duke: take 3 coins",
    "Exchange cards as ambassador",
    "Steal from player 2 as captain",
)
SIZES = [
    ViewportSize(width=1280, height=900),
    ViewportSize(width=1600, height=900),
    ViewportSize(width=900, height=700),
    ViewportSize(width=390, height=844),
]
every_size = pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size["width"]))


def press(view: Any, clicked: Sequence[str], last: object = None) -> object:
    """Nim by five buttons, which take a match from any heap; with three players by some of them, and on the board."""
    legal = GAMES["nim"].rules.legal_actions(view)
    if clicked:
        return legal[0]
    buttons = tuple(Choice(f"button={number}", label) for number, label in enumerate(LABELS))
    if len(view.state.seats) < 3:
        return PartialMove(PROMPT, buttons)
    return PartialMove("Take a match, or:", (Choice(f"match={legal[0].heap},0", "take it"), *buttons[:4]))


@pytest.fixture(scope="module")
def buttons(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with that game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(GAMES["nim"].__dict__, "shown", replace(GAMES["nim"].shown, clicks=press))
        with inside(tmp_path_factory.mktemp("buttons") / "fairplay.db", PATIENT) as site:
            yield site


@pytest.fixture
def table(browser: Browser, buttons: Site, size: ViewportSize) -> Iterator[Page]:
    """The page of a person on turn."""
    context = browser.new_context(base_url=buttons.url, viewport=size)
    with watched(context.new_page(), buttons) as page:
        page.goto(f"/matches/{open_table(context, 'nim', 'me', 'random')['id']}")
        assert my_turn(page)
        yield page
    context.close()


def place_of(found: Locator) -> FloatRect:
    box = found.bounding_box()
    assert box is not None
    return box


IS_CUT = "(element) => element.scrollWidth > element.clientWidth"


@every_size
def test_all_buttons_are_in_sight(table: Page, size: ViewportSize) -> None:
    assert table.locator("#choices button").all_inner_texts() == [*LABELS]
    for part in ("#choices", "html", *["#prompt"] * (size["width"] != 900)):
        assert not table.locator(part).evaluate(IS_CUT), part
    boxes = [place_of(each) for each in table.locator("#choices button").all()]
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= size["width"] for box in boxes)
    assert boxes[-1]["y"] < size["height"], "nobody has to look for the last one"
    for one, other in pairwise(boxes):
        assert other["x"] >= one["x"] + one["width"] or other["y"] >= one["y"] + one["height"], "they do not overlap"
    if AXE.exists():
        table.evaluate(AXE.read_text("utf-8") + "; 0")
        assert table.evaluate(AUDIT) == []


@every_size
def test_the_board_stays_where_it_is_from_turn_to_turn(table: Page, size: ViewportSize) -> None:
    before = place_of(table.locator("#frame"))
    table.locator("#choices button").last.click()
    table.wait_for_function("() => Number(document.querySelector('#last').textContent) > 0")
    table.evaluate("() => scrollTo(0, 0)")
    assert place_of(table.locator("#frame")) == before
    my_turn(table)
    assert place_of(table.locator("#frame")) == before


def test_lines_of_their_own_are_given_up_if_the_window_grows(browser: Browser, buttons: Site) -> None:
    context = browser.new_context(base_url=buttons.url, viewport=SIZES[0])
    with watched(context.new_page(), buttons) as page:
        page.goto(f"/matches/{open_table(context, 'nim', 'me', 'random')['id']}")
        assert my_turn(page)
        page.wait_for_function("() => document.querySelector('.wide-choices')")
        page.set_viewport_size({"width": 3000, "height": 900})
        page.wait_for_function("() => !document.querySelector('.wide-choices')")
        assert len({place_of(each)["y"] for each in page.locator("#choices button").all()}) == 1
    context.close()


def test_beside_a_board_that_is_clicked_buttons_are_smaller_and_nothing_moves(browser: Browser, buttons: Site) -> None:
    context = browser.new_context(base_url=buttons.url, viewport=SIZES[0])
    with watched(context.new_page(), buttons) as page:
        page.goto(f"/matches/{open_table(context, 'nim', 'me', 'random', 'random')['id']}")
        assert my_turn(page)
        boxes, frame = (
            [place_of(each) for each in page.locator("#choices button").all()],
            place_of(page.locator("#frame")),
        )
        assert len(boxes) == 4 and len({box["y"] for box in boxes}) == 2
        assert all(box["y"] + box["height"] <= frame["y"] + 1 and box["height"] >= 24 for box in boxes), "large enough"
        assert not page.locator("#choices").evaluate(IS_CUT)
        assert page.locator(".wide-choices").count() == 0
        page.locator("#choices button").last.click()
        page.wait_for_function("() => Number(document.querySelector('#last').textContent) > 0")
        assert place_of(page.locator("#frame")) == frame
    context.close()
