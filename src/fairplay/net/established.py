"""Players behind a game's established protocol, at both ends of a TCP connection.

A player of ours signs up, then answers every call until the last.
"""

import asyncio
import errno
import re
import socket
import ssl
from collections.abc import Callable, Sequence
from typing import Protocol

from fairplay.core import AnyGame, Fault, FaultKind, Json, Misbehaved, Outcome, SeatInfo, WireError
from fairplay.core.convert import as_type
from fairplay.core.established import Call, Client
from fairplay.core.game import established_of
from fairplay.match.calls import describe_crash
from fairplay.match.protocol import Refused
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.transcript import Transcript

# -- the player, as the server sees it ---------------------------------------------------------


class Peer(Protocol):
    """The far end: is called, and answers or faults."""

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        """The answer to `call`, complete within `patience` seconds from its first byte written, or the fault."""
        ...

    def close(self) -> None:
        """Hang up, whatever is still on its way."""
        ...


class EstablishedPlayer:
    """Orders become calls; what is answered is understood here, or is the player's fault."""

    def __init__(self, game: AnyGame, peer: Peer, patience: float) -> None:
        self.wire, self.peer, self.patience = established_of(game).wire, peer, patience
        self.is_out = False

    async def choose(self, view: object) -> object:
        answer = await self.peer.exchange(self.wire.spell_question(view), self.patience)
        if isinstance(answer, Fault):
            return answer
        try:
            return self.wire.read_action(view, answer)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, str(error))

    async def hear(self, news: object) -> Json | Fault:
        """The acknowledgement, which may say something (Trains 9.2), or the fault."""
        call = self.wire.spell_news(news)
        if call is None:
            return None
        answer = await self.peer.exchange(call, self.patience)
        if isinstance(answer, Fault):
            return answer
        try:
            self.wire.check_reply(news, answer)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, str(error))
        return answer

    async def recall(self, order: object, reply: object) -> None:
        """The protocol knows no way back, so this player is not there to be told."""

    async def ready(self) -> None:
        """It is there, or it never comes back."""

    def begin(self, chance: int, info: SeatInfo, lines: Sequence[bytes]) -> None:
        """The protocol has no word for it."""

    def throw_out(self, fault: Fault, *, stays: bool = False) -> None:
        """The protocol has no word for it."""

    def end(self, outcome: Outcome) -> None:
        """The protocol has no word for it."""

    def close(self) -> None:
        """Hang up: the protocol knows no way back."""
        self.is_out = True
        self.peer.close()


# -- a player of ours --------------------------------------------------------------------------

RETRY_FOR = 60.0
RETRY_EVERY = 0.25
"""Seconds for which, and between which, a refused connection is tried again (Fish 11.12, Trains 11.12)."""

AT_ONCE = 1.0
"""Seconds within which a server hangs up on what it cannot read; one that waits for more takes longer."""

NATIVE_SERVER = Fault(FaultKind.MALFORMED, "this server speaks the native protocol, not that of the game")
"""The server has refused our name in the words of the native protocol: nothing is lost, and a hello may follow."""

Report = Callable[[str], object]


async def sign_up_client(
    host: str,
    port: int,
    name: Json,
    *,
    tls: ssl.SSLContext | None = None,
    retry_for: float = RETRY_FOR,
    room: memoryview | None = None,
    line_feeds: bool = False,
    transcript: Transcript | None = None,
    report: Report | None = None,
) -> PeerConnection:
    """Connect and send the name; raises OSError if nobody listens.  Many clients of one loop may share `room`."""

    def make() -> PeerConnection:
        return PeerConnection(room or read_buffer(), line_feeds=line_feeds, transcript=transcript)

    connection = await connect_to_server(make, host, port, tls, retry_for, report)
    connection.write(name)
    return connection


async def connect_to_server(
    make: Callable[[], PeerConnection],
    host: str,
    port: int,
    tls: ssl.SSLContext | None,
    retry_for: float,
    report: Report | None = None,
) -> PeerConnection:
    """A connection to a server that may not listen yet, which `report` is told then; raises OSError."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + retry_for
    place = f"{host}:{port}"
    while True:
        try:
            _, connection = await loop.create_connection(
                make, host, port, ssl=tls, server_hostname=host if tls else None
            )
        except socket.gaierror as error:
            raise OSError(f"cannot connect to {place}: {error.strerror}") from None
        except OSError as error:
            if not is_refusal(error):
                raise
            if loop.time() + RETRY_EVERY > deadline:
                raise ConnectionRefusedError(f"nobody listens at {place}") from None
            if report is not None:
                report(f"nobody listens at {place} yet; trying for {retry_for:g} s")
            report = None  # once is enough
            await asyncio.sleep(RETRY_EVERY)
        else:
            connection.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection


def is_refusal(error: OSError) -> bool:
    """Does nobody listen?  If a host has several addresses, asyncio joins their errors to one without a number."""
    named = re.findall(r"\[Errno (\d+)\]", str(error)) if error.errno is None else [str(error.errno)]
    return str(errno.ECONNREFUSED) in named


async def answer_calls(connection: PeerConnection, client: Client) -> Fault | None:
    """Answer every call; None once the last one is answered, else why it ended before that, and in which call.

    NATIVE_SERVER itself if the server speaks the native protocol.
    """
    last, calls = "", 0
    try:
        while not client.over:
            value = await connection.value(None)
            if isinstance(value, Fault):
                return _name_last_call(_explain_hang_up(connection, value, calls), last)
            if not calls and _is_native_refusal(value):
                return NATIVE_SERVER
            try:
                call = read_call(value)
                last, calls = call.method, calls + 1
                connection.write(client.answer(call))
            except WireError as error:
                fault = Fault.of(FaultKind.MALFORMED, f"the server's call is not valid: {error}")
                return _name_last_call(fault, last)
            except Misbehaved as misbehaved:
                return _name_last_call(await _act_out_fault(connection, misbehaved.fault), last)
            except Exception as crash:  # a strategy may raise anything, and a server may ask what nobody can answer
                return _name_last_call(Fault.of(FaultKind.CRASHED, describe_crash(crash)), last)
        return None
    finally:
        connection.finish()


def _is_native_refusal(value: Json) -> bool:
    """Is this what a server of the native protocol says to a name?  No call is an object."""
    return isinstance(value, dict) and value.get("type") == Refused.__struct_config__.tag


def _explain_hang_up(connection: PeerConnection, fault: Fault, calls: int) -> Fault:
    """`fault`, with a hint if the server hung up before a second call, and line feeds may be why."""
    sent, ended = connection.sent_at, connection.ended_at
    if calls > 1 or fault.kind is not FaultKind.GONE or sent is None or ended is None:
        return fault
    at_once = ended - sent <= AT_ONCE
    if connection.line_feeds and at_once:
        return Fault.of(fault.kind, f"{fault.detail} right after a line feed; it may take none: leave out --line-feeds")
    if not connection.line_feeds and not at_once:
        other = "" if calls else ", or too few players signed up"
        return Fault.of(fault.kind, f"{fault.detail}; perhaps the server reads lines (use --line-feeds){other}")
    return fault


def _name_last_call(fault: Fault, method: str) -> Fault:
    """`fault`, with the call in which it happened."""
    where = f"the last call was {method}" if method else "there was no call yet"
    return Fault.of(fault.kind, f"{fault.detail}; {where}" if fault.detail else where)


async def _act_out_fault(connection: PeerConnection, fault: Fault) -> Fault:
    """Carry out what a faulty client of the test programs is made for: fall silent, or leave."""
    if fault.kind is FaultKind.TIMED_OUT:
        while not isinstance(await connection.value(None), Fault):
            pass
    return fault


def read_call(value: Json) -> Call:
    """Section 11.6 of each rule book; raises WireError."""
    method, arguments = as_type(value, tuple[str, list[Json]])
    return Call(method, arguments)
