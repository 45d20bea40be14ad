"""One player over several connections with real sockets: what it is sent again, and how long it is waited for."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from typing import Any

from fairplay.core import Fault, FaultKind
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.framing import Lines
from fairplay.net.session import RETURNS, Session
from fairplay.net.strangers import hash_secret
from skipping_loop import run_skipping, settle

GONE = Fault(FaultKind.GONE, "the connection closed")


async def connected() -> tuple[PeerConnection, socket.socket]:
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    connection = PeerConnection(read_buffer(), Lines(longest=1_000))
    await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, ours)
    return connection, theirs


async def heard(sock: socket.socket) -> list[Any]:
    """The lines that have come, without the one that tells of the session."""
    data = await asyncio.get_running_loop().sock_recv(sock, 65_536)
    lines = data.split(b"\n")[:-1]
    if lines and b"joined" in lines[0]:
        assert json.loads(lines.pop(0)) == {"type": "joined", "session": "secret", "grace": 5.0}
    return lines


def talk(conversation: Callable[[Session, socket.socket], Awaitable[Any]], grace: float = 5.0) -> Any:
    async def talking() -> Any:
        connection, theirs = await connected()
        session = Session(hash_secret("secret"), grace, connection)
        session.greet("secret")
        try:
            return await conversation(session, theirs)
        finally:
            theirs.close()
            if session.connection is not None:
                session.connection.close()
            await asyncio.sleep(0)

    return run_skipping(talking())


def test_lines_and_their_reply() -> None:
    async def conversation(session: Session, theirs: socket.socket) -> None:
        assert await heard(theirs) == []
        asking = asyncio.create_task(session.exchange(b"welcome\nask\n", 60.0))
        assert await heard(theirs) == [b"welcome", b"ask"]
        theirs.send(b"answer\n")
        assert await asking == b"answer"
        assert session.unanswered == b""

    talk(conversation)


def test_whoever_comes_back_is_sent_all_that_it_did_not_reply_to() -> None:
    async def conversation(session: Session, theirs: socket.socket) -> None:
        session.say(b"bye\n")
        asking = asyncio.create_task(session.exchange(b"welcome\nask\n", 60.0))
        await settle()
        theirs.send(b"half an ans")
        theirs.close()
        await settle()
        connection, again = await connected()
        session.come_back(connection, "secret")
        assert await heard(again) == [b"bye", b"welcome", b"ask"]
        again.send(b"answer\n")
        assert await asking == b"answer"
        connection, last = await connected()
        session.come_back(connection, "secret")
        assert await heard(last) == []
        again.close()
        last.close()

    talk(conversation)


def test_it_may_be_away_when_the_question_is_asked() -> None:
    async def conversation(session: Session, theirs: socket.socket) -> None:
        theirs.close()
        await settle()
        asking = asyncio.create_task(session.exchange(b"ask\n", 60.0))
        await settle()
        connection, again = await connected()
        session.come_back(connection, "secret")
        assert await heard(again) == [b"ask"]
        again.send(b"answer\n")
        assert await asking == b"answer"
        again.close()

    talk(conversation)


def test_it_is_waited_for_as_long_as_the_grace_or_the_question_lasts() -> None:
    async def away(session: Session, theirs: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        theirs.close()
        for patience, waited in ((10.0, 10.0), (60.0, 20.0)):
            asked = loop.time()
            assert await session.exchange(b"ask\n", patience) == GONE
            assert waited - 1 < loop.time() - asked < waited + 1
        assert session.is_lost
        assert not session.may_return

    talk(away, 30.0)


def test_no_answer_is_another_fault_than_no_connection() -> None:
    async def silent(session: Session, theirs: socket.socket) -> None:
        assert await session.exchange(b"ask\n", 0.1) == Fault(FaultKind.TIMED_OUT, "no answer within 0.1 s")

    talk(silent)


def test_what_is_said_unasked_is_a_fault_before_and_after() -> None:
    async def early(session: Session, theirs: socket.socket) -> None:
        theirs.send(b"one\n")
        await settle()
        fault = await session.exchange(b"ask\n", 60.0)
        assert isinstance(fault, Fault)
        assert "unasked: 'one'" in fault.detail

    async def late(session: Session, theirs: socket.socket) -> None:
        asking = asyncio.create_task(session.exchange(b"ask\n", 60.0))
        await settle()
        theirs.send(b"{}\ntwo\n")
        fault = await asking
        assert isinstance(fault, Fault)
        assert "unasked: 'two'" in fault.detail

    talk(early)
    talk(late)


def test_whoever_does_not_read_is_out() -> None:
    async def deaf(session: Session, theirs: socket.socket) -> None:
        session.say(b"x" * 5_000_000 + b"\n")
        assert await session.exchange(b"ask\n", 0.2) == Fault(FaultKind.TIMED_OUT, "nothing read within 0.2 s")

    talk(deaf)


def test_hanging_up_sends_the_last_words_and_ends_all_returns() -> None:
    async def parting(session: Session, theirs: socket.socket) -> None:
        session.say(b"out\n")
        session.close()
        assert await heard(theirs) == [b"out"]
        assert await asyncio.get_running_loop().sock_recv(theirs, 10) == b""
        assert not session.may_return

    talk(parting)


def test_nobody_comes_back_for_ever() -> None:
    async def again(session: Session, theirs: socket.socket) -> None:
        for _ in range(RETURNS):
            assert session.may_return
            connection, other = await connected()
            session.come_back(connection, "secret")
            other.close()
        assert not session.may_return

    talk(again, 60.0)


async def told(sock: socket.socket, count: int) -> list[bytes]:
    """So many lines, without those that tell of the session."""
    found: list[bytes] = []
    while len(found) < count:
        found += await heard(sock)
    return found


def test_a_new_process_is_told_the_past_and_the_question_that_is_open() -> None:
    """Nothing else of what was said before: it belongs to what is told."""

    async def conversation(session: Session, theirs: socket.socket) -> None:
        session.set_recap(lambda: b"welcome\npast\n")
        session.say(b"bye of another match\n")
        asking = asyncio.create_task(session.exchange(b"welcome\nask\n", 60.0))
        await told(theirs, 3)
        connection, again = await connected()
        session.come_back(connection, "secret", past=True)
        assert await told(again, 3) == [b"welcome", b"past", b"ask"]
        connection, last = await connected()
        session.come_back(connection, "secret")
        assert await told(last, 1) == [b"ask"]
        last.send(b"answer\n")
        assert await asking == b"answer"
        again.close()
        last.close()

    talk(conversation)


def test_a_new_process_that_comes_before_its_match_goes_on_is_told_the_past_when_it_does() -> None:
    async def conversation(session: Session, theirs: socket.socket) -> None:
        connection, again = await connected()
        session.come_back(connection, "secret", past=True)
        assert await heard(again) == []
        session.set_recap(lambda: b"welcome\npast\n")
        assert await told(again, 2) == [b"welcome", b"past"]
        asking = asyncio.create_task(session.exchange(b"ask\n", 60.0))
        assert await told(again, 1) == [b"ask"]
        session.set_recap(lambda: b"once is enough\n")
        again.send(b"answer\n")
        assert await asking == b"answer"
        again.close()

    talk(conversation)


def test_a_session_may_begin_without_a_connection() -> None:
    """Its player signed up with a server that was started again since."""

    async def conversation(session: Session, theirs: socket.socket) -> None:
        waiting = Session(hash_secret("secret"), 60.0)
        assert waiting.opens_with("secret")
        assert not waiting.opens_with("another")
        assert waiting.may_return
        ready = asyncio.create_task(waiting.ready())
        asking = asyncio.create_task(waiting.exchange(b"ask\n", 60.0))
        await asyncio.sleep(0)
        assert not ready.done()
        connection, again = await connected()
        waiting.come_back(connection, "secret")
        await ready
        data = await asyncio.wait_for(asyncio.get_running_loop().sock_recv(again, 65_536), 120)
        assert data.endswith(b"ask\n")
        again.send(b"answer\n")
        assert await asking == b"answer"
        connection.close()
        again.close()

    talk(conversation)


def test_without_a_connection_it_is_gone_when_the_grace_is_over() -> None:
    async def conversation(session: Session, theirs: socket.socket) -> None:
        waiting = Session(hash_secret("secret"), 0.05)
        await waiting.ready()
        assert waiting.is_lost
        assert await waiting.exchange(b"ask\n", 60.0) == GONE

    talk(conversation)


def test_whoever_may_not_come_back_is_not_waited_for() -> None:
    """The grace of an hour would be noticed."""

    async def conversation(session: Session, theirs: socket.socket) -> None:
        session.close()
        await session.ready()
        assert await session.exchange(b"ask\n", 3600.0) == GONE

    talk(conversation, 3600.0)


def test_someone_who_stays_is_away_at_once_and_comes_back_with_nothing_open() -> None:
    async def conversation(session: Session, theirs: socket.socket) -> None:
        await heard(theirs)
        theirs.send(b"something unasked\n")
        session.say(b"out\n")
        session.close(stays=True)
        assert session.away_since is not None
        assert session.may_return
        assert await heard(theirs) == [b"out"]
        connection, again = await connected()
        session.come_back(connection, "secret")
        asking = asyncio.create_task(session.exchange(b"ask\n", 60.0))
        assert await told(again, 1) == [b"ask"]
        again.send(b"answer\n")
        assert await asking == b"answer", "what it said before does not count"
        again.close()

    talk(conversation)
