"""Pages that notice whatever goes wrong in them, and what one does there with a mouse."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Page

from web.people import next_click
from web.servers import Site

CHROMIUM = "/usr/bin/chromium"


@contextmanager
def watched(page: Page, site: Site, expected: int = 200) -> Iterator[Page]:
    """Fails at the end where a script failed, an answer was no answer, or another host was asked for something."""
    troubles: list[str] = []
    page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
    page.on("console", lambda said: troubles.append(f"console: {said.text}") if wrong(said, expected) else None)
    page.on("request", lambda asked: troubles.append(f"asked {asked.url}") if not ours(asked.url, site) else None)
    yield page
    assert not troubles, troubles


def wrong(said: ConsoleMessage, expected: int) -> bool:
    """Is it an error that the page itself did not mean to show, and that no test made by taking the network away?"""
    meant = (f"status of {expected}", "ERR_INTERNET_DISCONNECTED")
    return said.type == "error" and not any(words in said.text for words in meant)


def ours(url: str, site: Site) -> bool:
    return url.startswith((site.url, site.url.replace("http", "ws"), "data:", "about:", "blob:"))


def open_table(context: BrowserContext, game: str, *seats: str, **more: Any) -> dict[str, Any]:
    """A table as the page of a new one lays it; the browser keeps the key of its own seat."""
    chosen = [{"who": seat} if seat in ("me", "friend") else {"who": "house", "player": seat} for seat in seats]
    wanted = {"game": game, "seats": chosen, "quick": True, "pace": 0, **more}
    answer = context.request.post("/api/matches", data=wanted)
    assert answer.status == 201, answer.text()
    created: dict[str, Any] = answer.json()
    return created


def over(context: BrowserContext, id: str) -> None:
    """Wait until a match is over."""
    for _ in range(600):
        if context.request.get(f"/api/matches/{id}/record").status == 200:
            return
        context.pages[0].wait_for_timeout(50) if context.pages else None
    raise AssertionError(f"the match {id} does not end")


LIT = """() => [...document.querySelectorAll("#table [data-choice]")].map((element) => (
  { key: element.dataset.choice, name: element.getAttribute("aria-label") || element.textContent }))"""
"""What can be clicked on the page, by key."""

PLACE = """(key) => {
  const element = [...document.querySelectorAll("#table [data-choice]")].find((each) => each.dataset.choice === key);
  if (!element.closest("#board")) element.scrollIntoView({ block: "nearest" });
  const hits = (x, y) => document.elementFromPoint(x, y)?.closest("[data-choice]") === element;
  const box = element.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (hits(x, y)) return [x, y];
  const shapes = [element, ...element.querySelectorAll("*")].filter((one) => one instanceof SVGGeometryElement);
  for (const shape of shapes)
    for (const part of [0.5, 0.25, 0.75, 0.1, 0.9]) {
      const at = shape.getPointAtLength(part * shape.getTotalLength()).matrixTransform(shape.getScreenCTM());
      if (hits(at.x, at.y)) return [at.x, at.y];
    }
  return null;
}"""
"""A place in the window where a click meets what can be clicked."""

ROOT = "document.querySelector('#root').dataset"
OVER = f"() => ['over', 'cut off'].includes({ROOT}.status)"
CHOOSING = f"() => {ROOT}.turn === 'choosing'"


def my_turn(page: Page) -> bool:
    """Wait until something can be clicked, or the match is over; whether it goes on."""
    page.wait_for_function(f"() => ({CHOOSING})() || ({OVER})()")
    return not page.evaluate(OVER)


def newest(page: Page) -> int:
    """The number of the newest moment."""
    return int(page.locator("#last").text_content() or 0)


def wait_for_click(page: Page, before: int, clicks: str) -> bool:
    """Wait until a click has had its effect; whether there is more to click in this turn."""
    later = f"() => Number(document.querySelector('#last').textContent) > {before}"
    page.wait_for_function(f"() => ({later})() || ({OVER})() || ({CHOOSING})() && {ROOT}.clicks !== '{clicks}'")
    return not page.evaluate(f"() => ({later})() || ({OVER})()")


def clicks_so_far(page: Page) -> str:
    """How many clicks of the turn the page knows."""
    return str(page.evaluate(f"() => {ROOT}.clicks"))


def choose_one(page: Page, clicks: list[str], rng: Random, avoid: str) -> str:
    """The key of one of the things that are lit; not `avoid`, where there is anything else."""
    lit = page.evaluate(LIT)
    assert lit and all(one["name"] for one in lit), lit
    keys = [one["key"] for one in lit]
    return next_click([key for key in keys if key != avoid] or keys, clicks, rng)


def click_one(page: Page, clicks: list[str], rng: Random, avoid: str = "") -> bool:
    """Click one of the things that are lit, with the mouse; whether there is more to click in this turn."""
    clicks.append(choose_one(page, clicks, rng, avoid))
    return click_key(page, clicks[-1])


def click_key(page: Page, key: str) -> bool:
    """Click what a key stands for, with the mouse; whether there is more to click in this turn."""
    page.evaluate("() => scrollTo(0, 0)")  # further down, the line above the board covers a part of it
    page.wait_for_function("() => document.getAnimations().length === 0")
    before, known, place = newest(page), clicks_so_far(page), page.evaluate(PLACE, key)
    assert place is not None, f"{key} cannot be met by a click"
    page.mouse.click(*place)
    return wait_for_click(page, before, known)


PART = "#board, #cards, #choices"
"""Tab leads to each of these; in the first two, arrow keys lead on."""

TOWARDS = """(key) => {
  const target = [...document.querySelectorAll("#table [data-choice]")].find((each) => each.dataset.choice === key);
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [from, to] = [document.activeElement, target].map(middle), [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const across = dx > 0 ? "ArrowRight" : "ArrowLeft", down = dy > 0 ? "ArrowDown" : "ArrowUp";
  return Math.abs(dx) > Math.abs(dy) ? [across, down] : [down, across];
}"""
"""The arrow keys that lead from where the keyboard is to a key, the better one first."""


def press_one(page: Page, clicks: list[str], rng: Random, avoid: str = "") -> bool:
    """Choose something that is lit, with the keyboard; whether there is more to choose in this turn."""
    before, known = newest(page), clicks_so_far(page)
    key = choose_one(page, clicks, rng, avoid)
    found = f"[...document.querySelectorAll('#table [data-choice]')].find((each) => each.dataset.choice === '{key}')"
    tab_to(page, f"on.dataset.choice && on.closest('{PART}') === {found}.closest('{PART}')")
    go_to(page, key)
    clicks.append(focused(page))
    page.keyboard.press("Enter")
    return wait_for_click(page, before, known)


def go_to(page: Page, key: str) -> None:
    """Go to what a key stands for, or near it, by arrow keys; to a button by Tab."""
    if page.locator("#choices").get_by_role("button").and_(page.locator(f"[data-choice='{key}']")).count():
        tab_to(page, f"on.dataset.choice === '{key}'")
    tried: set[tuple[str, str]] = set()
    while (at := focused(page)) != key:
        arrow = next((each for each in page.evaluate(TOWARDS, key) if (at, each) not in tried), None)
        if arrow is None:
            return  # the way is longer than a person would try
        tried.add((at, arrow))
        page.keyboard.press(arrow)


def press_turn(page: Page, rng: Random, avoid: str = "") -> None:
    """Take a turn by keyboard."""
    clicks: list[str] = []
    while press_one(page, clicks, rng, avoid):
        pass


def focused(page: Page) -> str:
    """The key of what the keyboard is at, or its words."""
    return str(page.evaluate("() => document.activeElement.dataset.choice || document.activeElement.textContent"))


def tab_to(page: Page, true: str, most: int = 150) -> None:
    """Press Tab until the focus is on something that is so."""
    for _ in range(most):
        if page.evaluate(f"() => {{ const on = document.activeElement; return {true}; }}"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never leads to {true}; it is at {focused(page)}")


def take_turn(page: Page, rng: Random, avoid: str = "") -> None:
    """Click until it is an action, and wait until it is done."""
    clicks: list[str] = []
    while click_one(page, clicks, rng, avoid):
        pass
    assert page.get_by_role("alert").filter(visible=True).count() == 0


def play_on(page: Page, rng: Random, turns: int = 500) -> None:
    """Play by clicks for so many turns, or to the end."""
    for _ in range(turns):
        if not my_turn(page):
            return
        take_turn(page, rng)
