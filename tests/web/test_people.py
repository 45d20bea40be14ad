"""People at tables: who may do what, what happens to the slow, the absent and the mistaken."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.match.record import read_record
from fairplay.web.watching.timeline import build_timeline
from web.people import SEAT, finished, now, open_table, play, presence, seated, send_clicks, take_turn
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until


@pytest.mark.parametrize(("game", "rival"), [("fish", "minimax"), ("trains", "buy-now"), ("labyrinth", "lookahead")])
def test_a_person_plays_a_whole_match_by_clicks(site: Inside, client: httpx.Client, game: str, rival: str) -> None:
    created = open_table(client, game, "me", rival)
    last = play(client, created["id"], {0: created["keys"][0]}, 1_000, Random(4))
    record = read_record(finished(site, created["id"]).splitlines(keepends=True))
    timeline = build_timeline(GAMES[game], record)
    assert timeline.last == last and record.outcome is not None and record.outcome.faults == (None, None)


def socket_of(site: Inside, id: str, key: str) -> Any:
    return site.socket(f"/api/matches/{id}/live", headers={SEAT: key}, max_size=None)


def until(feed: Any, kind: str, true: Any) -> dict[str, Any]:
    """The first moment or presence that is so."""
    for text in feed:
        message = json.loads(text)
        if kind in message and true(message[kind]):
            return dict(message[kind])
    raise AssertionError("the socket ended before that")


def asked(feed: Any) -> dict[str, Any]:
    """The presence once somebody is asked to move."""
    return until(feed, "presence", lambda presence: presence["clock"] is not None)


# -- whose seat it is --------------------------------------------------------------------------


def test_an_invitation_turns_into_a_key_once(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    invitation = created["keys"][1]
    path = f"/api/matches/{created['id']}/sit"
    assert client.get(f"/api/matches/{created['id']}", headers={SEAT: invitation}).json()["me"] is None
    with site.client() as friend, site.client() as thief:
        sat = friend.post(path, json={"key": invitation}).json()
        assert sat["seat"] == 1 and sat["key"] != invitation
        assert thief.post(path, json={"key": invitation}).status_code == 403
        assert friend.get(f"/api/matches/{created['id']}").json()["me"] == 1
        assert friend.post(path, json={"key": sat["key"]}).json() == sat
        assert client.get(f"/api/matches/{created['id']}").json()["me"] == 0


def test_a_table_waits_for_everybody(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    id = created["id"]
    with site.client() as friend:
        key = friend.post(f"/api/matches/{id}/sit", json={"key": created["keys"][1]}).json()["key"]
    with socket_of(site, id, created["keys"][0]) as mine:
        first = until(mine, "presence", lambda _: True)
        assert first["status"] == "waiting" and first["seats"] == ["", "not here yet"]
        assert send_clicks(client, id, created["keys"][0], 0, []).status_code == 422
        with socket_of(site, id, key):
            assert until(mine, "presence", lambda presence: presence["status"] == "playing")["seats"] == ["", ""]


def test_whoever_has_a_seat_may_start_without_the_others_and_nobody_else(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    with site.client() as stranger:
        assert stranger.post(f"/api/matches/{created['id']}/begin").status_code == 403
    assert presence(client, created["id"])["status"] == "waiting"
    assert client.post(f"/api/matches/{created['id']}/begin").status_code == 200
    assert presence(client, created["id"])["status"] == "playing"


def test_nobody_moves_for_another_or_twice(site: Inside, client: httpx.Client) -> None:
    id, keys = seated(client, "fish", 2)
    other = send_clicks(client, id, keys[1], 0, [])
    assert other.status_code == 422 and "not your turn" in other.json()["error"]
    clicks = take_turn(client, id, keys[0], 0, Random(1))
    wait_until(lambda: now(client, id)["number"] == 1)
    stale = send_clicks(client, id, keys[0], 0, clicks)
    assert stale.status_code == 422 and "not your turn" in stale.json()["error"]
    assert now(client, id)["number"] == 1


# -- mistakes ----------------------------------------------------------------------------------


def test_an_illegal_move_is_answered_with_the_reason_and_may_be_taken_again(client: httpx.Client) -> None:
    id, keys = seated(client, "fish", 2)
    take_turn(client, id, keys[0], 0, Random(1))
    wait_until(lambda: now(client, id)["number"] == 1)
    taken = [choice["key"] for choice in send_clicks(client, id, keys[1], 1, []).json()["choices"]]
    everywhere = {f"at={row},{column}" for row in range(5) for column in range(5)}
    (occupied,) = everywhere - {*taken}
    answer = send_clicks(client, id, keys[1], 1, [occupied]).json()
    assert answer["refusal"] and len(answer["choices"]) == len(taken)
    assert now(client, id)["number"] == 1, "nobody is removed for it"
    take_turn(client, id, keys[1], 1, Random(1))
    wait_until(lambda: now(client, id)["number"] == 2)


# -- the slow and the absent -------------------------------------------------------------------


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server that waits one second for somebody who is away."""
    settings = replace(PATIENT, patience=1.0, token=TOKEN)
    with inside(tmp_path_factory.mktemp("impatient") / "fairplay.db", settings) as running:
        yield running


def test_when_the_time_is_up_the_house_makes_that_turn_and_no_more(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "random", clock=1)
    with socket_of(site, created["id"], created["keys"][0]) as mine:
        assert 0 < asked(mine)["clock"] <= 1
        assert until(mine, "presence", lambda presence: presence["clock"] is None)["seats"] == ["", ""]
        second = until(mine, "moment", lambda moment: moment["number"] >= 2 and moment["to_move"] == 0)
        assert second["clicks"]["nodes"], "it is the person's turn again"
        assert send_clicks(client, created["id"], created["keys"][0], second["number"], []).json()["choices"]


def test_a_click_that_comes_too_late_is_told_so(site: Inside, client: httpx.Client) -> None:
    """The house takes its time as well; the turn is not the person's any more."""
    created = open_table(client, "fish", "me", "random", clock=1, pace=2)
    id, key = created["id"], created["keys"][0]
    person = site.registry.running[id].table.people[Seat(0)]
    with socket_of(site, id, key) as mine:
        asked(mine)
        choice = send_clicks(client, id, key, 0, []).json()["choices"][0]["key"]
        wait_until(lambda: person.view is None)
        late = send_clicks(client, id, key, 0, [choice])
        assert late.status_code == 422 and "not your turn" in late.json()["error"]


def test_the_house_plays_on_for_somebody_who_left_until_they_are_back(impatient: Inside) -> None:
    with impatient.client() as client:
        created = open_table(client, "fish", "me", "random", variant="standard", quick=False, pace=0.3)
        id, key = created["id"], created["keys"][0]
        with socket_of(impatient, id, key) as mine:
            asked(mine)
            take_turn(client, id, key, 0, Random(1))
        with impatient.socket(f"/api/matches/{id}/live?as=public", max_size=None) as watching:
            until(watching, "presence", lambda presence: presence["seats"][0] == "away, a house player plays")
            until(watching, "moment", lambda moment: moment["number"] >= 4)
        with socket_of(impatient, id, key) as mine:
            assert asked(mine)["seats"] == ["", ""]
            back = now(client, id)
            assert back["to_move"] == 0 and send_clicks(client, id, key, back["number"], []).json()["choices"]
            take_turn(client, id, key, back["number"], Random(1))
            until(mine, "moment", lambda moment: moment["number"] > back["number"])


def test_a_second_page_of_the_same_person_keeps_the_seat(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "random")
    person = site.registry.running[created["id"]].table.people[Seat(0)]
    with socket_of(site, created["id"], created["keys"][0]) as one:
        one.recv(10)
        with socket_of(site, created["id"], created["keys"][0]) as two:
            two.recv(10)
            wait_until(lambda: person._open_pages == 2)
        wait_until(lambda: person._open_pages == 1)
        assert person.is_present
    wait_until(lambda: not person.is_present)


def test_a_match_that_everybody_left_is_played_to_its_end(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db", replace(PATIENT, patience=0.0)) as site, site.client() as client:
        id = open_table(client, "labyrinth", "me", "random")["id"]
        record = read_record(finished(site, id).splitlines(keepends=True))
        assert record.outcome is not None and record.outcome.faults == (None, None)
