"""A player of ours that signed up over a network with the native protocol: lines in, lines out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Union

import msgspec
from msgspec import UNSET, UnsetType

from fairplay.core import AnyGame, Fault, FaultKind, Misbehaved, Player, WireError
from fairplay.play.protocol import VERSION, Ask, Bye, Heard, Hello, Joined, Out, Over, Refused, Tell, Welcome, encoded
from fairplay.run.native_player import answer

__all__ = ["Visitor"]


class Visitor:
    """Speaks for one player after another: each match has its own, made out of the chance that it is given."""

    def __init__(self, game: AnyGame, seat: Callable[[int], Player], name: str, token: str | None = None) -> None:
        self.game, self.seat, self.name = game, seat, name
        self.token: str | UnsetType = UNSET if token is None else token
        self.session: str | UnsetType = UNSET
        self.grace = 0.0
        self.player: Player | None = None
        self.won: bool | None = None
        self.over = False

    def hello(self) -> bytes:
        """The first line, whether it comes or comes back."""
        return encoded(Hello(VERSION, self.name, (self.game.name,), False, self.token, self.session))

    def reply(self, line: bytes) -> bytes:
        """What it says to a line of the server, if anything.

        Raises WireError where that is no such line, Misbehaved where the player crashes, ends or is thrown out.
        """
        match understood(line):
            case Joined(session, grace):
                self.session, self.grace = session, grace
            case Welcome(game=game, chance=chance):
                if game != self.game.name:
                    raise WireError(f"expected {self.game.name}, not {game}", "$.game")
                self.player = self.seat(chance)
            case Tell(id):
                return encoded(Heard(id))  # views say all there is to know
            case Ask(id, _, view):
                if self.player is None:
                    raise WireError("a question before any match began")
                return msgspec.json.encode(answer(self.game, self.player, id, view)) + b"\n"
            case Refused(reason):
                raise Misbehaved(Fault.of(FaultKind.GONE, f"the server refuses: {reason}"))
            case Out(kind, detail):
                raise Misbehaved(Fault.of(kind, detail))
            case Over(won):
                self.over, self.won = True, won
        return b""


def understood(line: bytes) -> Any:
    try:
        return MESSAGES.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        message, _, path = str(error).replace("`", "").partition(" - at ")
        raise WireError(message, path or "$") from None


MESSAGES: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[Joined, Refused, Welcome, Tell, Ask, Bye, Out, Over])
