"""Players of the native protocol at the far end of a wire: many matches over one conversation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from fairplay.core import AnyGame, ContestBegan, ContestEnded, Fault, Misbehaved, Outcome
from fairplay.play.protocol import Conversation, Hello, Out, Over, encoded

__all__ = ["LinePeer", "Native"]


class LinePeer(Protocol):
    """The far end: is sent lines, and replies with one or faults."""

    async def exchange(self, lines: bytes, patience: float) -> bytes | Fault:
        """The one line in reply to the last of `lines`, complete within `patience` seconds, or the fault."""
        ...

    def say(self, lines: bytes) -> None:
        """Send lines that want no reply."""
        ...

    def close(self) -> None:
        """Hang up, after the last line if that can be."""
        ...


class Native:
    """A player that signed up with `hello`; what it says is understood here or is its fault."""

    def __init__(self, game: AnyGame, peer: LinePeer, hello: Hello, patience: float) -> None:
        self.game, self.peer, self.hello, self.patience = game, peer, hello, patience
        self.talk = Conversation(game, 0, hello)
        self._before = b""  # a welcome that goes with the first line of a match

    def begin(self, chance: int) -> None:
        self.talk = Conversation(self.game, chance, self.hello)
        self._before = self.talk.opening()

    async def choose(self, view: Any) -> Any:
        return await self._reply(self.talk.ask, view)

    async def hear(self, news: object) -> Fault | None:
        """Tournaments are no news of a match: nothing is said of their beginning, and their end wants no reply."""
        if isinstance(news, ContestBegan):
            return None
        if isinstance(news, ContestEnded):
            self.peer.say(encoded(Over(news.won)))
            return None
        reply: Fault | None = await self._reply(self.talk.tell, news)
        return reply

    async def _reply(self, spelled: Callable[[Any, float], bytes], subject: Any) -> Any:
        lines, self._before = self._before + spelled(subject, self.patience), b""
        said = await self.peer.exchange(lines, self.patience)
        if isinstance(said, Fault):
            return said
        try:
            return self.talk.reply(said)
        except Misbehaved as misbehaved:
            return misbehaved.fault

    def throw_out(self, fault: Fault) -> None:
        """Its author sits elsewhere and sees no table: it is told why."""
        self.peer.say(encoded(Out(fault.kind, fault.detail)))

    def end(self, outcome: Outcome) -> None:
        self.peer.say(self._before + self.talk.bye(outcome))
        self._before = b""

    def close(self) -> None:
        self.peer.close()
