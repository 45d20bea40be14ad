"""Connections of people who never come to the point: slow heads, slow bodies, answers that nobody takes."""

from __future__ import annotations

import asyncio
import json
import select
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from fairplay.web import description as pages
from fairplay.web.http import serving as timeouts
from web.people import open_table
from web.servers import Inside, wait_until

PATIENCE = 1.5
HEAD = b"Host: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that waits for nobody for long."""
    for limit in ("HEAD_TIMEOUT", "BODY_TIMEOUT"):
        monkeypatch.setattr(timeouts, limit, PATIENCE)


@contextmanager
def connection(site: Inside, **options: int) -> Iterator[socket.socket]:
    with socket.socket() as sock:
        sock.settimeout(120)
        for name, value in options.items():
            sock.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        sock.connect(("127.0.0.1", site.port))
        yield sock


def dripped(sock: socket.socket, pieces: Iterable[bytes], pause: float = 0.1, seconds: float = 120) -> bytes:
    """All that comes back while the pieces are sent one by one, until the other side has closed."""
    came, left = b"", iter(pieces)
    end = monotonic() + seconds
    while monotonic() < end:
        readable, _, _ = select.select([sock], [], [], pause)
        try:
            if readable:
                piece = sock.recv(65_536)
                if not piece:
                    return came
                came += piece
            sock.sendall(next(left, b""))
        except ConnectionError:
            return came
    raise AssertionError(f"still open after {came!r}")


def for_ever(piece: bytes) -> Iterator[bytes]:
    return (piece for _ in range(10_000))


def tasks(site: Inside) -> int:
    """What the server is at work on."""
    return site.call(lambda: len(asyncio.all_tasks()))


# -- heads -------------------------------------------------------------------------------------


def test_a_request_without_end_is_cut_off(site: Inside) -> None:
    """Neither a line nor headers may fill the memory."""
    for start in (b"GET /", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", b"GET / HTTP/1.1\r\n"):
        with connection(site) as sock:
            sock.sendall(start)
            piece = b"y: z\r\n" * 10_000 if start.endswith(b"\n") else b"y" * 60_000
            with pytest.raises(ConnectionError):
                for _ in range(500):
                    sock.sendall(piece)


@pytest.mark.parametrize("start", [b"", b"\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\n"])
@pytest.mark.parametrize("piece", [b"", b"x: y\r\n"])
def test_55_a_head_that_never_ends_has_a_time(site: Inside, start: bytes, piece: bytes) -> None:
    with connection(site) as sock:
        sock.sendall(start)
        assert dripped(sock, for_ever(piece if start.startswith(b"GET") else start)) == b""


def test_55_an_empty_line_keeps_no_connection_open(site: Inside) -> None:
    """It ends the wait for the next request, but begins none."""
    with connection(site) as sock:
        sock.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b'{"status":"ok"' in dripped(sock, for_ever(b"\r\n"))


# -- bodies ------------------------------------------------------------------------------------


BODIES = {
    "of a stated length": (b"Content-Length: 10000\r\n", b"x"),
    "in chunks": (b"Transfer-Encoding: chunked\r\n", b"1\r\nx\r\n"),
}


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize("drips", [True, False])
@pytest.mark.parametrize("path", [b"/api/matches", b"/sign-in"])
def test_55_a_body_that_never_ends_has_a_time(
    site: Inside, log: list[Any], kind: str, drips: bool, path: bytes
) -> None:
    length, piece = BODIES[kind]
    before = tasks(site)
    with connection(site) as sock:
        sock.sendall(b"POST " + path + b" HTTP/1.1\r\n" + HEAD + length + b"\r\n")
        answer = dripped(sock, for_ever(piece) if drips else [])
    assert answer.startswith(b"HTTP/1.1 408 ") and answer.endswith(b'{"error":"The request took too long."}')
    wait_until(lambda: tasks(site) <= before)
    assert log == [], "whoever is slow fills no log"


@pytest.mark.parametrize("kind", BODIES)
@pytest.mark.parametrize(("path", "status"), [(b"/nowhere", b"404"), (b"/api/matches/x/begin", b"404")])
def test_55_so_has_one_that_nobody_asked_for(site: Inside, kind: str, path: bytes, status: bytes) -> None:
    """It was answered long ago, and is not answered a second time."""
    length, piece = BODIES[kind]
    with connection(site) as sock:
        sock.sendall(b"POST " + path + b" HTTP/1.1\r\n" + HEAD + length + b"\r\n")
        answer = dripped(sock, for_ever(piece))
    assert answer.startswith(b"HTTP/1.1 " + status) and answer.count(b"HTTP/1.1") == 1


def test_a_body_that_comes_in_pieces_but_in_time_is_read(site: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timeouts, "BODY_TIMEOUT", 20)
    body = b'{"game":"chess","seats":[{"who":"house"}]}'
    with connection(site) as sock:
        rest = b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body)
        sock.sendall(b"POST /api/matches HTTP/1.1\r\n" + HEAD + rest)
        answer = dripped(sock, (bytes([byte]) for byte in body), 0.001)
    assert answer.startswith(b"HTTP/1.1 422") and b"no game" in answer


def test_requests_after_one_another_have_a_time_each(site: Inside) -> None:
    """All of them together may take longer, and no timer of one is left for the next."""
    with site.client() as client:
        end = monotonic() + 3 * PATIENCE
        while monotonic() < end:
            assert client.post("/api/matches", content=b"{}").status_code == 422
            assert client.get("/health").status_code == 200


def test_a_socket_lasts_longer_than_a_request(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "fish", "random", "random", pace=60)["id"]
    with site.socket(f"/api/matches/{id}/live") as feed:
        while "moment" not in json.loads(feed.recv(120)):
            pass
        with pytest.raises(TimeoutError):  # those who watch are counted, and told so, once
            for _ in range(9):
                feed.recv(3 * PATIENCE)
        site.call(lambda: site.registry.running[id].feed.publish(again=True))
        assert feed.recv(120)


UPGRADE = (
    b"GET /api/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
)


def test_so_does_one_on_a_connection_that_was_used_before(site: Inside) -> None:
    with connection(site) as sock:
        sock.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert sock.recv(65_536).startswith(b"HTTP/1.1 200")
        sock.sendall(UPGRADE + b"\r\n")
        with pytest.raises(AssertionError, match=r"still open after .*101 Switching"):
            dripped(sock, [], seconds=4 * PATIENCE)


@pytest.mark.parametrize(
    "more",
    [b"Content-Length: 9000\r\n", b"Transfer-Encoding: chunked\r\n", b"X: y\r\n" * 200, b"X: %s\r\n" % (b"y" * 9_000)],
)
def test_55_a_socket_that_begins_with_nonsense_is_closed(site: Inside, more: bytes) -> None:
    with connection(site) as sock:
        sock.sendall(UPGRADE + more + b"\r\n")
        assert b"101" not in dripped(sock, for_ever(b"x"))


# -- answers -----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 500])
@pytest.mark.parametrize("last", [b"", b"Connection: close\r\n"])
def test_55_answers_that_nobody_takes_are_dropped(
    site: Inside, monkeypatch: pytest.MonkeyPatch, count: int, last: bytes
) -> None:
    """One that is much too large for the network to hold, or many; the kernel is told to give up."""
    monkeypatch.setattr(pages, "json_response", lambda _: PlainTextResponse("x" * (20_000_000 // count)))
    with connection(site, SO_RCVBUF=4096) as sock:
        wait_until(lambda: len(site.connections) == 1)
        taken = next(iter(site.connections)).transport.get_extra_info("socket")
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 30_000
        taken.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, 500)
        for number in range(count):
            end = last if number == count - 1 else b""
            sock.sendall(b"GET /api/openapi.json HTTP/1.1\r\n" + HEAD + end + b"\r\n")
        assert sock.recv(1, socket.MSG_PEEK)
        wait_until(lambda: not site.connections)


def test_55_a_thousand_idle_connections_hold_up_nobody(site: Inside, client: httpx.Client) -> None:
    idle = [socket.create_connection(("127.0.0.1", site.port), 20) for _ in range(1_000)]
    try:
        assert client.get("/health").status_code == 200
        for sock in idle:
            assert sock.recv(100) == b""
    finally:
        for sock in idle:
            sock.close()
