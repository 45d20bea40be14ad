"""Sign-up over a socket: takes names until there are enough, or the waiting periods are over."""

import asyncio
import errno
import socket
import ssl
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct

from fairplay.core.established import Period, SignUp
from fairplay.net.admission import Admission, EstablishedAdmission, ProtocolName, SignedUp
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.session import PARTING
from fairplay.net.strangers import address_group
from fairplay.net.transcript import Transcript

# -- who speaks the wrong protocol -------------------------------------------------------------

RETURN_WITHIN = 5.0
"""Seconds for a client to come back with the right protocol, as `fairplay join` does, before the organiser is told."""

MOST_TOLD = 100
"""Addresses that the organiser is told of: strangers must not fill the terminal."""


class WrongProtocol(Struct, frozen=True):
    """A visitor at `address` spoke this protocol to a server of the other one."""

    address: str
    spoken: ProtocolName

    def __str__(self) -> str:
        """In words for the organiser."""
        expected = "native" if self.spoken == "established" else "established"
        return f"{self.address} spoke the {self.spoken} protocol; this server speaks the {expected} one"


class WrongProtocols:
    """Tells the organiser of each address once, and only if nobody signs up from it in the next moment."""

    def __init__(self, tell: Callable[[WrongProtocol], object]) -> None:
        self._tell = tell
        self._waiting: dict[str, tuple[WrongProtocol, asyncio.TimerHandle]] = {}
        self._told: set[str] = set()

    def note(self, visit: WrongProtocol) -> None:
        """Tell of this visit in a moment."""
        known = visit.address in self._told or visit.address in self._waiting
        if not known and len(self._told) + len(self._waiting) < MOST_TOLD:
            timer = asyncio.get_running_loop().call_later(RETURN_WITHIN, self._report, visit.address)
            self._waiting[visit.address] = visit, timer

    def forgive(self, address: str) -> None:
        """Say nothing of this address: somebody has just signed up from it."""
        _, timer = self._waiting.pop(address, (None, None))
        if timer is not None:
            timer.cancel()

    def report_all(self) -> None:
        """Tell of everyone who is still waited for."""
        for address in tuple(self._waiting):
            self._report(address)

    def _report(self, address: str) -> None:
        visit, timer = self._waiting.pop(address)
        timer.cancel()
        self._told.add(address)
        self._tell(visit)


# -- signing up --------------------------------------------------------------------------------

_BACKLOG = 1_024
PAUSE = 0.25
"""Seconds before connections are accepted again when the machine has no room for one more."""

_UNREAD = 65_536
"""Bytes that the machine keeps for a peer that does not read; left to itself it would keep megabytes."""

_RECENT = 8
"""The newest connections, this many, are not hung up on for newer ones: their names may lie there unread."""

EXHAUSTED = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class SignUpLimits(Struct, frozen=True):
    """What strangers may take up before they have signed up."""

    unnamed: int = 256  # connections without a name, in all
    per_address: int = 128  # connections of one address without a name
    players: int | None = None  # of one address who sign up without a token
    name_bytes: int = 65_536  # of a name, the blanks before it included


def open_listener(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 takes any free one.  Raises OSError, which names host and port."""
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(address)
        sock.listen(_BACKLOG)
        sock.setblocking(False)
    except OSError as error:
        sock.close()
        raise OSError(error.errno, f"cannot listen on {host} port {port}: {error.strerror or error}") from None
    return sock


class SignUpProgress(Struct, frozen=True):
    """How far sign-up has come, told whenever it changes."""

    event: Literal["joined", "left", "waiting", "too few"]
    name: str  # of the player who joined or left
    count: int  # of those who have signed up
    least: int  # that must have by the end of the period
    most: int  # with whom it starts at once
    seconds: float  # until the end of the period

    def __str__(self) -> str:
        """In words for the organiser."""
        if self.event == "too few":
            return f"too few players: {self.count} of {self.least}"
        enough = self.count >= self.least
        count = f"{self.count} of {self.most if enough else self.least}"
        if self.event == "waiting":
            return f"{count} signed up, waiting for another {self.seconds:.0f} s"
        verb = "signed up" if self.event == "joined" else "left"
        rest = "all are here" if self.count == self.most else f"{self.seconds:.0f} s left"
        return f"{self.name} {verb}, {count}, {rest}"


class PendingConnection:
    """A connection without a name."""

    __slots__ = ("address", "connection", "is_greeted", "number", "sock", "task")

    def __init__(self, number: int, address: str, sock: socket.socket, connection: PeerConnection) -> None:
        self.number, self.address, self.sock, self.connection = number, address, sock, connection
        self.is_greeted = False
        self.task: asyncio.Task[None] | None = None

    def hang_up(self) -> None:
        if not self.is_greeted:  # nobody else has taken the socket over
            self.sock.close()
        if self.task is not None and self.task is not asyncio.current_task():
            self.task.cancel()
        self.connection.close()


class SignUpServer:
    """Takes names until there are enough.  Strangers cannot crowd others out: the oldest without a name must go."""

    def __init__(
        self,
        sock: socket.socket,
        sign_up: SignUp,
        limits: SignUpLimits | None = None,
        tls: ssl.SSLContext | None = None,
        admission: Admission | None = None,
        transcript: Transcript | None = None,
        watch: Callable[[SignUpProgress | WrongProtocol], object] | None = None,
    ) -> None:
        """`watch` is told how far sign-up has come, and who speaks the wrong protocol."""
        self.watch = watch or (lambda news: None)
        self.wrong_protocols = WrongProtocols(self.watch)
        self.period, self.period_ends = sign_up.periods[0] if sign_up.periods else Period(0.0, 0), 0.0
        self.too_few: str | None = None  # why nothing is played
        self.sock, self.sign_up, self.limits, self.tls = sock, sign_up, limits or SignUpLimits(), tls
        self.admission = admission or EstablishedAdmission(sign_up.name)
        self.transcript = transcript
        self.room = read_buffer()
        self.guests: list[SignedUp] = []
        self.strangers: dict[int, PendingConnection] = {}  # by number, so the oldest first
        self.addresses: Counter[str] = Counter()  # of strangers
        self.homes: Counter[str] = Counter()  # of guests
        self.full = asyncio.Event()
        self.pausing: asyncio.TimerHandle | None = None
        self.accepted = 0
        self.closed = False  # nobody signs up any more
        if not sign_up.most:
            self.full.set()

    async def collect_players(self) -> list[SignedUp]:
        """Those who take part, in age order; nobody if they are too few.

        EFFECT: stops listening, unless they may come back.
        """
        self.open()
        enough = False
        try:
            enough = await self.wait_for_players()
        finally:
            self.closed = True
            self.wrong_protocols.report_all()
            if not (enough and self.admission.lasting):
                self.shut()
        if not enough:
            self.too_few = str(self.tell("too few"))
            await asyncio.gather(*(self.admission.dismiss(guest, self.too_few) for guest in self.guests))
            return []
        return sorted(self.guests, key=lambda guest: guest.number, reverse=self.sign_up.last_is_first)

    async def wait_for_players(self) -> bool:
        """Sit the periods out, or end them at once when everybody is there; are there enough?"""
        loop = asyncio.get_running_loop()
        for number, period in enumerate(self.sign_up.periods):
            self.period, self.period_ends = period, loop.time() + period.seconds
            if number:
                self.tell("waiting")
            try:
                async with asyncio.timeout_at(self.period_ends):
                    await self.full.wait()
            except TimeoutError:
                pass
            self.forget_lost()
            if len(self.guests) >= period.least:
                return True
        return False

    def tell(self, event: Literal["joined", "left", "waiting", "too few"], name: str = "") -> SignUpProgress:
        """Report how far sign-up has come to those who watch."""
        left = max(0.0, self.period_ends - asyncio.get_running_loop().time())
        progress = SignUpProgress(event, name, len(self.guests), self.period.least, self.sign_up.most, left)
        self.watch(progress)
        return progress

    def forget_lost(self, *, at_once: bool = False) -> None:
        """Free the places of those who went away and may not come back, or of all who are away."""
        for guest in tuple(self.guests) if not self.closed else ():
            if self.admission.is_away(guest) if at_once else self.admission.is_lost(guest):
                guest.connection.close()
                self.guests.remove(guest)
                self.homes[address_group(guest.address)] -= 1
                self.full.clear()
                self.tell("left", guest.name)

    def reopen(self, guests: Iterable[SignedUp]) -> None:
        """Let `guests` back in, who signed up before, and nobody else."""
        self.closed, self.guests = True, list(guests)
        self.open()

    def open(self) -> None:
        asyncio.get_running_loop().add_reader(self.sock, self.accept)

    def shut(self) -> None:
        """Stop listening, and hang up on everybody without a name."""
        if self.sock.fileno() >= 0:
            asyncio.get_running_loop().remove_reader(self.sock)
        if self.pausing is not None:
            self.pausing.cancel()
        self.sock.close()
        for stranger in tuple(self.strangers.values()):
            self.send_away(stranger)

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
        crowded = self.addresses[address_group(address)] >= self.limits.per_address and not self.evict(address)
        if crowded or (len(self.strangers) >= self.limits.unnamed and not self.evict(None)):
            sock.close()
            return
        connection = self.admission.connection(self.room, self.limits.name_bytes)
        connection.transcript = self.transcript
        stranger = PendingConnection(self.accepted, address, sock, connection)
        self.accepted += 1
        self.strangers[stranger.number] = stranger
        self.addresses[address_group(address)] += 1
        stranger.task = asyncio.create_task(self.greet(stranger))

    def evict(self, address: str | None) -> bool:
        """Hang up on the oldest stranger, of `address` if one is given; False if all have only just come."""
        for stranger in self.strangers.values():
            if stranger.number >= self.accepted - _RECENT:
                return False
            if address is None or address_group(address) == address_group(stranger.address):
                self.send_away(stranger)
                return True
        return False

    def send_away(self, stranger: PendingConnection) -> None:
        del self.strangers[stranger.number]
        self.leave(stranger.address)
        stranger.hang_up()

    def leave(self, address: str) -> None:
        group = address_group(address)
        self.addresses[group] -= 1
        if not self.addresses[group]:
            del self.addresses[group]

    async def greet(self, stranger: PendingConnection) -> None:
        """Wait for one name; a stranger that sends none in time, or a wrong one, is hung up on and does not count."""
        stranger.is_greeted = True
        connection, greeting = stranger.connection, None
        try:
            async with asyncio.timeout(self.sign_up.name_patience):
                stranger.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                stranger.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNREAD)
                loop = asyncio.get_running_loop()
                await loop.connect_accepted_socket(lambda: connection, stranger.sock, ssl=self.tls)
                greeting = await self.admission.read_greeting(connection)
        except (TimeoutError, OSError):
            pass  # too late, or gone already, or no TLS
        home = address_group(stranger.address)
        if len(self.guests) + 1 >= self.sign_up.most or self.is_crowded(home):
            self.forget_lost()
        place = not self.closed and not self.full.is_set()
        guest = self.admission.admit(
            stranger.number, stranger.address, connection, greeting, open=place, crowded=self.is_crowded(home)
        )
        if guest is None:
            if spoken := self.admission.other_protocol(greeting):
                self.wrong_protocols.note(WrongProtocol(stranger.address, spoken))
            await self.refuse(stranger)
            return
        self.wrong_protocols.forgive(stranger.address)
        del self.strangers[stranger.number]
        self.leave(stranger.address)
        if guest in self.guests:  # and back again: its place is counted already
            return
        self.guests.append(guest)
        self.homes[home] += 1
        self.tell("joined", guest.name)
        if len(self.guests) >= self.sign_up.most:
            self.forget_lost(at_once=True)  # nothing is played with those who have hung up while others may come
        if len(self.guests) >= self.sign_up.most:
            self.full.set()

    def is_crowded(self, home: str) -> bool:
        """Have as many players of this address signed up as may without a token?"""
        return self.limits.players is not None and self.homes[home] >= self.limits.players

    async def refuse(self, stranger: PendingConnection) -> None:
        """Hang up, giving the last words of a protocol that has some a moment to be sent."""
        if self.admission.lasting and stranger.connection.transport is not None:
            await stranger.connection.close_after_sending(PARTING)
        if stranger.number in self.strangers:
            self.send_away(stranger)
