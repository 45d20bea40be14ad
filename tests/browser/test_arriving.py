"""People who come to the page: a name, the board that moves, a level to play, the lobby, a new table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.watched import my_turn, open_table, watched
from web.servers import Site, outside


@pytest.fixture
def other(browser: Browser, site: Site) -> Iterator[Page]:
    """Somebody else's browser."""
    context = browser.new_context(base_url=site.url)
    with watched(context.new_page(), site) as page:
        yield page
    context.close()


def choose_name(page: Page, name: str) -> None:
    """Type a name into the header."""
    page.locator("#who summary").click()
    page.get_by_label("Your name at the table").fill(name)
    page.get_by_role("button", name="Save").click()


def test_what_is_typed_stays_when_the_browser_is_late_to_say_that_the_panel_is_open(page: Page) -> None:
    page.goto("/")
    page.locator("#who summary").click()
    page.get_by_label("Your name at the table").fill("Robin")
    page.locator("#who").dispatch_event("toggle")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#who-name")).to_have_text("Robin")


def test_a_name_is_typed_once(page: Page) -> None:
    page.goto("/")
    choose_name(page, " Robin ")
    expect(page.locator("#who-name")).to_have_text("Robin")
    page.goto("/new?game=fish")
    expect(page.locator("#who-name")).to_have_text("Robin")
    expect(page.get_by_label("Name on seat 1")).to_have_value("Robin")
    page.goto("/")
    page.get_by_role("button", name="Play now: fish").click()
    page.wait_for_url("**/matches/*")
    expect(page.locator("#seats")).to_contain_text("Robin")


def test_a_name_that_cannot_be_used_is_refused_in_words(context: BrowserContext, site: Site) -> None:
    with watched(context.new_page(), site, expected=422) as page:
        page.goto("/")
        choose_name(page, "Rob\u200bin")
        expect(page.locator("#who-error")).to_contain_text("invisible character")
        expect(page.locator("#who-name")).to_have_text("guest")
        page.keyboard.press("Escape")
        expect(page.locator("#who-form")).to_be_hidden()


def test_a_level_is_chosen_by_its_face(page: Page) -> None:
    page.goto("/")
    card = page.locator(".game", has=page.get_by_role("heading", name="Fish"))
    expect(card.get_by_text("Clover the rabbit")).to_be_visible()
    card.get_by_role("radio", name="Hard").check()
    expect(card.get_by_text("Sage the owl")).to_be_visible()
    expect(card.get_by_text("Clover the rabbit")).to_be_hidden()
    card.get_by_role("button", name="Play now: fish").click()
    page.wait_for_url("**/matches/*")
    expect(page.locator("#seats")).to_contain_text("hard", ignore_case=True)


def test_a_running_game_is_continued_from_another_page(page: Page, context: BrowserContext) -> None:
    id = open_table(context, "fish", "me", "greedy")["id"]
    page.goto("/tournaments")
    page.get_by_role("link", name=re.compile("Continue Fish")).first.click()
    page.wait_for_url(f"**/matches/{id}")
    my_turn(page)


def test_the_first_page_shows_a_match_that_runs_and_goes_on(page: Page, context: BrowserContext) -> None:
    id = open_table(context, "fish", "random", "random", pace=0.3)["id"]
    page.goto("/")
    expect(page.locator("#scene")).to_have_attribute("data-id", id)
    expect(page.locator("#scene-board svg [data-body]")).to_be_visible()
    before = page.locator("#scene-words").inner_text()
    expect(page.locator("#scene-words")).not_to_have_text(before)
    expect(page.locator("#scene-kind")).to_have_text("Just finished")


def test_where_nothing_runs_a_demonstration_moves_until_it_is_stopped(browser: Browser, tmp_path: Path) -> None:
    with outside(tmp_path / "fairplay.db", "--rate", "10000") as server:
        context = browser.new_context(base_url=server.url)
        with watched(context.new_page(), server) as page:
            page.goto("/")
            words = page.locator("#scene-words")
            before = words.inner_text()
            expect(words).not_to_have_text(before)
            page.get_by_role("button", name="Stop the board").click()
            expect(page.get_by_role("button", name="Let the board move")).to_be_visible()
        context.close()


def test_nothing_moves_by_itself_for_those_who_want_no_motion(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, reduced_motion="reduce")
    with watched(context.new_page(), site) as page:
        page.goto("/")
        expect(page.get_by_role("button", name="Let the board move")).to_be_visible()
    context.close()


def test_two_strangers_meet_at_an_open_table(page: Page, other: Page) -> None:
    other.goto("/lobby")
    page.goto("/new?game=fish&open=1")
    expect(page.locator("#table-hint")).to_contain_text("lobby")
    page.get_by_label("Name on seat 1").fill("Robin")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/matches/*")
    row = other.locator("#tables li", has_text="Robin")
    expect(row).to_contain_text("1 free seat")
    expect(other.locator("#no-tables")).to_be_hidden()
    row.get_by_role("button", name="Join Fish with Robin").click()
    other.wait_for_url(page.url)
    assert my_turn(page)


def test_the_lobby_shows_a_match_that_begins_while_one_looks(page: Page, context: BrowserContext) -> None:
    page.goto("/lobby")
    id = open_table(context, "fish", "greedy", "random", pace=30)["id"]
    expect(page.locator(f"#running a[href='/matches/{id}']")).to_be_visible(timeout=60_000)


def test_two_strangers_are_paired(page: Page, other: Page) -> None:
    for person in (page, other):
        person.goto("/lobby")
        person.get_by_role("button", name="Find an opponent for Labyrinth").click()
        person.wait_for_url("**/matches/*")
    assert page.url == other.url
    assert my_turn(page)


def test_the_page_of_a_new_table_follows_what_is_chosen(page: Page) -> None:
    page.goto("/new?game=trains")
    seat = page.locator(".chair").nth(1)
    expect(seat.locator(".face")).to_have_attribute("src", re.compile(r"/faces/friend\.svg$"))
    page.get_by_label("Who sits on seat 2").select_option("master")
    expect(seat.locator(".face")).to_have_attribute("src", re.compile(r"/faces/master\.svg$"))
    expect(seat.locator(".about")).not_to_have_text("")
    expect(seat.locator("input")).to_be_hidden()
    preview = page.locator("#preview")
    before = preview.get_attribute("src")
    page.locator("[name=board]").select_option(index=1)
    expect(preview).not_to_have_attribute("src", before or "")
    page.get_by_role("button", name="Add a seat").click()
    expect(page.locator(".chair:visible")).to_have_count(3)
    expect(preview).to_have_attribute("src", re.compile("seats=3"))


def test_times_are_those_of_the_visitor(browser: Browser, site: Site, context: BrowserContext) -> None:
    open_table(context, "fish", "random", "random")
    abroad = browser.new_context(base_url=site.url, timezone_id="Asia/Tokyo", locale="en-GB")
    with watched(abroad.new_page(), site) as page:
        page.goto("/matches")
        shown = page.locator("time").first
        utc, local = shown.get_attribute("title") or "", shown.inner_text()
        assert utc.endswith("UTC") and "UTC" not in local
        hours = int(local.rpartition(":")[0][-2:]) - int(utc[11:13])
        assert hours % 24 == 9
    abroad.close()


def test_a_rule_has_an_address(page: Page) -> None:
    page.goto("/rules/fish#3.2")
    expect(page.locator(":target")).to_contain_text("3.2")
    page.get_by_role("navigation", name="Contents").get_by_role("link", name="5 Scores").click()
    expect(page.locator(":target")).to_have_text("5 Scores")
    expect(page.locator(":target")).to_be_in_viewport()


@pytest.mark.parametrize("game", ["fish", "labyrinth"])
def test_a_game_is_learned_from_pictures_and_then_played_with_a_guide(page: Page, game: str) -> None:
    page.goto("/")
    page.get_by_role("link", name=f"How to play {game.capitalize()}").click()
    page.wait_for_url(f"**/how-to-play/{game}")
    pictures = page.locator(".lesson img")
    expect(pictures).to_have_count(5)
    for number in range(5):
        pictures.nth(number).scroll_into_view_if_needed()
        page.wait_for_function(f"() => document.querySelectorAll('.lesson img')[{number}].naturalWidth > 0")
    page.get_by_role("button", name="Play a guided first game").click()
    page.wait_for_url("**/matches/*")
    my_turn(page)
