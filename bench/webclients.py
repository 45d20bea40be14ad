"""Cheap clients of the web server: a thousand sockets in one process, and requests one after another."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import Sequence
from functools import partial
from itertools import cycle, islice
from time import monotonic
from typing import Any

import msgspec

HANDSHAKE = (
    "GET {path}?encoding=gzip HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: ZmFpcnBsYXkgd2F0Y2hlcg==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
REQUEST = "GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

BINARY, CLOSE, PING = 2, 8, 9


class MomentNumber(msgspec.Struct):
    """What is read of a moment."""

    number: int


class ReceivedMessage(msgspec.Struct):
    """What is read of a message; None where it is about something else than a moment."""

    id: str
    moment: MomentNumber | None = None


class Arrivals:
    """When each message arrived, on the monotonic clock; the same bytes are the same message."""

    def __init__(self) -> None:
        self.times: dict[bytes, list[float]] = {}
        self.count = self.bytes = 0

    def clear(self) -> None:
        """Forget everything."""
        self.times.clear()
        self.count = self.bytes = 0

    def add(self, payload: bytes) -> None:
        """Note that a message has just arrived."""
        self.times.setdefault(payload, []).append(monotonic())
        self.count += 1
        self.bytes += len(payload)

    def by_moment(self) -> dict[tuple[str, int], list[float]]:
        """The arrivals of each moment of each match."""
        found: dict[tuple[str, int], list[float]] = {}
        for payload, times in self.times.items():
            message = msgspec.json.decode(gzip.decompress(payload), type=ReceivedMessage)
            if message.moment is not None:
                found[message.id, message.moment.number] = times
        return found


class SocketClient(asyncio.Protocol):
    """A watcher that notes when messages arrive and looks no further into them."""

    def __init__(self, path: str, arrivals: Arrivals) -> None:
        self.path, self.arrivals = path, arrivals
        self.greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._buffer = bytearray()
        self._open = False

    def connection_made(self, transport: Any) -> None:
        """Ask for a socket."""
        self.transport = transport
        transport.write(HANDSHAKE.format(path=self.path).encode())

    def connection_lost(self, error: Exception | None) -> None:
        """Fail, if it was never opened."""
        if not self.greeted.done():
            self.greeted.set_exception(ConnectionError("the server closed the connection of a watcher"))

    def data_received(self, data: bytes) -> None:
        """Take all whole frames."""
        self._buffer += data
        if not self._open:
            self._read_handshake()
        while self._open and self._read_frame():
            pass

    def _read_handshake(self) -> None:
        end = self._buffer.find(b"\r\n\r\n")
        if end >= 0:
            assert self._buffer.startswith(b"HTTP/1.1 101 "), bytes(self._buffer[:end])
            del self._buffer[: end + 4]
            self._open = True

    def _read_frame(self) -> bool:
        """Take one whole frame out of the buffer; False if there is none yet."""
        buffer = self._buffer
        if len(buffer) < 2:
            return False
        size, start = buffer[1], 2
        if size > 125:
            start = 4 if size == 126 else 10
            size = int.from_bytes(buffer[2:start])
        if len(buffer) < start + size:
            return False
        self._handle_frame(buffer[0] & 15, bytes(buffer[start : start + size]))
        del buffer[: start + size]
        return True

    def _handle_frame(self, opcode: int, payload: bytes) -> None:
        if opcode == BINARY:
            self.arrivals.add(payload)
            if not self.greeted.done():
                self.greeted.set_result(None)
        elif opcode == PING:
            self.transport.write(bytes([0x8A, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
        elif opcode == CLOSE:
            self.transport.close()


async def connect_watchers(port: int, paths: list[str], arrivals: Arrivals) -> list[SocketClient]:
    """A watcher for each path, once all of them have had a message."""
    loop = asyncio.get_running_loop()
    watchers = []
    for path in paths:
        _, watcher = await loop.create_connection(partial(SocketClient, path, arrivals), "127.0.0.1", port)
        watchers.append(watcher)
    await asyncio.gather(*(watcher.greeted for watcher in watchers))
    return watchers


# -- requests ----------------------------------------------------------------------------------


async def send_request(port: int, path: str, body: Any = None, token: str = "", *, source: str = "127.0.0.1") -> bytes:
    """One request over a connection of its own, the owner's with a token; the body of the response.

    source: the address it comes from; all that begin with 127 are this machine's.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0))
    content = b"" if body is None else msgspec.json.encode(body)
    request = REQUEST if body is None else REQUEST.replace("GET", "POST", 1)
    head = request.format(path=path).encode()
    if body is not None:
        head = head[:-2] + f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n".encode()
    if token:
        head = head[:-2] + f"Authorization: Bearer {token}\r\n\r\n".encode()
    writer.write(head + content)
    response = await read_response(reader)
    writer.close()
    return response


async def request_repeatedly(port: int, paths: Sequence[str], start: int, count: int) -> None:
    """Send `count` requests over one connection: for each of `paths` in turn, from `start` on."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for path in islice(cycle(paths), start, start + count):
        writer.write(REQUEST.format(path=path).encode())
        await read_response(reader)
    writer.close()


async def read_response(reader: asyncio.StreamReader) -> bytes:
    """The body of a successful response."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head[9:12])
    length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
    body = await reader.readexactly(int(length.partition(b":")[2]))
    assert 200 <= status < 300, body
    return body
