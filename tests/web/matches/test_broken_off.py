"""A match whose rule book fails: the page shows that it was broken off, and why, now and after a restart."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.web.matches.tables import SeatRequest, TableRequest, build_table
from faulty_games import LUCKY_SEED, fails_with_first
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until

pytestmark = pytest.mark.usefixtures("faulty_games")


def open_match(site: Inside, fault: str, *seats: str) -> Any:
    """A match of a game with this fault, which is about to fail at its second turn."""
    game = GAMES[f"faulty_{fault}"]
    chosen = tuple(SeatRequest("me") if who == "me" else SeatRequest("house", who) for who in seats)
    wanted = TableRequest(game=game.name, seats=chosen, pace=0, clock=600)
    definition, _ = build_table(game, next(iter(game.variants.values())), wanted)
    return site.wait(site.registry.open_table(game.name, replace(definition, seed=UNLUCKY)))


UNLUCKY = next(seed for seed in count() if fails_with_first(seed))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def serve(folder: Path) -> Any:
    return inside(folder / "fairplay.db", replace(PATIENT, token=TOKEN))


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("apply", "ZeroDivisionError: integer division or modulo by zero, at __init__.py:"),
        ("empty", "a seat is on turn without a legal action, at __init__.py:"),
        ("view", "nobody thought of', at __init__.py:"),
    ],
)
def test_the_page_shows_broken_off_and_why(fault: str, reason: str, folder: Path, log: list[dict[str, Any]]) -> None:
    with serve(folder) as site, site.client() as visitor:
        match = open_match(site, fault, "first", "first")
        wait_until(lambda: match.id not in site.registry.running)
        told = f"The rule book of faulty_{fault} failed in match {match.id}, seed {UNLUCKY}, after turn "
        check_shown(visitor, match.id, told, reason)
        assert any(told.lower() in entry.get("reason", "").lower() for entry in log if entry["log_level"] == "error")
    with serve(folder) as site, site.client() as visitor:
        check_shown(visitor, match.id, told, reason)


def check_shown(visitor: Any, id: str, told: str, reason: str) -> None:
    shown = visitor.get(f"/api/matches/{id}").json()
    assert shown["presence"]["status"] == "cut off"
    assert shown["presence"]["ending"].startswith(told) and reason in shown["presence"]["ending"]
    assert visitor.get(f"/matches/{id}").status_code == 200
    (listed,) = [match for match in visitor.get("/api/matches").json() if match["id"] == id]
    assert listed["status"] == "cut off"
    assert '<span class="status">broken off</span>' in visitor.get("/matches").text
    last = len(shown["turns"]) - 1
    assert visitor.get(f"/api/matches/{id}/moments/{last}").status_code == 200


def test_watchers_are_told(folder: Path) -> None:
    with serve(folder) as site:
        match = open_match(site, "empty", "me", "first")
        with site.socket(f"/api/matches/{match.id}/live?as=public") as socket:
            wait_until(match.table.people[0].asked.is_set)
            take = GAMES["nim"].action_decoder.decode(b'{"do":"take","heap":0,"matches":1}')
            assert site.call(lambda: match.table.people[0].answer(take))
            statuses = []
            while "cut off" not in statuses:
                statuses.append(msgspec.json.decode(socket.recv(60))["presence"]["status"])
    assert statuses[0] == "playing"


def test_a_person_without_a_choice_is_not_left_waiting(folder: Path) -> None:
    with serve(folder) as site:
        match = open_match(site, "empty", "first", "me")
        site.call(match.table.people[1].arrive)
        wait_until(lambda: match.id not in site.registry.running)
        assert match.table.status == "cut off" and "without a legal action" in match.table.stop_reason


def test_other_matches_go_on(folder: Path) -> None:
    with serve(folder) as site:
        broken = open_match(site, "apply", "first", "first")
        wait_until(lambda: broken.id not in site.registry.running)
        game = GAMES["nim"]
        wanted = TableRequest(game="nim", seats=(SeatRequest("house", "random"),) * 2, pace=0)
        definition, _ = build_table(game, game.variants["standard"], wanted)
        match = site.wait(site.registry.open_table("nim", replace(definition, seed=LUCKY_SEED)))
        wait_until(lambda: match.id not in site.registry.running)
        assert match.table.status == "over" and broken.table.status == "cut off"


def test_a_table_that_cannot_be_dealt_says_so(folder: Path) -> None:
    with serve(folder) as site, site.client() as visitor:
        asked = {"game": "faulty_start", "seats": [{"who": "house"}, {"who": "house"}]}
        answers = [visitor.post("/api/matches", json=asked) for _ in range(20)]
    failed = next(answer for answer in answers if answer.status_code != 201)
    assert failed.status_code == 500
    assert "The rule book of faulty_start failed" in failed.json()["error"]
