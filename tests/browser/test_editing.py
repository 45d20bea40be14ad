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
    page.get_by_label("House players move").select_option("0.0")
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
    page.get_by_label("House players move").select_option("0.0")
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


# -- every click counts ------------------------------------------------------------------------


def test_a_click_between_two_spots_takes_the_nearest(page: Page) -> None:
    page.goto("/editor/trains?start=empty")
    spots = page.locator("#board [data-spot]")
    one, other = spots.nth(0).bounding_box(), spots.nth(1).bounding_box()
    assert one is not None and other is not None
    x = 0.4 * (one["x"] + one["width"]) + 0.6 * other["x"] if one["y"] == other["y"] else one["x"]
    y = max(one["y"] + one["height"], other["y"] + other["height"]) + 1
    with page.expect_response("**/api/editor/*") as answered:
        page.mouse.click(x, y)
    assert answered.value.status == 200
    expect(page.locator("#board [data-city]")).to_have_count(1)


def test_every_click_on_the_sheet_is_taken(page: Page) -> None:
    page.goto("/editor/trains?start=empty")
    sheet = page.locator("#board svg").bounding_box()
    assert sheet is not None
    rng = Random(5)
    for count in range(1, 9):
        x = sheet["x"] + sheet["width"] * (0.1 + 0.8 * rng.random())
        y = sheet["y"] + sheet["height"] * (0.1 + 0.8 * rng.random())
        with page.expect_response("**/api/editor/*") as answered:
            page.mouse.click(x, y)
        page.wait_for_timeout(0)
        if answered.value.status == 200:
            expect(page.locator("#board [data-city]")).to_have_count(count)


def test_dragging_paints_and_is_taken_back_at_once(page: Page) -> None:
    page.goto("/editor/fish?start=equal")
    first = page.locator("#board").inner_html()
    page.get_by_role("radio", name="5 fish").check()
    boxes = [page.locator("#board [data-at]").nth(number).bounding_box() for number in range(4)]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box is not None]
    page.mouse.move(*middles[0])
    page.mouse.down()
    for x, y in middles[1:]:
        page.mouse.move(x, y, steps=5)
    with page.expect_request("**/api/editor/*") as asked:
        page.mouse.up()
    edit: Any = asked.value.post_data_json
    assert edit["click"] and len(edit["stroke"]) >= 3
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    assert page.locator("#board").inner_html() != first
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()


def test_dragging_joins_two_cities(page: Page) -> None:
    page.goto("/editor/trains?start=tiny")
    lines = page.locator("#board [data-line]").count()
    page.get_by_role("radio", name="red 5").check()
    names = [page.locator("#board [data-city]").nth(number).get_attribute("data-city") for number in range(6)]
    joined = {page.locator("#board [data-line]").nth(number).get_attribute("data-line") for number in range(lines)}
    one, other = next(
        (one, other)
        for one in names
        for other in names
        if one != other and not any(str(one) in str(line) and str(other) in str(line) for line in joined)
    )
    boxes = [page.locator(f'[data-city="{name}"] .city').bounding_box() for name in (one, other)]
    ends = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes if box is not None]
    page.mouse.move(*ends[0])
    page.mouse.down()
    page.mouse.move(*ends[1], steps=8)
    page.mouse.up()
    expect(page.locator("#board [data-line]")).to_have_count(lines + 1)


# -- nothing is lost ---------------------------------------------------------------------------


def test_a_drawing_that_was_not_saved_comes_back(page: Page) -> None:
    page.goto("/editor/fish?start=equal")
    first = page.locator("#board").inner_html()
    click_piece(page, 4)
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    drawn = page.locator("#board").inner_html()
    page.goto("/")
    page.goto("/editor/fish?start=equal")
    expect(page.locator("#draft")).to_be_visible()
    assert page.locator("#board").inner_html() == drawn
    page.get_by_role("button", name="Start afresh").click()
    expect(page.locator("#draft")).to_be_hidden()
    assert page.locator("#board").inner_html() == first
    page.reload()
    expect(page.locator("#check")).not_to_be_empty()
    expect(page.locator("#draft")).to_be_hidden()


def test_a_saved_board_is_shared_by_link(page: Page) -> None:
    page.goto("/editor/fish?start=equal")
    expect(page.get_by_role("button", name="Share")).to_be_hidden()
    page.get_by_label("Board name").fill("shared board")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("button", name="Share").click()
    link = page.get_by_role("dialog").get_by_label("Link").input_value()
    expect(page.get_by_role("dialog").get_by_role("img")).to_have_js_property("complete", True)
    page.get_by_role("button", name="Close").click()
    page.goto(link)
    expect(page.locator("main")).to_contain_text("shared board")
