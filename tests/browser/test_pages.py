"""Every page, in light and dark, on a phone and on a wide screen: readable, named, light, and ours alone.

With FAIRPLAY_SCREENSHOTS=FOLDER in the environment a picture of each is put there.
"""

from __future__ import annotations

import gzip
import os
import re
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, ViewportSize, expect

from browser.watched import my_turn, open_table, over, take_turn, watched
from web.servers import Site, outside, wait_until

PHONE, WIDE = ViewportSize(width=360, height=740), ViewportSize(width=1280, height=900)
WEIGHT = 60 * 1024  # of a page with its scripts and styles, as they are sent

PAGES = {
    "home": "/",
    "lobby": "/lobby",
    "how-to-play-fish": "/how-to-play/fish",
    "how-to-play-trains": "/how-to-play/trains",
    "how-to-play-labyrinth": "/how-to-play/labyrinth",
    "rules-fish": "/rules/fish",
    "rules-trains": "/rules/trains#4.2",
    "rules-labyrinth": "/rules/labyrinth",
    "new-fish": "/new?game=fish",
    "new-trains": "/new?game=trains",
    "new-labyrinth": "/new?game=labyrinth&open=1",
    "matches": "/matches",
    "matches-found": "/matches?game=fish&player=greedy",
    "matches-not-found": "/matches?player=nobody",
    "fish-over": "/matches/{fish}",
    "trains-over": "/matches/{trains}?as=all",
    "labyrinth-over": "/matches/{labyrinth}?turn=5",
    "fish-mine": "/matches/{my fish}",
    "trains-mine": "/matches/{my trains}",
    "labyrinth-mine": "/matches/{my labyrinth}",
    "tournaments": "/tournaments",
    "tournament": "/tournaments/{tournament}",
    "bracket": "/tournaments/{bracket}",
    "tournament-matches": "/tournaments/{tournament}/matches",
    "tournament-new": "/tournaments/new",
    "players": "/players",
    "player": "/players/fish/greedy",
    "editor": "/editor",
    "editor-fish": "/editor/fish",
    "editor-trains": "/editor/trains?start=tiny",
    "editor-labyrinth": "/editor/labyrinth",
    "boards": "/boards",
    "api": "/api",
    "missing": "/nowhere",
}


@pytest.fixture(scope="module")
def person(browser: Browser, site: Site, owner_cookie: dict[str, str]) -> Iterator[BrowserContext]:
    """The owner's browser, which holds seats at tables."""
    made = browser.new_context(base_url=site.url, viewport=WIDE)
    made.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in owner_cookie.items()])
    yield made
    made.close()


@pytest.fixture(scope="module")
def world(person: BrowserContext, site: Site) -> dict[str, str]:
    """Something for every page to show: the ids of what there is."""
    ids: dict[str, str] = {}
    page = person.new_page()
    for game, rival in (("fish", "greedy"), ("trains", "buy-now"), ("labyrinth", "lookahead")):
        ids[f"my {game}"] = open_table(person, game, "me", rival, clock=3600)["id"]
        ids[game] = open_table(person, game, rival, "random", seed=7)["id"]
        over(person, ids[game])
    for _ in range(4):  # placing is over, and penguins can be moved
        page.goto(f"/matches/{ids['my fish']}")
        if my_turn(page):
            take_turn(page, Random(5))
    ids["tournament"] = tournament(person, "round-robin", "random", "greedy", "minimax")
    ids["bracket"] = tournament(person, "knock-out", *["random"] * 3, *["greedy"] * 3)
    drawing = person.request.post("/api/editor/fish", data={}).json()["drawing"]
    saved = person.request.post("/api/boards", data={"game": "fish", "name": "two lakes", "drawing": drawing})
    assert saved.status == 201, saved.text()
    page.close()
    return ids


def tournament(person: BrowserContext, format: str, *players: str) -> str:
    entries = [
        {"player": player, "name": f"{player} {number}" if players.count(player) > 1 else player}
        for number, player in enumerate(players)
    ]
    wanted = {"game": "fish", "players": entries, "format": format, "quick": True, "seed": 5}
    started = person.request.post(
        "/api/tournaments", data={**wanted, **({"games": 4} if format == "round-robin" else {})}
    )
    assert started.status == 201, started.text()
    id = str(started.json()["id"])
    wait_until(lambda: person.request.get(f"/api/tournaments/{id}").json()["status"] == "finished")
    return id


def snap(page: Page, name: str) -> None:
    """A picture for people, where they asked for it."""
    if folder := os.environ.get("FAIRPLAY_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


AXE = Path(sys.prefix) / "axe" / "package" / "axe.min.js"
NO_AXE = "axe-core is missing: nobody looked at names and contrast (make test fetches it where npm is there)"

AUDIT = """async () => {
  const drawn = ({ target }) => document.querySelector(target.join(" "))?.closest("#board");
  const told = (id, node) => `${id}: ${node.html.slice(0, 120)} ${node.failureSummary}`;
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) =>
    nodes.filter((node) => id !== "label-content-name-mismatch" || !drawn(node)).map((node) => told(id, node)));
}"""
"""What axe-core finds wrong.  The name of a piece of a drawing need not repeat the figures drawn on it."""

SIDEWAYS = """() => [...document.querySelectorAll("body *")].filter((one) => {
  const box = one.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !one.closest(".scroll, .turns, .tabs, svg, .skip, .drawing");
}).map((one) => one.outerHTML.slice(0, 80)).slice(0, 3)"""
"""What sticks out of the window."""

SMALL = """() => [...document.querySelectorAll("main *")].filter((one) => {
  const own = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  const seen = one.getClientRects().length && !one.closest("svg, script, option");
  return own && seen && parseFloat(getComputedStyle(one).fontSize) < 12;
}).map((one) => one.outerHTML.slice(0, 80)).slice(0, 3)"""
"""Texts that are too small to be read."""

SCHEMES: tuple[Any, ...] = ("light", "dark")


@pytest.mark.parametrize("name", PAGES)
def test_a_page(person: BrowserContext, site: Site, world: dict[str, str], name: str) -> None:
    """Light, complete, named, readable in both colour schemes, and no wider than a phone."""
    sizes: dict[str, int] = {}
    page = person.new_page()
    page.emulate_media(reduced_motion="reduce")
    page.on("response", lambda answer: sizes.update({answer.url: weight(answer)}))
    with watched(page, site, expected=404 if name == "missing" else 200):
        page.goto(PAGES[name].format(**world), wait_until="networkidle")
        if name.endswith("-mine"):
            assert my_turn(page)
        assert 0 < sum(sizes.values()) < WEIGHT, sorted(sizes.items(), key=lambda each: each[1])
        assert page.title() and page.locator("h1").count() == 1
        backgrounds = [looked_at(page, name, scheme) for scheme in SCHEMES]
        assert backgrounds[0] > 0.8 and backgrounds[1] < 0.2
    page.close()


def looked_at(page: Page, name: str, scheme: Any) -> float:
    """Look at a page in one colour scheme, wide and narrow; how bright its background is, from 0 to 1."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function("() => document.getAnimations().length === 0")  # colours change little by little
    page.set_viewport_size(WIDE)
    snap(page, f"{name}-wide-{scheme}")
    audit(page)
    page.set_viewport_size(PHONE)
    snap(page, f"{name}-phone-{scheme}")
    audit(page)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"], page.evaluate(SIDEWAYS)
    assert page.evaluate(SMALL) == []
    colour = page.evaluate("() => getComputedStyle(document.documentElement).backgroundColor")
    return sum(map(int, re.findall(r"\d+", colour)[:3])) / 765


def audit(page: Page) -> None:
    """Let axe-core look at a page, where it is there."""
    if AXE.exists():
        page.evaluate(AXE.read_text("utf-8") + "; 0")
        assert page.evaluate(AUDIT) == []


def test_what_is_wrong_with_a_page_is_found(page: Page) -> None:
    """Otherwise nobody looked at the names and the contrast of the pages above."""
    if not AXE.exists():
        pytest.skip(NO_AXE)
    page.set_content("<main><h1>wrong</h1><button></button><p style='color: #ddd'>pale</p></main>")
    page.evaluate(AXE.read_text("utf-8") + "; 0")
    found = " ".join(page.evaluate(AUDIT))
    assert "button-name" in found and "color-contrast" in found


def weight(answer: Any) -> int:
    """Bytes of an answer on the wire, without pictures, which are fetched when they come into sight."""
    if answer.status in range(300, 400) or "image/" in answer.headers.get("content-type", ""):
        return 0
    return len(gzip.compress(answer.body()))


def test_a_tournament_is_started_and_followed(page: Page) -> None:
    page.goto("/tournaments/new?game=fish")
    page.locator("[name=variant]").select_option("quick")
    page.locator("[name=games]").fill("2")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile(r"/tournaments/\d+$"))
    expect(page.locator("main")).to_contain_text("greedy")
    expect(page.locator("main table").first).to_be_visible()
    page.wait_for_function("() => { const bar = document.querySelector('progress'); return bar.value === bar.max; }")
    page.locator('a[href*="/matches/"]').first.click()
    page.wait_for_url("**/matches/*")
    expect(page.locator("#board > svg")).to_be_visible()


def note_address(asked: list[str], request: Request) -> None:
    asked.append(request.url)


def test_the_link_of_the_owner_signs_one_browser_in(browser: Browser, tmp_path: Path) -> None:
    """As `--open` opens it: a file leads to the page, whose script posts the key; no address on the way holds it."""
    with outside(tmp_path / "fairplay.db") as server:
        found = re.search(r"in the file (.*)", server.link)
        assert found
        for first in (True, False):
            context = browser.new_context()
            page, asked = context.new_page(), list[str]()
            page.on("request", partial(note_address, asked))
            page.goto(Path(found[1]).as_uri())
            if first:
                expect(page.get_by_role("button", name="Sign out")).to_be_visible()
                page.goto(f"http://localhost:{server.port}/tournaments/new")
                expect(page.get_by_role("button", name="Start", exact=True)).to_be_visible()
            else:
                expect(page.get_by_role("alert")).to_contain_text("used up")
            assert "#" not in page.url and not any("#" in url for url in asked if "/sign-in" not in url)
            context.close()


SHIFTS = """() => new Promise((tell) => new PerformanceObserver((list) =>
  tell(list.getEntries().filter((each) => !each.hadRecentInput).reduce((sum, each) => sum + each.value, 0))
).observe({ type: "layout-shift", buffered: true }) ?? setTimeout(() => tell(0), 200))"""
"""How much has moved since the page was opened, by the browser's own measure."""


@pytest.mark.parametrize("size", [PHONE, WIDE], ids=["phone", "wide"])
@pytest.mark.parametrize("game", ["fish", "labyrinth", "trains"])
def test_nothing_jumps_when_the_panel_of_a_match_that_is_over_comes(
    browser: Browser, site: Site, world: dict[str, str], game: str, size: ViewportSize
) -> None:
    context = browser.new_context(base_url=site.url, viewport=size)
    with watched(context.new_page(), site) as page:
        page.goto(f"/matches/{world[game]}")
        expect(page.locator("#ending")).to_be_visible()
        expect(page.locator(".side")).to_be_visible()
        assert page.evaluate(SHIFTS) < 0.01
    context.close()
