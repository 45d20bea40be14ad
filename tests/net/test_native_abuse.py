"""Hostile peers of the native protocol with real sockets: each is out with the named fault, and the others play on.

The numbers are those of the list of ways to misbehave.
"""

from __future__ import annotations

import asyncio
import json
import socket
import struct
from contextlib import suppress
from typing import Any, cast

import pytest
from hypothesis import given, settings, strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from fairplay.core import Fault, FaultKind
from fairplay.games.fish.state import Setup
from fairplay.match.protocol import LONGEST
from fairplay.net import framing
from fairplay.net.admission import NativeTerms, detect_wrapper
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.framing import Lines, Nesting
from fairplay.net.native import ClientConversation
from fairplay.net.sign_up import SignUpLimits
from skipping_loop import run_skipping, settle

from .native import WAYS, AnyPeer, Evil, Native, Peer, WebPeer, against, hello, played, reached, sending
from .tables import FISH, LABYRINTH, LAPSE, LOCAL, TRAINS, kinds, only_fault, watch_buffers

BOTH = pytest.mark.parametrize("way", WAYS)
PLACE = b'{"type":"answer","id":3,"action":{"do":"place","at":%b}}'
"""The first answer of Fish, after two pieces of news."""


def fault_of(evil: Evil, kind: str = "ask", **options: Any) -> Fault:
    return run_skipping(against(evil, kind, **options))


def answering(at: bytes) -> Evil:
    return sending(PLACE % at)


@BOTH
def test_1_and_3_a_line_in_pieces_of_one_byte_gives_the_same_match(way: str) -> None:
    def torn(*, pieces: bool) -> list[bytes]:
        lines: list[bytes] = []

        async def match() -> None:
            server = Native(FISH, 2, watch=lambda match, line: lines.append(line))

            async def piecewise(peer: AnyPeer, reply: bytes) -> None:
                escaped = reply.replace(b'"answer"', b'"answ\\u0065r"')
                await (peer.torn(escaped) if pieces else peer.send(reply))

            peer, _ = await server.joined("torn", way)
            honest = await server.visitor("good")
            speaker = server.speaker("torn")
            while line := await peer.hear():
                if reply := speaker.reply(line).rstrip(b"\n"):
                    await piecewise(peer, reply)
            await peer.hang_up()
            assert kinds(await played(server, honest)) == [None, None]

        run_skipping(match())
        return lines

    assert torn(pieces=True) == torn(pieces=False)


async def twice(peer: AnyPeer, reply: bytes) -> None:
    await peer.send(reply)
    await peer.send(reply)


async def joined_up(peer: AnyPeer, reply: bytes) -> None:
    await peer.send(reply + b"\n" + reply)


async def ahead(peer: AnyPeer, reply: bytes) -> None:
    """The right reply, and the next one at once."""
    following = {**json.loads(reply), "id": json.loads(reply)["id"] + 1}
    await peer.send(reply)
    await peer.send(json.dumps(following).encode())


@BOTH
@pytest.mark.parametrize("evil", [twice, joined_up, ahead])
@pytest.mark.parametrize("kind", ["tell", "ask"])
def test_2_and_19_whoever_says_more_than_one_line_is_out(way: str, evil: Evil, kind: str) -> None:
    fault = fault_of(evil, kind, way=way)
    assert fault.kind is FaultKind.MALFORMED
    assert "unasked" in fault.detail or "is awaited" in fault.detail or "expected" in fault.detail


@BOTH
def test_19_a_word_before_the_first_question_is_one_too_many(way: str) -> None:
    async def early() -> Fault:
        server = Native(FISH, 2)
        peer, _ = await server.joined("bad", way)
        await peer.send(b'{"type":"heard","id":1}')
        honest = await server.visitor("good")
        last = json.loads(await peer.hear())
        assert (last["type"], last["kind"]) == ("out", "malformed")
        await peer.hang_up()
        return only_fault(await played(server, honest))

    assert "speaks unasked" in run_skipping(early()).detail


def test_19_a_line_begun_before_the_question_is_unasked_too() -> None:
    async def early() -> Fault:
        server = Native(FISH, 2)
        peer, _ = await server.joined("bad")
        assert isinstance(peer, Peer)
        peer.writer.write(b'{"type":')
        await settle()
        honest = await server.visitor("good")
        fault = only_fault(await played(server, honest))
        await peer.hang_up()
        return fault

    assert "speaks unasked" in run_skipping(early()).detail


@BOTH
@pytest.mark.parametrize(
    "line",
    [
        PLACE % b'["\xff",0]',
        PLACE % b'["\xc0\xaf",0]',
        PLACE % b'["\xed\xa0\x80",0]',
        PLACE % b'["\\ud800",0]',
        b"\xef\xbb\xbf" + PLACE % b"[0,0]",
        b"\x00" + PLACE % b"[0,0]",
        PLACE % b'["\x00",0]',
    ],
)
def test_4_bytes_that_are_no_text(line: bytes, way: str) -> None:
    assert fault_of(sending(line), way=way).kind is FaultKind.MALFORMED


@BOTH
@pytest.mark.parametrize(
    "at", [b"[NaN,0]", b"[Infinity,0]", b"[1e999,0]", b"[01,0]", b"[0,0,]", b"[0,/**/0]", b"[0,0}", b"]", b"x", b""]
)
def test_5_what_is_no_json(at: bytes, way: str) -> None:
    assert fault_of(answering(at), way=way).kind is FaultKind.MALFORMED


@BOTH
def test_5_minus_zero_is_zero(way: str) -> None:
    async def minus(peer: AnyPeer, reply: bytes) -> None:
        await peer.send(PLACE % b"[-0,-0]")
        await peer.hear()
        peer.abort()

    assert fault_of(minus, way=way).kind is FaultKind.GONE  # the placement counted; what comes next fails


@pytest.mark.parametrize("digits", [4, 20, 4_000, 5_000, 60_000])
def test_6_huge_numbers(digits: int) -> None:
    assert fault_of(answering(b"[%b,0]" % (b"9" * digits))).kind is FaultKind.MALFORMED


@BOTH
@pytest.mark.parametrize("at", [b"[true,0]", b'["5",0]', b"[1.0,0]", b"[1e0,0]", b"[null,0]"])
def test_7_what_looks_like_a_number(at: bytes, way: str) -> None:
    fault = fault_of(answering(at), way=way)
    assert fault.kind is FaultKind.MALFORMED
    assert "$.action.at[0]" in fault.detail


def test_8_of_a_repeated_key_the_last_counts() -> None:
    async def repeated(peer: AnyPeer, reply: bytes) -> None:
        await peer.send(reply.replace(b'"id":', b'"id":77,"id":true,"id":"x","id":'))
        await peer.hear()
        peer.abort()

    assert fault_of(repeated).kind is FaultKind.GONE


@BOTH
@pytest.mark.parametrize(
    ("old", "new"), [(b'"id":', b'"more":1,"id":'), (b'"answer"', b'"reply"'), (b'"place"', b'"plan"')]
)
def test_9_unknown_fields_and_tags(old: bytes, new: bytes, way: str) -> None:
    async def unknown(peer: AnyPeer, reply: bytes) -> None:
        assert old in reply
        await peer.send(reply.replace(old, new))

    assert fault_of(unknown, way=way).kind is FaultKind.MALFORMED


@BOTH
@pytest.mark.parametrize("opening", [b"[", b'{"a":'])
def test_10_too_deep(opening: bytes, way: str) -> None:
    too_deep = Fault(FaultKind.EXCEEDED, "a line nested more than 32 deep at $")
    assert fault_of(sending((opening * 60_000)[:60_000]), way=way) == too_deep
    assert fault_of(sending(opening * 100_000), way=way).kind is FaultKind.EXCEEDED


def test_10_the_bracket_that_is_too_deep_is_out_before_the_line_ends() -> None:
    async def waits(peer: AnyPeer, reply: bytes) -> None:
        assert isinstance(peer, Peer)
        peer.writer.write(b"[" * 33)
        await peer.writer.drain()
        with suppress(ConnectionError):
            while await peer.hear():
                pass

    assert fault_of(waits) == Fault(FaultKind.EXCEEDED, "a line nested more than 32 deep at $")


@BOTH
def test_11_a_line_without_end_is_out_at_the_cap(way: str) -> None:
    async def endless(peer: AnyPeer, reply: bytes) -> None:
        with suppress(ConnectionError, ConnectionClosed):
            if isinstance(peer, Peer):
                peer.writer.write(b" " * (LONGEST + 1))
                await peer.writer.drain()
            else:
                await peer.send(b" " * (LONGEST + 1))

    fault = fault_of(endless, way=way)
    assert fault == Fault(FaultKind.EXCEEDED, f"a line of more than {LONGEST} bytes at $")


def test_11_many_fragments_make_no_longer_message() -> None:
    async def pieces(peer: AnyPeer, reply: bytes) -> None:
        assert isinstance(peer, WebPeer)

        async def endless() -> Any:
            for _ in range(2 + LONGEST // 1_000):
                yield " " * 1_000

        with suppress(ConnectionClosed):
            await peer.socket.send(endless())

    assert fault_of(pieces, way="ws").kind is FaultKind.EXCEEDED


@BOTH
def test_11_the_longest_line_allowed_is_taken(way: str) -> None:
    async def long(peer: AnyPeer, reply: bytes) -> None:
        await peer.send(b" " * (LONGEST - len(reply)) + reply)
        await peer.hear()
        peer.abort()

    assert fault_of(long, way=way).kind is FaultKind.GONE


class Deaf:
    """A transport for bytes that are not to go anywhere."""

    def is_closing(self) -> bool:
        return True


@pytest.mark.parametrize("size", [7, 64])
def test_12_a_long_line_in_small_pieces_is_looked_at_once(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Straight into the connection: over a socket the kernel joins pieces."""
    looked_at = 0

    class Counted(Nesting):
        def add(self, piece: bytes) -> None:
            nonlocal looked_at
            looked_at += len(piece)
            super().add(piece)

    monkeypatch.setattr(framing, "Nesting", Counted)
    room = read_buffer()
    connection = PeerConnection(room, Lines(longest=256_000))
    connection.transport = Deaf()
    data = b"x" * 255_999 + b"\n"
    for start in range(0, len(data), size):
        piece = data[start : start + size]
        room[: len(piece)] = piece
        connection.buffer_updated(len(piece))
    assert connection.values.pop() == data[:-1]
    assert looked_at <= len(data)


def test_13_a_slow_drip_is_out_at_the_deadline_of_the_whole_line() -> None:
    async def drip(peer: AnyPeer, reply: bytes) -> None:
        assert isinstance(peer, Peer)
        with suppress(ConnectionError):
            for _ in range(100):
                peer.writer.write(b" ")
                await peer.writer.drain()
                await asyncio.sleep(LAPSE / 5)

    assert fault_of(drip, patience=LAPSE) == Fault(FaultKind.TIMED_OUT, f"no answer within {LAPSE:g} s")


@BOTH
def test_14_silent_strangers_do_not_keep_others_from_signing_up(way: str) -> None:
    async def crowd() -> None:
        server = Native(FISH, 2, name_patience=LAPSE, limits=SignUpLimits(unnamed=64, per_address=100))
        strangers = []
        for _ in range(1_000):
            strangers.append(await asyncio.open_connection(LOCAL, server.port))
            strangers[-1][1].write(b"GET / HTTP/1.1\r\n" if way == "ws" else b'{"type":"hello"')
        players = [await server.visitor("good", way=way), await server.visitor("fair", way=way)]
        assert kinds(await played(server, *players)) == [None, None]
        for reader, writer in strangers:
            with suppress(ConnectionError):
                said = await reader.read()
                assert said == b"" or b"no hello in time" in said
            writer.close()

    run_skipping(crowd())


def test_14_whoever_says_no_hello_in_time_is_told_and_dropped() -> None:
    async def late() -> bytes:
        server = Native(FISH, 2, name_patience=LAPSE)
        peer = await reached(server.port, "tcp")
        said = await peer.hear()
        assert await peer.hear() == b""
        await peer.hang_up()
        hosted = await played(server, await server.visitor("good"), await server.visitor("fair"))
        assert hosted.names == ("good", "fair")
        return said

    assert run_skipping(late()) == b'{"type":"refused","reason":"no hello in time"}'


@BOTH
def test_15_a_peer_that_vanishes_without_a_word_is_out_at_the_deadline(way: str) -> None:
    async def vanish(peer: AnyPeer, reply: bytes) -> None:
        transport = peer.writer.transport if isinstance(peer, Peer) else peer.socket.transport
        cast("asyncio.Transport", transport).pause_reading()  # neither reads, nor speaks, nor closes
        await asyncio.Event().wait()

    assert fault_of(vanish, patience=LAPSE, way=way).kind is FaultKind.TIMED_OUT


def test_16_a_peer_that_never_reads_is_out_and_little_is_kept_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question that lists every legal action is large, and no more than one waits for it."""
    kept = watch_buffers(monkeypatch)

    async def deaf() -> Fault:
        server = Native(LABYRINTH, 2, patience=LAPSE)
        loop = asyncio.get_running_loop()
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        sock.connect((LOCAL, server.port))
        sock.setblocking(False)
        await loop.sock_sendall(sock, hello("bad", LABYRINTH, legal=True) + b"\n")
        honest = await server.visitor("good")
        hosted = await played(server, honest)
        sock.close()
        return only_fault(hosted)

    assert run_skipping(deaf()).kind is FaultKind.TIMED_OUT
    assert max(kept) < 2_000_000  # one question


def test_16_whoever_pings_and_does_not_read_the_pongs_is_not_read_either(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing piles up here; the others play on, and it is out once it owes an answer."""
    kept = watch_buffers(monkeypatch)

    async def pinging() -> Fault:
        server = Native(FISH, 2, patience=LAPSE, terms=NativeTerms(grace=0))
        peer, _ = await server.joined("bad", "ws")
        assert isinstance(peer, WebPeer)
        peer.socket.transport.pause_reading()
        ping = b"\x89\xfd" + b"mask" + b"x" * 125
        raw = peer.socket.transport.get_extra_info("socket")
        flooding = asyncio.create_task(flood(raw, ping))
        await settle()
        honest = await server.visitor("good")
        fault = only_fault(await played(server, honest))
        flooding.cancel()
        await asyncio.gather(flooding, return_exceptions=True)
        peer.abort()
        return fault

    assert run_skipping(pinging()).kind in (FaultKind.TIMED_OUT, FaultKind.GONE)
    assert 0 < max(kept) < 300_000


async def flood(transport_socket: Any, data: bytes) -> None:
    with socket.socket(fileno=socket.dup(transport_socket.fileno())) as sock, suppress(OSError):
        sock.setblocking(False)
        while True:
            await asyncio.get_running_loop().sock_sendall(sock, data * 100)


async def reset(peer: AnyPeer, reply: bytes) -> None:
    transport = peer.writer if isinstance(peer, Peer) else peer.socket.transport
    sock = transport.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.abort()


async def hang_up(peer: AnyPeer, reply: bytes) -> None:
    await peer.hang_up()


async def fall_silent(peer: AnyPeer, reply: bytes) -> None:
    if isinstance(peer, Peer):
        peer.writer.write(reply[:-1])
        peer.writer.write_eof()
    else:
        peer.abort()


@BOTH
@pytest.mark.parametrize("evil", [reset, hang_up, fall_silent], ids=["rst", "fin", "half"])
@pytest.mark.parametrize(("kind", "after"), [("tell", 0), ("ask", 0), ("ask", 5)])
def test_17_whoever_leaves_is_gone(evil: Evil, kind: str, after: int, way: str) -> None:
    assert fault_of(evil, kind, after=after, way=way) == Fault(FaultKind.GONE, "the connection closed")


@BOTH
def test_18_a_reply_after_the_deadline_is_never_applied(way: str) -> None:
    async def late(peer: AnyPeer, reply: bytes) -> None:
        await asyncio.sleep(LAPSE * 2)
        with suppress(ConnectionError, ConnectionClosed):
            await peer.send(reply)

    assert fault_of(late, patience=LAPSE, way=way).kind is FaultKind.TIMED_OUT


@pytest.mark.parametrize(
    "name",
    ["", "x" * 65, "x" * 10_000, "a\x00b", "a\u202eb", "ann\n", " ann", "Zoë", "a\tb"],
    ids=["empty", "long", "longer", "nul", "rtl", "newline", "blank", "letters", "tab"],
)
def test_20_wrong_names_are_refused_with_a_reason(name: str) -> None:
    async def refused() -> None:
        server = Native(FISH, 2)
        assert "$.name" in await server.refused(hello(name))
        hosted = await played(server, await server.visitor("<b>good</b>"), await server.visitor("fair"))
        assert hosted.names == ("<b>good</b>", "fair")  # plain ASCII; whoever shows it escapes it

    run_skipping(refused())


@BOTH
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"ann", "expected one JSON value a line"),
        (b"7", "Expected object"),
        (hello(version=2), "version 2 of the protocol"),
        (hello(games=["chess"]), "fish is played here, not chess"),
        (hello(more=1), "unknown field"),
        (hello(token=7), "$.token"),
        (hello(session="x"), "there is no such session of this name"),
        (b'{"type":"heard","id":1}', "$.type"),
        (b"[" * 5_000, "nested more than 32 deep"),
        (b'{"type":' + b"[" * 5_000, "nested more than 32 deep"),
    ],
)
def test_20_whoever_does_not_say_hello_properly_learns_why(line: bytes, reason: str, way: str) -> None:
    async def refused() -> None:
        server = Native(FISH, 2)
        assert reason in await server.refused(line, way)
        assert kinds(await played(server, await server.visitor("a"), await server.visitor("b"))) == [None, None]

    run_skipping(refused())


@BOTH
def test_21_a_second_sign_up_with_a_name_is_refused_and_the_first_plays_on(way: str) -> None:
    async def second() -> None:
        server = Native(FISH, 2, terms=NativeTerms())
        first = await server.visitor("ann", way=way)
        for name in ("ann", "ANN", "Ann"):
            assert f"the name '{name}' is taken" in await server.refused(hello(name), way)
        assert "no such session" in await server.refused(hello("ann", session="guess"), way)
        hosted = await played(server, first, await server.visitor("bob"))
        assert hosted.names == ("ann", "bob")

    run_skipping(second())


@BOTH
def test_21_with_the_session_a_second_connection_takes_over(way: str) -> None:
    """The first one may be dead without anybody knowing."""

    async def taken_over() -> None:
        server = Native(FISH, 2, terms=NativeTerms())
        first, said = await server.joined("ann", way)
        other = await server.visitor("bob")
        pending = [await first.hear(), await first.hear()]
        assert [json.loads(line)["type"] for line in pending] == ["welcome", "tell"]
        second, again = await server.joined("ann", way, session=said["session"])
        assert again == said
        assert [await second.hear(), await second.hear()] == pending
        assert await first.hear() == b""  # hung up on
        speaker = server.speaker("ann")
        for line in pending:
            reply = speaker.reply(line)
        await second.send(reply.rstrip(b"\n"))
        await finished(second, speaker)
        await first.hang_up()
        assert kinds(await played(server, other)) == [None, None]

    run_skipping(taken_over())


async def finished(peer: AnyPeer, speaker: ClientConversation) -> None:
    """Play on to the end."""
    while line := await peer.hear():
        if reply := speaker.reply(line).rstrip(b"\n"):
            await peer.send(reply)
    await peer.hang_up()
    assert speaker.over


@BOTH
@pytest.mark.parametrize("kind", ["tell", "ask"])
@pytest.mark.parametrize("leave", [reset, hang_up], ids=["rst", "fin"])
def test_22_whoever_comes_back_gets_the_same_line_and_the_match_is_the_same(kind: str, leave: Evil, way: str) -> None:
    def match(*, broken: bool) -> list[bytes]:
        lines: list[bytes] = []

        async def over_sockets() -> None:
            options: dict[str, Any] = {"terms": NativeTerms(grace=5), "limits": SignUpLimits(per_address=2)}
            server = Native(FISH, 2, watch=lambda match, line: lines.append(line), **options)
            peer, said = await server.joined("ann", way)
            other = await server.visitor("bob")
            speaker = server.speaker("ann")
            while line := await peer.hear():
                reply = speaker.reply(line).rstrip(b"\n")
                if broken and reply and json.loads(line)["type"] == kind:
                    await leave(peer, reply)
                    peer, _ = await server.joined("ann", way, session=said["session"])
                    again = await peer.hear()
                    if json.loads(again)["type"] == "welcome":  # was not replied to either
                        again = await peer.hear()
                    assert again == line
                if reply:
                    await peer.send(reply)
            await peer.hang_up()
            assert kinds(await played(server, other)) == [None, None]

        run_skipping(over_sockets())
        return lines

    assert match(broken=True) == match(broken=False)


def test_22_the_clock_of_the_question_goes_on_running() -> None:
    async def slow() -> tuple[Fault, float]:
        loop = asyncio.get_running_loop()
        server = Native(FISH, 2, terms=NativeTerms(grace=60), patience=LAPSE)
        peer, said = await server.joined("bad")
        other = await server.visitor("good")
        await peer.hear()
        asked = loop.time()
        await peer.hear()
        for _ in range(5):
            await peer.hang_up()
            await asyncio.sleep(LAPSE / 6)
            peer, _ = await server.joined("bad", session=said["session"])
        while b'"out"' not in (line := await peer.hear()):
            assert line
        took = loop.time() - asked
        await peer.hang_up()
        return only_fault(await played(server, other)), took

    fault, took = run_skipping(slow())
    assert fault == Fault(FaultKind.TIMED_OUT, f"no answer within {LAPSE:g} s")
    assert LAPSE - 1 < took < 1.5 * LAPSE  # begun anew with the last return, it would take longer


@pytest.mark.parametrize(("grace", "patience"), [(0.3, 60.0), (60.0, LAPSE)])
def test_22_whoever_is_not_back_in_time_is_gone(grace: float, patience: float) -> None:
    async def gone() -> Fault:
        server = Native(FISH, 2, terms=NativeTerms(grace=grace), patience=patience)
        peer, said = await server.joined("bad")
        other = await server.visitor("good")
        await peer.hear()
        await peer.hang_up()
        fault = only_fault(await played(server, other))
        assert said["grace"] == grace
        return fault

    assert run_skipping(gone()) == Fault(FaultKind.GONE, "the connection closed")


def test_22_whoever_was_away_for_too_long_or_thrown_out_may_not_come_back() -> None:
    async def late() -> None:
        server = Native(FISH, 3, terms=NativeTerms(grace=0.2), patience=60.0)
        bad, secret = await server.joined("bad")
        peer, said = await server.joined("ann")
        held, _ = await server.joined("held")  # keeps the tournament from ending
        await bad.send(b"nonsense")
        while json.loads(await bad.hear())["type"] != "out":
            pass
        assert await server.refused(hello("bad", session=secret["session"])) == "the session is over"
        await peer.hang_up()
        await asyncio.sleep(LAPSE)
        assert await server.refused(hello("ann", session=said["session"])) == "the session is over"
        assert "sign-up is over" in await server.refused(hello("new"))
        await finished(held, server.speaker("held"))
        await bad.hang_up()
        hosted = await server.ended()
        assert kinds(hosted) == [FaultKind.MALFORMED, FaultKind.GONE, None]

    run_skipping(late())


def test_22_nobody_comes_back_for_ever() -> None:
    async def again_and_again() -> str:
        server = Native(FISH, 2, terms=NativeTerms(grace=60))
        peer, said = await server.joined("ann")
        for _ in range(100):
            await peer.hang_up()
            peer, _ = await server.joined("ann", session=said["session"])
        reason = await server.refused(hello("ann", session=said["session"]))
        other = await server.visitor("bob")
        await finished(peer, server.speaker("ann"))
        assert kinds(await played(server, other)) == [None, None]
        return reason

    assert run_skipping(again_and_again()) == "the session is over"


def test_21_a_name_that_looks_like_one_that_is_taken_is_refused() -> None:
    async def alike() -> None:
        server = Native(FISH, 2, terms=NativeTerms())
        first = await server.visitor("alan")
        assert await server.refused(hello("aIan")) == "the name 'aIan' looks like 'alan', which is taken"
        hosted = await played(server, first, await server.visitor("allan"))
        assert hosted.names == ("alan", "allan")

    run_skipping(alike())


def test_23_who_signs_up_and_hangs_up_takes_nobodys_place() -> None:
    async def hung_up() -> None:
        server = Native(FISH, 2, terms=NativeTerms(grace=60))
        gone, said = await server.joined("gone")
        await gone.hang_up()
        honest = await server.visitor("ann")
        assert await server.refused(hello("gone", session=said["session"])) == "the session is over"
        hosted = await played(server, honest, await server.visitor("gone"))
        assert hosted.names == ("ann", "gone") and kinds(hosted) == [None, None]

    run_skipping(hung_up())


def test_23_an_address_has_its_share_of_sign_ups_without_a_token() -> None:
    async def shared() -> None:
        server = Native(FISH, 2, limits=SignUpLimits(players=1))
        gone, _ = await server.joined("gone")
        await gone.hang_up()
        first = await server.visitor("ann")  # who hung up has freed the place
        reason = "as many players as may have signed up from your address already"
        assert await server.refused(hello("eve")) == reason
        elsewhere = Peer(*await asyncio.open_connection(LOCAL, server.port, local_addr=("127.0.0.2", 0)))
        await elsewhere.send(hello("bob"))
        assert json.loads(await elsewhere.hear())["type"] == "joined"
        await elsewhere.hang_up()
        hosted = await played(server, first)
        assert hosted.names == ("ann", "bob") and kinds(hosted) == [None, FaultKind.GONE]

    run_skipping(shared())


def test_23_with_a_token_nobody_is_kept_out_for_an_address() -> None:
    async def shared() -> None:
        server = Native(FISH, 2, terms=NativeTerms(token="t"), limits=SignUpLimits(players=1))
        first = await server.visitor("ann", token="t")
        hosted = await played(server, first, await server.visitor("bob", token="t"))
        assert hosted.names == ("ann", "bob")

    run_skipping(shared())


def test_22_before_the_start_a_place_is_kept_for_the_grace_alone() -> None:
    async def freed() -> None:
        server = Native(FISH, 2, terms=NativeTerms(grace=0.2))
        peer, _ = await server.joined("ann")
        await peer.hang_up()
        await asyncio.sleep(LAPSE)
        hosted = await played(server, await server.visitor("ann"), await server.visitor("bob"))
        assert hosted.names == ("ann", "bob")
        assert kinds(hosted) == [None, None]

    run_skipping(freed())


@BOTH
def test_23_a_flood_of_connections_is_turned_away_and_nobody_is_hurt(way: str) -> None:
    async def flooded() -> None:
        server = Native(FISH, 3, limits=SignUpLimits(unnamed=32, per_address=64))
        first = await server.visitor("good", way=way)
        loop = asyncio.get_running_loop()
        for _ in range(2_000):
            sock = socket.socket()
            sock.setblocking(False)
            await loop.sock_connect(sock, (LOCAL, server.port))
            sock.close()
        players = [await server.visitor("fair", way=way), await server.visitor("kind", way=way)]
        hosted = await played(server, first, *players)
        assert hosted.names == ("good", "fair", "kind")
        assert kinds(hosted) == [None] * 3

    run_skipping(flooded())


def test_23_strangers_may_knock_while_others_play() -> None:
    async def knocking() -> None:
        server = Native(TRAINS, 2, limits=SignUpLimits(unnamed=8, per_address=16))
        players = [await server.visitor("good"), await server.visitor("fair")]
        knocks = 0
        while not server.serving.done():
            with suppress(ConnectionError):
                peer = await reached(server.port, "tcp")
                await peer.send(hello("late"))
                said = await peer.hear()
                assert said == b"" or json.loads(said)["type"] == "refused"
                await peer.hang_up()
                knocks += 1
        assert knocks
        assert kinds(await played(server, *players)) == [None, None]

    run_skipping(knocking())


HANDSHAKE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
TRANSCRIPTS = [
    hello("ann") + b'\n{"type":"heard","id":1}\n' + PLACE % b"[0,0]",
    HANDSHAKE + b"\x81\x85\x00\x00\x00\x00hello\x89\x80\x00\x00\x00\x00\x01\x81\x00\x00\x00\x00a",
]


@given(
    st.binary(max_size=200)
    | st.binary(max_size=100).map(HANDSHAKE.__add__)
    | st.builds(
        lambda text, at, byte: text[: at % len(text)] + byte + text[at % len(text) + 1 :],
        st.sampled_from(TRANSCRIPTS),
        st.integers(0, 300),
        st.binary(max_size=2),
    )
)
@settings(max_examples=100)
def test_24_random_bytes_and_mutated_transcripts_end_in_a_fault_or_a_line(data: bytes) -> None:
    async def fed() -> None:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        connection = PeerConnection(
            read_buffer(), Lines(longest=LONGEST), shell_for=lambda first: detect_wrapper((), first)
        )
        await asyncio.get_running_loop().connect_accepted_socket(lambda: connection, ours)
        theirs.sendall(data)
        theirs.shutdown(socket.SHUT_WR)
        for _ in range(len(data) + 2):
            if isinstance(line := await connection.line(5.0), Fault):
                assert line.kind in (FaultKind.GONE, FaultKind.MALFORMED, FaultKind.EXCEEDED)
                break
        connection.close()
        theirs.close()
        await asyncio.sleep(0)

    run_skipping(fed())


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1", "https://good.example.evil"])
def test_51_pages_of_other_sites_cannot_sign_up(origin: str) -> None:
    async def foreign() -> None:
        server = Native(FISH, 2, terms=NativeTerms(grace=0, origins=("https://good.example",)))
        with pytest.raises(InvalidStatus, match="403"):
            await reached(server.port, "ws", origin=origin)
        own = await reached(server.port, "ws", origin="https://good.example")
        await own.send(hello("page"))
        assert json.loads(await own.hear())["type"] == "joined"
        other = await server.visitor("bob")
        await finished(own, server.speaker("page"))
        assert kinds(await played(server, other)) == [None, None]

    run_skipping(foreign())


@pytest.mark.parametrize(
    "request_",
    [
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\n" + hello("page") + b"\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nOrigin: https://evil.example\r\n\r\n" + hello("page") + b"\n",
        b"G" * 20_000 + b"\r\n",
        b"GET / HTTP/1.1\r\n" + b"X-Filler: x\r\n" * 2_000,
        b"G\r\n\r\n",
    ],
    ids=["post", "get", "long", "many", "short"],
)
def test_51_no_other_request_signs_anybody_up(request_: bytes) -> None:
    async def foreign() -> None:
        server = Native(FISH, 2)
        reader, writer = await asyncio.open_connection(LOCAL, server.port)
        writer.write(request_)
        with suppress(ConnectionError):
            said = await reader.read()
            assert b"joined" not in said
        writer.close()
        hosted = await played(server, await server.visitor("a"), await server.visitor("b"))
        assert hosted.names == ("a", "b")

    run_skipping(foreign())


def test_53_binary_messages_are_malformed() -> None:
    async def binary(peer: AnyPeer, reply: bytes) -> None:
        assert isinstance(peer, WebPeer)
        await peer.socket.send(reply)
        with pytest.raises(ConnectionClosed) as closed:
            while True:
                await peer.socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1003

    fault = fault_of(binary, way="ws")
    assert fault.kind is FaultKind.MALFORMED
    assert "binary" in fault.detail


def test_53_nothing_is_compressed() -> None:
    async def offered() -> None:
        server = Native(FISH, 2)
        peer = await reached(server.port, "ws", additional_headers={"Sec-WebSocket-Extensions": "permessage-deflate"})
        assert isinstance(peer, WebPeer)
        assert peer.socket.protocol.extensions == []
        await peer.hang_up()
        assert kinds(await played(server, await server.visitor("a"), await server.visitor("b"))) == [None, None]

    run_skipping(offered())


@BOTH
def test_54_without_the_token_nobody_takes_a_place(way: str) -> None:
    """And it stands neither in the records nor in what others are told."""
    lines: list[bytes] = []

    async def guarded() -> None:
        terms = NativeTerms(token="open sesame", grace=0)
        server = Native(FISH, 2, terms=terms, watch=lambda match, line: lines.append(line))
        for wrong in list[dict[str, Any]](
            [{}, {"token": "open sesam"}, {"token": "open sesame "}, {"token": "\u0131" * 11}]
        ):
            assert await server.refused(hello("eve", **wrong), way) == "the token is missing or wrong"
        players = [await server.visitor(name, way=way, token="open sesame") for name in ("ann", "bob")]
        hosted = await played(server, *players)
        assert hosted.names == ("ann", "bob")
        assert "sesame" not in repr(hosted)

    run_skipping(guarded())
    assert lines
    assert not any(b"sesame" in line for line in lines)


def test_sessions_are_long_and_never_the_same() -> None:
    async def sessions() -> list[str]:
        server = Native(FISH, 5, setup=Setup(rows=5, columns=5))
        joined = [await server.joined(f"p{number}") for number in range(4)]
        last = await server.visitor("last")
        for peer, _ in joined:
            await peer.hang_up()
        await server.ended(last)
        return [said["session"] for _, said in joined]

    found = run_skipping(sessions())
    assert len(set(found)) == 4
    assert all(len(secret) >= 32 for secret in found)
