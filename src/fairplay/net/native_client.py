"""A player's end of the native protocol, over TCP or a WebSocket: signs up, plays, comes back when it is cut off."""

import asyncio
import ssl
from functools import partial

from msgspec import UNSET, Struct

from fairplay.core import Fault, FaultKind, Misbehaved, WireError
from fairplay.match.calls import describe_crash
from fairplay.net.connection import GONE, PeerConnection, read_buffer
from fairplay.net.established_client import RETRY_EVERY, RETRY_FOR, Report, connect_to_server
from fairplay.net.framing import Lines
from fairplay.net.session import RETURNS
from fairplay.net.transcript import Transcript
from fairplay.net.websocket import client_side
from fairplay.run.client_conversation import ClientConversation

LONGEST_HEARD = 16_777_216
"""Bytes of one line of a server."""

NOTHING_SAID = "before the server said anything; perhaps it speaks the established protocol of the game"


class Address(Struct, frozen=True):
    """Where a server listens."""

    host: str
    port: int
    uri: str | None = None  # of a WebSocket
    tls: ssl.SSLContext | None = None

    def connect(self, transcript: Transcript | None = None) -> PeerConnection:
        """A new connection, to be made."""
        shell = None if self.uri is None else client_side(self.uri, LONGEST_HEARD)
        return PeerConnection(read_buffer(), Lines(longest=LONGEST_HEARD), shell, transcript=transcript)


async def join_server(
    address: Address,
    visitor: ClientConversation,
    retry_for: float = RETRY_FOR,
    transcript: Transcript | None = None,
    report: Report | None = None,
) -> Fault | None:
    """Sign up and play until the tournament is over; else why it ended before that.  Raises OSError.

    `report` is told if nobody listens yet.
    """
    fault: Fault | None = GONE
    make = partial(address.connect, transcript)
    for _ in range(1 + RETURNS):
        connection = await connect_to_server(make, address.host, address.port, address.tls, retry_for, report)
        try:
            fault = await hold_conversation(connection, visitor)
        finally:
            connection.finish()
        if fault is not GONE or visitor.session is UNSET:
            break
        retry_for = visitor.grace
        await asyncio.sleep(RETRY_EVERY)
    return None if fault is None else name_last_message(fault, visitor.last_message)


def name_last_message(fault: Fault, message: str) -> Fault:
    """`fault`, with the last message of the server before it, unless that is what the fault says."""
    if message in ("out", "refused"):
        return fault
    if fault is GONE and not message:
        return Fault.of(fault.kind, f"{fault.detail} {NOTHING_SAID}")
    where = f"the server's last message was {message}" if message else "the server had sent nothing"
    return Fault.of(fault.kind, f"{fault.detail}; {where}" if fault.detail else where)


async def hold_conversation(connection: PeerConnection, visitor: ClientConversation) -> Fault | None:
    """Hold the conversation over one connection; GONE itself if that broke."""
    connection.send(visitor.hello())
    while not visitor.over:
        line = await connection.line(None)
        if isinstance(line, Fault):
            return line
        try:
            if reply := visitor.reply(line):
                connection.send(reply)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, f"the server does not speak the native protocol: {error}")
        except Misbehaved as misbehaved:
            return misbehaved.fault
        except Exception as crash:  # a strategy may raise anything, and a server may ask what nobody can answer
            return Fault.of(FaultKind.CRASHED, describe_crash(crash))
    return None
