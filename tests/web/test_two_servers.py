"""Two servers on one store: a match belongs to one; the other shows it, and plays it on when the first is gone."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from fairplay.catalog import GAMES
from fairplay.match.record import read_record
from fairplay.match.replay import replay_record
from fairplay.store import open_store
from fairplay.web.matches import followed, registry
from web.people import SEAT, finished, now, open_table, play, presence, seated, send_clicks
from web.servers import Outside, inside, outside, wait_until


def turns(client: httpx.Client, id: str, **headers: str) -> list[str]:
    found: list[str] = client.get(f"/api/matches/{id}?as=public", headers=headers).raise_for_status().json()["turns"]
    return found


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers in this process that look around more often."""
    monkeypatch.setattr(registry, "TAKE_OVER_INTERVAL", 0.2)
    monkeypatch.setattr(followed, "FOLLOW_INTERVAL", 0.05)


def test_a_match_is_played_by_one_server_and_shown_by_both(tmp_path: Path) -> None:
    db = tmp_path / "fairplay.db"
    with inside(db) as one, inside(db) as other, one.client() as here, other.client() as there:
        id = open_table(here, "fish", "greedy", "random", pace=0.1)["id"]
        wait_until(lambda: now(here, id)["number"] >= 2)
        assert id in one.registry.running and id not in other.registry.running
        listed = {each["id"]: each for each in there.get("/api/matches").json()}
        assert listed[id]["status"] == "playing" and listed[id]["names"] == ["greedy", "random"]
        assert "Another server plays this match" in presence(there, id)["remark"]
        assert there.get(f"/matches/{id}").status_code == 200
        assert there.get(f"/api/matches/{id}/record").status_code == 409
        with other.socket(f"/api/matches/{id}/live", max_size=None) as feed:
            first = next_moment(feed)
            assert next_moment(feed) > first
        seen = turns(there, id)
        assert finished(one, id) == finished(other, id)
        wait_until(lambda: presence(there, id)["status"] == "over")
        assert turns(there, id)[: len(seen)] == seen == turns(here, id)[: len(seen)]
        assert other.registry.finished_count == 0 and one.registry.finished_count == 1


def next_moment(feed: Any) -> int:
    """The number of the next moment that a socket brings."""
    while "moment" not in (message := json.loads(feed.recv(30))):
        pass
    number: int = message["moment"]["number"]
    return number


def test_a_watcher_elsewhere_hears_of_the_end(tmp_path: Path) -> None:
    db = tmp_path / "fairplay.db"
    with inside(db) as one, inside(db) as other, one.client() as here, other.client() as there:
        id = open_table(here, "fish", "greedy", "random", pace=0.05)["id"]
        wait_until(lambda: now(there, id)["number"] >= 1)
        with other.socket(f"/api/matches/{id}/live", max_size=None) as feed, pytest.raises(ConnectionClosed) as closed:
            while True:
                feed.recv(30)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1013, "come back, and see how it ended"
        wait_until(lambda: presence(there, id)["status"] == "over")


def test_people_see_their_own_cards_elsewhere_and_nobody_else_does(tmp_path: Path) -> None:
    db = tmp_path / "fairplay.db"
    with inside(db) as one, inside(db) as other, one.client() as here, other.client() as there:
        id, keys = seated(here, "trains", 2)
        assert play(here, id, dict(enumerate(keys)), 2, Random(1)) == 2
        wait_until(lambda: now(there, id)["number"] == 2)
        mine = {SEAT: keys[0]}
        assert there.get(f"/api/matches/{id}", headers=mine).json()["viewers"] == ["public", "0"]
        assert now(there, id, **mine)["picture"] == now(here, id, **mine)["picture"]
        for wrong in ("1", "all"):
            assert there.get(f"/api/matches/{id}?as={wrong}", headers=mine).status_code == 403
            assert there.get(f"/api/matches/{id}?as={wrong}").status_code == 403


def test_a_move_at_the_wrong_server_is_refused_with_words(tmp_path: Path) -> None:
    db = tmp_path / "fairplay.db"
    with inside(db) as one, inside(db) as other, one.client() as here, other.client() as there:
        id, keys = seated(here, "fish", 2)
        refused = send_clicks(there, id, keys[0], 0, [])
        assert refused.status_code == 409 and "Another server plays this match" in refused.json()["error"]
        assert there.post(f"/api/matches/{id}/begin", headers={SEAT: keys[0]}).status_code == 409
        assert play(here, id, dict(enumerate(keys)), 1, Random(1)) == 1


def test_a_server_that_stops_leaves_its_matches_to_the_other(tmp_path: Path) -> None:
    db = tmp_path / "fairplay.db"
    with inside(db) as other, other.client() as there:
        with inside(db) as one, one.client() as here:
            id, keys = seated(here, "fish", 2)
            assert play(here, id, dict(enumerate(keys)), 3, Random(1)) == 3
            said = turns(here, id)
        wait_until(lambda: id in other.registry.running)
        assert turns(there, id) == said
        assert play(there, id, dict(enumerate(keys)), 1, Random(1)) == 4


def test_a_server_that_is_killed_leaves_its_matches_to_the_other(tmp_path: Path) -> None:
    """And whoever was watching there sees them go on."""
    db = tmp_path / "fairplay.db"
    with outside(db) as one, outside(db) as other, one.client() as here, other.client() as there:
        ids = [open_table(here, game, "random", "random", pace=0.2)["id"] for game in ("fish", "trains")]
        person, keys = seated(here, "fish", 2)
        wait_until(lambda: all(now(there, id)["number"] >= 1 for id in ids))
        seen = {id: turns(here, id) for id in ids}
        one.stop(signal.SIGKILL)
        assert play_when_taken_over(other, person, keys) == 1
        for id in ids:
            record = read_record(finished(other, id).splitlines(keepends=True))
            assert turns(there, id)[: len(seen[id])] == seen[id]
            assert record.outcome is not None and [*replay_record(GAMES[record.header.game], record)]


def play_when_taken_over(site: Outside, id: str, keys: list[str]) -> int:
    """Take a turn at a table as soon as this server plays it."""
    with site.client() as client:
        wait_until(lambda: send_clicks(client, id, keys[0], 0, []).status_code == 200, 60)
        return play(client, id, dict(enumerate(keys)), 1, Random(1))


def test_a_server_that_lost_a_match_can_no_longer_change_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if its lease had been lost with a broken connection while it went on."""
    monkeypatch.setattr(registry, "LOG_RETRY_INTERVAL", 0.05)
    db = tmp_path / "fairplay.db"
    with inside(db) as one, one.client() as here, open_store(db) as store, store.servers.run() as other:
        id = open_table(here, "fish", "random", "random", pace=0.3)["id"]
        wait_until(lambda: now(here, id)["number"] >= 1)
        assert store.tables.claim(id, one.registry._server, other)
        kept = store.tables.lines(id)
        wait_until(lambda: id not in one.registry.running)
        assert store.tables.lines(id)[: len(kept)] == kept
        before = len(store.tables.lines(id))
        one.wait(one.registry._log.flush())
        assert len(store.tables.lines(id)) == before and store.tables.get(id).finished is None
        store.servers.forget(other)
        wait_until(lambda: id in one.registry.running)  # it comes back when the other has given it up
        assert read_record(finished(one, id).splitlines(keepends=True)).outcome is not None
