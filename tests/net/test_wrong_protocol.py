"""Who speaks the wrong protocol is told so, and so is the organiser; whoever finds out by itself is not reported."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from fairplay.core import Fault
from fairplay.net.established import NATIVE_SERVER, answer_calls, sign_up_client
from fairplay.net.native import Address, ClientConversation, join_server
from fairplay.net.sign_up import MOST_TOLD, WrongProtocol, WrongProtocols
from skipping_loop import run_skipping, settle

from .native import Native
from .tables import FISH, LOCAL, Server

ESTABLISHED = WrongProtocol(LOCAL, "established")
NATIVE = WrongProtocol(LOCAL, "native")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The organiser is told without waiting for a second visit."""
    monkeypatch.setattr("fairplay.net.sign_up.RETURN_WITHIN", 0.0)


def visit(server: Callable[[Any], Server], client: Callable[[Server], Any]) -> tuple[Any, list[Any]]:
    """How a client fares at a server that waits for two, and what the organiser is told."""

    async def visiting() -> tuple[Any, list[Any]]:
        told: list[Any] = []
        came = asyncio.Event()

        def watch(news: Any) -> None:
            told.append(news)
            came.set()

        serving = server(watch)
        found = await client(serving)
        await asyncio.wait_for(came.wait(), 120)
        serving.serving.cancel()
        await asyncio.gather(serving.serving, return_exceptions=True)
        return found, told

    return run_skipping(visiting())


def native(watch: Any) -> Native:
    return Native(FISH, 2, watch_sign_up=watch)


def established(watch: Any) -> Server:
    return Server(FISH, 2, watch_sign_up=watch)


async def speak_established(server: Server, *, line_feeds: bool = False) -> Fault | None:
    connection = await sign_up_client(LOCAL, server.port, "ann", line_feeds=line_feeds)
    return await answer_calls(connection, server.client())


async def speak_native(server: Server, uri: str | None = None) -> Fault | None:
    visitor = ClientConversation(FISH, lambda chance, info: pytest.fail("no match begins"), "ann")
    return await join_server(Address(LOCAL, server.port, uri), visitor)


async def send(server: Server, *pieces: bytes) -> bytes:
    """Everything that a server says to these pieces, each of them sent alone."""
    reader, writer = await asyncio.open_connection(LOCAL, server.port)
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await settle()
    said = await reader.read()
    writer.close()
    return said


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("line_feeds", [False, True])
def test_a_name_at_a_native_server(*, line_feeds: bool) -> None:
    fault, told = visit(native, lambda server: speak_established(server, line_feeds=line_feeds))
    assert fault is NATIVE_SERVER
    assert told == [ESTABLISHED]
    assert str(ESTABLISHED) == "127.0.0.1 spoke the established protocol; this server speaks the native one"


@pytest.mark.usefixtures("at_once")
def test_a_name_after_many_blanks_at_a_native_server() -> None:
    """Some clients put thousands of spaces before each value."""
    said, told = visit(native, lambda server: send(server, b" " * 4_096, b"  ", b' \n"ann"'))
    assert json.loads(said)["type"] == "refused"
    assert told == [ESTABLISHED]


@pytest.mark.usefixtures("at_once")
def test_a_hello_at_an_established_server() -> None:
    fault, told = visit(established, speak_native)
    assert fault is not None
    assert fault.detail.startswith("the server refuses: this server speaks the established protocol of its game")
    assert told == [NATIVE]
    assert str(NATIVE) == "127.0.0.1 spoke the native protocol; this server speaks the established one"


@pytest.mark.usefixtures("at_once")
def test_a_websocket_at_an_established_server() -> None:
    fault, told = visit(established, lambda server: speak_native(server, f"ws://{LOCAL}:{server.port}"))
    assert fault is not None
    assert fault.detail.endswith(
        "before the server said anything; perhaps it speaks the established protocol of the game"
    )
    assert told == [NATIVE]


@pytest.mark.parametrize(
    "greeting", [b"7 ", b"[1]", b'"no name"', b'{"type":"other"}', b"]", b"GET / HTTP/1.1\r\n\r\n"]
)
def test_an_established_server_says_nothing_to_anyone_else(greeting: bytes) -> None:
    """And the organiser hears of the players only."""

    async def played() -> tuple[bytes, list[Any]]:
        told: list[Any] = []
        server = established(told.append)
        said = await send(server, greeting)
        await server.ended(await server.honest("good"), await server.honest("fair"))
        return said, told

    said, told = asyncio.run(played())
    assert said == b""
    assert [news.event for news in told] == ["joined", "joined"]


def test_whoever_comes_right_back_is_not_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `fairplay join` does."""
    monkeypatch.setattr("fairplay.net.sign_up.RETURN_WITHIN", 600.0)

    async def played() -> list[Any]:
        told: list[Any] = []
        server = native(told.append)
        assert await speak_established(server) is NATIVE_SERVER
        await server.ended(await server.visitor("good"), await server.visitor("fair"))
        return told

    assert [news.event for news in asyncio.run(played())] == ["joined", "joined"]


class Told(list[WrongProtocol]):
    """What an organiser was told."""

    def __init__(self) -> None:
        super().__init__()
        self.visits = WrongProtocols(self.append)


def told_of(happen: Callable[[WrongProtocols], object]) -> list[WrongProtocol]:
    async def happening() -> list[WrongProtocol]:
        told = Told()
        happen(told.visits)
        told.visits.report_all()
        return [*told]

    return asyncio.run(happening())


def test_an_address_from_which_somebody_signs_up_is_forgiven() -> None:
    def happen(visits: WrongProtocols) -> None:
        visits.note(ESTABLISHED)
        visits.note(WrongProtocol("::1", "established"))
        visits.forgive(LOCAL)
        visits.forgive("10.0.0.7")

    assert told_of(happen) == [WrongProtocol("::1", "established")]


def test_an_address_is_reported_once() -> None:
    def happen(visits: WrongProtocols) -> None:
        for _ in range(3):
            visits.note(ESTABLISHED)
        visits.report_all()
        visits.note(ESTABLISHED)

    assert told_of(happen) == [ESTABLISHED]


def test_strangers_cannot_fill_the_terminal() -> None:
    def happen(visits: WrongProtocols) -> None:
        for number in range(2 * MOST_TOLD):
            visits.note(WrongProtocol(f"::{number:x}", "native"))

    assert len(told_of(happen)) == MOST_TOLD
