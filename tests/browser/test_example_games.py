"""Games of one file, with all that follows from their types, on a phone: labelled, in sight, played by clicks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser, ViewportSize

from browser.test_pages import audit
from browser.watched import open_table, play_on, watched
from fairplay.catalog import open_game
from file_games import undo_taking
from web.servers import PATIENT, Site, inside

EXAMPLES = Path(__file__).parents[2] / "examples"
GAMES = ("connect_four", "liars_dice", "sealed_bids")
PHONE = ViewportSize(width=390, height=844)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A server with these games."""
    with undo_taking():
        for game in GAMES:
            open_game(str(EXAMPLES / f"{game}.py"))
        with inside(tmp_path_factory.mktemp("files") / "fairplay.db", PATIENT) as site:
            yield site


OVERLAPS = """() => {
  const boxes = [...document.querySelectorAll('#board svg text')].map(text => text.getBoundingClientRect());
  return boxes.flatMap((one, at) => boxes.slice(at + 1).filter(other =>
    one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1
  )).length;
}"""


@pytest.mark.parametrize("game", GAMES)
def test_it_is_played_by_clicks_on_a_phone(browser: Browser, files: Site, game: str) -> None:
    context = browser.new_context(base_url=files.url, viewport=PHONE)
    with watched(context.new_page(), files) as page:
        page.goto(f"/matches/{open_table(context, game, 'me', 'random')['id']}")
        play_on(page, Random(1), 2)
        labels = page.locator("#board svg text.label")
        assert labels.count() > 1
        assert page.evaluate(OVERLAPS) == 0
        assert not page.locator("html").evaluate("(element) => element.scrollWidth > element.clientWidth")
        audit(page)
        play_on(page, Random(1))
        assert page.locator("#prompt").inner_text()
    context.close()
