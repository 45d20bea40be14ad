"""What the processes of a soak say to each other, one JSON value a line."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import AsyncIterator
from typing import IO, Any

import msgspec
from msgspec import Struct

LONGEST = 2**24
"""Bytes of a line."""


class Terms(Struct, frozen=True):
    """How hard a soak is; seconds."""

    folder: str  # for the store and the programs
    matches: int  # at a time
    faulty: float  # share of the players
    thinking: float  # of a good player, on average
    patience: float  # for an answer
    programs: int  # matches of programs at a time
    pause: float  # between the beginnings of two of those
    seed: int = 1

    @property
    def grace(self) -> float:
        """Seconds to come back after a break."""
        return self.patience / 2


class Invitation(Struct, frozen=True, tag=True):
    """To a process of clients: let this player come to a table, or a stranger to where this player sits."""

    port: int
    game: str
    name: str
    way: str  # tcp or ws
    seed: int
    stranger: str = ""  # which kind; empty: the player itself


class Began(Struct, frozen=True, tag=True):
    """A match began, and must be in the store in the end."""

    contest: int
    number: int


class State(Struct, frozen=True, tag=True):
    """What the server says of itself."""

    contests: dict[str, int]
    begun: int
    stored: int
    running: int
    tasks: int
    faults: dict[str, int]  # by kind
    failures: list[str]  # of our own


class Census(Struct, frozen=True, tag=True):
    """How many objects of each type the server has."""

    objects: dict[str, int]

    def more_than(self, before: Census) -> dict[str, int]:
        """The types of which there are most more than before."""
        return dict((Counter(self.objects) - Counter(before.objects)).most_common(20))


class Seen(Struct, frozen=True, tag=True):
    """From a process of clients: somebody has left, and what was wrong."""

    who: str
    complaint: str = ""


FromServer = Invitation | Began | State | Census


def write(stream: IO[bytes] | None, message: Struct | str) -> None:
    assert stream is not None
    stream.write(msgspec.json.encode(message) + b"\n")
    stream.flush()


def say(message: Struct) -> None:
    write(sys.stdout.buffer, message)


async def heard(kind: Any) -> AsyncIterator[Any]:
    """What is said to this process, to the end."""
    reader = asyncio.StreamReader(limit=LONGEST)
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    decoder = msgspec.json.Decoder(kind)
    try:
        while line := await reader.readline():
            yield decoder.decode(line)
    finally:
        transport.close()
