"""Players behind a game's established protocol, at the far end of a connection."""

from collections.abc import Sequence
from typing import Any, Protocol

from fairplay.core import AnyGame, Fault, FaultKind, Json, Outcome, SeatInfo, WireError
from fairplay.core.established import Call
from fairplay.core.game import established_of


class Peer(Protocol):
    """The far end: is called, and answers or faults."""

    async def exchange(self, call: Call, patience: float) -> Json | Fault:
        """The answer to `call`, complete within `patience` seconds from its first byte written, or the fault."""
        ...

    def close(self) -> None:
        """Hang up, whatever is still on its way."""
        ...


class EstablishedPlayer:
    """Orders become calls; what is answered is understood here, or is the player's fault."""

    def __init__(self, game: AnyGame, peer: Peer, patience: float) -> None:
        self.wire, self.peer, self.patience = established_of(game).wire, peer, patience
        self.is_out = False

    async def choose(self, view: Any) -> Any:
        answer = await self.peer.exchange(self.wire.spell_question(view), self.patience)
        if isinstance(answer, Fault):
            return answer
        try:
            return self.wire.read_action(view, answer)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, str(error))

    async def hear(self, news: object) -> Json | Fault:
        """The acknowledgement, which may say something (Trains 9.2), or the fault."""
        call = self.wire.spell_news(news)
        if call is None:
            return None
        answer = await self.peer.exchange(call, self.patience)
        if isinstance(answer, Fault):
            return answer
        try:
            self.wire.check_reply(news, answer)
        except WireError as error:
            return Fault.of(FaultKind.MALFORMED, str(error))
        return answer

    async def recall(self, order: Any, reply: Any) -> None:
        """The protocol knows no way back, so this player is not there to be told."""

    async def ready(self) -> None:
        """It is there, or it never comes back."""

    def begin(self, chance: int, info: SeatInfo, lines: Sequence[bytes]) -> None:
        """The protocol has no word for it."""

    def throw_out(self, fault: Fault, *, stays: bool = False) -> None:
        """The protocol has no word for it."""

    def end(self, outcome: Outcome) -> None:
        """The protocol has no word for it."""

    def close(self) -> None:
        """Hang up: the protocol knows no way back."""
        self.is_out = True
        self.peer.close()
