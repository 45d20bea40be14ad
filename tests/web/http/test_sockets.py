"""What waits for a client, and how it is sent."""

from __future__ import annotations

import asyncio
import gzip
import json
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from fairplay.web.http.sockets import (
    MAX_LAG,
    Outbox,
    SocketLimit,
    SocketMessage,
    encode_message,
    open_socket,
    send_messages,
)
from web.people import open_table
from web.servers import Inside


def test_a_message_is_gzipped_once() -> None:
    message = encode_message({"picture": "<circle/>" * 500, "name": "Ökonomin"})
    assert gzip.decompress(message.gzipped).decode() == message.text
    assert message.gzipped is message.gzipped and len(message.gzipped) < len(message.text) / 4


def test_messages_come_in_order_until_the_end() -> None:
    async def read() -> list[str]:
        outbox = Outbox()
        for text in "abc":
            outbox.offer(SocketMessage(text))
        outbox.end()
        found = []
        while (message := await outbox.next()) is not None:
            found.append(message.text)
        return found

    assert asyncio.run(read()) == ["a", "b", "c"]


def test_a_client_that_lags_is_dropped_and_gets_nothing_more() -> None:
    async def lag() -> None:
        outbox = Outbox()
        for _ in range(MAX_LAG):
            outbox.offer(SocketMessage("x"))
        assert not outbox.dropped
        outbox.offer(SocketMessage("one too many"))
        assert outbox.dropped and await outbox.next() is None
        outbox.offer(SocketMessage("late"))
        outbox.end()
        assert await outbox.next() is None

    asyncio.run(lag())


def test_who_leaves_is_not_said_to_lag() -> None:
    async def leave() -> tuple[bool, bool]:
        left, late = Outbox(), Outbox()
        left.drop()
        for _ in range(MAX_LAG + 2):
            left.offer(SocketMessage("x"))
            late.offer(SocketMessage("x"))
        return left.lagged, late.lagged

    assert asyncio.run(leave()) == (False, True)


def test_an_end_fits_even_behind_a_full_queue() -> None:
    async def fill() -> int:
        outbox = Outbox()
        for _ in range(MAX_LAG):
            outbox.offer(SocketMessage("x"))
        outbox.end()
        count = 0
        while await outbox.next() is not None:
            count += 1
        return count

    assert asyncio.run(fill()) == MAX_LAG


class FakeSocket:
    """A socket whose client says nothing and never leaves."""

    def __init__(self, address: str = "10.0.0.1") -> None:
        self.sent: list[Any] = []
        self.client = SimpleNamespace(host=address)

    async def accept(self) -> None:
        self.sent.append("accepted")

    async def receive(self) -> Any:
        await asyncio.Event().wait()

    async def send_text(self, text: str) -> None:
        self.sent.append(text)

    async def send_bytes(self, data: bytes) -> None:
        self.sent.append(data)

    async def close(self, code: int, reason: str = "") -> None:
        self.sent.append((code, reason))


@pytest.mark.parametrize("gzipped", [False, True])
def test_a_socket_is_sent_what_waits_and_then_closed(gzipped: bool) -> None:
    async def serve() -> list[Any]:
        socket, outbox, limit = FakeSocket(), Outbox(gzipped=gzipped), SocketLimit(1, 1)
        async with open_socket(limit, socket, outbox):  # type: ignore[arg-type]  # a socket of the test
            assert limit.open == 1
            outbox.offer(message)
            outbox.end()
            await send_messages(socket, outbox)  # type: ignore[arg-type]  # a socket of the test
        assert limit.open == 0
        return socket.sent

    message = SocketMessage("{}")
    sent = message.gzipped if gzipped else "{}"
    assert asyncio.run(serve()) == ["accepted", sent, (1000, "")]


def test_one_socket_too_many_is_refused() -> None:
    async def serve() -> list[Any]:
        socket, outbox = FakeSocket(), Outbox()
        async with open_socket(SocketLimit(0, 1), socket, outbox):  # type: ignore[arg-type]  # a socket of the test
            assert outbox.dropped
        return socket.sent

    assert asyncio.run(serve())[1] == (1013, "Too many people are watching. Try again later.")


def test_an_address_has_only_so_many_sockets() -> None:
    async def serve() -> list[Any]:
        limit, first, second, other = SocketLimit(9, 1), FakeSocket(), FakeSocket(), FakeSocket("10.0.0.2")
        async with open_socket(limit, first, Outbox()):  # type: ignore[arg-type]  # a socket of the test
            for socket in (second, other):
                async with open_socket(limit, socket, Outbox()):  # type: ignore[arg-type]  # a socket of the test
                    pass
        async with open_socket(limit, first, Outbox()):  # type: ignore[arg-type]  # a socket of the test
            pass
        return [first.sent, second.sent, other.sent]

    refused = (1013, "Too many people are watching from your address. Try again later.")
    assert asyncio.run(serve()) == [["accepted"] * 2, ["accepted", refused], ["accepted"]]


def test_a_live_match_is_read_gzipped_and_plain(site: Inside, client: httpx.Client) -> None:
    id = open_table(client, "trains", "random", "random", pace=60)["id"]
    path = f"/api/matches/{id}/live"
    with site.socket(path) as plain, site.socket(f"{path}?encoding=gzip") as packed:
        text, data = plain.recv(60), packed.recv(60)
        assert isinstance(text, str) and isinstance(data, bytes)
        assert json.loads(text) == json.loads(gzip.decompress(data))


def test_the_server_does_not_compress_for_each_client(site: Inside) -> None:
    with site.socket("/api/live") as socket:
        assert socket.protocol.extensions == []
