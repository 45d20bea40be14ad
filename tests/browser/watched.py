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
    """Is it an error that the page itself did not mean to show?"""
    return said.type == "error" and f"status of {expected}" not in said.text


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


LIT = """() => {
  const hits = (element, x, y) => document.elementFromPoint(x, y)?.closest("[data-choice]") === element;
  const place = (element) => {
    const box = element.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
    if (hits(element, x, y)) return [x, y];
    const shapes = [element, ...element.querySelectorAll("*")].filter((one) => one instanceof SVGGeometryElement);
    for (const shape of shapes)
      for (const part of [0.5, 0.25, 0.75, 0.1, 0.9]) {
        const at = shape.getPointAtLength(part * shape.getTotalLength()).matrixTransform(shape.getScreenCTM());
        if (hits(element, at.x, at.y)) return [at.x, at.y];
      }
    return null;
  };
  return [...document.querySelectorAll("#board [data-choice], #choices [data-choice]")].map((element) => {
    const name = element.getAttribute("aria-label") || element.textContent;
    return { key: element.dataset.choice, name, at: place(element) };
  });
}"""
"""What is lit on the page, by key, with a place in the window where a click meets it."""

READY = "() => document.querySelector('#board [data-choice]:not(.was), #choices [data-choice]:not(.was)')"
FORGET = "() => document.querySelectorAll('[data-choice]').forEach((one) => one.classList.add('was'))"
OVER = "() => document.querySelector('#prompt').textContent.startsWith('Over')"


def my_turn(page: Page) -> bool:
    """Wait until something new can be clicked, or the match is over; whether it goes on."""
    page.wait_for_function(f"() => ({READY})() || ({OVER})()")
    return not page.evaluate(OVER)


def click_one(page: Page, clicks: list[str], rng: Random) -> dict[str, Any]:
    """Click one of the things that are lit, with the mouse; what the server says to it."""
    page.locator("#board").scroll_into_view_if_needed()
    lit = page.evaluate(LIT)
    lost = [one for one in lit if one["at"] is None or not one["name"]]
    assert lit and not lost, lost
    key = next_click([one["key"] for one in lit], clicks, rng)
    x, y = next(one["at"] for one in lit if one["key"] == key)
    page.evaluate(FORGET)
    with page.expect_response("**/wish") as answered:
        page.mouse.click(x, y)
    assert answered.value.status == 200
    clicks.append(key)
    answer: dict[str, Any] = answered.value.json()
    assert not answer.get("refusal"), answer
    return answer


def take_turn(page: Page, rng: Random) -> None:
    """Click until it is an action, and wait until it is done."""
    clicks: list[str] = []
    before = int(page.locator("#last").inner_text())
    while not click_one(page, clicks, rng).get("done"):
        my_turn(page)
    page.wait_for_function(f"() => Number(document.querySelector('#last').textContent) > {before} || ({OVER})()")


def play_on(page: Page, rng: Random, turns: int = 500) -> None:
    """Play by clicks for so many turns, or to the end."""
    for _ in range(turns):
        if not my_turn(page):
            return
        take_turn(page, rng)
