"""Who is let in: by a name in the established protocols, by a hello in the native one."""

import hmac
import re
import secrets
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias

from msgspec import UNSET, Struct

from fairplay.core import AnyGame, Fault, FaultKind, Json, Misbehaved, UsageError, WireError
from fairplay.core.names import check_name, name_key, name_shapes
from fairplay.match.protocol import LONGEST as LONGEST_LINE, Hello, Refused, encode_message, find_refusal, read_hello
from fairplay.net.connection import PeerConnection, Wrapper
from fairplay.net.established import EstablishedPlayer
from fairplay.net.framing import BLANK, LONGEST, Framer, Lines
from fairplay.net.native import NativePlayer
from fairplay.net.session import Session
from fairplay.net.strangers import hash_secret
from fairplay.net.websocket import server_side
from fairplay.run.awaited import Contender

ProtocolName: TypeAlias = Literal["established", "native"]

_NO_HELLO = "this server speaks the native protocol; expected a hello, not a JSON string"
_NO_NAME = "this server speaks the established protocol of its game; expected a name, not a hello"
_NO_WEBSOCKET = "this server speaks the established protocol of its game; expected a name, not a WebSocket"
"""What is wrong with visitors that speak the other protocol."""


class SignedUp(Struct, frozen=True, eq=False):
    """Somebody who signed up."""

    number: int  # in the order of connecting
    name: str
    connection: Any  # a Connection, or in the native protocol a Session
    address: str = ""
    hello: Hello | None = None  # of the native protocol


class Admission(Protocol):
    """What a protocol does with those who come."""

    @property
    def lasting(self) -> bool:
        """May guests come back while they play, and are others told why they may not stay?"""
        ...

    def connection(self, room: memoryview, longest: int) -> PeerConnection:
        """What reads from a stranger, as long as it has sent no more than `longest` bytes."""
        ...

    async def read_greeting(self, connection: PeerConnection) -> Any:
        """The first value of a stranger, or the fault."""
        ...

    def admit(
        self,
        number: int,
        address: str,
        connection: PeerConnection,
        greeting: Any,
        *,
        open: bool,
        crowded: bool = False,
    ) -> SignedUp | None:
        """The player who sent this greeting, new or back again; None if it may not stay.

        `greeting` is None if it took too long.  `open`: is there a place?  `crowded`: as many players of this address
        have signed up as may without a token.
        """
        ...

    def other_protocol(self, greeting: Any) -> ProtocolName | None:
        """The protocol that a stranger with this greeting speaks, if it is the one that is not spoken here."""
        ...

    def is_lost(self, guest: SignedUp) -> bool:
        """Has a guest gone away for good before the start?"""
        ...

    def is_away(self, guest: SignedUp) -> bool:
        """Has a guest hung up before the start, maybe to come back?"""
        ...

    def player(self, game: AnyGame, guest: SignedUp, patience: float) -> Contender: ...

    async def hang_up(self, guest: SignedUp) -> None:
        """Hang up on a guest at the end of all."""
        ...

    async def dismiss(self, guest: SignedUp, reason: str) -> None:
        """Hang up on a guest before anything is played."""
        ...


class EstablishedAdmission:
    """A name, as JSON; there is no reply, and nobody comes back (section 11 of each rule book)."""

    lasting = False

    def __init__(self, name: str) -> None:
        self.name = name

    def connection(self, room: memoryview, longest: int) -> PeerConnection:
        """We answer in the peer's manner: with line feeds if it sent one with its name."""
        return PeerConnection(room, Framer(longest=longest), shell_for=_refuse_websocket, line_feeds=None)

    async def read_greeting(self, connection: PeerConnection) -> Json | Fault:
        return await connection.value(None)

    def admit(
        self,
        number: int,
        address: str,
        connection: PeerConnection,
        greeting: Json,
        *,
        open: bool,
        crowded: bool = False,
    ) -> SignedUp | None:
        if _is_hello(greeting):
            connection.send(encode_message(Refused(_NO_NAME)))
        if not open or crowded or not isinstance(greeting, str) or not re.fullmatch(self.name, greeting):
            return None
        connection.framer.longest = LONGEST
        return SignedUp(number, greeting, connection, address)

    def other_protocol(self, greeting: Json) -> ProtocolName | None:
        return "native" if _is_hello(greeting) or _has_detail(greeting, _NO_WEBSOCKET) else None

    def is_lost(self, guest: SignedUp) -> bool:
        """A player that signed up and went away takes part, and fails at the first call."""
        return False

    def is_away(self, guest: SignedUp) -> bool:
        return False

    def player(self, game: AnyGame, guest: SignedUp, patience: float) -> Contender:
        return EstablishedPlayer(game, guest.connection, patience)

    async def hang_up(self, guest: SignedUp) -> None:
        guest.connection.close()

    async def dismiss(self, guest: SignedUp, reason: str) -> None:
        """The protocols have no word for it."""
        guest.connection.close()


class NativeTerms(Struct, frozen=True):
    """What a server of the native protocol asks of players, and grants them."""

    token: str | None = None  # nobody signs up without it
    grace: float = 10.0  # seconds in which a player whose connection broke may come back
    origins: tuple[str, ...] = ()  # of pages whose scripts may sign up


class NativeAdmission:
    """A hello, over bare TCP or in a WebSocket: the first byte says which."""

    lasting = True

    def __init__(self, game: AnyGame, terms: NativeTerms, setup: object = None) -> None:
        """`setup` is that of all matches; None: the standard one."""
        self.game, self.terms = game, terms
        self.setup = next(iter(game.variants.values())) if setup is None else setup
        self.guests: dict[str, SignedUp] = {}  # by the key of their name
        self._shapes: dict[str, SignedUp] = {}  # by what their names look like

    def expect(self, number: int, secret: str, hello: Hello) -> SignedUp:
        """Somebody who signed up with this server before it was started again; `secret` is a hash."""
        guest = SignedUp(number, hello.name, Session(secret, self.terms.grace), hello=hello)
        self._note(guest)
        return guest

    def _note(self, guest: SignedUp) -> None:
        self.guests[name_key(guest.name)] = guest
        self._shapes.update(dict.fromkeys(name_shapes(guest.name), guest))

    def _check_free(self, name: str) -> None:
        """Raises Misbehaved if somebody who is here has that name, or one that looks like it."""
        known = self.guests.get(name_key(name))
        if known is not None and not self.is_lost(known):
            raise _refusal_fault(f"the name '{name}' is taken; to come back, send the session key you were given")
        for shape in name_shapes(name):
            alike = self._shapes.get(shape)
            if alike is not None and not self.is_lost(alike):
                raise _refusal_fault(f"the name '{name}' looks like '{alike.name}', which is taken")

    def connection(self, room: memoryview, longest: int) -> PeerConnection:
        """A line has the same limit before and after the name."""
        return PeerConnection(room, Lines(longest=LONGEST_LINE), shell_for=partial(detect_wrapper, self.terms.origins))

    async def read_greeting(self, connection: PeerConnection) -> bytes | Fault:
        return await connection.line(None)

    def admit(
        self,
        number: int,
        address: str,
        connection: PeerConnection,
        greeting: bytes | Fault | None,
        *,
        open: bool,
        crowded: bool = False,
    ) -> SignedUp | None:
        try:
            return self.admit_hello(number, address, connection, _find_hello(greeting), open=open, crowded=crowded)
        except Misbehaved as refused:
            if connection.transport is not None:
                connection.send(encode_message(Refused(refused.fault.detail)))
            return None

    def other_protocol(self, greeting: bytes | Fault | None) -> ProtocolName | None:
        return "established" if _has_detail(greeting, _NO_HELLO) else None

    def admit_hello(
        self, number: int, address: str, connection: PeerConnection, hello: Hello, *, open: bool, crowded: bool
    ) -> SignedUp:
        """The guest; raises Misbehaved with the reason why it may not stay."""
        known = self.guests.get(name_key(hello.name))
        if hello.session is not UNSET:
            return self.readmit(known, connection, hello.session, past=hello.past is True)
        self.check(hello, open=open)
        if crowded and self.terms.token is None:
            raise _refusal_fault("as many players as may have signed up from your address already")
        self._check_free(hello.name)
        secret = secrets.token_urlsafe(24)
        session = Session(hash_secret(secret), self.terms.grace, connection)
        session.greet(secret)
        guest = SignedUp(number, hello.name, session, address, hello)
        self._note(guest)
        return guest

    def check(self, hello: Hello, *, open: bool) -> None:
        """Raises Misbehaved if a newcomer with this hello may not sign up."""
        try:
            check_name(hello.name)
        except UsageError as error:
            raise _refusal_fault(str(error)) from None
        token = "" if hello.token is UNSET else hello.token
        if self.terms.token is not None and not _same_secret(token, self.terms.token):
            raise _refusal_fault("the token is missing or wrong")
        if (reason := find_refusal(hello, self.game, self.setup)) is not None:
            raise _refusal_fault(reason)
        if not open:
            raise _refusal_fault("sign-up is over")

    def readmit(self, known: SignedUp | None, connection: PeerConnection, secret: str, *, past: bool) -> SignedUp:
        session: Session | None = None if known is None else known.connection
        if known is None or session is None or not session.opens_with(secret):
            raise _refusal_fault("there is no such session of this name")
        if not session.may_return:
            raise _refusal_fault("the session is over")
        session.come_back(connection, secret, past=past)
        return known

    def is_lost(self, guest: SignedUp) -> bool:
        session: Session = guest.connection
        return session.is_lost or session.fault is not None

    def is_away(self, guest: SignedUp) -> bool:
        session: Session = guest.connection
        return session.away_since is not None

    def player(self, game: AnyGame, guest: SignedUp, patience: float) -> Contender:
        assert guest.hello is not None
        return NativePlayer(game, guest.connection, guest.hello, patience)

    async def hang_up(self, guest: SignedUp) -> None:
        await guest.connection.hang_up()

    async def dismiss(self, guest: SignedUp, reason: str) -> None:
        guest.connection.say(encode_message(Refused(reason)))
        await guest.connection.hang_up()


def detect_wrapper(origins: tuple[str, ...], first: bytes) -> Wrapper | None:
    """A WebSocket begins with GET; no line of JSON does.  Raises WireError for a name of the established protocols."""
    if first.lstrip(BLANK).startswith(b'"'):  # a line feed, by which it would be a line, may never come
        raise WireError(_NO_HELLO)
    return server_side(origins, LONGEST_LINE) if first.startswith(b"G") else None


def _refuse_websocket(first: bytes) -> None:
    """Raises WireError for a WebSocket, in which only the native protocol is spoken."""
    if first.startswith(b"GET ") and b"websocket" in first.lower():
        raise WireError(_NO_WEBSOCKET)


def _is_hello(greeting: Json | Fault) -> bool:
    """Is this how clients of the native protocol begin?"""
    return isinstance(greeting, dict) and greeting.get("type") == Hello.__struct_config__.tag


def _has_detail(greeting: Json | Fault, detail: str) -> bool:
    """Is the greeting a fault with these words?"""
    return isinstance(greeting, Fault) and greeting.detail.startswith(detail)


def _find_hello(greeting: bytes | Fault | None) -> Hello:
    """The hello that a stranger sent; raises Misbehaved."""
    if greeting is None:
        raise _refusal_fault("no hello in time")
    if isinstance(greeting, Fault):
        raise Misbehaved(greeting)
    return read_hello(greeting)


def _refusal_fault(reason: str) -> Misbehaved:
    """What is raised when someone may not stay, with the reason."""
    return Misbehaved(Fault.of(FaultKind.MALFORMED, reason))


def _same_secret(one: str, other: str) -> bool:
    """Are these secrets equal?  Takes as long whichever byte differs."""
    return hmac.compare_digest(one.encode("utf-8", "surrogatepass"), other.encode("utf-8", "surrogatepass"))
