"""How a player over a network may conduct itself, good or not, and which fault must come of it.

The numbers are those of the list of ways to misbehave.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from random import Random
from typing import Any

import msgspec
from msgspec import Struct
from websockets.protocol import OPEN

from fairplay.core import AnyGame, Fault, FaultKind
from fairplay.core.chance import below, choice
from fairplay.match.protocol import LONGEST
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.established import connect_to_server
from fairplay.net.framing import Lines
from fairplay.net.native import LONGEST_HEARD, ClientConversation
from fairplay.net.websocket import WebSocket, client_side

from .words import Terms

LOCAL = "127.0.0.1"
ROOM = read_buffer()

ILLEGAL, MALFORMED, TIMED_OUT, CRASHED, GONE, EXCEEDED = (frozenset({kind}) for kind in FaultKind)
NONE: frozenset[FaultKind | None] = frozenset({None})


async def connected(port: int, way: str) -> PeerConnection:
    def make() -> PeerConnection:
        shell = client_side(f"ws://{LOCAL}:{port}", LONGEST_HEARD) if way == "ws" else None
        return PeerConnection(ROOM, Lines(longest=LONGEST_HEARD), shell)

    return await connect_to_server(make, LOCAL, port, None, 10.0)


class Scene:
    """A player in the midst of a match, with the question that was asked and the reply that would be right."""

    def __init__(self, visitor: ClientConversation, port: int, way: str, terms: Terms, rng: Random) -> None:
        self.visitor, self.port, self.way, self.rng = visitor, port, way, rng
        self.patience, self.grace = terms.patience, terms.grace
        self.connection: PeerConnection = None  # type: ignore[assignment]  # once it is connected
        self.line = self.reply = b""

    @property
    def game(self) -> AnyGame:
        return self.visitor.game

    def send(self, line: bytes) -> None:
        self.connection.send(line.rstrip(b"\n") + b"\n")

    def raw(self, data: bytes) -> None:
        """Bytes as they are, whatever they are wrapped in."""
        if not self.connection.transport.is_closing():
            self.connection.transport.write(data)

    def frame(self, data: bytes, *, first: bool, last: bool) -> None:
        """A fragment of a message of a WebSocket, while the server listens."""
        protocol = self.websocket.protocol
        if protocol.state is OPEN:
            protocol.send_text(data, fin=last) if first else protocol.send_continuation(data, fin=last)
            self.raw(self.websocket.take_output())

    @property
    def websocket(self) -> WebSocket:
        assert isinstance(self.connection.shell, WebSocket)
        return self.connection.shell

    def reset(self) -> None:
        sock = self.connection.transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.transport.abort()

    async def back(self) -> None:
        """Come back with the session."""
        self.connection = await connected(self.port, self.way)
        self.connection.send(self.visitor.hello())


Deed = Callable[[Scene], Awaitable[bool | None]]
"""What somebody does instead of sending the right reply; True: it plays on after that."""


class Conduct(Struct, frozen=True):
    """A way to play: what is done when, and which faults may come of it."""

    deed: Deed
    faults: frozenset[FaultKind | None]
    ways: tuple[str, ...] = ("tcp", "ws")
    at: str = "ask"  # the kind of message that is replied to so
    shows_later: bool = False  # only when it is spoken to again


def saying(change: Callable[[bytes], bytes]) -> Deed:
    """Send the reply, changed."""

    async def deed(scene: Scene) -> None:
        scene.send(change(scene.reply.rstrip(b"\n")))

    return deed


def going_on(change: Callable[[bytes], bytes]) -> Deed:
    async def deed(scene: Scene) -> bool:
        scene.send(change(scene.reply.rstrip(b"\n")))
        return True

    return deed


def id_as(text: bytes) -> Deed:
    """Send the reply with this for its number."""

    def change(reply: bytes) -> bytes:
        return msgspec.json.encode({**msgspec.json.decode(reply), "id": msgspec.Raw(text)})

    return saying(change)


# -- 1 to 12: what is said ---------------------------------------------------------------------


async def torn(scene: Scene) -> bool:
    for number, byte in enumerate(reply := scene.reply):
        if scene.way == "tcp":
            scene.raw(bytes([byte]))
        elif number < len(reply) - 1:
            scene.frame(bytes([byte]), first=number == 0, last=number == len(reply) - 2)
        await asyncio.sleep(0)
    return True


async def twice(scene: Scene) -> None:
    scene.send(scene.reply)
    scene.send(scene.reply)


async def joined_up(scene: Scene) -> None:
    scene.send(scene.reply + scene.reply)


async def ahead(scene: Scene) -> None:
    reply = json.loads(scene.reply)
    scene.send(scene.reply)
    scene.send(json.dumps({**reply, "id": reply["id"] + 1}).encode())


async def unasked(scene: Scene) -> None:
    """Reply, wait for the turn of the others, and speak."""
    scene.send(scene.reply)
    await asyncio.sleep(0.05)
    scene.send(b'{"type":"heard","id":1}')


async def in_pieces(scene: Scene) -> bool:
    """A long line in pieces of 64 bytes."""
    line = b" " * 60_000 + scene.reply
    for start in range(0, len(line), 64):
        piece, last = line[start : start + 64], start + 64 >= len(line)
        scene.raw(piece) if scene.way == "tcp" else scene.frame(piece, first=start == 0, last=last)
        await asyncio.sleep(0)
    return True


async def without_end(scene: Scene) -> None:
    if scene.way == "tcp":
        scene.raw(b" " * (LONGEST + 1))
    else:
        scene.send(b" " * LONGEST + b"x")


async def fragments(scene: Scene) -> None:
    for number in range(2 + LONGEST // 1_000):
        scene.frame(b" " * 1_000, first=number == 0, last=False)
        await asyncio.sleep(0)


@cache
def illegal_actions(game: str) -> Callable[[Any], Iterable[tuple[str, Any]]]:
    """What the kit of a game says about views; the kits need more than the other processes have."""
    from kit import kit

    return kit(game).illegal


async def illegal(scene: Scene) -> None:
    view = scene.game.codec.view_from_json(json.loads(scene.line)["view"])
    _, action = choice(scene.rng, [*illegal_actions(scene.game.name)(view)])
    answer = {**json.loads(scene.reply), "action": msgspec.to_builtins(action)}
    scene.send(msgspec.json.encode(answer))


# -- 13 to 19: when it is said -----------------------------------------------------------------


async def drip(scene: Scene) -> None:
    for number in range(200):
        if scene.connection.is_lost:
            return
        if scene.way == "tcp":
            scene.raw(b" ")
        else:
            scene.frame(b" ", first=number == 0, last=False)
        await asyncio.sleep(scene.patience / 20)


async def silent(scene: Scene) -> None:
    pass


async def deaf(scene: Scene) -> None:
    """Neither speak nor read until well after the deadline."""
    scene.connection.transport.pause_reading()
    await asyncio.sleep(scene.patience * 1.2)
    scene.connection.transport.resume_reading()


async def pinging(scene: Scene) -> None:
    scene.connection.transport.pause_reading()
    ping = b"\x89\xfd" + b"mask" + b"x" * 125
    for _ in range(100):
        if scene.connection.transport.get_write_buffer_size() < 100_000:
            scene.raw(ping * 100)
        await asyncio.sleep(scene.patience / 80)
    scene.connection.close()


async def late(scene: Scene) -> None:
    """Reply when the server has said that it is too late."""
    while not isinstance(line := await scene.connection.line(None), Fault) and b'"out"' not in line:
        pass
    scene.send(scene.reply)


async def reset(scene: Scene) -> None:
    scene.reset()


async def hang_up(scene: Scene) -> None:
    scene.connection.finish()


async def half(scene: Scene) -> None:
    """Stop speaking in the midst of a reply."""
    if scene.way == "tcp":
        scene.raw(scene.reply[:-5])
        scene.connection.transport.write_eof()
    else:
        scene.raw(b"\x81\xfd")
        scene.connection.close()


async def slow_reader(scene: Scene) -> bool:
    scene.connection.transport.pause_reading()
    scene.send(scene.reply)
    await asyncio.sleep(scene.patience / 4)
    scene.connection.transport.resume_reading()
    return True


# -- 21 and 22: coming back --------------------------------------------------------------------


async def reset_and_back(scene: Scene) -> bool:
    scene.reset()
    await scene.back()
    return True


async def gone_and_back(scene: Scene) -> bool:
    scene.connection.finish()
    await asyncio.sleep(scene.grace / 4)
    await scene.back()
    return True


async def to_and_fro(scene: Scene) -> bool:
    for _ in range(5):
        scene.reset()
        await scene.back()
        await scene.connection.line(scene.patience)
    return True


async def taken_over(scene: Scene) -> bool:
    """A second connection, while the first is still there."""
    first = scene.connection
    await scene.back()
    await asyncio.sleep(0.1)
    first.close()
    return True


async def back_too_late(scene: Scene) -> None:
    scene.reset()
    await asyncio.sleep(scene.grace * 2)  # the server counts from when it saw the end
    await scene.back()


async def guessed_session(scene: Scene) -> None:
    scene.reset()
    scene.connection = await connected(scene.port, scene.way)
    scene.send(msgspec.json.encode({**json.loads(scene.visitor.hello()), "session": "a guess"}))


# -- 24: noise ---------------------------------------------------------------------------------


async def noise(scene: Scene) -> None:
    scene.raw(os.urandom(1 + below(scene.rng, 300)) + b"\n")


async def binary(scene: Scene) -> None:
    scene.websocket.protocol.send_binary(scene.reply)
    scene.raw(scene.websocket.take_output())


def framed(data: bytes) -> Deed:
    async def deed(scene: Scene) -> None:
        scene.raw(data)

    return deed


def one_back(reply: bytes) -> bytes:
    said = msgspec.json.decode(reply)
    return msgspec.json.encode({**said, "id": said["id"] - 1})


def replacing(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda reply: reply.replace(old, new, 1)


CONDUCTS: dict[str, Conduct] = {
    "1 torn": Conduct(torn, NONE),
    "2 twice in one": Conduct(joined_up, MALFORMED, shows_later=True),
    "3 escaped": Conduct(going_on(replacing(b'"answer"', b'"answ\\u0065r"')), NONE),
    "4 no UTF-8": Conduct(saying(replacing(b'"answer"', b'"\xff"')), MALFORMED),
    "4 overlong": Conduct(saying(replacing(b'"answer"', b'"\xc0\xaf"')), MALFORMED),
    "4 surrogate": Conduct(saying(replacing(b'"answer"', b'"\\ud800"')), MALFORMED),
    "4 byte order mark": Conduct(saying(lambda reply: b"\xef\xbb\xbf" + reply), MALFORMED),
    "4 NUL": Conduct(saying(lambda reply: b"\0" + reply), MALFORMED),
    "5 NaN": Conduct(id_as(b"NaN"), MALFORMED),
    "5 too large": Conduct(id_as(b"1e999"), MALFORMED),
    "5 leading zero": Conduct(id_as(b"01"), MALFORMED),
    "5 comma": Conduct(saying(lambda reply: reply[:-1] + b",}"), MALFORMED),
    "6 5,000 digits": Conduct(id_as(b"9" * 5_000), MALFORMED),
    "7 true": Conduct(id_as(b"true"), MALFORMED),
    "7 text": Conduct(id_as(b'"3"'), MALFORMED),
    "8 repeated key": Conduct(going_on(replacing(b'"id":', b'"id":77,"id":')), NONE),
    "9 unknown field": Conduct(saying(replacing(b'"id":', b'"more":1,"id":')), MALFORMED),
    "9 unknown tag": Conduct(saying(replacing(b'"answer"', b'"reply"')), MALFORMED),
    "10 deep": Conduct(saying(lambda reply: b"[" * 60_000), EXCEEDED),
    "10 deep and long": Conduct(saying(lambda reply: b'{"a":' * 20_000), EXCEEDED),
    "11 longest": Conduct(going_on(lambda reply: b" " * (LONGEST - len(reply)) + reply), NONE),
    "11 without end": Conduct(without_end, EXCEEDED),
    "11 fragments": Conduct(fragments, EXCEEDED, ("ws",)),
    "12 in pieces": Conduct(in_pieces, NONE),
    "13 drip": Conduct(drip, TIMED_OUT),
    "14 silent": Conduct(silent, TIMED_OUT),
    "14 silent at news": Conduct(silent, TIMED_OUT, at="tell"),
    "15 deaf": Conduct(deaf, TIMED_OUT),
    "16 pinging": Conduct(pinging, TIMED_OUT | GONE, ("ws",)),
    "16 slow to read": Conduct(slow_reader, NONE),
    "17 reset": Conduct(reset, GONE),
    "17 reset at news": Conduct(reset, GONE, at="tell"),
    "17 hang up": Conduct(hang_up, GONE),
    "17 half": Conduct(half, GONE),
    "18 late": Conduct(late, TIMED_OUT),
    "18 to the question before": Conduct(saying(one_back), MALFORMED),
    "19 twice": Conduct(twice, MALFORMED, shows_later=True),
    "19 twice at news": Conduct(twice, MALFORMED, at="tell"),
    "19 ahead": Conduct(ahead, MALFORMED, shows_later=True),
    "19 unasked": Conduct(unasked, MALFORMED, shows_later=True),
    "21 taken over": Conduct(taken_over, NONE),
    "22 reset and back": Conduct(reset_and_back, NONE),
    "22 gone and back": Conduct(gone_and_back, NONE),
    "22 to and fro": Conduct(to_and_fro, NONE),
    "22 back too late": Conduct(back_too_late, GONE),
    "22 guessed session": Conduct(guessed_session, GONE),
    "24 noise": Conduct(noise, MALFORMED, ("tcp",)),
    "24 noise in frames": Conduct(noise, MALFORMED | TIMED_OUT | GONE | EXCEEDED, ("ws",)),
    "24 binary": Conduct(binary, MALFORMED, ("ws",)),
    "24 unmasked": Conduct(framed(b"\x81\x02{}"), MALFORMED, ("ws",)),
    "24 unknown opcode": Conduct(framed(b"\x83\x80mask"), MALFORMED, ("ws",)),
    "24 closed": Conduct(framed(b"\x88\x80mask"), GONE, ("ws",)),
    "33 illegal": Conduct(illegal, ILLEGAL | MALFORMED),
}
GOOD = [f"good {number}" for number in range(4)]
"""Those who do nothing of the kind, and must never be thrown out."""

PLAYERS: dict[str, tuple[str, str]] = {
    f"{name} {way}": (name, way) for name, conduct in CONDUCTS.items() for way in conduct.ways
}
"""The names of those who do, each over one way only."""
