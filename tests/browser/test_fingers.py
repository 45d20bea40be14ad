"""Fingers, zoom and sound: targets that can be met on a phone, a board that is enlarged alone, no noise uninvited."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from browser.watched import my_turn, open_table, take_turn, watched
from web.servers import Site

GAMES = ["fish", "trains", "labyrinth"]
SMALLEST, COMFORTABLE = 24, 44  # pixels


@contextmanager
def phone(browser: Browser, site: Site) -> Iterator[Page]:
    """Somebody with a phone."""
    context = browser.new_context(base_url=site.url, viewport={"width": 390, "height": 844}, has_touch=True)
    context.set_default_timeout(120_000)
    with watched(context.new_page(), site) as page:
        yield page
    context.close()


def start(page: Page, game: str) -> None:
    """A game against the machine, at the person's turn."""
    page.goto(f"/matches/{open_table(page.context, game, 'me', 'random')['id']}")
    assert my_turn(page)
    page.wait_for_function("() => document.getAnimations().length === 0")


# -- targets -----------------------------------------------------------------------------------

MEASURE = """() => [...document.querySelectorAll("#table [data-choice]")].map((target) => {
  const boxes = [...document.querySelectorAll("#board [data-choice]")].map((each) => each.getBoundingClientRect());
  const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
  const own = target.getBoundingClientRect(), side = Math.min(own.width, own.height);
  if (!target.closest("#board")) return [target.dataset.choice, side];
  const gaps = boxes.map((box) => Math.hypot(middle(box)[0] - middle(own)[0], middle(box)[1] - middle(own)[1]));
  return [target.dataset.choice, Math.max(side, Math.min(side + 2 * 30, ...gaps.filter((gap) => gap > 0)))];
})"""
"""How large the things are that can be clicked, or the places in which a tap means them: 30 pixels around those on the
board, as far as no other one is nearer."""


def smallest_target(page: Page) -> tuple[float, str]:
    """The size of the smallest thing that can be clicked, in pixels, and its key."""
    found: list[tuple[str, float]] = page.evaluate(MEASURE)
    return min((size, key) for key, size in found)


@pytest.mark.parametrize("game", GAMES)
def test_no_target_is_too_small_for_a_finger(browser: Browser, site: Site, game: str) -> None:
    with phone(browser, site) as page:
        start(page, game)
        for number in range(6):
            assert smallest_target(page)[0] >= SMALLEST, smallest_target(page)
            take_turn(page, Random(number))
            assert my_turn(page)
        for _ in range(2):
            page.locator("#zoom-in").tap()
        sizes = [size for key, size in page.evaluate(MEASURE) if page.locator(f"#board [data-choice='{key}']").count()]
        assert min(sizes, default=COMFORTABLE) >= COMFORTABLE


def test_of_two_lines_beside_each_other_the_nearer_one_is_shown_before_it_counts(browser: Browser, site: Site) -> None:
    with phone(browser, site) as page:
        start(page, "trains")
        for number in range(30):
            lines = page.locator("#board [data-connection][data-choice]")
            if lines.count():
                break
            take_turn(page, Random(number))
            assert my_turn(page)
        page.mouse.move(0, 0)
        page.evaluate("() => scrollTo(0, 0)")
        x, y = page.evaluate(BESIDE)
        page.touchscreen.tap(x, y)
        expect(page.locator("#board .near[data-choice]")).to_have_count(1)
        expect(page.locator("#root")).to_have_attribute("data-clicks", "0")
        expect(page.locator("#tip")).to_contain_text("tap again")


BESIDE = """() => {
  const line = document.querySelector("#board [data-connection][data-choice]");
  const shapes = [line, ...line.querySelectorAll("*")].filter((each) => each instanceof SVGGeometryElement);
  const find = (shape, part) =>
    shape.getPointAtLength(part * shape.getTotalLength()).matrixTransform(shape.getScreenCTM());
  const points = shapes.flatMap((shape) => Array.from({ length: 17 }, (_, number) => find(shape, number / 16)));
  const middle = points[Math.floor(points.length / 2)];
  const far = (x, y) => Math.min(...points.map((point) => Math.hypot(point.x - x, point.y - y)));
  for (let way = 10; way < 60; way += 2)
    for (let angle = 0; angle < 6.3; angle += 0.2) {
      const x = middle.x + way * Math.cos(angle), y = middle.y + way * Math.sin(angle);
      if (far(x, y) > 15 && far(x, y) < 25 && !document.elementFromPoint(x, y)?.closest("[data-choice]")) return [x, y];
    }
}"""
"""A place beside the middle of a connection that can be taken, and on none."""


# -- zoom --------------------------------------------------------------------------------------


def touch(cdp: CDPSession, kind: str, *places: tuple[float, float]) -> None:
    """Put fingers down, move them or lift them."""
    points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
    cdp.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def scale(page: Page) -> float:
    """How many pixels a unit of the drawing takes."""
    return float(page.evaluate("() => document.querySelector('#board > svg').getScreenCTM().a"))


def test_two_fingers_enlarge_the_board_and_one_moves_it(browser: Browser, site: Site) -> None:
    with phone(browser, site) as page:
        start(page, "labyrinth")
        before, clicks = scale(page), page.locator("#root").get_attribute("data-clicks")
        frame = page.locator("#frame").bounding_box()
        assert frame is not None
        x, y = frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2
        cdp = page.context.new_cdp_session(page)
        touch(cdp, "touchStart", (x - 30, y), (x + 30, y))
        for spread in (40, 50, 60, 75, 90):
            touch(cdp, "touchMove", (x - spread, y), (x + spread, y))
        touch(cdp, "touchEnd")
        page.wait_for_function("() => document.querySelector('#frame').classList.contains('zoomed')")
        enlarged = scale(page)
        assert enlarged == pytest.approx(3 * before, rel=0.15)
        assert page.locator("#frame").bounding_box() == frame, "nothing else of the page has moved"
        left = page.evaluate("() => document.querySelector('#board > svg').getBoundingClientRect().x")
        touch(cdp, "touchStart", (x, y))
        for step in (10, 20, 40):
            touch(cdp, "touchMove", (x + step, y))
        touch(cdp, "touchEnd")
        page.wait_for_function(f"() => document.querySelector('#board > svg').getBoundingClientRect().x > {left} + 30")
        assert scale(page) == enlarged
        assert page.locator("#root").get_attribute("data-clicks") == clicks, "none of this is a click"


@pytest.mark.parametrize("width", [1280, 390])
def test_the_map_keeps_its_scale_from_the_first_pick_on(page: Page, context: BrowserContext, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"/matches/{open_table(context, 'trains', 'me', 'buy-now')['id']}")
    assert my_turn(page)
    seen = {place_of_map(page)}
    for number in range(8):
        page.locator("#table [data-choice]").first.hover()
        seen.add(place_of_map(page))
        take_turn(page, Random(number))
        assert my_turn(page)
        seen.add(place_of_map(page))
    assert len(seen) == 1, seen


def place_of_map(page: Page) -> tuple[float, ...]:
    """Where the map lies on the page, and its scale."""
    matrix: list[float] = page.evaluate("""() => {
      const { a, e, f } = document.querySelector("#board > svg").getScreenCTM();
      return [a, e + scrollX, f + scrollY].map((value) => Math.round(100 * value) / 100);
    }""")
    return tuple(matrix)


# -- sound -------------------------------------------------------------------------------------

LISTEN = """
window.contexts = 0;
window.notes = 0;
window.AudioContext = class extends AudioContext {
  constructor() { super(); window.contexts += 1; }
  createOscillator() { window.notes += 1; return super.createOscillator(); }
};
"""


def heard(page: Page) -> Any:
    """How many times the page has asked for sound, and how many notes it has played."""
    return page.evaluate("() => [window.contexts, window.notes]")


def test_nothing_sounds_before_the_first_click_nor_when_sound_is_off(page: Page, context: BrowserContext) -> None:
    page.add_init_script(LISTEN)
    page.goto(f"/matches/{open_table(context, 'fish', 'greedy', 'me')['id']}")
    assert my_turn(page), "the other one has moved"
    assert heard(page) == [0, 0]
    take_turn(page, Random(1))
    assert my_turn(page)
    contexts, notes = heard(page)
    assert contexts == 1 and notes > 0
    page.get_by_role("button", name="Sound on").click()
    expect(page.get_by_role("button", name="Sound off")).to_have_attribute("aria-pressed", "false")
    notes = heard(page)[1]
    take_turn(page, Random(2))
    assert my_turn(page) and heard(page) == [1, notes]
    page.reload()
    assert my_turn(page)
    take_turn(page, Random(3))
    assert my_turn(page) and heard(page) == [0, 0], "it stays off"
    page.get_by_role("button", name="Sound off").click()
    assert heard(page)[0] == 1 and heard(page)[1] > 0
