"""The web server over a real PostgreSQL: what is played goes on when either of them starts again."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from random import Random
from time import sleep
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from sqlalchemy import text

from fairplay.catalog import GAMES
from fairplay.core import Seat, StoreError
from fairplay.match.record import read_record
from fairplay.store import open_store
from fairplay.store.leases import ADVISORY_LOCKS
from fairplay.store.store import Store
from fairplay.web.play import api
from fairplay.web.watching.timeline import build_timeline
from store.postgres import Server, own
from web.contest_server import until
from web.people import SEAT, finished, now, open_table, play, presence, send_clicks
from web.servers import PATIENT, Site, inside, outside, wait_until

GAMES_TO_PLAY = ("labyrinth", "trains", "fish")
REQUEST = {"game": "fish", "players": [{"player": "random"}, {"player": "greedy"}], "games": 150}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """One that the tests of this module may stop."""
    with own() as server:
        yield server


@pytest.fixture
def url(server: Server) -> Iterator[str]:
    with server.database() as url:
        try:
            yield url
        finally:
            if not server.running:
                server.start()


def open_tables(client: httpx.Client, pace: float) -> list[str]:
    """A match of the house for each game, of 22 to 25 turns."""
    return [
        open_table(client, game, *[*GAMES[game].players.strategies][:2], pace=pace, seed=1)["id"]
        for game in GAMES_TO_PLAY
    ]


def turns(client: httpx.Client, id: str) -> list[str]:
    said: list[str] = client.get(f"/api/matches/{id}").raise_for_status().json()["turns"]
    return said


def check_whole(site: Site, id: str, before: list[str]) -> None:
    """A match was played to its end, what was seen of it before is the beginning, and its record can be replayed."""
    record = read_record(finished(site, id).splitlines(keepends=True))
    timeline = build_timeline(GAMES[record.header.game], record)
    assert record.outcome is not None
    assert [timeline.describe_event(number, None) for number in range(len(before))] == before


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_everything_goes_on_when_the_web_server_starts_again(url: str, how: signal.Signals) -> None:
    with outside(url) as first, first.client() as client:
        ids = open_tables(client, 0.4)
        seat = open_table(client, "trains", "me", "friend")
        friend = httpx.post(f"{first.url}/api/matches/{seat['id']}/sit", json={"key": seat["keys"][1]}, trust_env=False)
        keys = {0: seat["keys"][0], 1: friend.json()["key"]}
        client.post(f"/api/matches/{seat['id']}/begin").raise_for_status()
        assert play(client, seat["id"], keys, 3, Random(1)) == 3
        client.cookies.update(first.owner_cookie())
        contest = client.post("/api/tournaments", json=REQUEST).raise_for_status().json()["id"]
        until(client, contest, "running", "finished", matches=1)
        with open_store(url) as store:
            wait_until(lambda: all(len(store.tables.lines(id)) > 3 for id in (*ids, seat["id"])))
            kept = {id: store.tables.lines(id) for id in (*ids, seat["id"])}
        assert first.stop(how) == (0 if how == signal.SIGTERM else -how)
    with outside(url) as second, httpx.Client(base_url=second.url, trust_env=False, timeout=300) as client:
        for id in ids:
            whole = finished(second, id).splitlines(keepends=True)
            assert whole[: len(kept[id])] == kept[id] and read_record(whole).outcome is not None
        found = now(client, seat["id"], **{SEAT: keys[0]})
        assert (found["number"], presence(client, seat["id"])["status"]) == (3, "playing")
        assert play(client, seat["id"], keys, 1, Random(1)) == 4
        assert until(client, contest, "finished")["matches"] == 300
        for path in ("/", "/matches", "/tournaments", f"/tournaments/{contest}", f"/tournaments/{contest}/matches"):
            assert client.get(path).status_code == 200, path
        for path in (f"/matches/{contest}-299", "/players", "/players/fish/greedy", "/editor"):
            assert client.get(path).status_code == 200, path
        assert f'href="/tournaments/{contest}"' in client.get("/tournaments").text


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_matches_wait_for_the_database_and_go_on_when_it_starts_again(server: Server, url: str, mode: str) -> None:
    with outside(url) as site, site.client() as client:
        ids = open_tables(client, 0.6)
        wait_until(lambda: all(now(client, id)["number"] >= 2 for id in ids))
        with site.socket(f"/api/matches/{ids[0]}/live", max_size=None) as feed:
            server.stop(mode)
            before = {id: turns(client, id) for id in ids}
            sleep(2)
            assert {id: turns(client, id) for id in ids} == before, "nothing is shown that could be lost"
            server.start()
            wait_until(lambda: len(turns(client, ids[0])) > len(before[ids[0]]))
            assert feed.recv(20)
        seat = open_table(client, "fish", "me", "random")
        assert client.get(f"/matches/{seat['id']}").status_code == 200
        for id in ids:
            check_whole(site, id, before[id])
        assert site.stop() == 0


def test_what_is_there_can_be_looked_at_while_the_database_is_away(server: Server, url: str) -> None:
    with inside(url, patience=1) as site, site.client() as client:
        id = open_table(client, "fish", "random", "random", pace=0.1)["id"]
        wait_until(lambda: len(turns(client, id)) > 2)
        server.stop()
        wait_until(lambda: site.registry.unwritten_lines)
        said = turns(client, id)
        busy = client.post("/api/matches", json={"game": "fish", "seats": [{"who": "house"}] * 2})
        assert busy.status_code == 503 and "database is not available" in busy.json()["error"]
        assert client.get("/tournaments").status_code == 503
        assert client.get(f"/matches/{id}").status_code == 200
        server.start()
        check_whole(site, id, said)
        assert presence(client, id)["status"] == "over"
        wait_until(lambda: not site.registry.unwritten_lines and not site.registry.running)


def test_a_move_that_cannot_be_kept_yet_is_not_called_done(
    server: Server, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "STORE_PATIENCE", 1.0)
    with inside(url, patience=1) as site, site.client() as client:
        created = open_table(client, "nim", "me", "random")
        id, key = created["id"], created["keys"][0]
        wait_until(lambda: site.registry.running[id].table.people[Seat(0)].view is not None)
        server.stop()
        asked = send_clicks(client, id, key, 0, []).json()
        while "choices" in asked:
            clicks = [*asked.get("clicks", []), asked["choices"][0]["key"]]
            answer = send_clicks(client, id, key, 0, clicks)
            asked = {**answer.json(), "clicks": clicks}
        assert answer.status_code == 503 and "Your move is made when it is back" in asked["error"]
        assert now(client, id)["number"] == 0
        server.start()
        wait_until(lambda: now(client, id)["number"] > 0)


def test_who_stops_while_the_database_is_away_is_told(server: Server, url: str, log: list[Any]) -> None:
    with inside(url, patience=1) as site, site.client() as client:
        id = open_table(client, "fish", "random", "random", pace=0.2)["id"]
        wait_until(lambda: len(turns(client, id)) > 2 and not site.registry.unwritten_lines)
        kept = site.services[Store].tables.lines(id)
        server.stop()
        wait_until(lambda: site.registry.unwritten_lines)
    assert [entry["event"] for entry in log][-1] == "the last record lines were lost"
    assert log[-1]["lines"] > 0 and "exc_info" not in log[-1]
    server.start()
    with inside(url) as again:
        whole = finished(again, id).splitlines(keepends=True)
        assert whole[: len(kept)] == kept and read_record(whole).outcome is not None


def test_two_servers_share_the_matches_and_one_goes_on_with_those_of_the_other(url: str) -> None:
    with outside(url) as one, outside(url) as other, one.client() as here, other.client() as there:
        ids = open_tables(here, 0.3)
        wait_until(lambda: all(now(there, id)["number"] >= 2 for id in ids))
        assert "Another server plays this match" in presence(there, ids[0])["remark"]
        before = {id: turns(here, id) for id in ids}
        one.stop(signal.SIGKILL)
        for id in ids:
            check_whole(other, id, before[id])
        assert other.stop() == 0


def test_41_the_password_of_the_database_is_said_to_nobody(url: str) -> None:
    with outside(url.replace("fairplay@", "fairplay:a-secret@")) as site:
        assert "fairplay:***@" in site.said and "a-secret" not in site.said


def test_without_a_database_there_is_no_server(server: Server, url: str) -> None:
    server.stop()
    with pytest.raises(StoreError, match="cannot be used"), inside(url, patience=1):
        pass


def test_a_thousand_tables_need_one_connection_for_their_lease(url: str) -> None:
    """The server has a lease; its tables have none."""
    leases = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = :ours")
    connections = text("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
    with inside(url, replace(PATIENT, matches=10_000)) as site, site.client() as client:
        for _ in range(1_000):
            open_table(client, "nim", "me", "friend")
        assert len(site.registry.running) == 1_000
        with open_store(url) as other, other.database.engine.connect() as connection:
            assert connection.execute(leases, {"ours": ADVISORY_LOCKS}).scalar_one() == 1
            assert connection.execute(connections).scalar_one() < 20
