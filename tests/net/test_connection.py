"""One connection with a real socket at its other end: bounded both ways, every answer due at a deadline."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fairplay.core import Fault, FaultKind
from fairplay.core.established import Call
from fairplay.net.connection import PIECE, PeerConnection, read_buffer
from skipping_loop import SkippingLoop, run_skipping, settle

CALL = Call("ask", [1])


def talk(conversation: Callable[[PeerConnection, socket.socket], Awaitable[Any]]) -> Any:
    """Run a conversation between a connection and a bare socket."""

    async def talking() -> Any:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        connection = PeerConnection(read_buffer())
        await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, ours)
        try:
            return await conversation(connection, theirs)
        finally:
            theirs.close()
            connection.close()
            await asyncio.sleep(0)

    return run_skipping(talking())


def test_a_call_and_its_answer() -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        asking = asyncio.create_task(connection.exchange(CALL, 60.0))
        assert await loop.sock_recv(theirs, 100) == b'["ask",[1]]'
        await loop.sock_sendall(theirs, b'  {"a":')
        await settle()
        await loop.sock_sendall(theirs, b"[]}")
        assert await asking == {"a": []}

    talk(conversation)


def test_whoever_answers_beforehand_does_not_keep_others_waiting() -> None:
    """Abuse 16: a hundred answers that lie there already are a hundred turns of the loop, not one."""

    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        theirs.send(b'"void"' * 100)
        passes = 0

        async def somebody_else() -> None:
            nonlocal passes
            while True:
                passes += 1
                await asyncio.sleep(0)

        other = asyncio.create_task(somebody_else())
        for _ in range(100):
            assert await connection.exchange(CALL, 60.0) == "void"
        other.cancel()
        assert passes >= 99

    talk(conversation)


def test_one_timer_serves_many_answers_and_each_has_its_own_deadline() -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        loop, timers = asyncio.get_running_loop(), set()
        for _ in range(4):
            loop.call_later(4.0, theirs.send, b"7 ")
            assert await connection.value(10.0) == 7  # the last of them comes after the first deadline
            timers.add(connection.timer)
        assert len(timers) <= 2
        started = loop.time()
        assert await connection.value(10.0) == Fault(FaultKind.TIMED_OUT, "no answer within 10 s")
        assert loop.time() - started >= 9.9

    talk(conversation)


def test_a_shorter_patience_does_not_wait_for_the_timer_of_a_longer_one() -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        theirs.send(b'"a"')
        assert await connection.value(60.0) == "a"
        asyncio.get_running_loop().call_later(0.05, theirs.send, b'"b"')
        assert await connection.value(90.0) == "b"
        assert connection.timer is not None
        assert await connection.value(0.1) == Fault(FaultKind.TIMED_OUT, "no answer within 0.1 s")
        connection.close()
        assert connection.timer is None

    talk(conversation)


def test_the_deadline_is_for_the_whole_answer_and_late_ones_are_late() -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        asking = asyncio.create_task(connection.exchange(CALL, 3.0))
        for byte in b'"slow"':
            await loop.sock_sendall(theirs, bytes([byte]))
            await asyncio.sleep(1.0)
        assert await asking == Fault(FaultKind.TIMED_OUT, "no answer within 3 s")

    talk(conversation)


def test_our_own_delay_is_not_charged_to_the_player() -> None:
    """The whole answer lies in the machine before the deadline, but this process is busy until after it."""

    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 400_000)
        answer = b'"' + b"x" * (6 * PIECE) + b'"'
        asking = asyncio.create_task(connection.exchange(CALL, 50.0))
        await settle()
        assert theirs.send(answer) == len(answer)
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SkippingLoop)
        loop.skip(60.0)
        assert await asking == "x" * (6 * PIECE)

    talk(conversation)


def test_a_call_larger_than_the_buffers_is_no_reason_to_lose_patience() -> None:
    """That room to write comes back is no answer, and no deadline either."""

    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        asking = asyncio.create_task(connection.exchange(Call("ask", ["x" * 3_000_000]), 60.0))
        read = 0
        while read < 3_000_000:
            read += len(await loop.sock_recv(theirs, 65_536))
        await settle()
        assert not asking.done()
        await loop.sock_sendall(theirs, b"true")
        assert await asking is True

    talk(conversation)


def test_whoever_answers_but_never_reads_is_out() -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(theirs, b'"void"' * 50)
        large = Call("ask", ["x" * 1_000_000])
        answers = []
        for _ in range(50):
            answers.append(await connection.exchange(large, 0.2))
            if isinstance(answers[-1], Fault):
                break
        assert answers[-1] == Fault(FaultKind.TIMED_OUT, "nothing read within 0.2 s")
        assert connection.transport.get_write_buffer_size() < 3_000_000

    talk(conversation)


def test_values_nobody_asked_for_wait_in_the_machine_not_here() -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        flooding = asyncio.create_task(loop.sock_sendall(theirs, b"[]" * 5_000_000))
        await settle()
        assert not flooding.done()
        assert 0 < len(connection.values) <= PIECE // 2
        before = len(connection.values)
        for _ in range(before + 10):  # and what waits is still read, in order, when it is asked for
            assert await connection.value(60.0) == []
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)

    talk(conversation)


@pytest.mark.parametrize(
    ("sent", "kind"),
    [(b"[1,", FaultKind.GONE), (b"", FaultKind.GONE), (b"]", FaultKind.MALFORMED), (b"[" * 40, FaultKind.EXCEEDED)],
)
def test_only_the_first_reason_counts(sent: bytes, kind: FaultKind) -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        await asyncio.get_running_loop().sock_sendall(theirs, b'"first"' + sent)
        theirs.close()
        await settle()
        assert await connection.exchange(CALL, 60.0) == "first"
        for _ in range(3):
            fault = await connection.exchange(CALL, 60.0)
            assert isinstance(fault, Fault)
            assert fault.kind is kind

    talk(conversation)


def test_whoever_stops_speaking_can_still_be_called_until_it_owes_an_answer() -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(theirs, b'"one""two"')
        theirs.shutdown(socket.SHUT_WR)
        assert await connection.exchange(CALL, 60.0) == "one"
        assert await connection.exchange(CALL, 60.0) == "two"
        assert await connection.exchange(CALL, 60.0) == Fault(FaultKind.GONE, "the connection closed")
        assert (await loop.sock_recv(theirs, 100)).count(b"ask") >= 2

    talk(conversation)


def test_hanging_up_ends_a_wait() -> None:
    async def conversation(connection: PeerConnection, theirs: socket.socket) -> None:
        asking = asyncio.create_task(connection.exchange(CALL, 60.0))
        await settle()
        connection.close()
        fault = await asking
        assert fault.kind is FaultKind.GONE

    talk(conversation)
