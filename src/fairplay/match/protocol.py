"""The native protocol: one JSON value a line, the same for every game and every way to carry it.

    program                             referee
       | -- hello ----------------------> |   version, name, games, whether it wants the legal actions, and all turns
       | <---------------------- welcome -|   version, game, a number to seed its chance with, its seat, the setup
       | <-------------------------- saw -|   what happened, if it wants to know; nothing is to be replied
       | <------------------- tell (id) --|   news; the program says `heard` with the same id
       | <-------------------- ask (id) --|   a view; the program says `answer` with the same id and an action
       | <-------------------------- bye -|   the outcome; nothing is said after it

Over a network a player signs up once and plays several matches.  Its hello is answered with `joined` or `refused`, each
match is told from `welcome` to `bye`, a player that is thrown out is told why (`out`), all others who won (`over`).

`Conversation` knows what may be said next and writes and reads the lines; who carries them is not its concern.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from typing import Annotated, Any, TypeAlias, Union

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from fairplay.core import (
    AnyGame,
    Began,
    Fault,
    FaultKind,
    Json,
    Misbehaved,
    NotationError,
    NumberError,
    Outcome,
    Score,
    SeatInfo,
    Seen,
    Tiers,
    WireError,
)
from fairplay.core.convert import as_type
from fairplay.core.game import read_short_form
from fairplay.match.driver import Exchange, describe_seat

VERSION = 1

LONGEST = 65_536
"""Bytes of one line that a program may say."""

MOST_LEGAL = 20_000
"""Legal actions that an `ask` offers; if there are more, it offers none."""

EVERY_GAME = "*"
"""Among the games of a hello: whatever is played."""

_SHOWN = 80
"""Bytes of a line that a fault quotes."""

_Number: TypeAlias = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A whole number that every language can hold."""

Word: TypeAlias = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^(?! )[ -~]*[!-~]$(?!\n)")]
"""Plain printable ASCII, neither beginning nor ending with a blank: it is shown in tables and pages."""

_Secret: TypeAlias = Annotated[str, Meta(min_length=1, max_length=256)]
"""What only one side and the other know."""


_Variants: TypeAlias = Annotated[
    dict[Word, Annotated[tuple[Word, ...], Meta(min_length=1, max_length=100)]], Meta(max_length=100)
]
"""Names of variants by game."""


# -- what a program says -----------------------------------------------------------------------


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first line of a program: what it speaks, who it is, what it plays."""

    version: _Number
    name: Word
    games: Annotated[tuple[Word, ...], Meta(min_length=1, max_length=100)]  # names, or "*" for every game
    legal: bool = False  # wants the legal actions in every `ask`
    token: _Secret | UnsetType = UNSET  # over a network: what the server wants to see before it lets anybody in
    session: _Secret | UnsetType = UNSET  # over a network: comes back, with what `joined` said
    past: bool | UnsetType = UNSET  # over a network: comes back as a new process, and wants to know what happened
    turns: bool | UnsetType = UNSET  # wants to be told of every turn of every seat, with `saw`
    variants: _Variants | UnsetType = UNSET  # those that it plays of some of its games; of the others it plays all


class Heard(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="heard"):
    """The reply to a `tell`."""

    id: _Number


class Answer(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="answer"):
    """The reply to an `ask`: an action of the game, as an object, as a short text or as a number."""

    id: _Number
    action: Json


# -- what a program is told --------------------------------------------------------------------


class Joined(Struct, frozen=True, tag_field="type", tag="joined"):
    """Over a network: you are signed up; with `session` you may come back within `grace` seconds."""

    session: str
    grace: float


class Refused(Struct, frozen=True, tag_field="type", tag="refused"):
    """Over a network: you are not signed up, and the server hangs up."""

    reason: str


class Out(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="out"):
    """Over a network: you are thrown out, and the server hangs up."""

    kind: FaultKind
    detail: str
    stays: bool = False  # out of this match alone: come back with your session for the next one


class PastNews(Struct, frozen=True, tag_field="type", tag="tell"):
    """Something that you were told."""

    news: Json


class PastTurn(Struct, frozen=True, tag_field="type", tag="ask"):
    """Something that you were asked, and what you answered."""

    view: Json
    action: Json


class Past(Struct, frozen=True, tag_field="type", tag="past"):
    """Over a network: what you were told and asked so far in the match that goes on; nothing is to be replied."""

    exchanges: tuple[PastNews | PastTurn | Seen, ...]


class Over(Struct, frozen=True, omit_defaults=True, tag_field="type", tag="over"):
    """Over a network: the tournament is over, and the server hangs up."""

    won: bool  # alone, or sharing the first place
    shared: _Number = 0  # how many others share it; left out if nobody does


class Welcome(Struct, frozen=True, tag_field="type", tag="welcome"):
    """A match begins."""

    version: _Number
    game: str
    chance: _Number  # a seed of the program's own: the same when the same match is played again
    seat: _Number  # where you sit, from 0 in turn order
    seats: _Number  # how many there are
    variant: str
    setup: Json  # what was chosen for this match, without what players may not know
    numbers: str | UnsetType = UNSET  # the version of the numbers of its actions, for games that have them


class TellMessage(Struct, frozen=True, tag_field="type", tag="tell"):
    """News; `heard` is due within `deadline` seconds."""

    id: _Number
    deadline: float
    news: Json


class AskMessage(Struct, frozen=True, tag_field="type", tag="ask"):
    """A question; `answer` is due within `deadline` seconds."""

    id: _Number
    deadline: float
    view: Json
    legal: Json | UnsetType = UNSET


class Ending(Struct, frozen=True):
    """How the match ended, by seat.  Of the faults of others a program learns the kind, not the words."""

    ranking: Tiers
    scores: tuple[Score | None, ...]
    faults: tuple[FaultKind | None, ...]
    ending: str

    @staticmethod
    def of(outcome: Outcome) -> Ending:
        kinds = tuple(None if fault is None else fault.kind for fault in outcome.faults)
        return Ending(outcome.ranking, outcome.scores, kinds, outcome.ending)


class Bye(Struct, frozen=True, tag_field="type", tag="bye"):
    """The last line of a match."""

    outcome: Ending


# -- a conversation ----------------------------------------------------------------------------


class Conversation:
    """One program in one match: what it is told, as lines, and what it said, judged and decoded."""

    def __init__(
        self, game: AnyGame, chance: int = 0, hello: Hello | None = None, info: SeatInfo | None = None
    ) -> None:
        self.game, self.chance, self.hello = game, chance, hello
        self.info = info or describe_seat(game)
        self.id = 0
        self.asked: object = None  # the view, if the line that is awaited is an answer, not an acknowledgement
        self._decoder = _reply_decoder(game.actions, numbered=game.parts.numbers is not None)

    def welcome(self, line: bytes) -> bytes:
        """The reply to the first line of a program; raises Misbehaved if that is not a fitting hello."""
        self.hello = read_hello(line)
        if (reason := find_refusal(self.hello, self.game, self.info.setup)) is not None:
            raise _malformed_fault(reason)
        return self.opening()

    def opening(self) -> bytes:
        """The first line of a match."""
        seat, seats, setup = self.info.seat, self.info.seats, self.info.setup
        numbers = UNSET if self.game.parts.numbers is None else self.game.parts.numbers.VERSION
        return encode_message(Welcome(VERSION, self.game.name, self.chance, seat, seats, setup.variant, setup, numbers))

    @property
    def wants_turns(self) -> bool:
        """Has it asked to be told of every turn?"""
        return self.hello is not None and self.hello.turns is True

    def tell(self, news: object, deadline: float) -> bytes:
        """The line that tells `news`."""
        self.id, self.asked = self.id + 1, None
        return encode_message(TellMessage(self.id, deadline, news_to_json(self.game, news)))

    def ask(self, view: object, deadline: float) -> bytes:
        """The line that asks for the decision that `view` awaits."""
        self.id, self.asked = self.id + 1, view
        legal: Json | UnsetType = UNSET
        if self.hello is not None and self.hello.legal:
            actions = self.game.rules.legal_actions(view)
            legal = [*actions] if len(actions) <= MOST_LEGAL else UNSET
        return encode_message(AskMessage(self.id, deadline, self.game.codec.view_to_json(view), legal))

    def reply(self, line: bytes) -> object:
        """The action that `line` answers, None for an acknowledgement; raises Misbehaved."""
        said = _decode_message(self._decoder, line)
        if said.id != self.id:
            raise _malformed_fault(f"it replies to {said.id}, but {self.id} is awaited", "$.id")
        if (self.asked is None) is not isinstance(said, Heard):
            raise _malformed_fault(f"expected {'heard' if self.asked is None else 'answer'}", "$.type")
        return None if self.asked is None else self._read_action(said.action)

    def _read_action(self, action: object) -> object:
        """An action, which may be a short text or a number; raises Misbehaved."""
        if not isinstance(action, (str, int)):
            return action
        try:
            return read_short_form(self.game, action, self.asked)
        except (NotationError, NumberError) as error:
            raise _malformed_fault(str(error), "$.action") from None

    def skip(self) -> None:
        """An exchange that lies in the past counts, and is not repeated."""
        self.id += 1

    def past(self, exchanges: Iterable[Exchange]) -> bytes:
        """The lines for a player that comes back without memory: these orders with its replies, and what it saw."""
        return self.opening() + encode_message(Past(tuple(map(self._recall, exchanges))))

    def _recall(self, exchange: Exchange) -> PastNews | PastTurn | Seen:
        if isinstance(exchange, Seen):
            return exchange
        order, reply = exchange
        if hasattr(order, "view"):
            return PastTurn(self.game.codec.view_to_json(order.view), msgspec.to_builtins(reply))
        return PastNews(news_to_json(self.game, order.news))

    def bye(self, outcome: Outcome) -> bytes:
        return encode_message(Bye(Ending.of(outcome)))


def read_hello(line: bytes) -> Hello:
    """The hello in `line`; raises Misbehaved."""
    hello: Hello = _decode_message(_HELLO, line)
    if hello.version != VERSION:
        raise _malformed_fault(f"it speaks version {hello.version} of the protocol; expected {VERSION}", "$.version")
    return hello


def find_refusal(hello: Hello, game: AnyGame, setup: Any) -> str | None:
    """Why a program that says this hello cannot play this match, or None."""
    if not {game.name, EVERY_GAME} & {*hello.games}:
        return f"{game.name} is played here, not {', '.join(hello.games)}"
    variants = {} if hello.variants is UNSET else hello.variants
    if setup.variant in variants.get(game.name, (setup.variant,)):
        return None
    return f"{setup.variant} {game.name} is played here, not {', '.join(variants[game.name])}"


def news_to_json(game: AnyGame, news: object) -> Json:
    """Any news of any game: its fields, and the name of its struct as the tag `news`."""
    if isinstance(news, Began):
        return {"news": "Began", "view": game.codec.view_to_json(news.view)}
    return {"news": type(news).__name__, **msgspec.to_builtins(news)}


def news_from_json(game: AnyGame, value: Json) -> object:
    """The news that `news_to_json` wrote; raises WireError."""
    name = value.get("news") if isinstance(value, dict) else None
    kind = next((kind for kind in game.news if kind.__name__ == name), None)
    if kind is None:
        raise WireError(f"expected news of {game.name}", "$.news")
    return Began(game.codec.view_from_json(value.get("view"))) if kind is Began else as_type(value, kind)


def seen_from_json(game: AnyGame, value: Json) -> Seen:
    """What a `saw` line says, with the action of its game; raises WireError."""
    seen: Seen = as_type(value, Seen)
    return seen if seen.action is None else replace(seen, action=as_type(seen.action, Union[game.actions]))


def unsolicited_fault(data: bytes, reply: bytes = b"") -> Misbehaved:
    """The fault of a program that speaks when nothing was asked, or more than the `reply` that was.

    If the reply itself is not a message, that is the line its author did not mean to send.
    """
    if reply and not _is_object(reply):
        return _malformed_fault(f"expected one JSON value a line, got {_quote_line(reply.rstrip())}{_HINT}")
    return _malformed_fault(f"it speaks unasked: {_quote_line(data)}{_HINT}")


def _is_object(line: bytes) -> bool:
    """Is this line a JSON object?"""
    try:
        return isinstance(msgspec.json.decode(line), dict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False


def _decode_message(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    """The message in `line`; raises Misbehaved with the place of what is wrong."""
    try:
        return _decode_last_keys(decoder, line)
    except msgspec.ValidationError as error:
        message, _, path = str(error).replace("`", "").partition(" - at ")
        raise _malformed_fault(message, path or "$") from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise _malformed_fault(f"expected one JSON value a line, got {_quote_line(line)}{_HINT}") from None


def _decode_last_keys(decoder: msgspec.json.Decoder[Any], line: bytes) -> Any:
    """The message in `line`; of a repeated key only the last value counts, and only that must be right."""
    try:
        return decoder.decode(line)
    except msgspec.ValidationError as error:
        with suppress(msgspec.MsgspecError, RecursionError):
            return msgspec.convert(msgspec.json.decode(line), decoder.type)
        raise error


def _malformed_fault(message: str, path: str = "$") -> Misbehaved:
    """What is raised for a line that cannot be understood."""
    return Misbehaved(Fault.of(FaultKind.MALFORMED, f"{message} at {path}"))


def _quote_line(data: bytes) -> str:
    """The beginning of what a program said, in plain ASCII, unless it may hold a secret: faults are recorded."""
    if any(field in data for field in _SECRETS):
        return "a line with a token or a session"
    shown = ascii(data[:_SHOWN].decode("utf-8", "replace"))
    return shown if len(data) <= _SHOWN else f"{shown}..."


_SECRETS = (b'"token"', b'"session"')
_HINT = " (text for people belongs on standard error)"

_HELLO = msgspec.json.Decoder(Hello)
_ENCODER = msgspec.json.Encoder()


def encode_message(message: Struct) -> bytes:
    """A message as one line."""
    return _ENCODER.encode(message) + b"\n"


@cache
def _answer_type(actions: tuple[type[Any], ...], *, numbered: bool) -> type[Struct]:
    """`Answer` with the actions of one game, so that every field is checked in one go."""
    short = (str, _Number) if numbered else (str,)
    fields = [("id", _Number), ("action", Union[(*actions, *short)])]
    options: dict[str, Any] = {"frozen": True, "forbid_unknown_fields": True, "tag_field": "type", "tag": "answer"}
    return msgspec.defstruct("Answer", fields, **options)


@cache
def _reply_decoder(actions: tuple[type[Any], ...], *, numbered: bool) -> msgspec.json.Decoder[Any]:
    """Reads whatever a program may say after its hello."""
    return msgspec.json.Decoder(Union[Heard, _answer_type(actions, numbered=numbered)])
