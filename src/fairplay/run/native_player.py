"""Players of the native protocol at the far end of a wire: many matches over one conversation."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from fairplay.core import AnyGame, ContestBegan, ContestEnded, Fault, Misbehaved, Outcome, SeatInfo, Seen
from fairplay.match.protocol import Conversation, Hello, Out, Over, encode_message
from fairplay.match.record import read_record
from fairplay.match.replay import exchanges_with


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

    def __init__(self, game: AnyGame, peer: LinePeer, hello: Hello, patience: float) -> None:
        self.game, self.peer, self.hello, self.patience = game, peer, hello, patience
        self.talk = Conversation(game, 0, hello)
        self._before = b""  # a welcome that goes with the first line of a match
        self._seen: list[Seen] = []  # goes with the next line
        self._shown = 0  # how much of what happened it has been told
        self._asking = False  # a reply is awaited
        self._stays = False
        self._was_removed = False
        self._lines: Sequence[bytes] = ()

    def begin(self, chance: int, info: SeatInfo, lines: Sequence[bytes]) -> None:
        self.talk = Conversation(self.game, chance, self.hello, info)
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
        lines = b"".join(map(encode_message, self._seen))
        self._mark_as_shown()
        return lines

    def _mark_as_shown(self) -> None:
        self._shown += len(self._seen)
        self._seen.clear()

    async def ready(self) -> None:
        """It is there; from now on a new process is told what happened so far."""
        self.peer.set_recap(self._recap)
        await self.peer.ready()

    async def choose(self, view: Any) -> Any:
        return await self._reply(self.talk.ask, view)

    async def hear(self, news: object) -> Fault | None:
        """Tournaments are not news of a match: nothing is said of their beginning, and their end wants no reply."""
        if isinstance(news, ContestBegan):
            return None
        if isinstance(news, ContestEnded):
            self.peer.say(encode_message(Over(news.won, news.shared)))
            return None
        reply: Fault | None = await self._reply(self.talk.tell, news)
        return reply

    async def recall(self, order: Any, reply: Any) -> None:
        """It was there, and knows; a new process asks for it when it comes back."""
        self.talk.skip()
        self._before = b""
        self._mark_as_shown()

    async def _reply(self, spelled: Callable[[Any, float], bytes], subject: Any) -> Any:
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
        return self.talk.past(select_known(exchanges, known, self._shown))

    def throw_out(self, fault: Fault, *, stays: bool = False) -> None:
        """Its author sits elsewhere and sees no table: it is told why."""
        self._stays = stays
        self.peer.set_recap(None)
        self.peer.say(encode_message(Out(fault.kind, fault.detail, stays)))

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


def select_known(
    exchanges: Iterable[Seen | tuple[Any, Any]], known: int, shown: int
) -> Iterator[Seen | tuple[Any, Any]]:
    """The first `known` orders with their replies, and the first `shown` things that happened."""
    for exchange in exchanges:
        if isinstance(exchange, Seen):
            if exchange.number < shown:
                yield exchange
        elif known:
            known -= 1
            yield exchange
