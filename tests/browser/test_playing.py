"""People who play in a browser: by clicks, by keyboard, with a friend, and again after they left."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.watched import OVER, my_turn, open_table, play_on, take_turn, watched
from web.servers import Site

GAMES = [("fish", "greedy"), ("trains", "buy-now"), ("labyrinth", "lookahead")]


@pytest.mark.parametrize(("game", "rival"), GAMES)
def test_a_whole_game_by_clicks(page: Page, game: str, rival: str) -> None:
    page.goto(f"/new?game={game}")
    page.locator("[name=variant]").select_option("quick")
    page.get_by_label("Who sits on seat 2").select_option(rival)
    page.get_by_label("A house player's turn takes").select_option("0.0")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/matches/*")
    secrets = page.get_by_label("Show").locator("option:disabled")
    expect(secrets).to_have_text([re.compile("^what .* sees"), "everything"])
    play_on(page, Random(3))
    expect(page.locator("#prompt")).to_contain_text("won")
    expect(page.get_by_role("link", name="Download the record")).to_be_visible()
    expect(secrets).to_have_count(0)


def test_from_the_first_page_to_a_game_in_one_click(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now: fish").click()
    page.wait_for_url("**/matches/*")
    expect(page.locator("#prompt")).not_to_have_text("")
    take_turn(page, Random(1))
    expect(page.locator("#turns li")).to_have_count(3)


def test_an_illegal_move_is_answered_in_words_and_may_be_taken_again(page: Page, context: BrowserContext) -> None:
    id = open_table(context, "fish", "me", "random")["id"]
    page.goto(f"/matches/{id}")
    my_turn(page)
    take_turn(page, Random(1))
    my_turn(page)
    taken = page.locator("#board [data-at]:not([data-choice])").first
    box = taken.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("alert")).not_to_have_text("")
    take_turn(page, Random(2))
    expect(page.get_by_role("alert")).to_be_hidden()


def test_whoever_closed_the_page_comes_back_to_the_seat(context: BrowserContext, site: Site) -> None:
    id = open_table(context, "trains", "me", "buy-now")["id"]
    with watched(context.new_page(), site) as page:
        page.goto(f"/matches/{id}")
        my_turn(page)
        take_turn(page, Random(1))
        my_turn(page)
        turns = page.locator("#turns li").all_inner_texts()
        page.close()
    with watched(context.new_page(), site) as page:
        page.goto(f"/matches/{id}")
        my_turn(page)
        assert page.locator("#turns li").all_inner_texts()[: len(turns)] == turns
        expect(page.locator(".seat").first).to_contain_text("(you)")
        take_turn(page, Random(1))


def test_a_friend_comes_by_link(page: Page, browser: Browser, site: Site) -> None:
    page.goto("/new?game=fish")
    page.locator("[name=variant]").select_option("quick")
    page.get_by_label("Who sits on seat 2").select_option("friend")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/matches/*")
    expect(page.locator("#prompt")).to_contain_text("Waiting")
    link = page.locator("#links input").input_value()
    assert "#key=" in link, "the key is in the part of a link that no server is told"
    other = browser.new_context(viewport={"width": 900, "height": 900})
    with watched(other.new_page(), site) as friend:
        friend.goto(link)
        friend.wait_for_url(f"**{page.url.rpartition('/')[2]}")
        assert "key" not in friend.url
        expect(friend.locator(".seat").nth(1)).to_contain_text("(you)")
        expect(page.locator("#invitations")).to_be_hidden()
        for number in range(4):
            mover = (page, friend)[number % 2]
            assert my_turn(mover)
            take_turn(mover, Random(number))
        expect(friend.locator("#number")).to_have_text("4")
        friend.goto(link)  # used up: the seat is the friend's by cookie, the link is worth nothing any more
    other.close()


def focused(page: Page) -> str:
    """The key of what the keyboard is at, or its words."""
    return str(page.evaluate("() => document.activeElement.dataset.choice || document.activeElement.textContent"))


def tab_to(page: Page, true: str) -> None:
    """Press Tab until the focus is on something that is so."""
    for _ in range(120):
        if page.evaluate(f"() => {{ const on = document.activeElement; return {true}; }}"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never leads to {true}; it is at {focused(page)}")


def test_from_the_first_page_to_a_game_by_keyboard(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert "Skip" in focused(page)
    tab_to(page, "on.getAttribute('aria-label') === 'Play now: fish'")
    page.keyboard.press("Enter")
    page.wait_for_url("**/matches/*")
    my_turn(page)
    tab_to(page, "on.dataset.choice")


def test_a_whole_game_by_keyboard(page: Page, context: BrowserContext) -> None:
    id = open_table(context, "fish", "me", "random")["id"]
    page.goto(f"/matches/{id}")
    rng = Random(2)
    while my_turn(page):
        before = page.locator("#last").inner_text()
        tab_to(page, "on.dataset.choice && !on.classList.contains('was')")
        for _ in range(rng.randrange(3)):
            page.keyboard.press("Tab")
        tab_to(page, "on.dataset.choice && !on.classList.contains('was')")
        page.evaluate("() => document.querySelectorAll('[data-choice]').forEach((one) => one.classList.add('was'))")
        with page.expect_response("**/wish") as answered:
            page.keyboard.press("Enter")
        if answered.value.json().get("done"):
            page.wait_for_function(f"() => document.querySelector('#last').textContent !== '{before}' || ({OVER})()")
    expect(page.locator("#prompt")).to_contain_text("Over")
