"""The page of a new table: who may sit where, and a preview of what is played."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES, built_in_games
from fairplay.web.pages.new_table import choose_rival
from fairplay.web.rendering.draw_queue import DrawQueue
from web.servers import PATIENT, Inside, inside


@pytest.mark.parametrize("name", built_in_games())
def test_every_level_can_be_chosen_with_its_face(client: httpx.Client, name: str) -> None:
    page = client.get(f"/new?game={name}").text
    for title in ("beginner", "easy", "medium", "hard", "master"):
        assert re.search(rf'<option value="{title}" data-face="/static/[^"]*faces/{title}.svg"', page)


def test_the_second_seat_is_a_friends_or_anyones(client: httpx.Client) -> None:
    for path, who in (("/new", "friend"), ("/new?open=1", "anyone")):
        chosen = re.findall(r'<option value="(\w+)" data-face[^>]* selected>', client.get(path).text)
        assert chosen == ["me", *[who] * (GAMES["fish"].seats[-1] - 1)]


def selected(page: str) -> list[str]:
    """What is chosen in every list of the page that shows it, seats first."""
    seats, _, rest = page.partition("What is played")
    shown = [chair for chair in seats.split('<li class="chair"')[1:] if not chair.startswith(" hidden")]
    options = [re.findall(r'<option(?: value="([^"]*)")?[^>]* selected>([^<]*)', part) for part in (*shown, rest)]
    return [each for found in options for each in dict.fromkeys(value or words for value, words in found)]


def test_a_table_like_another_has_its_players_and_its_setup(client: httpx.Client) -> None:
    seats = [{"who": "house", "player": "hard"}, {"who": "me"}, {"who": "friend"}]
    wanted = {"game": "fish", "seats": seats, "variant": "standard", "board": "small", "clock": 60, "pace": 0}
    id = client.post("/api/matches", json=wanted).raise_for_status().json()["id"]
    assert selected(client.get(f"/new?like={id}").text) == ["hard", "me", "friend", "standard", "small", "60", "0.0"]
    assert client.get("/new?like=nowhere").status_code == 404


def test_a_table_like_one_on_a_saved_board_is_on_that_board(client: httpx.Client) -> None:
    drawing = client.post("/api/editor/fish", json={}).json()["drawing"]
    board = client.post("/api/boards", json={"game": "fish", "name": "two lakes", "drawing": drawing}).json()["id"]
    seats = [{"who": "me"}, {"who": "house", "player": "greedy"}]
    id = client.post("/api/matches", json={"game": "fish", "seats": seats, "board": board}).json()["id"]
    page = client.get(f"/new?like={id}").text
    assert f'data-board="{board}"' in page and "two lakes" in page


def test_a_game_without_levels_has_another_house_player() -> None:
    game = GAMES["fish"]
    assert choose_rival(game, "easy") == "easy"
    assert choose_rival(game, "friend") == "friend"


@pytest.mark.parametrize("query", ["", "variant=original", "variant=quick&seats=4", "board=small", "seats=10"])
def test_a_preview_shows_what_would_be_played(client: httpx.Client, query: str) -> None:
    picture = client.get(f"/api/games/fish/preview.svg?{query}")
    assert picture.status_code == 200 and picture.text.startswith("<svg")


def test_a_preview_follows_variant_and_board(site: Inside) -> None:
    with site.client() as client:
        pictures = {
            client.get(f"/api/games/fish/preview.svg?{query}").text
            for query in ("", "variant=original", "variant=quick", "board=small")
        }
        assert len(pictures) == 4


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("chess/preview.svg", 404),
        ("fish/preview.svg?variant=x", 422),
        ("fish/preview.svg?board=none", 404),
        ("fish/preview.svg?seats=0", 400),
    ],
)
def test_what_cannot_be_played_has_no_preview(client: httpx.Client, path: str, status: int) -> None:
    assert client.get(f"/api/games/{path}").status_code == status


def test_previews_are_drawn_no_faster_than_people_choose(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db", replace(PATIENT, edits=1e-9)) as site, site.client() as client:
        site.services[DrawQueue].limiter.burst = 2
        found = [client.get("/api/games/fish/preview.svg").status_code for _ in range(3)]
        assert found == [200, 200, 429]
