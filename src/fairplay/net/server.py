"""A server of the established protocols: sign-up with its waiting periods, one tournament, the result."""

from __future__ import annotations

import asyncio
import errno
import re
import socket
import ssl
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import AnyGame, Json, Period, SignUp, Standing
from fairplay.net.connection import Connection, scratch
from fairplay.net.framing import LONGEST
from fairplay.run.remote import Entrant, Keep, Remote, tournament, unrecorded

__all__ = ["Desk", "Guest", "Hosted", "Limits", "host", "listening"]

BACKLOG: Final = 1_024
PAUSE: Final = 0.25
"""Seconds before connections are accepted again where the machine has no room for one more."""

UNREAD: Final = 65_536
"""Bytes that the machine keeps for a peer that does not read; left to itself it would keep megabytes."""

RECENT: Final = 8
"""The last so many connections are not hung up on for newer ones: their names may lie there unread."""

EXHAUSTED: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class Limits(Struct, frozen=True):
    """What strangers may take up before they have signed up."""

    unnamed: int = 256  # connections without a name, in all
    per_address: int = 128  # connections of one address, named or not
    name_bytes: int = 65_536  # of a name, the blanks before it included


class Guest(Struct, frozen=True):
    """Somebody who signed up."""

    number: int  # in the order of connecting
    name: str
    connection: Connection


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes any free one.  Raises OSError."""
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(BACKLOG)
        sock.setblocking(False)
    except OSError:
        sock.close()
        raise
    return sock


class Stranger:
    """A connection without a name."""

    __slots__ = ("address", "connection", "greeted", "number", "sock", "task")

    def __init__(self, number: int, address: str, sock: socket.socket, connection: Connection) -> None:
        self.number, self.address, self.sock, self.connection = number, address, sock, connection
        self.greeted = False
        self.task: asyncio.Task[None] | None = None

    def hang_up(self) -> None:
        if not self.greeted:  # nobody else has taken the socket over
            self.sock.close()
        if self.task is not None and self.task is not asyncio.current_task():
            self.task.cancel()
        self.connection.close()


class Desk:
    """Takes names until there are enough.  Strangers cannot crowd others out: the oldest without a name must go."""

    def __init__(
        self, sock: socket.socket, sign_up: SignUp, limits: Limits | None = None, tls: ssl.SSLContext | None = None
    ) -> None:
        self.sock, self.sign_up, self.limits, self.tls = sock, sign_up, limits or Limits(), tls
        self.room = scratch()
        self.guests: list[Guest] = []
        self.strangers: dict[int, Stranger] = {}  # by number, so the oldest first
        self.addresses: Counter[str] = Counter()
        self.full = asyncio.Event()
        self.pausing: asyncio.TimerHandle | None = None
        self.accepted = 0
        if not sign_up.most:
            self.full.set()

    async def signed_up(self) -> list[Guest]:
        """Those who take part, in age order; nobody where they are too few.  EFFECT: stops listening."""
        self.open()
        try:
            enough = await self.waited()
        finally:
            self.shut()
            for stranger in tuple(self.strangers.values()):
                self.send_away(stranger)
        if not enough:
            for guest in self.guests:
                guest.connection.close()
            return []
        return sorted(self.guests, key=lambda guest: guest.number, reverse=self.sign_up.last_is_first)

    async def waited(self) -> bool:
        """Sit the periods out, or end them at once when everybody is there; are there enough?"""
        for period in self.sign_up.periods:
            try:
                async with asyncio.timeout(period.seconds):
                    await self.full.wait()
            except TimeoutError:
                pass
            if len(self.guests) >= period.least:
                return True
        return False

    def open(self) -> None:
        """Let people in."""
        asyncio.get_running_loop().add_reader(self.sock, self.accept)

    def shut(self) -> None:
        """Stop listening."""
        asyncio.get_running_loop().remove_reader(self.sock)
        if self.pausing is not None:
            self.pausing.cancel()
        self.sock.close()

    def accept(self) -> None:
        """Let one in: a flood of strangers must not keep those inside from being heard."""
        try:
            sock, address = self.sock.accept()
        except OSError as error:
            if error.errno in EXHAUSTED:
                loop = asyncio.get_running_loop()
                loop.remove_reader(self.sock)  # else this would be called again at once, and again
                self.pausing = loop.call_later(PAUSE, self.open)
            return
        sock.setblocking(False)
        self.admit(sock, str(address[0]))

    def admit(self, sock: socket.socket, address: str) -> None:
        """Make room for a newcomer at the cost of the oldest stranger, or turn it away."""
        crowded = self.addresses[address] >= self.limits.per_address and not self.evict(address)
        if crowded or (len(self.strangers) >= self.limits.unnamed and not self.evict(None)):
            sock.close()
            return
        stranger = Stranger(self.accepted, address, sock, Connection(self.room, self.limits.name_bytes))
        self.accepted += 1
        self.strangers[stranger.number] = stranger
        self.addresses[address] += 1
        stranger.task = asyncio.create_task(self.greet(stranger))

    def evict(self, address: str | None) -> bool:
        """Hang up on the oldest stranger, of `address` if one is given; False where all have only just come."""
        for stranger in self.strangers.values():
            if stranger.number >= self.accepted - RECENT:
                return False
            if address in (None, stranger.address):
                self.send_away(stranger)
                return True
        return False

    def send_away(self, stranger: Stranger) -> None:
        del self.strangers[stranger.number]
        self.addresses[stranger.address] -= 1
        if not self.addresses[stranger.address]:
            del self.addresses[stranger.address]
        stranger.hang_up()

    async def greet(self, stranger: Stranger) -> None:
        """Wait for one name; whoever gives none in time, or a wrong one, is hung up on and does not count."""
        stranger.greeted = True
        connection, name = stranger.connection, None
        try:
            async with asyncio.timeout(self.sign_up.name_patience):
                stranger.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                stranger.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNREAD)
                loop = asyncio.get_running_loop()
                await loop.connect_accepted_socket(lambda: connection, stranger.sock, ssl=self.tls)
                name = await connection.value(None)
        except (TimeoutError, OSError):
            pass  # too late, or gone already, or no TLS
        if not isinstance(name, str) or not re.fullmatch(self.sign_up.name, name) or self.full.is_set():
            self.send_away(stranger)
            return
        del self.strangers[stranger.number]
        connection.framer.longest = LONGEST
        self.guests.append(Guest(stranger.number, name, connection))
        if len(self.guests) >= self.sign_up.most:
            self.full.set()


class Hosted(Struct, frozen=True):
    """What a server has to say in the end."""

    names: tuple[str, ...]  # in age order, the house last
    standing: Standing | None  # None: no match could be played
    result: Json  # as the protocol prints it


async def host(
    game: AnyGame,
    setup: Any,
    seed: int,
    sock: socket.socket,
    *,
    sign_up: SignUp | None = None,
    patience: float | None = None,
    keep: Keep = unrecorded,
    house: Sequence[Entrant] = (),
    limits: Limits | None = None,
    tls: ssl.SSLContext | None = None,
) -> Hosted:
    """Sign players up, play one tournament, hang up on everybody.

    With a house one player is enough: the house fills up to one more than it has players.
    """
    assert game.desk is not None, f"{game.name} has no established protocol"
    rules = sign_up or game.desk.sign_up(setup)
    if house:
        rules = replace(rules, periods=tuple(Period(period.seconds, 1) for period in rules.periods))
    guests = await Desk(sock, rules, limits, tls).signed_up()
    entrants = [Entrant(guest.name, Remote(game, guest.connection, patience or game.patience)) for guest in guests]
    if guests:
        entrants += house[: max(0, len(house) + 1 - len(guests))]
    standing: Standing | None = Standing((), ())
    try:
        if entrants:
            standing = await tournament(game, setup, seed, entrants, keep)
    finally:
        for guest in guests:
            guest.connection.close()
    names = tuple(entrant.name for entrant in entrants)
    return Hosted(names, standing, game.desk.result(names, standing))
