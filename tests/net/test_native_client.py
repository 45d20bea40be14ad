"""Our own player of the native protocol against servers that refuse it, throw it out, hang up or talk nonsense."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from fairplay.core import Fault, FaultKind, House
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.net.admission import NativeTerms
from fairplay.net.native_client import Address, join_server
from fairplay.net.session import RETURNS
from fairplay.run.client_conversation import ClientConversation
from skipping_loop import run_skipping, settle

from .native import WAYS, Native, reached
from .tables import FISH, LOCAL, kinds

JOINED = b'{"type":"joined","session":"s","grace":0.3}\n'


def visitor() -> ClientConversation:
    return ClientConversation(
        FISH, lambda chance, info: House(house_strategy(FISH, "random", derived(chance))), "ann", "t"
    )


async def served(*replies: bytes) -> tuple[Fault | None, list[Any]]:
    """How a visit ends where the n-th connection is sent this after its hello; and all hellos."""
    hellos: list[Any] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hellos.append(json.loads(await reader.readline()))
        writer.write(replies[min(len(hellos), len(replies)) - 1])
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, LOCAL, 0) as server:
        address = Address(LOCAL, server.sockets[0].getsockname()[1])
        return await join_server(address, visitor(), 0), hellos


def test_it_says_who_it_is_and_plays_until_it_is_over() -> None:
    fault, hellos = asyncio.run(served(JOINED + b'{"type":"over","won":true}\n'))
    assert fault is None
    assert hellos == [{"type": "hello", "version": 1, "name": "ann", "games": ["fish"], "legal": False, "token": "t"}]


def test_it_comes_back_with_its_session() -> None:
    fault, hellos = asyncio.run(served(JOINED, JOINED + b'{"type":"over","won":false}\n'))
    assert fault is None
    assert [hello.get("session") for hello in hellos] == [None, "s"]


def test_it_does_not_come_back_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.net.native_client.RETRY_EVERY", 0.0)
    fault, hellos = asyncio.run(served(JOINED))
    assert fault == Fault(FaultKind.GONE, "the connection closed; the server's last message was joined")
    assert len(hellos) == 1 + RETURNS


@pytest.mark.parametrize(
    ("said", "kind", "words"),
    [
        (b'{"type":"refused","reason":"sign-up is over"}\n', FaultKind.GONE, "the server refuses: sign-up is over"),
        (JOINED + b'{"type":"out","kind":"illegal","detail":"no"}\n', FaultKind.ILLEGAL, "no"),
        (b"", FaultKind.GONE, "the connection closed"),
        (b"nonsense\n", FaultKind.MALFORMED, "does not speak the native protocol"),
        (b'{"type":"joined"}\n', FaultKind.MALFORMED, "missing required field session"),
        (JOINED + b'{"type":"ask","id":1,"deadline":1,"view":{}}\n', FaultKind.MALFORMED, "before any match began"),
        (
            b'{"type":"welcome","version":1,"game":"go","chance":1,"seat":0,"seats":2,"variant":"","setup":{}}\n',
            FaultKind.MALFORMED,
            "expected fish, not go",
        ),
        (b"[" * 50_000 + b"\n", FaultKind.EXCEEDED, "a line nested more than 32 deep"),
        (b"x" * 17_000_000, FaultKind.EXCEEDED, "a line of more than"),
    ],
)
def test_it_says_why_it_ended_early(said: bytes, kind: FaultKind, words: str) -> None:
    fault, hellos = asyncio.run(served(said))
    assert fault is not None
    assert fault.kind is kind
    assert words in fault.detail
    assert len(hellos) == 1


def test_a_strategy_that_raises_leaves_and_says_why() -> None:
    async def crashed() -> Fault | None:
        server = Native(FISH, 2)
        bad = ClientConversation(FISH, lambda chance, info: House(lambda view: 1 // 0), "bad")
        leaving = asyncio.create_task(join_server(Address(LOCAL, server.port), bad))
        other = await server.visitor("good")
        hosted = await server.ended(other)
        assert FaultKind.GONE in kinds(hosted)
        return await leaving

    fault = asyncio.run(crashed())
    assert fault is not None
    assert fault.kind is FaultKind.CRASHED
    assert fault.detail.startswith("ZeroDivisionError")


@pytest.mark.parametrize("way", WAYS)
def test_a_real_break_is_overcome(way: str) -> None:
    """Everything goes through somebody who cuts the line once."""

    async def cut() -> None:
        server = Native(FISH, 2, terms=NativeTerms(grace=5), patience=10.0)
        cuts = 0

        async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal cuts
            there, away = await asyncio.open_connection(LOCAL, server.port)
            first, cuts = cuts == 0, cuts + 1
            pumps = [pumped(reader, away), pumped(there, writer, cut=first)]
            await asyncio.wait([*map(asyncio.create_task, pumps)], return_when=asyncio.FIRST_COMPLETED)
            away.close()
            writer.close()

        async with await asyncio.start_server(between, LOCAL, 0) as proxy:
            port = proxy.sockets[0].getsockname()[1]
            uri = f"ws://{LOCAL}:{port}" if way == "ws" else None
            playing = asyncio.create_task(join_server(Address(LOCAL, port, uri), visitor_of(server)))
            await settle()
            hosted = await server.ended(await server.visitor("bob"))
            assert await playing is None
        assert kinds(hosted) == [None, None]
        assert cuts == 2

    run_skipping(cut())


def visitor_of(server: Native) -> ClientConversation:
    return ClientConversation(FISH, lambda chance, info: server.player(), "ann")


async def pumped(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, cut: bool = False) -> None:
    """Carry everything over; to `cut` is to stop with the first question."""
    while data := await reader.read(65_536):
        if cut and b'"ask"' in data:
            return
        writer.write(data)
        await writer.drain()


def test_nobody_listening_is_an_error() -> None:
    async def nobody() -> None:
        async with await asyncio.start_server(lambda reader, writer: None, LOCAL, 0) as server:
            port = server.sockets[0].getsockname()[1]
        with pytest.raises(ConnectionRefusedError):
            await reached(port, "tcp")
        with pytest.raises(ConnectionRefusedError):
            await join_server(Address(LOCAL, port), visitor(), 0)

    asyncio.run(nobody())
