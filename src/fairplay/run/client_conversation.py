"""A player of ours that signed up over a network with the native protocol: lines in, lines out."""

from collections.abc import Callable, Sequence
from typing import Any, Union

import msgspec
from msgspec import UNSET, UnsetType

from fairplay.core import AnyGame, Fault, FaultKind, House, Misbehaved, Player, Seat, SeatInfo, Seen, WireError
from fairplay.core.convert import as_type
from fairplay.match.protocol import (
    VERSION,
    AskMessage,
    Bye,
    Heard,
    Hello,
    Joined,
    Out,
    Over,
    Past,
    PastNews,
    PastTurn,
    Refused,
    TellMessage,
    Welcome,
    encode_message,
    seen_from_json,
)
from fairplay.run.inline import let_catch_up
from fairplay.run.isolation.bot_process import answer_question, tell_news


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
        return encode_message(
            Hello(VERSION, self.name, games, False, self.token, self.session, past, self.turns or UNSET)
        )

    def reply(self, line: bytes) -> bytes:
        """What it says to a line of the server, if anything.

        Raises WireError if that is not such a line, Misbehaved if the player crashes, ends or is thrown out.
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
            case Over(won, shared):
                self.over, self.won, self.shared = True, won, shared
            case _:
                return self.reply_in_match(message)
        return b""

    def take_removal(self, removed: Out) -> None:
        """Raises Misbehaved if that is the end; otherwise the server hangs up, and we come back."""
        fault = Fault.of(removed.kind, removed.detail)
        if not removed.stays:
            raise Misbehaved(fault)
        self.removals.append(fault)

    def reply_in_match(self, message: Any) -> bytes:
        """What it says to a line of a match; raises WireError or Misbehaved."""
        match message:
            case Welcome():
                self.begin(message)
            case Past(exchanges):
                self.recall(exchanges)
                self.knows_match = True
            case Seen():
                self.see(message)
            case TellMessage() | AskMessage():
                self.knows_match = True
                return self.answer(message)
            case Bye():
                let_catch_up(self.player)
        return b""

    def begin(self, welcome: Welcome) -> None:
        """A match begins; raises WireError."""
        if welcome.game != self.game.name:
            raise WireError(f"expected {self.game.name}, not {welcome.game}", "$.game")
        info = SeatInfo(Seat(welcome.seat), welcome.seats, as_type(welcome.setup, self.game.setup))
        self.player, self.answered, self.seen = self.seat(welcome.chance, info), (0, b""), 0

    def answer(self, message: AskMessage | TellMessage) -> bytes:
        """The reply to an order.  One that comes again after a break is answered as before, and not thought over."""
        if self.player is None:
            raise WireError("a question before any match began")
        if self.answered[0] != message.id:
            self.answered = message.id, self.carry_out(self.player, message)
        return self.answered[1]

    def carry_out(self, player: Player, message: AskMessage | TellMessage) -> bytes:
        """The line in reply to an order; raises WireError or Misbehaved."""
        if isinstance(message, TellMessage):
            self.tell(player, message.news)
            return encode_message(Heard(message.id))
        return msgspec.json.encode(answer_question(self.game.codec, player, message.id, message.view)) + b"\n"

    def tell(self, player: Player, news: Any) -> None:
        """Let a player hear news; raises WireError or Misbehaved."""
        if not isinstance(player, House):  # which needs none
            tell_news(self.game, player, news)

    def see(self, seen: Seen) -> None:
        """Let the player know what happened.  What comes again after a break is known already."""
        take = getattr(self.player, "saw", None)
        if take is not None and seen.number == self.seen:
            self.seen += 1
            take(seen_from_json(self.game, msgspec.to_builtins(seen)))

    def recall(self, exchanges: Sequence[Any]) -> None:
        """Let the player live through what it was told and asked before; what it answers now is not sent."""
        if self.player is None:
            return
        for exchange in exchanges:
            match exchange:
                case PastTurn(view):
                    answer_question(self.game.codec, self.player, 0, view)
                case PastNews(news):
                    self.tell(self.player, news)
                case Seen():
                    self.see(exchange)


def decode_server_line(line: bytes) -> Any:
    """The message in a line of the server; raises WireError."""
    try:
        return MESSAGES.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        message, _, path = str(error).replace("`", "").partition(" - at ")
        raise WireError(message, path or "$") from None


MESSAGES: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
    Union[Joined, Refused, Welcome, Seen, Past, TellMessage, AskMessage, Bye, Out, Over]
)
