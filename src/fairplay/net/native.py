"""Players of the native protocol, at both ends of a wire: many matches over one conversation.

A player of ours signs up over TCP or a WebSocket, plays, and comes back when it is cut off.
"""

import asyncio
import ssl
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Protocol, Union

import msgspec
from msgspec import UNSET, Struct, UnsetType

from fairplay.core import (
    AnyGame,
    ContestBegan,
    ContestEnded,
    Fault,
    FaultKind,
    House,
    Misbehaved,
    Outcome,
    Player,
    Seat,
    SeatInfo,
    Seen,
    WireError,
)
from fairplay.core.convert import as_type
from fairplay.match import protocol
from fairplay.match.calls import describe_crash
from fairplay.match.driver import Exchange
from fairplay.match.record import read_record
from fairplay.match.replay import exchanges_with
from fairplay.net.connection import GONE, PeerConnection, read_buffer
from fairplay.net.established import RETRY_EVERY, RETRY_FOR, Report, connect_to_server
from fairplay.net.framing import Lines
from fairplay.net.session import RETURNS
from fairplay.net.transcript import Transcript
from fairplay.net.websocket import client_side
from fairplay.run.inline import let_catch_up
from fairplay.run.isolation.bot_process import answer_question, tell_news

# -- the player, as the server sees it ---------------------------------------------------------


class LinePeer(Protocol):
    """The far end: is sent lines, and replies with one or faults.  It may lose its connection and come back."""

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        """The one line in reply to the last of `lines`, complete within `patience` seconds, or the fault."""
        ...

    async def ready(self) -> None:
        """Wait until it is connected, or may not come back any more."""
        ...

    def set_recap(self, recap: Callable[[], bytes] | None) -> None:
        """What a player that comes back without memory is told first, now or later; None: it is in no match."""
        ...

    def say(self, lines: bytes) -> None:
        """Send lines that want no reply."""
        ...

    def close(self, *, stays: bool = False) -> None:
        """Hang up, after the last line if that can be; one that `stays` may come back."""
        ...

    @property
    def may_return(self) -> bool:
        """Is it there, or may it come back?"""
        ...


class NativePlayer:
    """A player that signed up with `hello`; what it says is understood here or is its fault."""

    def __init__(self, game: AnyGame, peer: LinePeer, hello: protocol.Hello, patience: float) -> None:
        self.game, self.peer, self.hello, self.patience = game, peer, hello, patience
        self.talk = protocol.Conversation(game, 0, hello)
        self._before = b""  # a welcome that goes with the first line of a match
        self._seen: list[Seen] = []  # goes with the next line
        self._shown = 0  # how much of what happened it has been told
        self._asking = False  # a reply is awaited
        self._stays = False
        self._was_removed = False
        self._lines: Sequence[bytes] = ()

    def begin(self, chance: int, info: SeatInfo, lines: Sequence[bytes]) -> None:
        self.talk = protocol.Conversation(self.game, chance, self.hello, info)
        self._before = self.talk.opening()
        self._seen, self._shown = [], 0
        self._stays = False
        self._lines = lines

    @property
    def saw(self) -> Callable[[Seen], None] | None:
        """Keeps what happened for the next line; None: it does not want to know."""
        return self._seen.append if self.talk.wants_turns else None

    def _tell_seen(self) -> bytes:
        """The lines with what happened since the last one."""
        lines = b"".join(map(protocol.encode_message, self._seen))
        self._mark_as_shown()
        return lines

    def _mark_as_shown(self) -> None:
        self._shown += len(self._seen)
        self._seen.clear()

    async def ready(self) -> None:
        """It is there; from now on a new process is told what happened so far."""
        self.peer.set_recap(self._recap)
        await self.peer.ready()

    async def choose(self, view: object) -> object:
        return await self._reply(self.talk.ask, view)

    async def hear(self, news: object) -> Fault | None:
        """Tournaments are not news of a match: nothing is said of their beginning, and their end wants no reply."""
        if isinstance(news, ContestBegan):
            return None
        if isinstance(news, ContestEnded):
            self.peer.say(protocol.encode_message(protocol.Over(news.won, news.shared)))
            return None
        reply: Fault | None = await self._reply(self.talk.tell, news)
        return reply

    async def recall(self, order: object, reply: object) -> None:
        """It was there, and knows; a new process asks for it when it comes back."""
        self.talk.skip()
        self._before = b""
        self._mark_as_shown()

    async def _reply(self, spelled: Callable[[Any, float], bytes], subject: object) -> Any:
        lines, self._before = self._before + self._tell_seen() + spelled(subject, self.patience), b""
        self._asking = True
        said = await self.peer.exchange(lines, self.patience)
        self._asking = False
        if isinstance(said, Fault):
            return said
        try:
            return self.talk.reply(said)
        except Misbehaved as misbehaved:
            return misbehaved.fault

    def _recap(self) -> bytes:
        """The match so far, as this player was told it; nothing if it does not know yet that there is one."""
        if self._before:
            return b""
        known = self.talk.id - 1 if self._asking else self.talk.id
        exchanges = exchanges_with(self.game, read_record(self._lines), self.talk.info.seat)
        return self.talk.past(_select_known(exchanges, known, self._shown))

    def throw_out(self, fault: Fault, *, stays: bool = False) -> None:
        """Its author sits elsewhere and sees no table: it is told why."""
        self._stays = stays
        self.peer.set_recap(None)
        self.peer.say(protocol.encode_message(protocol.Out(fault.kind, fault.detail, stays)))

    def end(self, outcome: Outcome) -> None:
        self.peer.set_recap(None)
        self.peer.say(self._before + self._tell_seen() + self.talk.bye(outcome))
        self._before = b""

    def close(self) -> None:
        self._was_removed = True
        self.peer.close(stays=self._stays)

    @property
    def is_out(self) -> bool:
        """Was it removed, and may not come back, or was away for too long?"""
        return self._was_removed and not self.peer.may_return


def _select_known(exchanges: Iterable[Exchange], known: int, shown: int) -> Iterator[Exchange]:
    """The first `known` orders with their replies, and the first `shown` things that happened."""
    for exchange in exchanges:
        if isinstance(exchange, Seen):
            if exchange.number < shown:
                yield exchange
        elif known:
            known -= 1
            yield exchange


# -- a player of ours: what it says ------------------------------------------------------------


class ClientConversation:
    """Speaks for one player after another: each match has its own, made out of the chance that it is given."""

    def __init__(
        self,
        game: AnyGame,
        seat: Callable[[int, SeatInfo], Player],
        name: str,
        token: str | None = None,
        *,
        turns: bool = False,
        session: str | None = None,
        keep_session: Callable[[str], object] | None = None,
    ) -> None:
        """With `turns` it is told of every turn; with `session` it comes back as a new process.

        `keep_session` is given the key that brings it back.
        """
        self.game, self.seat, self.name, self.turns = game, seat, name, turns
        self.token: str | UnsetType = UNSET if token is None else token
        self.session: str | UnsetType = UNSET if session is None else session
        self.knows_match = session is None  # else it wants to be told what happened so far
        self.keep_session = keep_session
        self.removals: list[Fault] = []  # from matches, in a contest that goes on
        self.grace = 0.0
        self.player: Player | None = None
        self.answered = (0, b"")  # the last order of this match, by id, and the line that answered it
        self.seen = 0  # how much of what happened the player has been told
        self.last_message = ""  # the type of the server's last line
        self.won: bool | None = None
        self.shared = 0  # how many others share the first place
        self.over = False

    def hello(self) -> bytes:
        """The first line, whether it comes or comes back."""
        past = UNSET if self.knows_match else True
        games = (self.game.name,)
        return protocol.encode_message(
            protocol.Hello(
                protocol.VERSION, self.name, games, False, self.token, self.session, past, self.turns or UNSET
            )
        )

    def reply(self, line: bytes) -> bytes:
        """What it says to a line of the server, if anything.

        Raises WireError if that is not such a line, Misbehaved if the player crashes, ends or is thrown out.
        """
        message = _decode_server_line(line)
        self.last_message = str(message.__struct_config__.tag)
        match message:
            case protocol.Joined(session, grace):
                self.session, self.grace = session, grace
                if self.keep_session is not None:
                    self.keep_session(session)
            case protocol.Refused(reason):
                raise Misbehaved(Fault.of(FaultKind.GONE, f"the server refuses: {reason}"))
            case protocol.Out() as removed:
                self.take_removal(removed)
            case protocol.Over(won, shared):
                self.over, self.won, self.shared = True, won, shared
            case _:
                return self.reply_in_match(message)
        return b""

    def take_removal(self, removed: protocol.Out) -> None:
        """Raises Misbehaved if that is the end; otherwise the server hangs up, and we come back."""
        fault = Fault.of(removed.kind, removed.detail)
        if not removed.stays:
            raise Misbehaved(fault)
        self.removals.append(fault)

    def reply_in_match(self, message: object) -> bytes:
        """What it says to a line of a match; raises WireError or Misbehaved."""
        match message:
            case protocol.Welcome():
                self.begin(message)
            case protocol.Past(exchanges):
                self.recall(exchanges)
                self.knows_match = True
            case Seen():
                self.see(message)
            case protocol.TellMessage() | protocol.AskMessage():
                self.knows_match = True
                return self.answer(message)
            case protocol.Bye():
                let_catch_up(self.player)
        return b""

    def begin(self, welcome: protocol.Welcome) -> None:
        """A match begins; raises WireError."""
        if welcome.game != self.game.name:
            raise WireError(f"expected {self.game.name}, not {welcome.game}", "$.game")
        info = SeatInfo(Seat(welcome.seat), welcome.seats, as_type(welcome.setup, self.game.setup))
        self.player, self.answered, self.seen = self.seat(welcome.chance, info), (0, b""), 0

    def answer(self, message: protocol.AskMessage | protocol.TellMessage) -> bytes:
        """The reply to an order.  One that comes again after a break is answered as before, and not thought over."""
        if self.player is None:
            raise WireError("a question before any match began")
        if self.answered[0] != message.id:
            self.answered = message.id, self.carry_out(self.player, message)
        return self.answered[1]

    def carry_out(self, player: Player, message: protocol.AskMessage | protocol.TellMessage) -> bytes:
        """The line in reply to an order; raises WireError or Misbehaved."""
        if isinstance(message, protocol.TellMessage):
            self.tell(player, message.news)
            return protocol.encode_message(protocol.Heard(message.id))
        return msgspec.json.encode(answer_question(self.game.codec, player, message.id, message.view)) + b"\n"

    def tell(self, player: Player, news: object) -> None:
        """Let a player hear news; raises WireError or Misbehaved."""
        if not isinstance(player, House):  # which needs none
            tell_news(self.game, player, news)

    def see(self, seen: Seen) -> None:
        """Let the player know what happened.  What comes again after a break is known already."""
        take = getattr(self.player, "saw", None)
        if take is not None and seen.number == self.seen:
            self.seen += 1
            take(protocol.seen_from_json(self.game, msgspec.to_builtins(seen)))

    def recall(self, exchanges: Sequence[Any]) -> None:
        """Let the player live through what it was told and asked before; what it answers now is not sent."""
        if self.player is None:
            return
        for exchange in exchanges:
            match exchange:
                case protocol.PastTurn(view):
                    answer_question(self.game.codec, self.player, 0, view)
                case protocol.PastNews(news):
                    self.tell(self.player, news)
                case Seen():
                    self.see(exchange)


def _decode_server_line(line: bytes) -> Any:
    """The message in a line of the server; raises WireError."""
    try:
        return MESSAGES.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        message, _, path = str(error).replace("`", "").partition(" - at ")
        raise WireError(message, path or "$") from None


MESSAGES: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    Union[
        protocol.Joined,
        protocol.Refused,
        protocol.Welcome,
        Seen,
        protocol.Past,
        protocol.TellMessage,
        protocol.AskMessage,
        protocol.Bye,
        protocol.Out,
        protocol.Over,
    ]
)


# -- a player of ours: its connection ----------------------------------------------------------

LONGEST_HEARD = 16_777_216
"""Bytes of one line of a server."""

_NOTHING_SAID = "before the server said anything; perhaps it speaks the established protocol of the game"


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
            fault = await _hold_conversation(connection, visitor)
        finally:
            connection.finish()
        if fault is not GONE or visitor.session is UNSET:
            break
        retry_for = visitor.grace
        await asyncio.sleep(RETRY_EVERY)
    return None if fault is None else _name_last_message(fault, visitor.last_message)


def _name_last_message(fault: Fault, message: str) -> Fault:
    """`fault`, with the last message of the server before it, unless that is what the fault says."""
    if message in ("out", "refused"):
        return fault
    if fault is GONE and not message:
        return Fault.of(fault.kind, f"{fault.detail} {_NOTHING_SAID}")
    where = f"the server's last message was {message}" if message else "the server had sent nothing"
    return Fault.of(fault.kind, f"{fault.detail}; {where}" if fault.detail else where)


async def _hold_conversation(connection: PeerConnection, visitor: ClientConversation) -> Fault | None:
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
