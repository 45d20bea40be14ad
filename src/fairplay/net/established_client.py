"""A player's end of a TCP connection: signs up, then answers every call until the last."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import Final

from fairplay.core import Fault, FaultKind, Json, Misbehaved, WireError
from fairplay.core.convert import as_type
from fairplay.match.calls import describe_crash
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.transcript import Transcript
from fairplay.parts.established import Call, Client

__all__ = ["RETRY_FOR", "answer_calls", "read_call", "sign_up_client"]

RETRY_FOR: Final = 60.0
RETRY_EVERY: Final = 0.25
"""Seconds for which, and between which, a refused connection is tried again (Fish 11.12, Trains 11.12)."""


AT_ONCE: Final = 1.0
"""Seconds within which a server hangs up on what it cannot read."""


async def sign_up_client(
    host: str,
    port: int,
    name: Json,
    *,
    tls: ssl.SSLContext | None = None,
    retry_for: float = RETRY_FOR,
    room: memoryview | None = None,
    line_feeds: bool = True,
    transcript: Transcript | None = None,
) -> PeerConnection:
    """Connect and send the name; raises OSError where nobody listens.  Many clients of one loop may share `room`."""

    def make() -> PeerConnection:
        return PeerConnection(room or read_buffer(), line_feeds=line_feeds, transcript=transcript)

    connection = await connect_to_server(make, host, port, tls, retry_for)
    connection.write(name)
    return connection


async def connect_to_server(
    make: Callable[[], PeerConnection], host: str, port: int, tls: ssl.SSLContext | None, retry_for: float
) -> PeerConnection:
    """A connection to a server that may not listen yet; raises OSError."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + retry_for
    while True:
        try:
            _, connection = await loop.create_connection(
                make, host, port, ssl=tls, server_hostname=host if tls else None
            )
        except ConnectionRefusedError:
            if loop.time() + RETRY_EVERY > deadline:
                raise
            await asyncio.sleep(RETRY_EVERY)
        else:
            connection.transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return connection


async def answer_calls(connection: PeerConnection, client: Client) -> Fault | None:
    """Answer every call; None once the last one is answered, else why it ended before that, and in which call."""
    last = ""
    try:
        while not client.over:
            value = await connection.value(None)
            if isinstance(value, Fault):
                return name_last_call(explain_hang_up(connection, value), last)
            try:
                call = read_call(value)
                last = call.method
                connection.write(client.answer(call))
            except WireError as error:
                fault = Fault.of(FaultKind.MALFORMED, f"the server's call is not valid: {error}")
                return name_last_call(fault, last)
            except Misbehaved as misbehaved:
                return name_last_call(await act_out_fault(connection, misbehaved.fault), last)
            except Exception as crash:  # a strategy may raise anything, and a server may ask what nobody can answer
                return name_last_call(Fault.of(FaultKind.CRASHED, describe_crash(crash)), last)
        return None
    finally:
        connection.finish()


def explain_hang_up(connection: PeerConnection, fault: Fault) -> Fault:
    """`fault`, with a hint where the server hung up on what we sent last, and a line feed may be why."""
    sent, ended = connection.sent_at, connection.ended_at
    if not connection.line_feeds or fault.kind is not FaultKind.GONE or sent is None or ended is None:
        return fault
    if ended - sent > AT_ONCE:
        return fault
    hint = "right after a line feed; if the server takes none, use --no-line-feeds"
    return Fault.of(fault.kind, f"{fault.detail} {hint}")


def name_last_call(fault: Fault, method: str) -> Fault:
    """`fault`, with the call in which it happened."""
    where = f"the last call was {method}" if method else "there was no call yet"
    return Fault.of(fault.kind, f"{fault.detail}; {where}" if fault.detail else where)


async def act_out_fault(connection: PeerConnection, fault: Fault) -> Fault:
    """Carry out what a faulty client of the test programs is made for: fall silent, or leave."""
    if fault.kind is FaultKind.TIMED_OUT:
        while not isinstance(await connection.value(None), Fault):
            pass
    return fault


def read_call(value: Json) -> Call:
    """Section 11.6 of each rule book; raises WireError."""
    method, arguments = as_type(value, tuple[str, list[Json]])
    return Call(method, arguments)
