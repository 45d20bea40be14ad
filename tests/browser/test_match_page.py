"""A match as one HTML file, opened by itself and twice inside another page, as in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FrameLocator, Page, expect

import fairplay as fp
from browser.test_pages import AUDIT, AXE, SCHEMES
from toy_thinker import TOYS, record_toys


@contextmanager
def opened(browser: Browser, path: Path) -> Iterator[Page]:
    """The file in a browser; fails where a script fails or anything else is asked for."""
    context = browser.new_context(viewport={"width": 1200, "height": 760})
    page, troubles = context.new_page(), list[str]()
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda said: troubles.append(said.text))
    page.on(
        "request",
        lambda asked: troubles.append(asked.url) if not asked.url.startswith(("file:", "about:", "data:")) else None,
    )
    page.goto(path.as_uri())
    yield page
    context.close()
    assert not troubles, troubles


def look_at(page: Page | FrameLocator, turn: int, match: fp.PlayedMatch[Any, Any, Any]) -> None:
    """The board, the slider, the list and the words all show this turn."""
    position = match.positions[turn]
    label = str(position.draw()).partition('aria-label="')[2].partition('"')[0]
    expect(page.locator("#board > svg")).to_have_attribute("aria-label", label)
    expect(page.locator("#slider")).to_have_value(str(turn))
    expect(page.locator("#count")).to_have_text(f"{turn} / {len(match.events)}")
    expect(page.locator("#turns [aria-current]")).to_have_count(1)


def test_a_match_is_stepped_through(browser: Browser, tmp_path: Path) -> None:
    match = fp.play(fp.load("fish", rows=4, columns=5), {"<b>one</b>": "greedy", "two": "random"}, seed=3)
    last = len(match.events)
    with opened(browser, match.to_html(tmp_path / "m.html")) as page:
        expect(page.locator("th").first).to_have_text("<b>one</b>")
        look_at(page, 0, match)
        page.locator("#slider").fill("4")
        look_at(page, 4, match)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        look_at(page, 5, match)
        page.locator("#turns button").nth(2).click()
        look_at(page, 2, match)
        for scheme in SCHEMES if AXE.exists() else ():
            page.emulate_media(color_scheme=scheme)
            page.evaluate(AXE.read_text("utf-8"))
            assert page.evaluate(AUDIT) == []
        page.keyboard.press("End")
        look_at(page, last, match)
        page.locator("#play").click()  # from the end it starts again
        expect(page.locator("#play")).to_have_attribute("aria-label", "Pause")
        expect(page.locator("#slider")).not_to_have_value("0")
        page.locator("#play").click()
        expect(page.locator("#play")).to_have_attribute("aria-label", "Play")


def test_the_graph_of_a_review_leads_to_its_turns(browser: Browser, tmp_path: Path) -> None:
    game = TOYS["fish"]
    match = fp.PlayedMatch(fp.LoadedGame(game, game.quick), record_toys(game, "search", "random"))
    review = fp.analyse(match)
    marked = [turn.number for turn in review.turns if turn.mark]
    with opened(browser, review.to_html(tmp_path / "m.html")) as page:
        links = page.locator(".review a")
        expect(links).to_have_count(len(marked))
        links.last.click()
        look_at(page, marked[-1], match)
        expect(page.locator("#better")).to_contain_text("points lost; better: ")
        page.locator(".review a").first.focus()
        page.keyboard.press("Enter")
        look_at(page, marked[0], match)
        box = page.locator(".review .plot").bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + 1, box["y"] + box["height"] - 1)
        look_at(page, 0, match)
        expect(page.locator("#better")).to_be_empty()
        for scheme in SCHEMES if AXE.exists() else ():
            page.emulate_media(color_scheme=scheme)
            page.evaluate(AXE.read_text("utf-8"))
            assert page.evaluate(AUDIT) == []
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_matches_share_a_page(browser: Browser, tmp_path: Path) -> None:
    matches = [fp.play(fp.load("trains", map="tiny"), ["buy-now", "random"], seed=seed) for seed in (1, 2)]
    path = tmp_path / "notebook.html"
    path.write_text("<!doctype html><body>" + "".join(match._repr_html_() for match in matches), "utf-8")
    with opened(browser, path) as page:
        first, second = (page.frame_locator("iframe").nth(number) for number in range(2))
        first.locator("#next").click()
        look_at(first, 1, matches[0])
        look_at(second, 0, matches[1])
