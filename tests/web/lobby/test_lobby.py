"""The lobby: open tables, seats for anyone, and quick pairing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from web.people import SEAT, open_table, presence
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until


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
