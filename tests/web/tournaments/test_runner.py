"""Tournaments that the server runs: to their end, one after the other, through stops and restarts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from fairplay.match.packing import check_signature
from fairplay.store.keys import open_keys
from web.contest_server import FISH, contest, played, served, table_of, until
from web.servers import PATIENT, wait_until

pytestmark = pytest.mark.timeout(180)

REQUEST: dict[str, Any] = {
    "game": "fish",
    "players": [{"player": "random"}, {"player": "greedy"}, {"player": "minimax:depth=1", "name": "thinker"}],
    "quick": True,
    "games": 3,
    "seed": 7,
}
LONG = {**REQUEST, "games": 20_000}


def test_a_tournament_is_played_to_its_end(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = client.post("/api/tournaments", json=REQUEST).raise_for_status().json()["id"]
        end = until(client, id, "finished")
        assert end["matches"] == end["total"] == 18
        assert end["tables"] == table_of(store, id)
        assert end["players"] == ["random", "greedy", "thinker"]
        assert store.queue.contests() == []
        for match in client.get(f"/api/tournaments/{id}/matches").json():
            assert client.get(f"/matches/{id}-{match['number']}").status_code == 200


def test_its_matches_are_signed_with_the_key_of_the_server(tmp_path: Path) -> None:
    key = tmp_path / "store.db.key"
    with served(tmp_path / "store.db", replace(PATIENT, key=key)) as (client, store):
        id = client.post("/api/tournaments", json={**REQUEST, "games": 1}).raise_for_status().json()["id"]
        until(client, id, "finished")
        public = open_keys(key).signer.public
        signature = check_signature(store.record(id, 0).splitlines(keepends=True))
        assert signature is not None and signature.key == public
        words = f"Consistent, signed by {public} (this server)."
        assert client.get(f"/api/matches/{id}-0").json()["proof"] == words
        assert words in client.get(f"/matches/{id}-0").text


def test_stopped_it_stays_stopped_and_goes_on_when_asked(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    with served(file) as (client, store):
        id = client.post("/api/tournaments", json=LONG).raise_for_status().json()["id"]
        before = until(client, id, "running", matches=1)["matches"]
        assert client.post(f"/api/tournaments/{id}/cancel").status_code == 200
        assert until(client, id, "unfinished")["matches"] >= before
        kept = store.summary(id).matches
    with served(file) as (client, store):
        assert client.get(f"/api/tournaments/{id}").json()["status"] == "unfinished"
        assert client.post(f"/api/tournaments/{id}/go-on").status_code == 200
        until(client, id, "running", matches=kept + 1)
        client.post(f"/api/tournaments/{id}/cancel").raise_for_status()
        assert [each.number for each in store.results(id)] == list(range(store.summary(id).matches))


def test_after_a_restart_it_ends_as_if_it_had_never_been_stopped(tmp_path: Path) -> None:
    longer = {**REQUEST, "games": 1_000}  # several seconds of play
    with served(tmp_path / "store.db") as (client, store):
        id = client.post("/api/tournaments", json=longer).raise_for_status().json()["id"]
        until(client, id, "running", matches=1)
    with served(tmp_path / "store.db") as (client, store):
        end = until(client, id, "finished")
        whole = played(store, store.contest(id))
        assert end["tables"] == table_of(store, whole)


def test_they_are_played_one_after_the_other(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, _):
        first = client.post("/api/tournaments", json=LONG).raise_for_status().json()["id"]
        second = client.post("/api/tournaments", json=REQUEST).raise_for_status().json()["id"]
        until(client, first, "running", matches=1)
        assert [each["status"] for each in client.get("/api/tournaments").json()] == ["waiting", "running"]
        client.post(f"/api/tournaments/{first}/cancel").raise_for_status()
        until(client, second, "finished")
        assert client.get(f"/api/tournaments/{first}").json()["status"] == "unfinished"


def test_one_that_waits_can_be_cancelled(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        client.post("/api/tournaments", json=LONG).raise_for_status()
        second = client.post("/api/tournaments", json=REQUEST).raise_for_status().json()["id"]
        client.post(f"/api/tournaments/{second}/cancel").raise_for_status()
        assert until(client, second, "unfinished")["matches"] == 0
        assert second not in store.queue.contests()


def test_one_that_another_process_runs_is_left_to_it(tmp_path: Path, log: list[Any]) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = store.create(contest("random", "greedy", games=5))
        with store.lease(id):
            client.post(f"/api/tournaments/{id}/go-on").raise_for_status()
            assert until(client, id, "unfinished")["matches"] == 0
        assert ["is being run by process" in entry["reason"] for entry in log] == [True]
        client.post(f"/api/tournaments/{id}/go-on").raise_for_status()
        assert until(client, id, "finished")["matches"] == 10


def test_a_finished_one_is_neither_stopped_nor_gone_on_with(tmp_path: Path) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = played(store, contest("random", "greedy", games=1))
        for what in ("cancel", "go-on"):
            refused = client.post(f"/api/tournaments/{id}/{what}")
            assert (refused.status_code, refused.json()) == (409, {"error": "This tournament is finished."})
            assert client.post(f"/api/tournaments/99/{what}").status_code == 404


@pytest.mark.parametrize("spec", ["bot.py", "cmd:sh -c true", "isolated:bot.py"])
def test_the_page_starts_nobodys_programs(tmp_path: Path, spec: str) -> None:
    (tmp_path / "bot.py").write_text("def choose(view):\n    raise SystemExit\n")
    with served(tmp_path / "store.db") as (client, store):
        id = store.create(contest("random", ("mine", spec)))
        refused = client.post(f"/api/tournaments/{id}/go-on")
        assert refused.status_code == 422
        assert refused.json()["error"].startswith("Fish has no strategy")
        assert store.queue.contests() == []
        assert client.get(f"/api/tournaments/{id}").json()["status"] == "unfinished"


@pytest.mark.parametrize("kind", ["established", "native"])
def test_the_page_does_not_play_remote_players_as_gone(tmp_path: Path, kind: str) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = store.create(contest("random", ("ann", f"connection:{kind}")))
        refused = client.post(f"/api/tournaments/{id}/go-on")
        assert refused.status_code == 409
        assert "signed up over a network. The page cannot resume it" in refused.json()["error"]
        assert store.queue.contests() == []
        assert client.get(f"/api/tournaments/{id}").json()["status"] == "unfinished"


@pytest.mark.parametrize("format", ["swiss", "ladder"])
def test_rounds_that_were_paired_in_another_way_are_not_resumed(tmp_path: Path, format: str, log: list[Any]) -> None:
    with served(tmp_path / "store.db") as (client, store):
        id = store.create(replace(contest("random", "greedy", format=format), matched=False))
        refused = client.post(f"/api/tournaments/{id}/go-on")
        assert refused.status_code == 409
        assert "paired its rounds in a way that is gone. The page cannot resume it" in refused.json()["error"]
        assert store.queue.contests() == []
        store.queue.add(id)
    with served(tmp_path / "store.db") as (client, store):
        wait_until(lambda: log)
        assert ["paired its rounds in a way that is gone" in entry["reason"] for entry in log] == [True]
        assert until(client, id, "unfinished")["matches"] == 0


def test_what_is_reported_fits_what_is_looked_at(tmp_path: Path) -> None:
    """The tables of a running tournament come from its own process."""
    with served(tmp_path / "store.db") as (client, _):
        id = client.post("/api/tournaments", json=LONG).raise_for_status().json()["id"]
        now = until(client, id, "running", matches=10)
        assert now["total"] == 20_000 * 6 and FISH.unit == now["unit"]
        assert 0 < now["tables"]["matches"] <= now["matches"], "it is told from time to time"
        assert {line["player"] for line in now["tables"]["standings"]} == {"random", "greedy", "thinker"}
