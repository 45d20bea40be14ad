"""Boards that people draw in a browser: changed, checked, saved, and played on."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.watched import my_turn, over, play_on, watched
from web.servers import Site

GAMES = ("fish", "trains", "labyrinth")


def click_piece(page: Page, number: int) -> None:
    """Click one of the pieces of a drawing."""
    piece = page.locator("#board [data-at], #board [data-tile], #board svg [role=button]").nth(number)
    piece.scroll_into_view_if_needed()
    box = piece.bounding_box()
    assert box is not None
    with page.expect_response("**/api/editor/*"):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("game", GAMES)
def test_a_drawing_is_changed_and_taken_back(page: Page, game: str) -> None:
    page.goto(f"/editor/{game}")
    expect(page.locator("#check")).not_to_be_empty()
    first = page.locator("#board").inner_html()
    click_piece(page, 4)
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    changed = page.locator("#board").inner_html()
    assert changed != first
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Redo").click()
    assert page.locator("#board").inner_html() == changed
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


@pytest.mark.parametrize("game", GAMES)
def test_a_board_is_saved_and_played_on(page: Page, game: str) -> None:
    page.goto("/editor")
    page.locator(f'a[href^="/editor/{game}?start="]').first.click()
    page.wait_for_url(f"**/editor/{game}?start=*")
    if page.get_by_role("button", name="Save and play").is_disabled():
        page.locator(f'a[href^="/editor/{game}?start="]').last.click()
    page.get_by_label("Board name").fill("my board")
    page.get_by_role("button", name="Save and play").click()
    page.wait_for_url("**/new?board=*")
    expect(page.locator("main")).to_contain_text("my board")
    page.get_by_label("A house player's turn takes").select_option("0.0")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/matches/*")
    assert my_turn(page)
    play_on(page, Random(1), 2)
    expect(page.locator("#turns li")).not_to_have_count(1)


def begun_and_kept(context: BrowserContext, game: str) -> tuple[str, Any]:
    """A new drawing as it begins, saved: its id, and itself."""
    drawing = context.request.post(f"/api/editor/{game}", data={}).json()["drawing"]
    kept = context.request.post("/api/boards", data={"game": game, "name": "mine", "drawing": drawing})
    return kept.json()["id"], drawing


def test_a_variant_is_chosen_for_a_drawn_board(page: Page, context: BrowserContext) -> None:
    id, drawing = begun_and_kept(context, "labyrinth")
    page.goto(f"/new?board={id}")
    page.get_by_label("Variant").select_option("multi-goal")
    for seat in (1, 2):
        page.get_by_label(f"Who sits on seat {seat}").select_option("euclid")
    page.get_by_label("A house player's turn takes").select_option("0.0")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/matches/*")
    match = page.url.rpartition("/")[2]
    over(context, match)
    head = json.loads(context.request.get(f"/api/matches/{match}/record").body().splitlines()[0])
    assert (head["setup"]["variant"], head["setup"]["board"]) == ("multi-goal", drawing)


def test_a_board_without_variants_offers_no_choice(page: Page, context: BrowserContext) -> None:
    page.goto(f"/new?board={begun_and_kept(context, 'fish')[0]}")
    expect(page.get_by_role("button", name="Start")).to_be_visible()
    expect(page.get_by_label("Variant")).to_have_count(0)


def test_the_page_says_what_the_next_click_is_for(page: Page) -> None:
    page.goto("/editor/trains?start=tiny")
    expect(page.locator("#prompt")).to_have_text("Click a free spot for a new city, or a city to rename it.")
    page.get_by_role("radio", name="red 3").check()
    expect(page.locator("#prompt")).to_have_text("Click two cities to join them, or a connection to change it.")
    page.locator('[data-city="Ash"] .city').click()
    expect(page.locator("#prompt")).to_have_text("Ash is chosen. Click the city at the other end.")
    page.get_by_role("radio", name="move a city").check()
    expect(page.locator("#prompt")).to_have_text("Ash is chosen. Click the free spot where it goes.")


def test_a_refusal_hides_nothing_and_goes_away(browser: Browser, site: Site) -> None:
    context = browser.new_context(base_url=site.url, viewport={"width": 390, "height": 844})
    with watched(context.new_page(), site, expected=422) as page:
        page.goto("/editor/trains?start=tiny")
        page.locator('[data-city="Ash"] .city').click()
        expect(page.locator("#error")).to_have_text("Type another name for Ash first, then click it.")
        said, drawn = page.locator("#error").bounding_box(), page.locator("#board").bounding_box()
        assert said is not None and drawn is not None
        assert said["y"] + said["height"] < drawn["y"] + 30, "it lies over the prompt, not over what was drawn"
        page.locator("#error").click()
        expect(page.locator("#error")).to_be_hidden()
        page.locator('[data-city="Ash"] .city').click()
        expect(page.locator("#error")).to_be_visible()
        page.get_by_role("radio", name="remove").check()
        expect(page.locator("#error")).to_be_hidden()
    context.close()


def test_a_drawing_by_keyboard(page: Page) -> None:
    page.goto("/editor/fish")
    first = page.locator("#board").inner_html()
    page.locator('#board [tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    with page.expect_response("**/api/editor/*"):
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    assert page.locator("#board").inner_html() != first
    page.keyboard.press("Control+z")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
