"""What people do at the tables of a web server, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import httpx

from web.servers import Site, wait_until

SEAT = "Fairplay-Seat"


def open_table(client: httpx.Client, game: str, *seats: str, **more: Any) -> dict[str, Any]:
    """Open a table for a quick game: each seat is `me`, `friend` or a house player; the response."""
    chosen = [
        {"who": seat} if seat in ("me", "friend", "anyone") else {"who": "house", "player": seat} for seat in seats
    ]
    wanted = {"game": game, "seats": chosen, "quick": True, "pace": 0, **more}
    response = client.post("/api/matches", json=wanted)
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


def presence(client: httpx.Client, id: str) -> dict[str, Any]:
    """The clock, who is here and how the match stands."""
    found: dict[str, Any] = client.get(f"/api/matches/{id}").raise_for_status().json()["presence"]
    return found


def seated(client: httpx.Client, game: str, count: int, **more: Any) -> tuple[str, list[str]]:
    """A table with people on every seat, all of whom have taken their seats; its id and their keys."""
    created = open_table(client, game, *["friend"] * count, **more)
    keys = []
    for invitation in created["keys"]:
        with httpx.Client(base_url=client.base_url, trust_env=False) as friend:
            keys.append(friend.post(f"/api/matches/{created['id']}/sit", json={"key": invitation}).json()["key"])
    begun = client.post(f"/api/matches/{created['id']}/begin", headers={SEAT: keys[0]})
    assert begun.status_code == 200, begun.text
    return created["id"], keys


def now(client: httpx.Client, id: str, **headers: str) -> dict[str, Any]:
    """The newest moment of a match, as `headers` let one see it."""
    last = len(client.get(f"/api/matches/{id}", headers=headers).json()["turns"]) - 1
    response = client.get(f"/api/matches/{id}/moments/{last}", headers=headers)
    assert response.status_code == 200, response.text
    moment: dict[str, Any] = response.json()
    return moment


def send_clicks(client: httpx.Client, id: str, key: str, number: int, clicks: list[str]) -> httpx.Response:
    return client.post(f"/api/matches/{id}/wish", json={"number": number, "clicks": clicks}, headers={SEAT: key})


def take_turn(client: httpx.Client, id: str, key: str, number: int, rng: Random) -> list[str]:
    """Click what may be clicked, at random, until it is an action; the clicks."""
    clicks: list[str] = []
    for _ in range(100):
        response = send_clicks(client, id, key, number, clicks)
        assert response.status_code == 200, response.text
        result = response.json()
        if result.get("done"):
            return clicks
        clicks.append(next_click([choice["key"] for choice in result["choices"]], clicks, rng))
    raise AssertionError(f"never an action: {clicks}")


def next_click(keys: list[str], clicks: Sequence[str], rng: Random) -> str:
    """Any of the keys; rather of a kind not clicked yet, and not the same again, which takes back."""
    kinds = {click.partition("=")[0] for click in clicks}
    fresh = [key for key in keys if key.partition("=")[0] not in kinds]
    other = [key for key in keys if key not in clicks]
    return rng.choice(fresh or other or keys)


def play(client: httpx.Client, id: str, keys: dict[int, str], turns: int, rng: Random) -> int:
    """Let people take so many turns, or all that are left; the number of the newest moment."""
    for _ in range(turns):
        wait_until(lambda: now(client, id)["to_move"] in (None, *keys))
        moment = now(client, id)
        if moment["to_move"] is None:
            break
        take_turn(client, id, keys[moment["to_move"]], moment["number"], rng)
        before = moment["number"]
        wait_until(lambda: now(client, id)["number"] > before)  # noqa: B023  # called here and now
    return int(now(client, id)["number"])


def finished(site: Site, id: str) -> bytes:
    """The record of a match, once it is over."""
    answer = httpx.Response(0)

    def there() -> bool:
        nonlocal answer
        answer = client.get(f"/api/matches/{id}/record")
        return answer.status_code == 200

    with site.client() as client:
        wait_until(there)
    return answer.content
