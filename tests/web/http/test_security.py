"""What stands between the network and the pages: names, origins, sizes, rates, headers, the owner's token."""

from __future__ import annotations

import socket
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from msgspec.structs import replace
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from fairplay.core import StoreError
from fairplay.store.store import Store
from fairplay.web.http import middleware
from fairplay.web.http.middleware import HEADERS, MAX_BODY
from fairplay.web.http.sockets import SocketLimit
from fairplay.web.pages import tables
from web.servers import PATIENT, TOKEN, Inside, inside, wait_until

PAGES = ("/", "/matches", "/new", "/new?game=trains", "/sign-in", "/api", "/api/games", "/api/matches", "/health")


@pytest.mark.parametrize("path", [*PAGES, "/nowhere", "/api/nowhere", "/static/icon.svg", "/api/openapi.json"])
def test_every_answer_carries_our_headers(client: httpx.Client, path: str) -> None:
    answer = client.get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert "cache-control" in answer.headers and "server" not in answer.headers
    policy = dict(part.strip().partition(" ")[::2] for part in answer.headers["Content-Security-Policy"].split(";"))
    assert policy["default-src"] == "'none'" and policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == "'none'" and "unsafe" not in str(policy)


@pytest.mark.parametrize("path", ["/static/fairplay.css", "/static/match.js"])
def test_scripts_and_styles_carry_only_what_is_not_for_pages(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    assert headers["X-Content-Type-Options"] == "nosniff" and headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Content-Security-Policy" not in headers and "Permissions-Policy" not in headers


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
        assert answer.status_code == 403 and "Cross-origin" in answer.json()["error"]
    with pytest.raises(InvalidStatus) as refused, site.socket("/api/live", origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_the_scheme_of_the_origin_counts(site: Inside, client: httpx.Client) -> None:
    """A page that came unencrypted, and so from anyone on the way, may not act on a server that is encrypted."""
    secure = f"https://127.0.0.1:{site.port}"
    assert client.post("/play/fish", headers={"Origin": secure}).status_code == 403
    with pytest.raises(InvalidStatus) as refused, site.socket("/api/live", origin=secure):
        pass
    assert refused.value.response.status_code == 403


def test_our_own_pages_may(site: Inside, client: httpx.Client) -> None:
    assert client.post("/play/fish", headers={"Origin": site.url}).status_code == 303
    with site.socket("/api/live", origin=site.url) as feed:
        assert feed.recv(10)


def test_what_is_too_large_is_not_read(site: Inside, client: httpx.Client) -> None:
    body = b'{"game": "' + b"x" * MAX_BODY + b'"}'
    for path, given in (("/api/matches", {"content": body}), ("/sign-in", {"data": {"token": "x" * MAX_BODY}})):
        answer = client.post(path, **given)
        assert answer.status_code == 413 and "too large" in answer.text
    assert client.post("/api/matches", content=body[:MAX_BODY]).status_code == 400


def test_many_large_bodies_at_once_are_too_much(client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """All together may not fill the memory either; what was answered counts no more."""
    monkeypatch.setattr(middleware, "MAX_ALL_BODIES", 2_000)
    for path in ("/api/matches", "/sign-in"):
        answer = client.post(path, content=b"x" * 3_000, headers={"Content-Type": "multipart/form-data; boundary=x"})
        assert answer.status_code == 503 and answer.headers["Retry-After"] and "large requests" in answer.text
    for _ in range(3):
        assert client.post("/api/matches", content=b"x" * 1_500).status_code == 400


def test_many_requests_are_too_many(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db", replace(PATIENT, rate=0.01, burst=20)) as strict, strict.client() as client:
        answers = [client.get("/health") for _ in range(25)]
        assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 5
        assert answers[-1].headers["Retry-After"] and "Too many requests" in answers[-1].json()["error"]
        with pytest.raises(InvalidStatus), strict.socket("/api/live"):
            pass


def test_an_address_has_only_so_many_connections(tmp_path: Path) -> None:
    """Of HTTP and of WebSockets together.  One that is closed makes room for another; a proxy may have any number."""
    settings = replace(PATIENT, connections=3)
    with inside(tmp_path / "f.db", settings) as small, ExitStack() as stack:
        here = ("127.0.0.1", small.port)
        idle = [stack.enter_context(socket.create_connection(here)) for _ in range(2)]
        feed = stack.enter_context(small.socket("/api/live"))
        with socket.create_connection(here) as one_too_many:
            one_too_many.settimeout(120)
            answer = b"".join(iter(lambda: one_too_many.recv(4096), b""))
            assert b" 429 " in answer and b"too many connections" in answer
        idle[0].close()
        wait_until(lambda: reached(small))
        feed.close()
        wait_until(lambda: reached(small, 2))
    with inside(tmp_path / "f.db", replace(settings, proxy="127.0.0.1")) as behind, ExitStack() as stack:
        for _ in range(9):
            stack.enter_context(socket.create_connection(("127.0.0.1", behind.port)))
        assert reached(behind)


def reached(site: Inside, times: int = 1) -> bool:
    """Are so many new connections at a time answered?"""
    with suppress(httpx.TransportError), ExitStack() as stack:
        clients = [stack.enter_context(site.client()) for _ in range(times)]
        return [client.get("/health").status_code for client in clients] == [200] * times
    return False


def test_many_tables_are_too_many_except_for_the_owner(tmp_path: Path) -> None:
    settings = replace(PATIENT, tables=2, token=TOKEN)
    with inside(tmp_path / "f.db", settings) as strict, strict.client() as client:
        table = {"game": "fish", "seats": [{"who": "house"}] * 2, "pace": 60}
        statuses = [client.post("/api/matches", json=table).status_code for _ in range(3)]
        assert statuses == [201, 201, 429]
        assert client.post("/play/fish").status_code == 429
        owner = {"Authorization": f"Bearer {TOKEN}"}
        assert client.post("/api/matches", json=table, headers=owner).status_code == 201


def test_only_so_many_matches_run_at_once(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db", replace(PATIENT, matches=2)) as small, small.client() as client:
        table = {"game": "fish", "seats": [{"who": "house"}] * 2, "pace": 60}
        answers = [client.post("/api/matches", json=table) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 503]
        assert answers[-1].headers["Retry-After"] and "2 matches are running" in answers[-1].json()["error"]


def test_only_so_many_watch_at_once(tmp_path: Path) -> None:
    with inside(tmp_path / "f.db", replace(PATIENT, watchers=1)) as small, small.socket("/api/live"):
        with small.socket("/api/live") as second, pytest.raises(Exception, match="Too many people"):
            second.recv(10)
        assert small.services[SocketLimit].open == 1


# -- bugs of ours ------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/matches", "/api/matches", "/"])
def test_an_error_of_ours_says_nothing_about_us(
    site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch, log: list[Any], path: str
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise OSError("/etc/secret: no such file")

    monkeypatch.setattr(site.services[Store].tables, "newest", broken)
    answer = client.get(path)
    assert answer.status_code == 500 and answer.json() == {"error": "Internal server error."}
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert [entry["event"] for entry in log] == ["a request failed"]


def test_a_page_that_cannot_be_drawn_says_nothing_about_us(
    client: httpx.Client, monkeypatch: pytest.MonkeyPatch, log: list[Any]
) -> None:
    monkeypatch.setattr(tables, "render_page", lambda *_, **__: 1 / 0)
    answer = client.get("/new")
    assert answer.status_code == 500 and "ZeroDivision" not in answer.text and ".py" not in answer.text


def test_a_store_that_fails_is_not_named(site: Inside, client: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(*_: object, **__: object) -> None:
        raise StoreError("postgresql://owner@db.example/fairplay does not answer") from OSError()

    monkeypatch.setattr(site.services[Store].tables, "newest", lost)
    monkeypatch.setattr(site.services[Store].tables, "get", lost)
    for path in ("/", "/matches", "/api/matches", "/matches/nothing", "/api/matches/nothing/record"):
        answer = client.get(path)
        assert answer.status_code == 503 and "db.example" not in answer.text
        assert "database is not available" in answer.text
