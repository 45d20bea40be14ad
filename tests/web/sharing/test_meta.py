"""What links to pages look like elsewhere."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import httpx
import pytest

from fairplay.web.sharing import pictures as raster
from web.contest_server import contest, played, served
from web.people import open_table, seated
from web.servers import Inside, wait_until


def tags(page: str) -> dict[str, str]:
    """The description and the og: tags of a page."""
    found = re.findall(r'<meta (?:name|property)="(description|og:\w+)" content="([^"]*)">', page)
    return {name: unescape(content) for name, content in found}


@pytest.mark.parametrize(
    "path", ["/", "/new", "/matches", "/players", "/tournaments", "/editor", "/editor/trains", "/api"]
)
def test_every_page_has_a_description_and_a_picture(site: Inside, client: httpx.Client, path: str) -> None:
    found = tags(client.get(path).raise_for_status().text)
    assert len(found["description"]) > 20
    assert found["og:url"] == f"{site.url}{path}"
    assert found["og:image"].startswith(f"{site.url}/")
    assert client.get(found["og:image"]).headers["content-type"] == "image/png"


def test_a_page_about_a_game_says_which_and_how_large_its_picture_is(site: Inside, client: httpx.Client) -> None:
    for path, title in (("/rules/fish", "The rules of Fish"), ("/new?game=trains", "Play Trains")):
        page = client.get(path).text
        found = tags(page)
        assert (found["og:title"], found["og:url"]) == (title, f"{site.url}{path}")
        assert found["description"][0].isupper() and found["description"].endswith(".")
        assert '"og:image:width" content="1200"' in page and '"og:image:height" content="630"' in page


def test_a_match_says_who_plays_and_later_who_won(client: httpx.Client) -> None:
    id, _ = seated(client, "fish", 2)
    found = tags(client.get(f"/matches/{id}").text)
    assert found["og:title"].startswith("Fish: ") and found["og:image"].endswith(f"/api/matches/{id}/card.png")
    assert "turn 0" in found["og:description"]
    over = open_table(client, "fish", "greedy", "random")["id"]
    wait_until(lambda: client.get(f"/api/matches/{over}/record").status_code == 200)
    assert " won after " in tags(client.get(f"/matches/{over}").text)["og:description"]


def test_a_tournament_says_who_takes_part(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest(*((f"<p{number}>", "random") for number in range(9)), games=1))
        found = tags(client.get(f"/tournaments/{id}").text)
        assert found["og:description"].endswith("<p0>, <p1>, <p2>, <p3>, <p4>, <p5> and 3 more.")
        assert found["og:image"].endswith(f"/api/tournaments/{id}/card.png")


def test_without_the_extra_the_picture_is_the_icon(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "find_spec", lambda name: None)
    image = tags(client.get("/").text)["og:image"]
    assert image.endswith("/static/icons/icon-512.png") and client.get(image).status_code == 200
