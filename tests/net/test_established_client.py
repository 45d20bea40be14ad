"""A player's end: it retries, answers, and leaves when a call is none or the last is answered."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from fairplay.core import Fault, FaultKind, Misbehaved
from fairplay.net.established_client import answer_calls, sign_up_client
from fairplay.net.sign_up import open_listener

from .tables import LOCAL


class Echo:
    """Answers every call with its method; the last one is `end`."""

    def __init__(self) -> None:
        self.over, self.won = False, None

    def answer(self, call: tuple[str, list[object]]) -> object:
        self.over = call[0] == "end"
        if call[0] in ("silence", "crash"):
            raise Misbehaved(Fault(FaultKind.TIMED_OUT if call[0] == "silence" else FaultKind.CRASHED, call[0]))
        if call[0] == "bug":
            raise ZeroDivisionError("on purpose")
        return call[0]


async def served(sent: bytes, *, line_feeds: bool = True) -> tuple[bytes, Fault | None]:
    """What a client said to a server that sends this and hangs up when it has nothing more to hear."""
    said: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard = await reader.readuntil(b"\n" if line_feeds else b'"ann"')
        writer.write(sent)
        await writer.drain()
        try:
            async with asyncio.timeout(0.3):
                while data := await reader.read(4_096):
                    heard += data
        except TimeoutError:
            heard += b"STILL THERE"
        writer.close()
        said.set_result(heard)

    async with await asyncio.start_server(serve, LOCAL, 0) as server:
        port = server.sockets[0].getsockname()[1]
        fault = await answer_calls(await sign_up_client(LOCAL, port, "ann", line_feeds=line_feeds), Echo())
        return await said, fault


def test_every_call_is_answered_and_after_the_last_it_leaves() -> None:
    said, fault = asyncio.run(served(b'["start",[true]]  ["setup",[{"a":1}]]["end",[false]]["start",[true]]'))
    assert said == b'"ann"\n"start"\n"setup"\n"end"\n'
    assert fault is None


@pytest.mark.parametrize(
    "call", [b'["start",true]', b"[[],[]]", b'"start"', b"{}", b'["start",[true],1]', b"[1 2]", b"]", b"\xff "]
)
def test_anything_but_a_call_makes_it_leave(call: bytes) -> None:
    said, fault = asyncio.run(served(b'["start",[true]]' + call))
    assert said == b'"ann"\n"start"\n'
    assert fault is not None
    assert fault.kind is FaultKind.MALFORMED


def test_it_says_when_the_server_hung_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.net.established_client.AT_ONCE", 60.0)
    said, fault = asyncio.run(served(b'["start",[true]]'))
    assert said == b'"ann"\n"start"\nSTILL THERE'
    hint = "right after a line feed; if the server takes none, use --no-line-feeds"
    assert fault == Fault(FaultKind.GONE, f"the connection closed {hint}; the last call was start")
    monkeypatch.setattr("fairplay.net.established_client.AT_ONCE", 0.0)  # as if it had hung up much later
    _, fault = asyncio.run(served(b'["start",[true]]'))
    assert fault == Fault(FaultKind.GONE, "the connection closed; the last call was start")


def test_without_line_feeds_none_is_sent() -> None:
    said, fault = asyncio.run(served(b'["start",[true]]["end",[true]]', line_feeds=False))
    assert said == b'"ann""start""end"'
    assert fault is None
    said, fault = asyncio.run(served(b"", line_feeds=False))
    assert fault == Fault(FaultKind.GONE, "the connection closed; there was no call yet")


def test_faulty_clients_fall_silent_or_leave() -> None:
    said, fault = asyncio.run(served(b'["silence",[]]["start",[]]'))
    assert said == b'"ann"\nSTILL THERE'
    assert fault == Fault(FaultKind.TIMED_OUT, "silence; the last call was silence")
    said, fault = asyncio.run(served(b'["crash",[]]["start",[]]'))
    assert said == b'"ann"\n'
    assert fault == Fault(FaultKind.CRASHED, "crash; the last call was crash")


def test_a_strategy_that_raises_leaves_and_says_why() -> None:
    said, fault = asyncio.run(served(b'["bug",[]]'))
    assert said == b'"ann"\n'
    assert fault is not None
    assert fault.kind is FaultKind.CRASHED
    assert fault.detail.startswith("ZeroDivisionError: on purpose")


def test_a_refused_connection_is_tried_again() -> None:
    """Sections 11.12: clients may be started first."""

    async def early() -> str:
        sock = open_listener(LOCAL, 0)
        port = sock.getsockname()[1]
        sock.close()
        joining = asyncio.create_task(sign_up_client(LOCAL, port, "early"))
        await asyncio.sleep(0.4)
        heard: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            heard.set_result(await reader.readline())
            writer.close()

        async with await asyncio.start_server(serve, LOCAL, port):
            connection = await asyncio.wait_for(joining, 120)
            name: str = msgspec.json.decode(await heard)
            connection.close()
        await asyncio.sleep(0)
        return name

    assert asyncio.run(early()) == "early"
