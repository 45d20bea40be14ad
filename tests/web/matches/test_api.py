"""Matches of the house on a web server: played, watched, recorded, and the same whenever one looks again."""

from __future__ import annotations

import json
import socket
from contextlib import ExitStack
from dataclasses import replace
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.match.record import read_record
from fairplay.web.http.sockets import SocketLimit
from fairplay.web.watching.timeline import Viewer, build_timeline
from web.people import finished, now, open_table, take_turn
from web.servers import Inside, wait_until

REAL = ("fish", "trains", "labyrinth")


def house(game: str) -> list[str]:
    return [*GAMES[game].players.strategies][:2]


def heard(site: Inside, path: str) -> list[dict[str, Any]]:
    """All messages that a socket brings until it ends."""
    with site.socket(path, max_size=None) as feed:
        return [json.loads(message) for message in feed]


@pytest.mark.parametrize("game", REAL)
def test_a_match_of_the_house_is_recorded_and_its_record_is_the_film(
    site: Inside, client: httpx.Client, game: str
) -> None:
    id = open_table(client, game, *house(game))["id"]
    record = read_record(finished(site, id).splitlines(keepends=True))
    timeline = build_timeline(GAMES[game], record)
    shown = client.get(f"/api/matches/{id}").json()
    assert shown["presence"]["status"] == "over" and record.outcome is not None
    assert shown["turns"] == [timeline.describe_event(number, "all") for number in range(timeline.last + 1)]
    for number in (0, timeline.last // 2, timeline.last):
        viewers: list[tuple[str, Viewer]] = [("public", None), ("0", Seat(0)), ("all", "all")]
        for name, viewer in viewers:
            moment = client.get(f"/api/matches/{id}/moments/{number}?as={name}").json()
            assert moment == msgspec.json.decode(msgspec.json.encode(timeline.moment(number, viewer)))


def test_a_film_read_from_the_store_is_the_film_that_was_played(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "trains", *house("trains"))["id"]
    finished(site, id)

    def pages() -> list[bytes]:
        paths = (f"/api/matches/{id}", f"/api/matches/{id}/moments/3?as=1", f"/matches/{id}", f"/matches/{id}?as=all")
        return [client.get(path).content for path in paths]

    played = pages()
    site.call(site.registry._timelines.clear)
    assert pages() == played


@pytest.mark.parametrize("game", REAL)
def test_watchers_hear_every_moment_and_when_it_is_over_all_is_there(
    site: Inside, client: httpx.Client, game: str
) -> None:
    pace = 0.2 if game == "labyrinth" else 0.02  # its matches have few turns: one must not be over before it is watched
    id = open_table(client, game, *house(game), pace=pace)["id"]
    messages = heard(site, f"/api/matches/{id}/live?as=public")
    numbers = [message["moment"]["number"] for message in messages if "moment" in message]
    assert numbers == [*range(numbers[0], numbers[-1] + 1)], "each of them once"
    end = messages[-1]["presence"]
    assert end["status"] == "over" and end["winners"] and end["ending"]
    after = client.get(f"/api/matches/{id}").json()
    assert after["presence"] == {**end, "watchers": 0} and "all" in after["viewers"]
    assert client.get(f"/api/matches/{id}/record").status_code == 200


def test_the_newest_matches_are_shown_side_by_side_and_go_on_when_one_is_over(
    site: Inside, client: httpx.Client
) -> None:
    with site.socket("/api/live", max_size=None) as feed:
        first = open_table(client, "fish", *house("fish"), pace=0.05)["id"]
        seen = set()
        while (message := json.loads(feed.recv(30))).get("presence", {}).get("status") != "over":
            seen.add(message["id"])
        second = open_table(client, "fish", *house("fish"), pace=0.05)["id"]
        while second not in seen:
            seen.add(json.loads(feed.recv(30))["id"])
    assert {first, second} <= seen


def test_lists_and_links(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", *house("fish"), pace=1)["id"]
    running = client.get("/api/matches?running=true&game=fish").json()
    assert [match["status"] for match in running if match["id"] == id] == ["playing"]
    assert id in client.get("/").text and id in client.get("/matches").text
    over = open_table(client, "fish", *house("fish"))["id"]
    finished(site, over)
    info = next(match for match in client.get("/api/matches?running=false").json() if match["id"] == over)
    assert info["status"] == "over" and info["winners"] and len(info["scores"]) == 2
    assert client.get("/api/matches?limit=1").json()[0]["id"] == over


def test_a_seed_fixes_a_match_of_the_house(site: Inside, client: httpx.Client) -> None:
    same = [open_table(client, "labyrinth", *house("labyrinth"), seed=11)["id"] for _ in range(2)]
    one, other = (finished(site, id) for id in same)
    assert one == other


def test_a_quick_game_is_played_on_the_chosen_board(site: Inside, client: httpx.Client) -> None:
    for quick, rails in ((True, 12), (False, 45)):
        id = open_table(client, "trains", *house("trains"), board="small", quick=quick)["id"]
        setup = json.loads(finished(site, id).splitlines()[0])["setup"]
        assert (setup["map"], setup["rails"]) == ("small", rails)


def test_a_turn_is_drawn_once_however_many_watch(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", "me", house("fish")[0])["id"]
    match = site.registry.running[id]
    drawn: list[object] = []

    def counted(*given: Any, **more: Any) -> Any:
        drawn.append(given)
        return GAMES["fish"].shown.picture(*given, **more)

    match.timeline.game = replace(match.timeline.game, shown=replace(match.timeline.game.shown, picture=counted))
    with ExitStack() as stack:
        path = f"/api/matches/{id}/live?as=public"
        sockets = [stack.enter_context(site.socket(path, max_size=None)) for _ in range(40)]
        wait_until(lambda: len(match.feed.watchers) == 40)
        assert len(drawn) <= 1  # by whoever came first, unless it was drawn before
        drawn.clear()
        site.call(match.timeline._moments.clear)
        site.call(match.feed._messages.clear)
        for _ in range(3):
            site.call(lambda: match.feed.publish(again=True))
        messages = [json.loads(feed.recv(10)) for feed in sockets for _ in range(4)]
        pictures = {message["moment"]["picture"] for message in messages if "moment" in message}
    assert len(drawn) == 1 and len(pictures) == 1


def test_a_thousand_come_and_go_and_nothing_stays(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", "me", house("fish")[0])["id"]
    match = site.registry.running[id]
    for _ in range(20):
        with ExitStack() as stack:
            for _ in range(50):
                stack.enter_context(site.socket(f"/api/matches/{id}/live"))
    wait_until(lambda: len(match.feed.watchers) == 0 and site.services[SocketLimit].open == 0)
    assert match.feed.watchers._watchers == {}


def deaf(site: Inside, path: str) -> socket.socket:
    """Somebody who asks to watch and never reads a byte."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    sock.connect(("127.0.0.1", site.port))
    lines: tuple[str, ...] = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{site.port}",
        "Connection: Upgrade",
        "Upgrade: websocket",
    )
    lines += ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==")
    sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    return sock


def test_a_watcher_who_does_not_read_is_dropped_and_holds_nobody_back(site: Inside, client: httpx.Client) -> None:
    created = open_table(client, "labyrinth", "me", house("labyrinth")[0])
    match = site.registry.running[created["id"]]
    path = f"/api/matches/{created['id']}/live?as=public"
    with deaf(site, path), site.socket(path, max_size=None) as well:
        wait_until(lambda: len(match.feed.watchers) == 2)
        lost = site.registry.dropped_watchers
        for _ in range(3_000):
            site.call(lambda: match.feed.publish(again=True))
            assert well.recv(10)
            if site.registry.dropped_watchers > lost:
                break
        assert site.registry.dropped_watchers == lost + 1 and len(match.feed.watchers) == 1
        site.call(lambda: match.feed.publish(again=True))
        assert well.recv(10)
        take_turn(client, created["id"], created["keys"][0], 0, Random(1))
        wait_until(lambda: now(client, created["id"])["number"] > 0)


def test_matches_are_found_by_player_and_by_time_page_by_page(site: Inside, client: httpx.Client) -> None:
    seats = [{"who": "house", "name": "Zoë"}, {"who": "house"}]
    wanted = {"game": "fish", "seats": seats, "quick": True, "pace": 60}
    ids = [client.post("/api/matches", json=wanted).json()["id"] for _ in range(3)]
    open_table(client, "fish", *house("fish"), pace=60)
    found = client.get("/api/matches?player=zo").json()
    assert [match["id"] for match in found] == ids[::-1]
    first = client.get("/api/matches?player=zoë&limit=2").json()
    rest = client.get(f"/api/matches?player=zoë&limit=2&before={first[-1]['created']!r}").json()
    assert [match["id"] for match in (*first, *rest)] == ids[::-1]
    since = client.get(f"/api/matches?player=zoë&since={first[-1]['created']!r}").json()
    assert [match["id"] for match in since] == ids[:0:-1]
    assert client.get("/api/matches?player=nobody").json() == []
    assert client.get("/api/matches?before=soon").status_code == 400
