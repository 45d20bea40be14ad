"""`python -m tools.page_pictures [NAME ...]`: pictures of the web page, for README and the guides.

They are taken in Chromium, of matches that the strongest house players advise: run it again when the page has changed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
CHROMIUM = "/usr/bin/chromium"
QUIET = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
WIDE, PHONE = ViewportSize(width=1280, height=800), ViewportSize(width=390, height=844)
PORT = 8779
COLORS = 256  # enough for drawings, and a third of the bytes
TURN_PATIENCE = 120_000.0  # milliseconds: the first thoughts of a player are compiled


@contextmanager
def run_server(folder: str) -> Iterator[str]:
    """A server on an empty store; yields its address."""
    command = [str(Path(sys.prefix, "bin", "fairplay")), "serve", "--port", str(PORT)]
    server = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        assert server.stderr is not None
        server.stderr.readline()  # it says where it is
        yield f"http://localhost:{PORT}"
    finally:
        server.terminate()
        server.wait()


# -- matches -----------------------------------------------------------------------------------


def open_table(person: BrowserContext, game: str, rival: str = "easy", **more: Any) -> str:
    """A match of a person against a house player."""
    seats = [{"who": "me", "name": "Robin"}, {"who": "house", "player": rival}]
    return str(call(person, "/api/matches", {"game": game, "seats": seats, "pace": 0, **more})["id"])


def call(person: BrowserContext, path: str, body: object) -> Any:
    """Post to the server; raises where it refuses."""
    answer = person.request.post(path, data=body, timeout=TURN_PATIENCE)
    assert answer.ok, answer.text()
    return answer.json()


CHOOSING_OR_OVER = """() => {
  const { turn, status } = document.querySelector("#root").dataset;
  return turn === "choosing" || status === "over";
}"""
PAST = "(number) => Number(document.querySelector('#last').textContent) > number"


def take_turns(page: Page, id: str, turns: int) -> None:
    """Play as a house player advises, for some turns or to the end."""
    for _ in range(turns):
        page.wait_for_function(CHOOSING_OR_OVER, timeout=TURN_PATIENCE)
        details = page.context.request.get(f"/api/matches/{id}").json()
        if details["presence"]["status"] == "over":
            return
        number = len(details["turns"]) - 1
        hint = call(page.context, f"/api/matches/{id}/hint", {})
        call(page.context, f"/api/matches/{id}/wish", {"number": number, "clicks": hint["highlights"]})
        page.wait_for_function(PAST, arg=number, timeout=TURN_PATIENCE)


def show_game(page: Page, game: str, turns: int, **more: Any) -> None:
    """A match on the page, after some turns, when everything has come to rest."""
    id = open_table(page.context, game, **more)
    page.goto(f"/matches/{id}")
    take_turns(page, id, turns)
    page.wait_for_timeout(1500)


# -- pictures ----------------------------------------------------------------------------------


def show_home(page: Page) -> None:
    """The home page."""
    page.goto("/", wait_until="networkidle")


def show_end(page: Page) -> None:
    """The end of a match, with its panel."""
    show_game(page, "trains", 200, quick=True)


def show_lessons(page: Page) -> None:
    """How a game is taught."""
    page.goto("/how-to-play/labyrinth", wait_until="networkidle")


def show_editor(page: Page) -> None:
    """The editor with a map."""
    page.goto("/editor/trains?start=small", wait_until="networkidle")


PICTURES: dict[str, tuple[ViewportSize, Callable[[Page], None]]] = {
    "page-home": (WIDE, show_home),
    "page-play": (WIDE, lambda page: show_game(page, "fish", 12)),
    "page-trains": (WIDE, lambda page: show_game(page, "trains", 22)),
    "page-match": (WIDE, lambda page: show_game(page, "labyrinth", 3, variant="original")),
    "page-end": (WIDE, show_end),
    "page-lessons": (WIDE, show_lessons),
    "page-phone": (PHONE, lambda page: show_game(page, "labyrinth", 2)),
    "page-editor": (WIDE, show_editor),
}


def take_picture(browser: Browser, address: str, name: str) -> None:
    """Take one picture."""
    size, show = PICTURES[name]
    headers = {"Origin": address}
    person = browser.new_context(base_url=address, viewport=size, has_touch=size is PHONE, extra_http_headers=headers)
    page = person.new_page()
    show(page)
    taken = page.screenshot()
    person.close()
    with Image.open(BytesIO(taken)) as picture:
        picture.convert("RGB").quantize(COLORS, Image.Quantize.MEDIANCUT).save(FOLDER / f"{name}.png", optimize=True)


def main(names: list[str]) -> None:
    """Take the pictures of these names, or all."""
    os.environ.pop("DISPLAY", None)
    with TemporaryDirectory() as folder, run_server(folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET])
        for name in names or PICTURES:
            take_picture(browser, address, name)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
