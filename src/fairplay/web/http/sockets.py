"""WebSockets that only send: accepted within a limit, compressed once for everyone, never waited for."""

import asyncio
import gzip
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from time import monotonic

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from fairplay.web.http.endpoints import client_address
from fairplay.web.http.limits import ConnectionLimit

MAX_LAG = 16
"""Messages that may wait for a client; one more, and it is dropped."""

_SEND_TIMEOUT = 10.0
"""Seconds that sending one message may take."""

_MAX_RECEIVED = 30
_RECEIVED_WITHIN = 20.0
"""A client that sends more messages than this within these seconds is disconnected; fewer are ignored."""

_GZIP_LEVEL = 1
"""The fastest: a message with a drawing shrinks to a fifth or a sixth."""

# How a socket is closed (RFC 6455, 7.4).
DONE = 1000
_NOT_TEXT = 1003
_FLOODING = 1008
_TRY_AGAIN = 1013


class SocketMessage:
    """A message for many clients: as JSON, or gzipped if the client asked for that."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def gzipped(self) -> bytes:
        """The text compressed, once for all who get it."""
        return gzip.compress(self.text.encode(), _GZIP_LEVEL, mtime=0)


def encode_message(value: object) -> SocketMessage:
    """A value as a message."""
    return SocketMessage(msgspec.json.encode(value).decode())


class Outbox:
    """The messages that wait for one client."""

    def __init__(self, *, gzipped: bool = False) -> None:
        self.gzipped = gzipped
        self.dropped = False
        self.lagged = False  # it was dropped because it lagged, not because the client left
        self.close_code: int | None = None  # if the client is to be told why
        self.close_reason = ""
        self._waiting: asyncio.Queue[SocketMessage | None] = asyncio.Queue(MAX_LAG + 1)  # one more for the end

    async def next(self) -> SocketMessage | None:
        """The next message, None when there are no more."""
        return None if self.dropped else await self._waiting.get()

    def offer(self, message: SocketMessage) -> None:
        """Add a message without waiting; a client that lags too far behind is dropped."""
        if self._waiting.qsize() >= MAX_LAG:
            self.lagged = not self.dropped
            self.drop()
        elif not self.dropped:
            self._waiting.put_nowait(message)

    def drop(self) -> None:
        """Send nothing more, and forget what was not sent."""
        self.dropped = True
        while not self._waiting.empty():
            self._waiting.get_nowait()
        self._waiting.put_nowait(None)

    def end(self) -> None:
        """Send what is waiting, and nothing after it."""
        if not self.dropped:
            self._waiting.put_nowait(None)


class SocketLimit:
    """How many sockets are open, and how many may be: in all, and from one address."""

    def __init__(self, limit: int, per_address: int) -> None:
        self.limit, self.open = limit, 0
        self.addresses = ConnectionLimit(per_address)


@asynccontextmanager
async def open_socket(limit: SocketLimit, socket: WebSocket, outbox: Outbox) -> AsyncIterator[None]:
    """Accept a socket and notice when the client leaves; if there are too many, the outbox is dropped at once."""
    refusal = "Too many people are watching. Try again later." if limit.open >= limit.limit else ""
    if not refusal and not limit.addresses.enter(socket, client_address(socket)):
        refusal = "Too many people are watching from your address. Try again later."
    if refusal:
        await refuse_socket(socket, _TRY_AGAIN, refusal)
        outbox.drop()
        yield
        return
    limit.open += 1
    listening: asyncio.Task[None] | None = None
    try:
        await socket.accept()
        listening = asyncio.create_task(_drop_when_gone(socket, outbox))
        yield
    finally:
        limit.open -= 1
        limit.addresses.leave(socket)
        if listening is not None:
            listening.cancel()


async def refuse_socket(socket: WebSocket, code: int, reason: str) -> None:
    """Close a socket with a reason, which only an accepted socket can carry."""
    await socket.accept()
    await socket.close(code, reason)


async def _drop_when_gone(socket: WebSocket, outbox: Outbox) -> None:
    """Wait until the client leaves.  What it sends is ignored, as long as it is text and not too much."""
    received: deque[float] = deque(maxlen=_MAX_RECEIVED)  # when
    while outbox.close_code is None and (message := await socket.receive())["type"] != "websocket.disconnect":
        if message.get("text") is None:
            outbox.close_code = _NOT_TEXT
        elif len(received) == _MAX_RECEIVED and monotonic() - received[0] < _RECEIVED_WITHIN:
            outbox.close_code = _FLOODING
        received.append(monotonic())
    outbox.drop()


async def send_messages(socket: WebSocket, outbox: Outbox) -> None:
    """Send what comes, until there is no more or it cannot be sent in time."""
    try:
        while (message := await outbox.next()) is not None:
            async with asyncio.timeout(_SEND_TIMEOUT):
                if outbox.gzipped:
                    await socket.send_bytes(message.gzipped)
                else:
                    await socket.send_text(message.text)
        async with asyncio.timeout(_SEND_TIMEOUT):
            code = outbox.close_code or (_TRY_AGAIN if outbox.dropped else DONE)
            await socket.close(code, outbox.close_reason)
    except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        return


def wants_gzip(socket: WebSocket) -> bool:
    """Does the client ask for gzipped messages?"""
    return socket.query_params.get("encoding") == "gzip"
