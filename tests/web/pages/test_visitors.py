"""What the server knows of a visitor: running games by the keys of seats, and names that can be used."""

from __future__ import annotations

import httpx
import pytest

from web.servers import Inside


def open_table(client: httpx.Client, *seats: str) -> str:
    chosen = [{"who": "me", "name": "Robin"} if seat == "me" else {"who": "house", "player": seat} for seat in seats]
    answer = client.post("/api/matches", json={"game": "fish", "seats": chosen, "quick": True, "pace": 0})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


def test_a_running_game_can_be_continued_from_every_page_but_its_own(site: Inside) -> None:
    with site.client() as person, site.client() as stranger:
        id = open_table(person, "me", "greedy")
        for path in ("/", "/matches", "/lobby", "/nowhere"):
            assert f'class="button continue turn" href="/matches/{id}"' in person.get(path).text, path
            assert "continue turn" not in stranger.get(path).text
        assert "button continue" not in person.get(f"/matches/{id}").text


def test_who_has_left_is_not_asked_to_continue(site: Inside) -> None:
    with site.client() as person:
        id = open_table(person, "me", "greedy")
        assert f'href="/matches/{id}"' in person.get("/lobby").text
        assert person.post(f"/api/matches/{id}/leave", json={}).status_code == 200
        assert "button continue" not in person.get("/lobby").text


def test_without_a_seat_or_with_a_wrong_key_nothing_is_offered(site: Inside) -> None:
    with site.client() as person, site.client() as other:
        id = open_table(person, "me", "greedy")
        other.cookies.set(f"seat-{id}", "guessed")
        other.cookies.set("seat-nothing", "x")
        assert "button continue" not in other.get("/matches").text


@pytest.mark.parametrize(("name", "shown"), [("Robin", "Robin"), ("  Robin ", "Robin"), ("李", "李")])
def test_a_name_that_can_be_used(client: httpx.Client, name: str, shown: str) -> None:
    assert client.get("/api/name", params={"name": name}).json() == {"name": shown}


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "Rob\u200bin", "Rоbin"])
def test_a_name_that_cannot_be_used(client: httpx.Client, name: str) -> None:
    answer = client.get("/api/name", params={"name": name})
    assert answer.status_code in (400, 422) and answer.json()["error"]
