"""A server that is stopped or killed in the middle of matches resumes them when it starts again."""

from __future__ import annotations

import json
import shutil
import signal
from contextlib import suppress
from pathlib import Path
from random import Random

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, ConnectionClosedError

from fairplay.catalog import GAMES
from fairplay.match.record import read_record
from fairplay.store import open_store
from fairplay.web.watching.timeline import build_timeline
from web.people import SEAT, finished, now, open_table, play, presence
from web.servers import outside, wait_until

PACE = 0.15


def lines(db: Path, id: str) -> list[bytes]:
    with open_store(str(db)) as store:
        return store.tables.lines(id)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGINT])
def test_matches_go_on_after_a_restart(tmp_path: Path, how: signal.Signals) -> None:
    db = tmp_path / "fairplay.db"
    with outside(db) as first, first.client() as client:
        games = ("fish", "trains", "labyrinth")
        ids = [open_table(client, game, *[*GAMES[game].players.strategies][:2], pace=PACE)["id"] for game in games]
        wait_until(lambda: all(now(client, id)["number"] >= 3 for id in ids))
        seen = {id: client.get(f"/api/matches/{id}").json()["turns"] for id in ids}
        code = first.stop(how)
    assert code == (-how if how == signal.SIGKILL else 0)
    kept = {id: lines(db, id) for id in ids}
    went_on = 0
    with outside(db) as second, second.client() as client:
        for id in ids:
            whole = finished(second, id).splitlines(keepends=True)
            assert whole[: len(kept[id])] == kept[id]
            went_on += len(whole) > len(kept[id])
            before, after = told(kept[id]), told(whole)
            assert after[: len(before)] == before and read_record(whole).outcome is not None
            assert before[: len(seen[id])] == seen[id], "what was shown is in the store"
    assert went_on  # a small match may have been over by then, but not all of them


@pytest.mark.parametrize("turns", [1, 4, 9, 16, 30])
def test_a_kill_at_any_moment_loses_no_turn_that_was_shown(tmp_path: Path, turns: int) -> None:
    """The server plays as fast as it can, and is killed as soon as a watcher has been sent so many turns."""
    db, newest = tmp_path / "fairplay.db", dict[str, int]()
    with outside(db) as server, server.client() as client:
        ids = [open_table(client, "trains", "random", "random", variant="standard", quick=False)["id"] for _ in "abc"]
        with suppress(ConnectionClosed), server.socket("/api/live", max_size=None) as feed:
            while True:
                message = json.loads(feed.recv(60))
                if "moment" in message:
                    newest[message["id"]] = message["moment"]["number"]
                if max(newest.values(), default=0) >= turns and server.process.poll() is None:
                    server.process.kill()
    assert newest and set(newest) <= {*ids}
    for id, number in newest.items():
        if number:  # of a match that has just been dealt nothing may be kept: it will be dealt again
            assert len(told(lines(db, id))) - 1 >= number


def told(record: list[bytes]) -> list[str]:
    """The turns of a record in words, as everybody may hear them."""
    timeline = build_timeline(GAMES[read_record(record).header.game], read_record(record))
    return [timeline.describe_event(number, None) for number in range(timeline.last + 1)]


def test_a_person_keeps_the_seat_and_what_was_done(tmp_path: Path) -> None:
    db = tmp_path / "fairplay.db"
    with outside(db) as first, first.client() as client:
        created = open_table(client, "trains", "me", "friend")
        id, key = created["id"], created["keys"][0]
        friend = httpx.post(f"{first.url}/api/matches/{id}/sit", json={"key": created["keys"][1]}, trust_env=False)
        keys = {0: key, 1: friend.json()["key"]}
        assert client.post(f"/api/matches/{id}/begin").status_code == 200
        play(client, id, keys, 3, Random(1))
        first.stop()
    with outside(db) as second, httpx.Client(base_url=second.url, trust_env=False) as client:
        found = now(client, id, **{SEAT: keys[0]})
        assert found["number"] == 3 and presence(client, id)["status"] == "playing"
        assert client.get(f"/api/matches/{id}", headers={SEAT: keys[1]}).json()["me"] == 1
        assert play(client, id, keys, 1, Random(1)) == 4
        used = client.post(f"/api/matches/{id}/sit", json={"key": created["keys"][1]})
        assert used.status_code == 403, "an invitation that was used stays used"


def test_a_table_that_waits_still_waits(tmp_path: Path) -> None:
    db = tmp_path / "fairplay.db"
    with outside(db) as first, first.client() as client:
        created = open_table(client, "fish", "me", "friend")
        first.stop()
    with outside(db) as second, second.client() as client:
        assert presence(client, created["id"])["status"] == "waiting"
        assert client.post(f"/api/matches/{created['id']}/sit", json={"key": created["keys"][1]}).json()["seat"] == 1


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_has_hardly_begun_can_be_stopped(tmp_path: Path, how: signal.Signals) -> None:
    """It had begun nothing that it would have to finish, so it may end in any way."""
    with outside(tmp_path / "fairplay.db") as first:
        assert first.stop(how) in (0, 1, -how)


def test_watchers_are_told_to_come_back(tmp_path: Path) -> None:
    """1012: the server starts again."""
    with outside(tmp_path / "fairplay.db") as first, first.client() as client:
        id = open_table(client, "fish", "random", "random", pace=5)["id"]
        with first.socket(f"/api/matches/{id}/live") as feed:
            feed.recv(10)
            first.process.send_signal(signal.SIGTERM)
            with pytest.raises(ConnectionClosedError):
                while True:
                    feed.recv(20)
            assert feed.close_code == 1012
        assert first.process.wait(20) == 0


def test_a_server_goes_on_with_what_an_earlier_version_kept(tmp_path: Path) -> None:
    old = Path(__file__).parents[1] / "store" / "old" / "0002.sqlite"
    db = Path(shutil.copy(old, tmp_path / "fairplay.db"))
    over, runs, key = "uuuyjpe6s9", "zh38kmhsbx", "zIVwhkZejtPk3_byzSrujA"
    kept = lines(db, runs)
    with outside(db) as server, server.client() as client:
        assert read_record(finished(server, over).splitlines(keepends=True)).outcome is not None
        assert play(client, runs, {0: key}, 1, Random(1)) > len(kept) - 1
        assert client.get("/api/boards/ir9q4bbasp").json()["name"] == "pond"
        server.stop()
    went_on = lines(db, runs)
    assert len(went_on) > len(kept) and went_on[: len(kept)] == kept
    with open_store(db) as store:
        assert (store.queue.contests(), store.summary(2).matches) == ([2], 12)  # paired in a way that is gone


def test_a_server_goes_on_with_a_tournament_that_an_earlier_version_kept(tmp_path: Path) -> None:
    old = Path(__file__).parents[1] / "store" / "old" / "0004.sqlite"
    db = Path(shutil.copy(old, tmp_path / "fairplay.db"))
    with outside(db) as server, server.client() as client:
        wait_until(lambda: client.get("/api/tournaments/2").json()["finished"] is not None)
    with open_store(db) as store:
        assert (store.queue.contests(), store.summary(2).matches) == ([], 20)
