"""Two people who have never seen the page: they learn a game, meet in the lobby, play, lose touch, and play again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from browser.test_arriving import choose_name
from browser.watched import CHOOSING, OVER, click_key, my_turn, newest, press_turn, tab_to, take_turn, watched
from web.servers import Site, wait_until

DESK, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)

PASS = "pass=turn"
"""A match of Labyrinth ends when everyone passes."""

WATCH_MOTION = """
window.moving = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  const made = animate.apply(this, given);
  window.moving = Math.max(window.moving, document.getAnimations().length);
  return made;
};
"""
"""Keeps how many things have moved at the same time."""


@contextmanager
def person(browser: Browser, site: Site, window: ViewportSize) -> Iterator[Page]:
    """Somebody with a browser of their own, who has never been here."""
    context = browser.new_context(base_url=site.url, viewport=window)
    context.set_default_timeout(120_000)
    with watched(context.new_page(), site) as page:
        page.add_init_script(WATCH_MOTION)
        yield page
    context.close()


def find_opponent(page: Page, name: str, game: str) -> None:
    """From the home page to a table in the lobby."""
    page.goto("/")
    choose_name(page, name)
    expect(page.locator("#who-name")).to_have_text(name)
    page.get_by_role("link", name="Meet others").click()
    page.wait_for_url("**/lobby")
    page.get_by_role("button", name=f"Find an opponent for {game.capitalize()}").click()
    page.wait_for_url("**/matches/*")
    expect(page.locator(".seat", has_text=f"{name} (you)")).to_be_visible()


def meet(ann: Page, bob: Page, game: str) -> None:
    """Two people are paired, and Ann, who came first, has the first seat."""
    find_opponent(ann, "Ann", game)
    expect(ann.locator("#prompt")).to_contain_text("Waiting")
    find_opponent(bob, "Bob", game)
    assert ann.url == bob.url
    for page in (ann, bob):
        expect(page.locator(".seat .player-name")).to_have_text(["Ann", "Bob"])


def next_mover(pages: tuple[Page, Page]) -> Page | None:
    """Whoever can choose next; None: the match is over for both."""
    found: list[Page] = []

    def look() -> bool:
        pages[0].wait_for_timeout(20)  # the pages go on meanwhile
        found.extend(page for page in pages if page.evaluate(CHOOSING))
        return bool(found) or all(page.evaluate(OVER) for page in pages)

    wait_until(look)
    return found[0] if found else None


def play_turn(ann: Page, bob: Page, rng: Random) -> bool:
    """One turn, by Ann with the mouse or by Bob with keys; whether the other one has seen anything move."""
    mover = next_mover((ann, bob))
    assert mover is not None
    other = bob if mover is ann else ann
    before = newest(other)
    other.evaluate("() => { window.moving = 0; }")
    take_turn(ann, rng, avoid=PASS) if mover is ann else press_turn(bob, rng, avoid=PASS)
    other.wait_for_function(f"() => Number(document.querySelector('#number').textContent) > {before}")
    return bool(other.evaluate("() => window.moving > 0"))


def lose_connection(ann: Page, bob: Page, rng: Random) -> None:
    """Bob is offline while Ann takes a turn; once he is back, he sees it."""
    while next_mover((ann, bob)) is not ann:
        play_turn(ann, bob, rng)
    before = newest(bob)
    bob.context.set_offline(True)
    expect(bob.get_by_text("Connection lost. Trying again…")).to_be_visible()
    take_turn(ann, rng, avoid=PASS)
    assert newest(bob) == before
    bob.context.set_offline(False)
    expect(bob.get_by_text("Connection lost. Trying again…")).to_be_hidden()
    expect(bob.locator("#number")).to_have_text(ann.locator("#number").inner_text())
    expect(bob.locator("#words")).to_contain_text("Ann ")


def check_end(page: Page) -> None:
    """The panel says who won and where the points come from."""
    expect(page.locator("#ending")).to_be_visible()
    expect(page.locator("#ending-title")).to_contain_text(re.compile("won|share"))
    rows = page.locator("#scores .result")
    expect(rows).to_have_count(2)
    for row in rows.all():
        lines = [read_points(text) for text in row.locator(".lines span").all_inner_texts()]
        assert sum(lines) == read_points(row.locator(".score").inner_text())
    expect(page.locator("#progress svg")).to_be_visible()


def read_points(text: str) -> int:
    return int(text.replace("−", "-"))


def test_two_people_meet_play_to_the_end_and_play_again(browser: Browser, site: Site) -> None:
    rng = Random(5)
    with person(browser, site, DESK) as ann, person(browser, site, PHONE) as bob:
        meet(ann, bob, "fish")
        for _ in range(6):
            assert play_turn(ann, bob, rng)
        lose_connection(ann, bob, rng)
        while next_mover((ann, bob)):
            assert play_turn(ann, bob, rng)
        for page in (ann, bob):
            check_end(page)
        old = ann.url
        ann.get_by_role("button", name="Rematch").click()
        ann.wait_for_url(lambda url: url != old)
        expect(bob.get_by_text("Ann would like to play again.")).to_be_visible()
        tab_to(bob, "on.id === 'rematch'")
        bob.keyboard.press("Enter")
        bob.wait_for_url(ann.url)
        for page, me in ((ann, "Ann"), (bob, "Bob")):
            expect(page.locator(".seat .player-name")).to_have_text(["Bob", "Ann"])
            expect(page.locator(".seat", has_text="(you)")).to_contain_text(me)
        assert my_turn(bob)
        assert play_turn(ann, bob, rng)


@pytest.mark.parametrize("game", ["trains", "labyrinth"])
def test_two_people_play_until_they_agree_to_stop(browser: Browser, site: Site, game: str) -> None:
    rng = Random(6)
    with person(browser, site, DESK) as ann, person(browser, site, PHONE) as bob:
        meet(ann, bob, game)
        moved = [play_turn(ann, bob, rng) for _ in range(6)]
        assert all(moved[2:]), "rails are laid, and cards leave the deck"
        assert all(moved) or game == "trains", "which destinations somebody keeps is a secret"
        lose_connection(ann, bob, rng)
        ann.get_by_text("Give up…").click()
        ann.get_by_role("button", name="Offer to stop").click()
        ann.get_by_role("dialog").get_by_role("button", name="Offer to stop").click()
        expect(bob.get_by_text("Ann would like to stop the game.")).to_be_visible()
        tab_to(bob, "on.id === 'stop-yes'")
        bob.keyboard.press("Enter")
        for page in (ann, bob):
            page.wait_for_function(OVER)


HINTED = "() => document.querySelector('#table .hint[data-choice]')?.dataset.choice"
"""What the guide highlights, by key."""


@pytest.mark.parametrize("window", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("game", ["fish", "trains", "labyrinth"])
def test_a_first_game_is_played_by_doing_what_is_highlighted(
    browser: Browser, site: Site, game: str, window: ViewportSize
) -> None:
    with person(browser, site, window) as page:
        page.goto("/")
        page.get_by_role("link", name="Learn a game").click()
        page.get_by_role("navigation", name="Game").get_by_role("link", name=game.capitalize()).click()
        page.get_by_role("button", name="Play a guided first game").click()
        page.wait_for_url("**/matches/*")
        for _ in range(3):
            assert my_turn(page)
            expect(page.locator("#help-words")).to_be_visible()
            expect(page.locator("#help-words")).not_to_be_empty()
            while page.wait_for_function(HINTED) and click_key(page, page.evaluate(HINTED)):
                pass
