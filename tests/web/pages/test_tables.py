"""The page of a new table: who may sit where, and a preview of what is played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES, built_in_games
from fairplay.web.pages.tables import choose_rival
from fairplay.web.rendering.pages import DrawQueue
from web.people import SEAT, open_table, presence
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until


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


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server of which nobody has opened a table yet."""
    with inside(tmp_path_factory.mktemp("lobby") / "fairplay.db", replace(PATIENT, token=TOKEN)) as running:
        yield running


def open_for_anyone(client: httpx.Client, game: str, others: int) -> str:
    seats = [{"who": "me", "name": "ann"}, *[{"who": "anyone"}] * others]
    created = client.post("/api/matches", json={"game": game, "seats": seats, "quick": True, "pace": 0})
    assert created.status_code == 201, created.text
    assert created.json()["keys"][1:] == [""] * others, "there is no link to a seat for anyone"
    return str(created.json()["id"])


def lobby(client: httpx.Client) -> Any:
    return client.get("/api/lobby").raise_for_status().json()


def pair(client: httpx.Client, game: str, name: str) -> str:
    return str(client.post("/api/lobby/pair", json={"game": game, "name": name}).raise_for_status().json()["id"])


def test_a_table_with_a_seat_for_anyone_stands_in_the_lobby_until_it_is_full(
    site: Inside, client: httpx.Client
) -> None:
    assert lobby(client) == {"tables": [], "waiting": {}}
    id = open_for_anyone(client, "fish", 2)
    (table,) = lobby(client)["tables"]
    assert (table["id"], table["game"], table["variant"]) == (id, "fish", "quick")
    assert [(seat["open"], seat["person"]) for seat in table["seats"]] == [(False, True), (True, True), (True, True)]
    with site.client() as bob, site.client() as cleo, site.client() as late:
        sat = bob.post(f"/api/lobby/{id}/join", json={"name": "bob"}).json()
        assert (sat["id"], sat["seat"]) == (id, 1) and bob.get(f"/api/matches/{id}").json()["me"] == 1
        again = bob.post(f"/api/lobby/{id}/join", json={"name": "bob"}).json()
        assert (again["seat"], again["key"]) == (1, ""), "nobody takes two seats"
        assert cleo.post(f"/api/lobby/{id}/join", json={"name": "Ann"}).json()["seat"] == 2
        assert client.get(f"/api/matches/{id}").json()["names"] == ["ann", "bob", "Ann 2"]
        assert lobby(client)["tables"] == []
        refused = late.post(f"/api/lobby/{id}/join", json={"name": "dan"})
        assert refused.status_code == 409 and "watch" in refused.json()["error"]


def test_two_who_want_the_same_game_meet(site: Inside, client: httpx.Client) -> None:
    id = pair(client, "fish", "ann")
    assert pair(client, "fish", "ann") == id, "whoever waits goes on waiting"
    with site.client() as other, site.client() as third:
        assert pair(other, "labyrinth", "bob") != id
        assert pair(third, "fish", "cleo") == id
        assert client.get(f"/api/matches/{id}").json()["names"] == ["ann", "cleo"]


def test_those_who_wait_are_counted_and_one_who_has_left_is_not_offered(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = pair(client, "fish", "ann")
    with site.socket(f"/api/matches/{id}/live", headers={SEAT: client.cookies[f"seat-{id}"]}):
        wait_until(lambda: lobby(client)["waiting"] == {"fish": 1})
    wait_until(lambda: not site.registry.running[id].table.is_attended)
    site.registry.running[id].opened_at -= 60
    assert lobby(client) == {"tables": [], "waiting": {}}
    with site.client() as other:
        assert pair(other, "fish", "bob") != id


def test_whoever_waits_may_begin_against_the_house(client: httpx.Client, site: Inside) -> None:
    id = pair(client, "fish", "ann")
    assert client.post(f"/api/matches/{id}/begin").status_code == 200
    wait_until(lambda: presence(client, id)["clock"] is not None)
    assert client.get(f"/api/matches/{id}").json()["names"] == ["ann", "greedy"]
    assert lobby(client)["tables"] == []


def test_a_table_that_is_given_up_before_anybody_plays_leaves_nothing_behind(
    client: httpx.Client, site: Inside
) -> None:
    id = pair(client, "fish", "ann")
    with site.socket(f"/api/matches/{id}/live", headers={SEAT: client.cookies[f"seat-{id}"]}):
        assert client.post(f"/api/matches/{id}/stop", json={}).status_code == 200
        wait_until(lambda: id not in site.registry.running)
    assert client.get(f"/api/matches/{id}").status_code == 404
    assert client.get("/api/matches").json() == []


def test_joining_is_limited_as_opening_is(tmp_path_factory: pytest.TempPathFactory) -> None:
    settings = replace(PATIENT, token=TOKEN, tables=2)
    with inside(tmp_path_factory.mktemp("limited") / "f.db", settings) as site, site.client() as client:
        ids = [open_table(client, "fish", "me", "anyone")["id"] for _ in range(2)]
        with site.client() as other:
            answer = other.post(f"/api/lobby/{ids[0]}/join", json={})
            assert answer.status_code == 429 and "many tables" in answer.json()["error"]
