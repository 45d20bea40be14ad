"""A game without clicks, boards or an established protocol on the page."""

from __future__ import annotations

from dataclasses import replace

import httpx
import pytest

from fairplay.catalog import GAMES
from web.people import finished, open_table, presence
from web.servers import Inside


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nim has no other optional part than its clicks."""
    nim = GAMES["nim"]
    assert (nim.parts.established, nim.parts.editor, nim.quick) == (None, None, None)
    monkeypatch.setitem(nim.__dict__, "shown", replace(nim.shown, clicks=None))


def test_house_players_play_it(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "nim", "perfect", "random")["id"]
    finished(site, id)
    assert presence(client, id)["status"] == "over"
    assert client.get(f"/matches/{id}").status_code == 200


def test_people_are_not_offered_a_seat(client: httpx.Client) -> None:
    form = client.get("/new?game=nim")
    assert form.status_code == 200
    assert 'value="me"' not in form.text and 'value="friend"' not in form.text and 'name="board"' not in form.text
    table = {"game": "nim", "seats": [{"who": "me"}, {"who": "house"}]}
    refused = client.post("/api/matches", json=table)
    assert refused.status_code == 422
    assert "Nim cannot be played by clicks; choose house players for all seats." in refused.text


def test_it_is_listed_without_boards_and_without_an_editor(client: httpx.Client) -> None:
    [nim] = [game for game in client.get("/api/games").json() if game["name"] == "nim"]
    assert (nim["boards"], nim["editor"]) == ([], False)
    assert client.get("/editor/nim").status_code == 404
    assert "/editor/nim" not in client.get("/editor").text


def test_levels_are_offered_before_strategies(client: httpx.Client) -> None:
    [nim] = [game for game in client.get("/api/games").json() if game["name"] == "nim"]
    first = {"level": 1, "name": "beginner", "title": "Beginner", "rating": None, "missing": "", "spec": "random"}
    shown = {"character": "Pip the chick", "face": "/static/faces/beginner.svg"}
    assert [level["level"] for level in nim["levels"]["standard"]] == [1, 2, 3, 4, 5]
    assert nim["levels"]["standard"][0] == {**first, **shown}
    page = client.get("/new?game=nim").text
    assert 0 < page.index('<option value="beginner"') < page.index('<option value="perfect"')
