"""The owner: known by the token, by a session, or by being on the same machine; and seats, known by their keys."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from fairplay.web.http import owner
from fairplay.web.matches import tables
from web.people import SEAT, open_table, seated
from web.servers import PATIENT, TOKEN, Inside, inside


def test_the_owner_is_known_by_the_token_alone(client: httpx.Client) -> None:
    assert client.get("/metrics").status_code == 401
    for wrong in ("Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", "Bearer \xfc"):
        assert client.get("/metrics", headers={"Authorization": wrong.encode("latin-1")}).status_code == 401
    answer = client.get("/metrics", headers={"Authorization": f"bearer {TOKEN}"})
    assert answer.status_code == 200 and "fairplay_matches_running" in answer.text


def test_signing_in_and_out(site: Inside, client: httpx.Client) -> None:
    wrong = client.post("/sign-in", data={"token": "wrong"})
    assert wrong.status_code == 401 and "set-cookie" not in wrong.headers and "not the token" in wrong.text
    answer = client.post("/sign-in", data={"token": TOKEN})
    cookie = answer.headers["set-cookie"].lower()
    assert answer.status_code == 303 and "httponly" in cookie and "samesite=strict" in cookie
    assert TOKEN not in answer.headers["set-cookie"] and client.get("/metrics").status_code == 200
    assert "Sign out" in client.get("/").text
    kept = dict(client.cookies)
    assert client.post("/sign-out").status_code == 303
    with site.client(cookies=kept) as thief:
        assert thief.get("/metrics").status_code == 401
    assert client.get("/metrics").status_code == 401


def test_a_form_that_is_no_form_signs_nobody_in(client: httpx.Client) -> None:
    file = {"token": ("token.txt", TOKEN.encode())}
    for given in ({"files": file}, {"content": TOKEN}, {"data": {f"f{n}": "1" for n in range(9)}}, {"data": {}}):
        answer = client.post("/sign-in", **given)
        assert 400 <= answer.status_code < 500 and "set-cookie" not in answer.headers


def test_secrets_are_compared_in_constant_time(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, site: Inside
) -> None:
    """Every comparison with a token or a key goes through one function."""
    compared: list[Any] = []

    def watched(one: Any, other: Any) -> bool:
        compared.append((one, other))
        return hmac.compare_digest(one, other)

    monkeypatch.setattr(owner, "compare_digest", watched)
    monkeypatch.setattr(tables, "compare_digest", watched)
    client.get("/metrics", headers={"Authorization": "Bearer wrong"})
    assert (b"wrong", TOKEN.encode()) in compared
    client.post("/sign-in", data={"token": "wrong too"})
    assert (b"wrong too", TOKEN.encode()) in compared
    id, keys = seated(client, "fish", 2)
    compared.clear()
    client.post(f"/api/matches/{id}/wish", json={"number": 0, "clicks": []}, headers={SEAT: keys[1]})
    assert len(compared) == 2, "every seat is compared, whichever fits"


def test_the_cookie_of_a_seat_is_out_of_reach_of_scripts(client: httpx.Client) -> None:
    answer = client.post("/play/fish")
    cookie = answer.headers["set-cookie"].lower()
    assert answer.status_code == 303 and "httponly" in cookie and "samesite=lax" in cookie
    key = client.cookies[f"seat-{answer.headers['location'].rpartition('/')[2]}"]
    assert key not in answer.headers["location"]


def test_no_secret_stands_in_a_url(client: httpx.Client) -> None:
    """A key in a query is worth nothing."""
    created = open_table(client, "trains", "me", "buy-now")
    with httpx.Client(base_url=client.base_url, trust_env=False) as other:
        assert other.get(f"/api/matches/{created['id']}?key={created['keys'][0]}").status_code == 400
        assert other.get(f"/metrics?token={TOKEN}").status_code == 401


def test_without_a_token_everybody_at_home_is_the_owner_and_elsewhere_nobody(tmp_path: Path) -> None:
    with inside(tmp_path / "home.db") as home, home.client() as client:
        assert client.get("/metrics").status_code == 200
        assert client.post("/sign-in", data={"token": ""}).status_code == 401
    for name, settings in (("away", replace(PATIENT, hosts=())), ("behind", replace(PATIENT, proxy="127.0.0.1"))):
        with inside(tmp_path / f"{name}.db", settings) as away, away.client() as client:
            assert client.get("/metrics").status_code == 401
            assert client.get("/metrics", headers={"Authorization": "Bearer"}).status_code == 401
