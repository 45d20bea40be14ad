"""A real browser, a server with something on every page, and pages that notice whatever goes wrong in them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from browser.watched import CHROMIUM, watched
from web.servers import Outside, Site, outside

expect.set_options(timeout=120_000)

MISSING = "chromium is missing: no page was tried in a browser (Debian: apt-get install chromium)"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Gone when the module is done: while it is there, its event loop runs, and no other test can start one."""
    program = shutil.which("chromium") or CHROMIUM
    if not Path(program).exists():
        pytest.fail(MISSING) if os.environ.get("CI") else pytest.skip(MISSING)
    options = ["--no-sandbox"] if os.geteuid() == 0 else []  # chromium has no sandbox for root
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=options)
        yield started
        started.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outside]:
    """A server without a token.  Nobody plays on for those who are away."""
    db = tmp_path_factory.mktemp("browser") / "fairplay.db"
    with outside(db, "--rate", "10000", "--patience", "3600") as running:
        yield running


@pytest.fixture(scope="session")
def owner_cookie(site: Outside) -> dict[str, str]:
    """The cookie of the owner."""
    return site.owner_cookie()


@pytest.fixture
def context(browser: Browser, site: Site, owner_cookie: dict[str, str]) -> Iterator[BrowserContext]:
    """One person's browser; it is the owner's."""
    made = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 900})
    made.add_cookies([{"name": name, "value": value, "url": site.url} for name, value in owner_cookie.items()])
    made.set_default_timeout(120_000)
    yield made
    made.close()


@pytest.fixture
def page(context: BrowserContext, site: Site) -> Iterator[Page]:
    """A page in which nothing may go wrong."""
    with watched(context.new_page(), site) as opened:
        yield opened
