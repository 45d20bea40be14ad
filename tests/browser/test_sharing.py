"""Sharing a match in a browser: the dialog, and the frame on another page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import quote, unquote

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from browser.watched import open_table, over
from web.servers import Site

Framed = Callable[[str], Page]

DIALOG = """async ([id, turn]) => {
  const src = [...document.scripts].map((script) => script.src).find((src) => src.includes("/static/"));
  const { openShare } = await import(src.replace(/(static\\/\\w+\\/).*/, "$1share.js"));
  await openShare(id, turn);
}"""

COUNT_MOTIONS = """() => {
  const animate = Element.prototype.animate;
  window.motions = 0;
  Element.prototype.animate = function (...given) { window.motions += 1; return animate.apply(this, given); };
}"""


class OtherSite(BaseHTTPRequestHandler):
    """A page of another site that shows what its address asks for in a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f'<iframe src="{unquote(self.path[2:])}" width="640" height="560"></iframe>'.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def framed(browser: Browser) -> Iterator[Framed]:
    """Opens a page of another site that shows an address of ours in a frame."""
    with ThreadingHTTPServer(("127.0.0.1", 0), OtherSite) as server:
        Thread(target=server.serve_forever).start()
        context = browser.new_context()

        def show(address: str) -> Page:
            page = context.new_page()
            page.goto(f"http://localhost:{server.server_port}/?{quote(address)}")
            return page

        yield show
        context.close()
        server.shutdown()


@pytest.fixture
def finished(context: BrowserContext) -> str:
    """A match that is over."""
    id: str = open_table(context, "fish", "greedy", "random")["id"]
    over(context, id)
    return id


def test_the_dialog_offers_all_there_is(page: Page, finished: str) -> None:
    page.goto("/")
    page.evaluate(DIALOG, [finished, 3])
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", level=2)).to_have_text("Fish: greedy and random")
    expect(dialog.get_by_label("Link")).to_have_value(f"{page.url}matches/{finished}")
    dialog.get_by_label("Begin at turn 3").check()
    expect(dialog.get_by_label("Link")).to_have_value(f"{page.url}matches/{finished}?turn=3")
    for name in ("Picture (PNG)", "Animation (GIF)", "Animation (SVG)"):
        path = dialog.get_by_role("link", name=name).get_attribute("href")
        assert path is not None and page.request.get(path).status == 200
    expect(dialog.get_by_label("Embed code")).to_have_value(
        f'<iframe src="{page.url}embed/{finished}" title="Fish: greedy and random" width="640" height="560" '
        'loading="lazy"></iframe>'
    )
    expect(dialog.get_by_role("img", name="QR code of the link")).to_have_js_property("naturalWidth", 164)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_frame_on_another_site_plays_the_match_back(framed: Framed, site: Site, finished: str) -> None:
    page = framed(f"{site.url}/embed/{finished}?turn=0")
    frame = page.frame_locator("iframe")
    expect(frame.locator("#board svg")).to_be_visible()
    page.frames[1].evaluate(COUNT_MOTIONS)
    before = frame.locator("#board").inner_html()
    frame.get_by_role("button", name="Play").click()
    expect(frame.locator("#turn")).to_contain_text("2 / ")
    frame.get_by_role("button", name="Pause").click()
    assert frame.locator("#board").inner_html() != before
    assert page.frames[1].evaluate("window.motions") > 0


def test_no_other_page_can_be_framed(framed: Framed, site: Site, finished: str) -> None:
    page = framed(f"{site.url}/matches/{finished}")
    page.wait_for_timeout(500)
    assert page.frames[1].url.startswith("chrome-error:")


def test_a_running_match_is_followed_in_a_frame(framed: Framed, site: Site, context: BrowserContext) -> None:
    id = open_table(context, "fish", "greedy", "random", pace=0.5)["id"]
    page = framed(f"{site.url}/embed/{id}")
    frame = page.frame_locator("iframe")
    first = frame.locator("#turn").inner_text()
    expect(frame.locator("#turn")).not_to_have_text(first)
