"""People who play in a browser: by clicks, by keyboard, by touch, with a friend, and again after they left."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from browser.watched import (
    OVER,
    click_key,
    focused,
    my_turn,
    newest,
    open_table,
    play_on,
    press_turn,
    tab_to,
    take_turn,
    watched,
)
from web.servers import Site

GAMES = [("fish", "greedy"), ("trains", "buy-now"), ("labyrinth", "lookahead")]


@pytest.mark.parametrize(("game", "rival"), GAMES)
def test_a_whole_game_by_clicks(page: Page, context: BrowserContext, game: str, rival: str) -> None:
    page.goto(f"/matches/{open_table(context, game, 'me', rival)['id']}")
    secrets = page.get_by_label("Show").locator("option:disabled")
    expect(secrets).to_have_text([re.compile("^what .* sees"), "everything"])
    play_on(page, Random(3))
    expect(page.locator("#prompt")).to_contain_text("won")
    expect(page.get_by_role("link", name="Download the record")).to_be_visible()
    expect(secrets).to_have_count(0)


@pytest.mark.parametrize(("game", "rival"), GAMES)
def test_a_few_turns_on_a_phone(page: Page, context: BrowserContext, game: str, rival: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/matches/{open_table(context, game, 'me', rival)['id']}")
    play_on(page, Random(4), 5)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    board, window = page.locator("#board > svg").bounding_box(), page.viewport_size
    assert board and window and board["width"] >= 0.95 * window["width"]


def test_from_the_first_page_to_a_game_in_one_click(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now: fish").click()
    page.wait_for_url("**/matches/*")
    expect(page.locator("#prompt")).not_to_have_text("")
    my_turn(page)
    take_turn(page, Random(1))
    expect(page.locator("#turns li")).to_have_count(3)


def middle(target: Locator) -> tuple[float, float]:
    """Where the middle of an element is in the window."""
    box = target.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_an_illegal_click_keeps_the_selection_and_says_why(page: Page, context: BrowserContext) -> None:
    page.goto(f"/matches/{open_table(context, 'fish', 'me', 'random')['id']}")
    while my_turn(page) and "one of your penguins" not in page.locator("#prompt").inner_text():
        take_turn(page, Random(1))
    page.locator("#board [data-choice]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#root")).to_have_attribute("data-clicks", "1")
    far = page.locator("#board [data-at]:not([data-choice]):not([data-seat])").last
    page.mouse.click(*middle(far))
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text(re.compile(r"\(\d,\d\)"))
    expect(page.locator("#root")).to_have_attribute("data-clicks", "1")
    expect(page.locator("#board .chosen").first).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator("#root")).to_have_attribute("data-clicks", "0")
    expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)
    take_turn(page, Random(2))


def test_choosing_does_not_wait_for_the_network(page: Page, context: BrowserContext) -> None:
    page.goto(f"/matches/{open_table(context, 'labyrinth', 'me', 'random')['id']}")
    my_turn(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("[data-choice^='turn=']").first.click()
    page.locator("[data-choice^='slide=']").first.click()
    expect(page.locator("#root")).to_have_attribute("data-clicks", "2")
    assert not asked
    page.keyboard.press("Escape")
    expect(page.locator("#root")).to_have_attribute("data-clicks", "0")


def test_what_one_points_at_is_shown(page: Page, context: BrowserContext) -> None:
    page.goto(f"/matches/{open_table(context, 'fish', 'me', 'random')['id']}")
    my_turn(page)
    target = page.locator("#board [data-choice]").first
    page.mouse.move(*middle(target))
    expect(page.locator("#tip")).to_have_text(str(target.get_attribute("aria-label")))
    expect(page.locator("#board .near").first).to_be_attached()
    page.mouse.move(1, 1)
    expect(page.locator("#tip")).to_be_hidden()
    expect(page.locator("#board .near")).to_have_count(0)


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


# -- motion ------------------------------------------------------------------------------------

COUNT_MOTIONS = """
window.motions = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) { window.motions += 1; return animate.apply(this, given); };
"""


@pytest.mark.parametrize(("game", "rival"), GAMES)
def test_every_move_moves(page: Page, context: BrowserContext, game: str, rival: str) -> None:
    id = open_table(context, game, rival, rival, seed=7)["id"]
    page.add_init_script(COUNT_MOTIONS)
    page.goto("/")
    while context.request.get(f"/api/matches/{id}/record").status != 200:
        page.wait_for_timeout(50)
    page.goto(f"/matches/{id}?turn=0")
    for key, numbers in (("ArrowRight", range(1, 11)), ("ArrowLeft", range(9, -1, -1))):
        for number in numbers:
            before = page.evaluate("window.motions")
            page.keyboard.press(key)
            expect(page.locator("#number")).to_have_text(str(number))
            assert page.evaluate("window.motions") > before or game == "trains", f"{key} to {number}: nothing moved"
    assert page.evaluate("window.motions") > 0


def test_nothing_moves_for_those_who_want_no_motion(page: Page, context: BrowserContext) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.add_init_script(COUNT_MOTIONS)
    page.goto(f"/matches/{open_table(context, 'fish', 'me', 'greedy')['id']}")
    play_on(page, Random(1), 6)
    assert page.evaluate("window.motions") == 0


def test_a_new_moment_interrupts_the_motion_before(page: Page, context: BrowserContext) -> None:
    id = open_table(context, "fish", "greedy", "greedy", seed=7)["id"]
    page.goto("/")
    while context.request.get(f"/api/matches/{id}/record").status != 200:
        page.wait_for_timeout(50)
    page.goto(f"/matches/{id}?turn=0")
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    expect(page.locator("#number")).to_have_text("12")
    page.wait_for_function("() => document.getAnimations().length === 0")
    shown = page.locator("#board").inner_html()
    page.goto(f"/matches/{id}?turn=12")
    expect(page.locator("#number")).to_have_text("12")
    assert page.locator("#board").inner_html() == shown


# -- the keyboard ------------------------------------------------------------------------------


def test_from_the_first_page_to_a_game_by_keyboard(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    assert "Skip" in focused(page)
    tab_to(page, "on.getAttribute('aria-label') === 'Play now: fish'")
    page.keyboard.press("Enter")
    page.wait_for_url("**/matches/*")
    my_turn(page)
    tab_to(page, "on.dataset.choice")


def test_tab_reaches_the_board_in_one_stop_and_arrows_move_on_it(page: Page, context: BrowserContext) -> None:
    page.goto(f"/matches/{open_table(context, 'fish', 'me', 'random')['id']}")
    my_turn(page)
    tab_to(page, "on.dataset.choice")
    first = focused(page)
    page.keyboard.press("ArrowRight")
    assert focused(page) != first
    expect(page.locator("#number")).to_have_text("0")
    assert page.locator("#board [tabindex='0']").count() == 1
    second = focused(page)
    page.keyboard.press("Tab")
    assert not page.evaluate("() => document.querySelector('#board').contains(document.activeElement)")
    page.keyboard.press("Shift+Tab")
    assert focused(page) == second
    page.keyboard.press("Enter")
    my_turn(page)
    page.wait_for_function("() => document.querySelector('#board').contains(document.activeElement)")


@pytest.mark.parametrize(("game", "rival"), GAMES)
def test_a_game_by_keyboard(page: Page, context: BrowserContext, game: str, rival: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844} if game == "fish" else {"width": 1280, "height": 800})
    page.goto(f"/matches/{open_table(context, game, 'me', rival)['id']}")
    rng = Random(2)
    turns = {"fish": 60, "trains": 4, "labyrinth": 6}[game]  # the two of them together
    while newest(page) < turns and my_turn(page):
        press_turn(page, rng)
    assert newest(page) >= turns or page.evaluate(OVER)


# -- fingers -----------------------------------------------------------------------------------


@contextmanager
def touching(browser: Browser, site: Site, cookies: dict[str, str]) -> Iterator[tuple[BrowserContext, Page]]:
    """A phone."""
    phone = browser.new_context(base_url=site.url, viewport={"width": 390, "height": 844}, has_touch=True)
    phone.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in cookies.items()])
    with watched(phone.new_page(), site) as page:
        yield phone, page
    phone.close()


def test_a_tap_shows_a_small_target_before_it_counts(
    browser: Browser, site: Site, owner_cookie: dict[str, str]
) -> None:
    with touching(browser, site, owner_cookie) as (phone, page):
        page.goto(f"/matches/{open_table(phone, 'labyrinth', 'me', 'random')['id']}")
        my_turn(page)
        arrow = page.locator("#board [data-choice^='slide=']").first
        box = arrow.bounding_box()
        assert box is not None and min(box["width"], box["height"]) < 44
        page.touchscreen.tap(*middle(arrow))
        expect(page.locator("#board .near").first).to_be_attached()
        expect(page.locator("#root")).to_have_attribute("data-clicks", "0")
        page.touchscreen.tap(*middle(arrow))
        expect(page.locator("#root")).to_have_attribute("data-clicks", "1")


def test_the_board_is_enlarged_and_moved_alone(page: Page, context: BrowserContext) -> None:
    page.goto(f"/matches/{open_table(context, 'trains', 'me', 'random')['id']}")
    before = page.locator("#board > svg").bounding_box()
    frame = page.locator("#frame").bounding_box()
    page.get_by_role("button", name="Larger").click()
    after = page.locator("#board > svg").bounding_box()
    assert before and after and after["width"] > 1.4 * before["width"]
    assert page.locator("#frame").bounding_box() == frame
    page.get_by_role("button", name="Smaller").click()
    assert page.locator("#board > svg").bounding_box() == before


# -- the connection ----------------------------------------------------------------------------


def test_a_lost_connection_is_shown_at_once_and_forgotten_when_it_is_back(context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"/matches/{open_table(context, 'fish', 'me', 'greedy')['id']}")
    my_turn(page)
    take_turn(page, Random(1))
    my_turn(page)
    context.set_offline(True)
    lost = page.get_by_text("Connection lost. Trying again…")
    expect(lost).to_be_visible()
    expect(page.locator("#root.offline")).to_be_attached()
    page.locator("#board [data-choice]").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#root")).to_have_attribute("data-turn", "choosing")
    assert "fetch" not in page.locator("body").inner_text()
    context.set_offline(False)
    expect(lost).to_be_hidden()
    expect(page.locator("#root.offline")).to_have_count(0)
    expect(page.get_by_role("alert").filter(visible=True)).to_have_count(0)
    take_turn(page, Random(2))


# -- friends -----------------------------------------------------------------------------------


@contextmanager
def friend_of(browser: Browser, site: Site) -> Iterator[Page]:
    """The browser of somebody else."""
    other = browser.new_context(base_url=site.url, viewport={"width": 900, "height": 900})
    with watched(other.new_page(), site) as page:
        yield page
    other.close()


def open_for_friend(context: BrowserContext, page: Page, **more: Any) -> str:
    """A table with a seat for a friend, as the page of a new one leaves it; the link."""
    made = open_table(context, "fish", "me", "friend", **more)
    links = [{"who": "friend", "name": "", "number": 1, "key": made["keys"][1]}]
    page.goto("/")
    page.evaluate(
        "([name, links]) => localStorage.setItem(name, JSON.stringify(links))", [f"links-{made['id']}", links]
    )
    page.goto(f"/matches/{made['id']}")
    link = page.locator("#links input").input_value()
    assert "#key=" in link, "the key is in the part of a link that no server is told"
    return link


def sit_down(friend: Page, link: str, name: str) -> None:
    """Come by a link for the first time, with a name."""
    friend.goto(link)
    friend.locator("#welcome-name").fill(name)
    friend.get_by_role("button", name="Take your seat").click()
    expect(friend.locator(".seat").nth(1)).to_contain_text("(you)")


def test_a_friend_comes_by_link_with_a_name_and_comes_back_by_it(
    page: Page, context: BrowserContext, browser: Browser, site: Site
) -> None:
    link = open_for_friend(context, page)
    expect(page.locator("#prompt")).to_contain_text("Waiting")
    expect(page.get_by_role("button", name="Copy the link")).to_be_visible()
    with friend_of(browser, site) as friend:
        sit_down(friend, link, "Ann")
        assert "key" not in friend.url
        expect(page.locator("#invitations")).to_be_hidden()
        expect(page.locator(".seat").nth(1)).to_contain_text("Ann")
        expect(page.get_by_role("heading", level=1)).to_contain_text("– Ann")
        expect(page).to_have_title(re.compile("– Ann –"))
        for number in range(4):
            mover = (page, friend)[number % 2]
            assert my_turn(mover)
            take_turn(mover, Random(number))
        expect(friend.locator("#number")).to_have_text("4")
        friend.goto("/")
        friend.goto(link)  # again: it leads to the seat
        expect(friend.locator(".seat").nth(1)).to_contain_text("(you)")
        assert my_turn(page)
        take_turn(page, Random(4))
        assert my_turn(friend)
        take_turn(friend, Random(5))
        assert "key" not in friend.url


def test_whoever_comes_too_late_watches(page: Page, context: BrowserContext, browser: Browser, site: Site) -> None:
    link = open_for_friend(context, page)
    with friend_of(browser, site) as friend:
        sit_down(friend, link, "Ann")
        other = browser.new_context(base_url=site.url)
        third = other.new_page()
        third.goto(link)
        expect(third.get_by_role("alert").filter(visible=True)).to_contain_text("You can watch")
        expect(third.get_by_role("dialog")).to_be_hidden()
        my_turn(page)
        take_turn(page, Random(1))
        expect(third.locator("#number")).to_have_text("1")
        other.close()


def test_the_host_has_the_link_in_another_tab_and_starting_without_friends_is_asked_twice(
    page: Page, context: BrowserContext
) -> None:
    link = open_for_friend(context, page)
    second = context.new_page()
    second.goto(link.partition("#")[0])
    expect(second.locator("#links input")).to_have_value(link)
    second.close()
    page.get_by_role("button", name="Start without them").click()
    expect(page.locator("#root")).to_have_attribute("data-status", "waiting")
    page.get_by_role("button", name="Wait", exact=True).click()
    page.get_by_role("button", name="Start without them").click()
    page.get_by_role("button", name="Start now").click()
    assert my_turn(page)


def test_two_people_ask_for_a_rematch(page: Page, context: BrowserContext, browser: Browser, site: Site) -> None:
    with friend_of(browser, site) as friend:
        sit_down(friend, open_for_friend(context, page), "Ann")
        my_turn(page)
        take_turn(page, Random(1))
        friend.get_by_text("Give up…").click()
        friend.get_by_role("button", name="Resign").click()
        friend.get_by_role("dialog").get_by_role("button", name="Resign").click()
        for one in (page, friend):
            expect(one.locator("#ending")).to_be_visible()
            expect(one.locator("#scores .result")).to_have_count(2)
        expect(page.locator("#ending-title")).to_contain_text("You won")
        old = page.url
        page.get_by_role("button", name="Rematch").click()
        page.wait_for_url(lambda url: url != old)
        expect(friend.get_by_text("would like to play again")).to_be_visible()
        friend.get_by_role("button", name="Accept the rematch").click()
        friend.wait_for_url(page.url)
        expect(friend.locator(".seat").first).to_contain_text("Ann (you)")
        assert my_turn(friend)
        take_turn(friend, Random(1))
        assert my_turn(page)


def test_a_game_is_stopped_when_both_agree(page: Page, context: BrowserContext, browser: Browser, site: Site) -> None:
    with friend_of(browser, site) as friend:
        sit_down(friend, open_for_friend(context, page), "Ann")
        my_turn(page)
        page.get_by_text("Give up…").click()
        page.get_by_role("button", name="Offer to stop").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Offer to stop").click()
        page.get_by_role("dialog").get_by_role("button", name="Offer to stop").click()
        expect(friend.get_by_text("would like to stop the game")).to_be_visible()
        friend.get_by_role("button", name="Stop the game").click()
        for one in (page, friend):
            expect(one.locator("#root")).to_have_attribute("data-status", re.compile("over|cut off"))


def test_who_leaves_is_replaced_and_the_other_plays_on(
    page: Page, context: BrowserContext, browser: Browser, site: Site
) -> None:
    with friend_of(browser, site) as friend:
        sit_down(friend, open_for_friend(context, page), "Ann")
        my_turn(page)
        friend.get_by_text("Give up…").click()
        friend.get_by_role("button", name="Leave").click()
        expect(friend.get_by_role("dialog")).to_contain_text("A house player takes over your seat.")
        friend.get_by_role("dialog").get_by_role("button", name="Leave").click()
        friend.wait_for_url(lambda url: url.endswith("/"))
        expect(friend.get_by_role("link", name=re.compile("Continue"))).to_have_count(0)
        play_on(page, Random(1))
        expect(page.locator("#ending")).to_be_visible()


def test_signs_are_seen_by_the_others(page: Page, context: BrowserContext, browser: Browser, site: Site) -> None:
    with friend_of(browser, site) as friend:
        sit_down(friend, open_for_friend(context, page), "Ann")
        my_turn(page)
        friend.get_by_text("Say", exact=True).click()
        friend.get_by_role("button", name="Hello!").click()
        expect(page.locator(".seat").nth(1).locator(".emote")).to_have_text("Hello!")


def test_who_plays_on_refuses_an_offer_to_stop(
    page: Page, context: BrowserContext, browser: Browser, site: Site
) -> None:
    with friend_of(browser, site) as friend:
        sit_down(friend, open_for_friend(context, page), "Ann")
        my_turn(page)
        friend.get_by_text("Give up…").click()
        friend.get_by_role("button", name="Offer to stop").click()
        friend.get_by_role("dialog").get_by_role("button", name="Offer to stop").click()
        expect(friend.get_by_text("You have offered to stop the game.")).to_be_visible()
        expect(page.get_by_text("Ann would like to stop the game.")).to_be_visible()
        page.get_by_role("button", name="Play on").click()
        for each in (page, friend):
            expect(each.locator("#stop-offer")).to_be_hidden()


FLOWN = """
window.flown = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (...given) {
  window.flown.push(this.dataset.key);
  return animate.apply(this, given);
};
"""


def test_cards_fly_from_the_deck_to_the_hand(page: Page, context: BrowserContext) -> None:
    page.add_init_script(FLOWN)
    page.goto(f"/matches/{open_table(context, 'trains', 'me', 'hold-10')['id']}")
    my_turn(page)
    take_turn(page, Random(1))  # destinations
    my_turn(page)
    cards = sum(int(text[1:]) for text in page.locator("#cards [data-key^=card-] .card-count").all_inner_texts())
    page.evaluate("() => { window.flown = []; }")
    click_key(page, "deck=draw")
    flown = {key for key in page.evaluate("() => window.flown") if key and key.startswith("card-")}
    after = sum(int(text[1:]) for text in page.locator("#cards [data-key^=card-] .card-count").all_inner_texts())
    assert len(flown) == after - cards > 0


def test_a_hint_is_shown_on_the_board(page: Page, context: BrowserContext) -> None:
    page.goto(f"/matches/{open_table(context, 'fish', 'me', 'random')['id']}")
    my_turn(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#help-words")).not_to_be_empty(timeout=60_000)
    expect(page.locator("#board .hint").first).to_be_attached()
    take_turn(page, Random(1))
    expect(page.locator("#help")).to_be_hidden()


def test_a_guided_game_says_what_to_do(page: Page, context: BrowserContext) -> None:
    page.goto(context.request.post("/play/fish", form={"guided": "yes"}).url)
    my_turn(page)
    expect(page.locator("#help-title")).not_to_be_empty()
    expect(page.locator("#help-words")).not_to_be_empty()
