"""What stands between the network and the pages: names, origins, sizes, rates, headers, the owner's token."""

from __future__ import annotations

import hmac
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from fairplay.core import StoreError
from fairplay.web.http import owner
from fairplay.web.http import security as guard
from fairplay.web.http.security import HEADERS, LARGEST, Meter
from fairplay.web.matches import pages, tables
from web.people import SEAT, lay, seated
from web.servers import PATIENT, TOKEN, Inside, inside

PAGES = ("/", "/matches", "/new", "/new?game=trains", "/sign-in", "/api", "/api/games", "/api/matches", "/health")


@pytest.mark.parametrize("path", [*PAGES, "/nowhere", "/api/nowhere", "/static/fairplay.css", "/api/openapi.json"])
def test_every_answer_carries_our_headers(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "cache-control" in answer.headers and "server" not in answer.headers
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'" and "unsafe" not in str(policy)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[", "", "localhost@evil.example"])
def test_only_our_own_names_are_answered(site: Inside, client: httpx.Client, host: str) -> None:
    answer = client.get("/", headers={"Host": host})
    assert answer.status_code in (400, 421) and "fairplay" not in answer.text.lower()


def test_sockets_are_opened_under_our_own_names_only(site: Inside) -> None:
    for host in ("evil.example", "127.0.0.1.evil.example"):
        here = ("127.0.0.1", site.port)
        with pytest.raises(InvalidStatus), connect(f"ws://{host}/api/live", address=here, proxy=None):
            pass


def test_our_own_names_are_answered_on_any_port(client: httpx.Client) -> None:
    for host in ("localhost", "LOCALHOST:1", "127.0.0.1:99", "[::1]:80"):
        assert client.get("/health", headers={"Host": host}).status_code == 200


FOREIGN = ("http://evil.example", "null", "http://[", "", "http://127.0.0.1.evil.example", "http://127.0.0.1:1")


@pytest.mark.parametrize("origin", FOREIGN)
def test_pages_of_other_sites_start_nothing_and_watch_nothing(site: Inside, client: httpx.Client, origin: str) -> None:
    for path in ("/api/matches", "/play/fish", "/sign-in", "/sign-out", "/api/matches/x/wish"):
        answer = client.post(path, headers={"Origin": origin}, content=b"{}")
        assert answer.status_code == 403 and "another site" in answer.json()["error"]
    with pytest.raises(InvalidStatus) as refused, site.socket("/api/live", origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_our_own_pages_may(site: Inside, client: httpx.Client) -> None:
    assert client.post("/play/fish", headers={"Origin": site.url}).status_code == 303
    with site.socket("/api/live", origin=site.url) as feed:
        assert feed.recv(10)


def test_what_is_too_large_is_not_read(site: Inside, client: httpx.Client) -> None:
    body = b'{"game": "' + b"x" * LARGEST + b'"}'
    for path, given in (("/api/matches", {"content": body}), ("/sign-in", {"data": {"token": "x" * LARGEST}})):
        answer = client.post(path, **given)
        assert answer.status_code == 413 and "too large" in answer.text
    assert client.post("/api/matches", content=body[:LARGEST]).status_code == 400


def test_many_large_bodies_at_once_are_too_much(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """All together may not fill the memory either; what was answered counts no more."""
    monkeypatch.setattr(guard, "MOST", 2_000)
    for path in ("/api/matches", "/sign-in"):
        answer = client.post(path, content=b"x" * 3_000, headers={"Content-Type": "multipart/form-data; boundary=x"})
        assert answer.status_code == 503 and answer.headers["Retry-After"] and "send a lot" in answer.text
    for _ in range(3):
        assert client.post("/api/matches", content=b"x" * 1_500).status_code == 400


def test_many_requests_are_too_many(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db", replace(PATIENT, rate=0.01, burst=20)) as strict, strict.client() as client:
        answers = [client.get("/health") for _ in range(25)]
        assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 5
        assert answers[-1].headers["Retry-After"] and "too many requests" in answers[-1].json()["error"]
        with pytest.raises(InvalidStatus), strict.socket("/api/live"):
            pass


def test_many_tables_are_too_many_except_for_the_owner(tmp_path: Path) -> None:
    settings = replace(PATIENT, tables=2, token=TOKEN)
    with inside(tmp_path / "f.db", settings) as strict, strict.client() as client:
        wish = {"game": "fish", "seats": [{"who": "house"}] * 2, "pace": 60}
        statuses = [client.post("/api/matches", json=wish).status_code for _ in range(3)]
        assert statuses == [201, 201, 429]
        assert client.post("/play/fish").status_code == 429
        owner = {"Authorization": f"Bearer {TOKEN}"}
        assert client.post("/api/matches", json=wish, headers=owner).status_code == 201


def test_only_so_many_matches_run_at_once(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db", replace(PATIENT, matches=2)) as small, small.client() as client:
        wish = {"game": "fish", "seats": [{"who": "house"}] * 2, "pace": 60}
        answers = [client.post("/api/matches", json=wish) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 503]
        assert answers[-1].headers["Retry-After"] and "2 matches are running" in answers[-1].json()["error"]


def test_only_so_many_watch_at_once(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db", replace(PATIENT, watchers=1)) as small, small.socket("/api/live"):
        with small.socket("/api/live") as second, pytest.raises(Exception, match="too many people"):
            second.recv(10)
        assert small.hall.watchers == 1


def test_a_meter_forgets_whom_it_has_not_heard_of_for_longest(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(guard, "monotonic", lambda: now)
    monkeypatch.setattr(guard, "ADDRESSES", 2)
    meter = Meter(1, 2)
    assert [meter.allows("a") for _ in range(3)] == [True, True, False]
    now = 1.0
    assert [meter.allows("a") for _ in range(2)] == [True, False]
    assert meter.allows("b") and meter.allows("c")
    assert meter.allows("a") and meter.allows("a")


# -- the owner ---------------------------------------------------------------------------------


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
    laid = lay(client, "trains", "me", "buy-now")
    with httpx.Client(base_url=client.base_url, trust_env=False) as other:
        assert other.get(f"/api/matches/{laid['id']}?key={laid['keys'][0]}").status_code == 400
        assert other.get(f"/metrics?token={TOKEN}").status_code == 401


def test_without_a_token_everybody_at_home_is_the_owner_and_elsewhere_nobody(tmp_path: Path) -> None:
    with inside(tmp_path / "home.db") as home, home.client() as client:
        assert client.get("/metrics").status_code == 200
        assert client.post("/sign-in", data={"token": ""}).status_code == 401
    for name, settings in (("away", replace(PATIENT, hosts=())), ("behind", replace(PATIENT, proxy="127.0.0.1"))):
        with inside(tmp_path / f"{name}.db", settings) as away, away.client() as client:
            assert client.get("/metrics").status_code == 401
            assert client.get("/metrics", headers={"Authorization": "Bearer"}).status_code == 401


# -- bugs of ours ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/matches", "/api/matches", "/"])
def test_an_error_of_ours_says_nothing_about_us(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch, log: list[Any], path: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("/etc/secret: no such file")

    monkeypatch.setattr(type(site.parts.store), "tables", broken)
    answer = client.get(path)
    assert answer.status_code == 500 and answer.json() == {"error": "something went wrong here"}
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert [entry["event"] for entry in log] == ["a request failed"]


def test_a_page_that_cannot_be_drawn_says_nothing_about_us(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, log: list[Any]
) -> None:
    monkeypatch.setattr(pages, "rendered", lambda *_, **__: 1 / 0)
    answer = client.get("/new")
    assert answer.status_code == 500 and "ZeroDivision" not in answer.text and ".py" not in answer.text


def test_a_store_that_fails_is_not_named(site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object, **__: object) -> None:
        raise StoreError("postgresql://owner@db.example/fairplay does not answer") from OSError()

    monkeypatch.setattr(type(site.parts.store), "tables", lost)
    monkeypatch.setattr(type(site.parts.store), "table", lost)
    for path in ("/", "/matches", "/api/matches", "/matches/nothing", "/api/matches/nothing/record"):
        answer = client.get(path)
        assert answer.status_code == 503 and "db.example" not in answer.text
        assert "cannot be used at the moment" in answer.text
