"""A player of ours that signed up over a network with the native protocol: lines in, lines out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

import msgspec
from msgspec import UNSET, UnsetType

from fairplay.core import AnyGame, Fault, FaultKind, Misbehaved, Player, WireError
from fairplay.play.protocol import (
    VERSION,
    AskMessage,
    Bye,
    Heard,
    Hello,
    Joined,
    Out,
    Over,
    Past,
    PastTurn,
    Refused,
    TellMessage,
    Welcome,
    encode_message,
)
from fairplay.run.isolation.bot_process import answer_question

__all__ = ["ClientConversation"]


class ClientConversation:
    """Speaks for one player after another: each match has its own, made out of the chance that it is given."""

    def __init__(
        self,
        game: AnyGame,
        seat: Callable[[int], Player],
        name: str,
        token: str | None = None,
        *,
        session: str | None = None,
        keep_session: Callable[[str], object] | None = None,
    ) -> None:
        """With `session` it comes back as a new process; `keep_session` is given the key that brings it back."""
        self.game, self.seat, self.name = game, seat, name
        self.token: str | UnsetType = UNSET if token is None else token
        self.session: str | UnsetType = UNSET if session is None else session
        self.knows_match = session is None  # else it wants to be told what happened so far
        self.keep_session = keep_session
        self.removals: list[Fault] = []  # from matches, in a contest that goes on
        self.grace = 0.0
        self.player: Player | None = None
        self.answered = (0, b"")  # the last question of this match, by id, and the line that answered it
        self.last_message = ""  # the type of the server's last line
        self.won: bool | None = None
        self.over = False

    def hello(self) -> bytes:
        """The first line, whether it comes or comes back."""
        past = UNSET if self.knows_match else True
        return encode_message(Hello(VERSION, self.name, (self.game.name,), False, self.token, self.session, past))

    def reply(self, line: bytes) -> bytes:
        """What it says to a line of the server, if anything.

        Raises WireError where that is not such a line, Misbehaved where the player crashes, ends or is thrown out.
        """
        message = decode_server_line(line)
        self.last_message = str(message.__struct_config__.tag)
        match message:
            case Joined(session, grace):
                self.session, self.grace = session, grace
                if self.keep_session is not None:
                    self.keep_session(session)
            case Refused(reason):
                raise Misbehaved(Fault.of(FaultKind.GONE, f"the server refuses: {reason}"))
            case Out() as removed:
                self.take_removal(removed)
            case Over(won):
                self.over, self.won = True, won
            case _:
                return self.reply_in_match(message)
        return b""

    def take_removal(self, removed: Out) -> None:
        """Raises Misbehaved where that is the end; otherwise the server hangs up, and we come back."""
        fault = Fault.of(removed.kind, removed.detail)
        if not removed.stays:
            raise Misbehaved(fault)
        self.removals.append(fault)

    def reply_in_match(self, message: Any) -> bytes:
        """What it says to a line of a match; raises WireError or Misbehaved."""
        match message:
            case Welcome(game=game, chance=chance):
                if game != self.game.name:
                    raise WireError(f"expected {self.game.name}, not {game}", "$.game")
                self.player, self.answered = self.seat(chance), (0, b"")
            case Past(exchanges):
                self.recall(exchanges)
                self.knows_match = True
            case TellMessage(id):
                self.knows_match = True
                return encode_message(Heard(id))  # views say all there is to know
            case AskMessage(id, _, view):
                self.knows_match = True
                return self.answer(id, view)
        return b""

    def answer(self, id: int, view: Any) -> bytes:
        """The answer to a question.  One that comes again after a break is answered as before, and not thought over."""
        if self.player is None:
            raise WireError("a question before any match began")
        if self.answered[0] != id:
            self.answered = id, msgspec.json.encode(answer_question(self.game.codec, self.player, id, view)) + b"\n"
        return self.answered[1]

    def recall(self, exchanges: Sequence[Any]) -> None:
        """Let the player live through what it was asked before; what it answers now is not sent."""
        for exchange in exchanges:
            if self.player is not None and isinstance(exchange, PastTurn):
                answer_question(self.game.codec, self.player, 0, exchange.view)


def decode_server_line(line: bytes) -> Any:
    """The message in a line of the server; raises WireError."""
    try:
        return MESSAGES.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        message, _, path = str(error).replace("`", "").partition(" - at ")
        raise WireError(message, path or "$") from None


MESSAGES: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    Union[Joined, Refused, Welcome, Past, TellMessage, AskMessage, Bye, Out, Over]
)
