"""A game with chance after the deal on the page: a turn of nobody, and no secret of chance before the end."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from fairplay.catalog import GAMES
from fairplay.match.record import read_record
from fairplay.match.replay import replay_record
from web.people import SEAT, finished, now, open_table, play, presence, seated, send_clicks
from web.servers import Inside, inside, wait_until

pytestmark = pytest.mark.usefixtures("pig")


@pytest.fixture(scope="module")
def site(pig: Any, site: Inside) -> Inside:
    """The server of this module knows the game."""
    return site


def moments(client: httpx.Client, id: str, **headers: str) -> list[dict[str, Any]]:
    """All moments of a match so far."""
    last = now(client, id, **headers)["number"]
    paths = (f"/api/matches/{id}/moments/{number}" for number in range(last + 1))
    return [client.get(path, headers=headers).raise_for_status().json() for path in paths]


def play_on(client: httpx.Client, id: str, keys: list[str], turns: int = 400) -> None:
    """Let people take so many turns, or all that are left, once chance has done its part of the beginning."""
    wait_until(lambda: now(client, id)["to_move"] is not None or presence(client, id)["status"] == "over")
    play(client, id, dict(enumerate(keys)), turns, Random(1))


def test_chance_is_a_turn_of_nobody(site: Inside, client: httpx.Client) -> None:
    id, keys = seated(client, "pig", 2)
    play_on(client, id, keys)
    finished(site, id)
    shown = moments(client, id)
    events = [*replay_record(GAMES["pig"], read_record(finished(site, id).splitlines(keepends=True)))]
    assert len(shown) == len(events) + 1
    for moment, event in zip(shown[1:], events, strict=True):
        assert moment["mover"] == getattr(event, "seat", None)
        assert moment["mover"] is not None or moment["words"].startswith(("the die fell on", "red got", "blue got"))
    for moment, event in zip(shown[1:-1], events[:-1], strict=True):
        falls = GAMES["pig"].chance_rules.chance(event.after)  # type: ignore[union-attr]  # it has some
        assert (moment["to_move"] is None) is (falls is not None)
    assert presence(client, id)["status"] == "over"
    assert client.get(f"/matches/{id}").status_code == 200


def test_what_is_secret_of_chance_reaches_nobody_before_the_end(site: Inside, client: httpx.Client) -> None:
    id, keys = seated(client, "pig", 3)
    play_on(client, id, keys, 3)
    for key in (*keys, None):
        headers = {} if key is None else {SEAT: key}
        told = client.get(f"/api/matches/{id}", headers=headers).text + json.dumps(moments(client, id, **headers))
        assert "got a hidden bonus" in told and "got a bonus of" not in told
    play_on(client, id, keys)
    finished(site, id)
    assert "got a bonus of" in json.dumps(moments(client, id))


def test_a_hint_and_a_house_player_know_of_it(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "pig", "me", "search")
    id, key = created["id"], created["keys"][0]
    wait_until(lambda: presence(client, id)["clock"] is not None)
    hint = client.post(f"/api/matches/{id}/hint", json={}, headers={SEAT: key}).raise_for_status().json()
    assert hint["words"]
    assert send_clicks(client, id, key, now(client, id)["number"], hint["highlights"]).json()["done"]
    play_on(client, id, [key])
    assert read_record(finished(site, id).splitlines(keepends=True)).outcome is not None


def test_a_review_says_what_was_luck(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "pig", "careful", "random")["id"]
    finished(site, id)
    path = f"/api/matches/{id}/review"
    client.post(path).raise_for_status()
    wait_until(lambda: client.get(path).json()["status"] != "running")
    review = client.get(path).json()
    assert review["status"] == "finished", review
    lucky = [number for number, words in enumerate(review["better"]) if words.startswith("luck: ")]
    shown = moments(client, id)
    assert lucky and all(shown[number]["mover"] is None for number in lucky)


def test_its_demonstration_shows_chance(client: httpx.Client) -> None:
    last = client.get("/api/games/pig/demo/0").raise_for_status().json()["last"]
    words = [client.get(f"/api/games/pig/demo/{number}").json()["words"] for number in range(last + 1)]
    assert any(each.startswith("the die fell on") for each in words) and "red got a hidden bonus" in words


def test_a_match_goes_on_after_a_restart_with_what_chance_would_have_brought(pig: Any, tmp_path: Path) -> None:
    db = tmp_path / "fairplay.db"
    with inside(db) as first, first.client() as client:
        created = open_table(client, "pig", "me", "careful")
        id, key = created["id"], created["keys"][0]
        play_on(client, id, [key], 2)
        before = [moment["words"] for moment in moments(client, id)]
    with inside(db) as second, httpx.Client(base_url=second.url, trust_env=False, headers={SEAT: key}) as client:
        wait_until(lambda: presence(client, id)["clock"] is not None)
        assert [moment["words"] for moment in moments(client, id)][: len(before)] == before
        play_on(client, id, [key])
        record = read_record(finished(second, id).splitlines(keepends=True))
    assert record.outcome is not None and [*replay_record(pig, record)]
