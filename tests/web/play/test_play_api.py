"""What people at a table do over HTTP: sit down, be called something, leave, stop, play again."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.match.record import read_record
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.house.worker import AnyQuestion
from fairplay.web.matches import people
from fairplay.web.matches.live import LiveMatch
from fairplay.web.play import hints
from fairplay.web.play.hints import ShownAdvice
from web.people import SEAT, finished, now, open_table, play, presence, seated, send_clicks, take_turn
from web.servers import Inside, inside, wait_until


def post(client: httpx.Client, id: str, what: str, key: str = "", **body: Any) -> httpx.Response:
    return client.post(f"/api/matches/{id}/{what}", json=body, headers={SEAT: key} if key else {})


def is_over(client: httpx.Client, id: str) -> bool:
    return str(presence(client, id)["status"]) in ("over", "cut off")


# -- coming ------------------------------------------------------------------------------------


def test_an_invitation_that_is_opened_again_leads_to_the_seat(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    id, invitation = created["id"], created["keys"][1]
    with site.client() as friend, site.client() as stranger:
        first = friend.post(f"/api/matches/{id}/sit", json={"key": invitation, "name": "bob"})
        assert first.json()["seat"] == 1 and now(client, id)["seats"][1]["name"] == "bob"
        again = friend.post(f"/api/matches/{id}/sit", json={"key": invitation})
        assert (again.status_code, again.json()) == (200, {"seat": 1, "key": ""})
        assert friend.get(f"/api/matches/{id}").json()["me"] == 1
        assert stranger.post(f"/api/matches/{id}/sit", json={"key": invitation}).status_code == 403
        assert stranger.get(f"/matches/{id}").status_code == 200, "others watch"


def test_who_opened_the_table_does_not_use_up_the_link_of_a_friend(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    sat = client.post(f"/api/matches/{created['id']}/sit", json={"key": created["keys"][1]}).json()
    assert sat["seat"] == 0
    with site.client() as friend:
        answer = friend.post(f"/api/matches/{created['id']}/sit", json={"key": created["keys"][1]})
        assert answer.json()["seat"] == 1


def test_a_name_that_cannot_be_used_costs_no_invitation(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    path = f"/api/matches/{created['id']}/sit"
    with site.client() as friend:
        refused = friend.post(path, json={"key": created["keys"][1], "name": "b\u200bob"})
        assert refused.status_code == 422 and "invisible character" in refused.json()["error"]
        assert friend.post(path, json={"key": created["keys"][1], "name": "bob"}).status_code == 200


def test_a_friend_of_the_same_name_gets_a_number(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    with site.client() as friend:
        friend.post(f"/api/matches/{created['id']}/sit", json={"key": created["keys"][1], "name": "Guest 1"})
    assert [seat["name"] for seat in now(client, created["id"])["seats"]] == ["guest 1", "Guest 1 2"]


def test_names_can_be_changed_until_the_match_begins(client: httpx.Client) -> None:
    created = open_table(client, "fish", "me", "friend")
    id = created["id"]
    assert post(client, id, "name", name="ann").status_code == 200
    assert now(client, id)["seats"][0]["name"] == "ann"
    assert post(client, id, "begin").status_code == 200
    late = post(client, id, "name", name="eve")
    assert late.status_code == 422 and "has begun" in late.json()["error"]


# -- leaving -----------------------------------------------------------------------------------


def test_who_resigns_loses_and_the_record_holds(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "labyrinth", "me", "random")["id"]
    wait_until(lambda: presence(client, id)["clock"] is not None)
    assert post(client, id, "resign").status_code == 200
    record = read_record(finished(site, id).splitlines(keepends=True))
    assert record.outcome is not None and record.outcome.winners == (1,)
    shown = client.get(f"/api/matches/{id}/result").json()
    assert shown["seats"][0]["removed"] == "resigned" and shown["places"] == [[1]]
    assert shown["margin_words"] == "random won: guest 1 resigned."
    assert shown["removals"] == [1]


def test_a_match_that_was_stopped_stays_so(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db") as site, site.client() as client:
        id = open_table(client, "trains", "me", "buy-now")["id"]
        take_turn(client, id, client.cookies[f"seat-{id}"], 0, Random(1))
        with site.socket(f"/api/matches/{id}/live", headers={SEAT: client.cookies[f"seat-{id}"]}):
            assert post(client, id, "stop").status_code == 200
        wait_until(lambda: id not in site.registry.running)
        before = client.get(f"/api/matches/{id}").json()
        assert before["presence"]["ending"] == "guest 1 stopped the match." and "all" in before["viewers"]
    with inside(tmp_path / "f.db") as site, site.client() as client:
        after = client.get(f"/api/matches/{id}").json()
        assert after["presence"]["status"] == "cut off" and after["presence"]["ending"] == before["presence"]["ending"]
        assert id not in site.registry.running
        assert [match["status"] for match in client.get("/api/matches").json()] == ["cut off"]
        result = client.get(f"/api/matches/{id}/result").json()
        assert result["places"] == [] and result["margin_words"] == before["presence"]["ending"]
        assert client.get(f"/matches/{id}").status_code == 200
        record = read_record(client.get(f"/api/matches/{id}/record").content.splitlines(keepends=True))
        assert record.outcome is None


def test_only_those_who_sit_there_may_do_any_of_this(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", "me", "random")["id"]
    with site.client() as stranger:
        for what, body in (("resign", {}), ("leave", {}), ("stop", {}), ("emote", {"name": "wow"}), ("hint", {})):
            assert post(stranger, id, what, **body).status_code == 403, what
        assert stranger.get(f"/api/matches/{id}/advice").status_code == 403
    assert presence(client, id)["status"] == "playing"


def test_an_offer_of_somebody_who_left_keeps_nobody_from_stopping_or_leaving(
    site: Inside, client: httpx.Client
) -> None:
    """The house has the seat by then, and offers nothing."""
    created = open_table(client, "fish", "me", "friend", "anyone")
    id = created["id"]
    with site.client() as other, site.client() as friend:
        assert other.post(f"/api/lobby/{id}/join", json={}).status_code == 200
        assert friend.post(f"/api/matches/{id}/sit", json={"key": created["keys"][1]}).status_code == 200
        assert post(other, id, "stop").status_code == post(other, id, "leave").status_code == 200
        assert presence(client, id)["offers"]["stop"] == []
        assert post(client, id, "begin").status_code == 200
        wait_until(lambda: presence(client, id)["clock"] is not None)
        with site.socket(f"/api/matches/{id}/live", headers={SEAT: friend.cookies[f"seat-{id}"]}):
            assert post(client, id, "stop").status_code == 200
            assert presence(client, id)["offers"]["stop"] == [0]
            assert post(client, id, "leave").status_code == 200
            assert presence(client, id)["offers"]["stop"] == []


def test_nobody_floods_the_others_with_offers_or_names(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them goes to everyone who looks on, on the home page as well."""
    monkeypatch.setattr(people, "CHANGE_RATE", 1e-9)
    id = open_table(client, "fish", "me", "friend", "friend")["id"]
    answers = [post(client, id, "name", name=f"ann {number}").status_code for number in range(8)]
    assert answers == [200] * 6 + [429] * 2
    assert post(client, id, "stop").status_code == 429
    assert "Wait a moment" in post(client, id, "stop").json()["error"]


# -- playing again -----------------------------------------------------------------------------


def test_a_rematch_carries_people_along_one_seat_further(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db") as site, site.client() as client:
        id, keys = seated(client, "fish", 2)
        early = post(client, id, "rematch", keys[0])
        assert early.status_code == 409
        post(client, id, "resign", keys[0])
        finished(site, id)
        next = post(client, id, "rematch", keys[0]).json()["id"]
        told = presence(client, id)
        assert told["next"] == next and told["offers"]["rematch"] == [0]
        with site.client() as stranger:
            assert post(stranger, id, "rematch").status_code == 403
    with inside(tmp_path / "f.db") as site, site.client() as first, site.client() as second:
        assert post(second, id, "rematch", keys[1]).json()["id"] == next, "it is kept in the store"
        assert second.get(f"/api/matches/{next}").json()["me"] == 0
        assert post(first, id, "rematch", keys[0]).json()["id"] == next
        assert first.get(f"/api/matches/{next}").json()["me"] == 1
        assert first.get(f"/api/matches/{next}").json()["names"] == ["guest 2", "guest 1"]
        assert presence(first, id)["offers"]["rematch"] == [0, 1]


def test_those_who_are_still_there_are_told_of_the_rematch(site: Inside, client: httpx.Client) -> None:
    id, keys = seated(client, "fish", 2)
    with site.socket(f"/api/matches/{id}/live", headers={SEAT: keys[1]}, max_size=None) as other:
        post(client, id, "resign", keys[0])
        wait_until(lambda: is_over(client, id))
        next = post(client, id, "rematch", keys[0]).json()["id"]
        while json.loads(message := other.recv(60))["presence"]["next"] != next:
            pass
        assert json.loads(message)["presence"]["status"] == "over"


def test_house_players_keep_their_level_and_a_lone_person_starts_at_once(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", "me", "minimax")["id"]
    post(client, id, "resign")
    finished(site, id)
    next = post(client, id, "rematch").json()["id"]
    assert client.get(f"/api/matches/{next}").json()["names"] == ["minimax", "guest 1"]
    assert presence(client, next)["status"] == "playing"


# -- help --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["fish", "labyrinth", "nim"])
def test_a_hint_leads_to_a_legal_move(site: Inside, client: httpx.Client, game: str) -> None:
    created = open_table(client, game, "me", next(iter(GAMES[game].players.strategies)))
    id, key = created["id"], created["keys"][0]
    wait_until(lambda: presence(client, id)["clock"] is not None)
    hint = post(client, id, "hint").raise_for_status().json()
    assert hint["words"] and hint["highlights"] and hint["by"]
    assert send_clicks(client, id, key, now(client, id)["number"], hint["highlights"]).json()["done"]


def test_a_hint_is_worked_out_once_however_often_somebody_asks(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = open_table(client, "fish", "me", "random")["id"]
    wait_until(lambda: presence(client, id)["clock"] is not None)
    asked: list[object] = []
    choose = HousePool.choose

    async def note(pool: HousePool, question: AnyQuestion, payer: Payer, on_slow: Callable[[bool], object]) -> Any:
        asked.append(question)
        return await choose(pool, question, payer, on_slow)

    monkeypatch.setattr(HousePool, "choose", note)
    with ThreadPoolExecutor(4) as people:
        hints = [hint.text for hint in people.map(lambda _: post(client, id, "hint").raise_for_status(), range(8))]
    assert len(set(hints)) == len(asked) == 1


def test_there_are_no_hints_where_several_people_play(client: httpx.Client) -> None:
    id, keys = seated(client, "fish", 2)
    refused = post(client, id, "hint", keys[0])
    assert refused.status_code == 409 and "several people" in refused.json()["error"]


def test_advice_is_worked_out_once_at_each_moment(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    id = client.post("/play/labyrinth", data={"guided": "1"}).headers["location"].rpartition("/")[2]
    wait_until(lambda: presence(client, id)["clock"] is not None)
    asked: list[object] = []
    build = hints.build_advice

    def note(match: LiveMatch, seat: Seat) -> ShownAdvice | None:
        asked.append(match)
        return build(match, seat)

    monkeypatch.setattr(hints, "build_advice", note)
    path = f"/api/matches/{id}/advice"
    assert client.get(path).raise_for_status().json() == client.get(path).json() and len(asked) == 1


@pytest.mark.parametrize("game", ["fish", "trains", "labyrinth"])
def test_a_guided_game_says_what_to_do(client: httpx.Client, game: str) -> None:
    if GAMES[game].shown.teaching is None:
        pytest.skip(f"{game} cannot be taught yet")
    answer = client.post(f"/play/{game}?guided=1", data={"name": "ann"}, follow_redirects=False)
    id = answer.headers["location"].rpartition("/")[2]
    page = client.get(f"/matches/{id}").text
    assert '"guided":true' in page and "ann" in page
    wait_until(lambda: presence(client, id)["clock"] is not None)
    advice = client.get(f"/api/matches/{id}/advice").json()
    assert advice["title"] and advice["words"]


# -- the end -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["fish", "trains", "labyrinth", "nim"])
def test_everybody_is_told_the_final_score_and_where_it_comes_from(
    site: Inside, client: httpx.Client, game: str
) -> None:
    id = open_table(client, game, "me", next(iter(GAMES[game].players.strategies)))["id"]
    assert client.get(f"/api/matches/{id}/result").status_code == 409
    last = play(client, id, {0: client.cookies[f"seat-{id}"]}, 1000, Random(3))
    finished(site, id)
    result = client.get(f"/api/matches/{id}/result").json()
    assert {seat["seat"] for seat in result["seats"]} == {0, 1} and result["margin_words"].endswith(".")
    for seat in result["seats"]:
        assert seat["score"] is not None and seat["place"] in (1, 2)
        assert not seat["lines"] or sum(points for _, points in seat["lines"]) == seat["score"]
    if result["progress"]:
        assert [len(points) for points in result["progress"]] == [last + 1] * 2
        assert [points[-1] for points in result["progress"]] == [seat["score"] for seat in result["seats"]]
    assert result["removals"] == [] and result["last_round"] in (last - 1, last)
    shown = client.get(f"/api/matches/{id}").json()
    assert shown["me"] == 0 and shown["viewer"] == "all" and any(turn.startswith("You ") for turn in shown["turns"])
    facts = {
        viewer: client.get(f"/api/matches/{id}/moments/{last}?as={viewer}").json()["seats"]
        for viewer in ("0", "public")
    }
    assert facts["0"] == facts["public"], "the player knows no less than a stranger"
