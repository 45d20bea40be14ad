"""The page on which the API is tried, in a browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def test_a_request_is_sent_and_its_response_shown(page: Page) -> None:
    page.goto("/api/try")
    page.get_by_label("Operation").select_option("GET /api/games")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#status")).to_contain_text("200")
    expect(page.locator("#answer")).to_contain_text('"name": "fish"')
    expect(page.locator("#curl")).to_have_text(f"curl '{page.url.split('/api')[0]}/api/games'")


def test_an_example_is_sent_and_an_image_shown(page: Page) -> None:
    page.goto("/api/try#POST/api/matches")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#status")).to_contain_text("201")
    page.get_by_label("Operation").select_option("GET /api/games/{game}/card.png")
    page.get_by_role("textbox", name="game").fill("fish")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#image")).to_be_visible()
