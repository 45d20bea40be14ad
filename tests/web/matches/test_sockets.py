"""What those who watch say, and what they are told when they come back."""

from __future__ import annotations

import json

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from fairplay.web.watching import feed
from web.people import now, open_table
from web.servers import Inside, wait_until


def closed_with(site: Inside, path: str, said: list[str | bytes]) -> int | None:
    """The code with which a socket is closed that says all this."""
    with site.socket(path) as socket, pytest.raises(ConnectionClosed) as closed:
        for message in said:
            socket.send(message)
        while True:
            socket.recv(timeout=300)
    return None if closed.value.rcvd is None else closed.value.rcvd.code


def test_53_who_floods_a_socket_or_speaks_no_text_is_closed(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed, "COUNT_INTERVAL", 3600)  # or those who look on might be counted in the middle
    id = open_table(client, "fish", "random", "random", pace=60)["id"]
    wait_until(lambda: site.registry.running[id].feed._published)  # that the first player is asked
    for path in (f"/api/matches/{id}/live", "/api/live"):
        assert closed_with(site, path, ["{}"] * 31) == 1008
        assert closed_with(site, path, ["x" * 65_537]) == 1009
        assert closed_with(site, path, [b"\x00"]) == 1003
    with site.socket(f"/api/matches/{id}/live") as socket:
        for _ in range(30):
            socket.send("anything")
        first = json.loads(socket.recv(timeout=300))
        assert first["moment"]["number"] == 0 and first["presence"]["status"] == "playing"
        with pytest.raises(TimeoutError):
            socket.recv(timeout=0.3)


def test_56_who_comes_back_gets_what_came_after(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", "random", "random", pace=0.05)["id"]
    wait_until(lambda: now(client, id)["number"] >= 6)
    with site.socket(f"/api/matches/{id}/live?after=3", max_size=None) as socket:
        moments = (message["moment"] for text in socket if "moment" in (message := json.loads(text)))
        numbers = [moment["number"] for moment, _ in zip(moments, range(4), strict=False)]
    assert numbers == [4, 5, 6, 7] or numbers[0] > 3 + 8  # the machine was so slow that only the newest made sense


def test_56_after_a_long_absence_there_is_one_whole_picture(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", "random", "random", pace=0.05)["id"]
    wait_until(lambda: now(client, id)["number"] >= 12)
    for known in ("0", "", "nonsense", "99999999"):
        with site.socket(f"/api/matches/{id}/live?after={known}", max_size=None) as socket:
            moment = json.loads(socket.recv(timeout=300))["moment"]
        assert moment["number"] >= 12 and moment["picture"]
