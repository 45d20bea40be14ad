"""The owner: known by the token, by a session or by a link that works once; and seats, known by their keys."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from fairplay.store.store import Store
from fairplay.web.http import limits, owner
from fairplay.web.http.owner import OWNER_COOKIE, make_owner_link
from fairplay.web.matches import tables
from web.people import open_table
from web.servers import PATIENT, TOKEN, Inside, inside

BEHIND = replace(PATIENT, proxy="127.0.0.1")


@pytest.fixture(autouse=True)
def forgiving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to wait after a failure."""
    monkeypatch.setattr(limits, "FIRST_DELAY", 0.0)


def test_the_owner_is_known_by_the_token_alone(client: httpx.Client) -> None:
    assert client.get("/metrics").status_code == 401
    for wrong in ("Bearer", "Bearer wrong", f"Basic {TOKEN}", TOKEN, f"Bearer {TOKEN}x", "Bearer \xfc"):
        assert client.get("/metrics", headers={b"Authorization": wrong.encode("latin-1")}).status_code == 401
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
    many = {f"f{n}": "1" for n in range(9)}
    for given in list[Any]([{"files": file}, {"content": TOKEN}, {"data": many}, {"data": {}}]):
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
    created = open_table(client, "fish", "friend", "friend")
    compared.clear()
    with httpx.Client(base_url=client.base_url, trust_env=False) as friend:
        friend.post(f"/api/matches/{created['id']}/sit", json={"key": created["keys"][1]})
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


def test_without_a_token_nobody_is_the_owner_by_default(tmp_path: Path) -> None:
    for name, settings in (("home", PATIENT), ("away", replace(PATIENT, hosts=())), ("behind", BEHIND)):
        with inside(tmp_path / f"{name}.db", settings) as site, site.client() as client:
            assert client.get("/metrics").status_code == 401
            assert client.get("/metrics", headers={"Authorization": "Bearer"}).status_code == 401
            assert client.get("/metrics", headers={"Cookie": f"{OWNER_COOKIE}=guess"}).status_code == 401
            assert client.get("/tournaments/new").headers["location"] == "/sign-in"
            assert client.post("/sign-in", data={"token": ""}).status_code == 401
            assert "Sign out" not in client.get("/").text


def key_of(link: str) -> str:
    """The key in a link, which stands where no browser sends it."""
    path, _, key = link.partition("#")
    assert path.endswith("/sign-in") and len(key) >= 32
    return key


def test_a_link_makes_one_browser_the_owner_and_works_once(tmp_path: Path) -> None:
    db = tmp_path / "home.db"
    with inside(db) as site, site.client() as first, site.client() as second:
        key = key_of(make_owner_link(site.services[Store].accounts, f"{site.url}/"))
        answer = first.post("/sign-in", data={"key": key})
        cookie = answer.headers["set-cookie"].lower()
        assert answer.status_code == 303 and answer.headers["location"] == "/" and key.lower() not in cookie
        assert all(word in cookie for word in ("httponly", "samesite=strict", "max-age=2592000"))
        assert first.get("/metrics").status_code == 200 and "Sign out" in first.get("/").text
        again = second.post("/sign-in", data={"key": key})
        assert again.status_code == 401 and "used up" in again.text and "set-cookie" not in again.headers
        assert second.get("/metrics").status_code == 401
        kept = dict(first.cookies)
    with inside(db) as site, site.client(cookies=kept) as client:
        assert client.get("/metrics").status_code == 200, "the owner stays signed in when the server starts again"
        assert client.post("/sign-out").status_code == 303
    with inside(db) as site, site.client(cookies=kept) as client:
        assert client.get("/metrics").status_code == 401, "and stays signed out"


def test_a_session_is_worth_nothing_with_another_token(tmp_path: Path) -> None:
    """Whoever changes the token because somebody else knows it gets rid of that somebody."""
    db = tmp_path / "f.db"
    with inside(db, replace(PATIENT, token=TOKEN)) as site, site.client() as client:
        client.post("/sign-in", data={"token": TOKEN})
        kept = dict(client.cookies)
        assert client.get("/metrics").status_code == 200
    for token, status in ((TOKEN, 200), ("another token", 401), ("", 401)):
        with inside(db, replace(PATIENT, token=token)) as site, site.client(cookies=kept) as client:
            assert client.get("/metrics").status_code == status


def test_two_servers_of_one_store_know_the_same_owner(tmp_path: Path) -> None:
    db = tmp_path / "f.db"
    with inside(db) as one, inside(db) as other, one.client() as client:
        client.post("/sign-in", data={"key": key_of(make_owner_link(one.services[Store].accounts, f"{one.url}/"))})
        with other.client(cookies=dict(client.cookies)) as same:
            assert same.get("/metrics").status_code == 200


def test_signing_in_slows_down_with_each_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The right token is of no use to somebody who guesses faster than that, and the API is no way round."""
    now = 1_000.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    monkeypatch.setattr(limits, "FIRST_DELAY", 0.5)
    with inside(tmp_path / "f.db", replace(PATIENT, token=TOKEN)) as site, site.client() as client:
        for wait in (0.5, 1, 2, 4, 8, 16, 32, 60, 60):
            assert client.post("/sign-in", data={"token": "wrong"}).status_code == 401
            now += wait - 0.1
            locked = client.post("/sign-in", data={"token": TOKEN})
            assert locked.status_code == 429 and "Try again in 1 seconds" in locked.text
            bearer = {"Authorization": f"Bearer {TOKEN}"}
            assert client.get("/metrics", headers=bearer).status_code == 401
            now += 0.2
        assert client.post("/sign-in", data={"token": TOKEN}).status_code == 303
        assert client.post("/sign-in", data={"token": "wrong"}).status_code == 401
        now += 0.6
        assert client.post("/sign-in", data={"token": TOKEN}).status_code == 303, "success forgets the failures"


def test_wrong_bearers_and_used_links_are_failures_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "FIRST_DELAY", 60.0)
    with inside(tmp_path / "f.db", replace(PATIENT, token=TOKEN)) as site, site.client() as client:
        for _ in range(20):
            client.get("/health", headers={"Authorization": "Bearer wrong"})
        assert client.post("/sign-in", data={"token": TOKEN}).status_code == 429
    with inside(tmp_path / "g.db", PATIENT) as site, site.client() as client:
        assert client.post("/sign-in", data={"key": "x" * 32}).status_code == 401
        assert client.post("/sign-in", data={"key": "x" * 32}).status_code == 429
