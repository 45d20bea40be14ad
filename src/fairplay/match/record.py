"""A match as data: setup, seed and replies, one JSON value a line, chained by hashes.

    {"fairplay":1,"game":"fish","players":["minimax","random"],"setup":{...},"seed":7,"hash":"..."}
    {"order":4,"seat":0,"action":{"do":"place","at":[0,0]},"hash":"..."}
    {"order":9,"seat":1,"fault":{"kind":"crashed","detail":"..."},"hash":"..."}
    {"outcome":{...},"hash":"..."}
    {"signed":{"key":"...","match":"...","signature":"..."},"hash":"..."}

`order` counts the questions and the news of the referee; an order without a line was answered with nothing.
Each hash covers its line and the hash before, so a changed byte breaks the chain in the line where it stands.
The last line is there if the match was signed (see signing.py), and is not part of what was played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import count
from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from fairplay.core import AnyGame, Event, Fault, FaultKind, Outcome, RecordError, RuleBookError, Seat, Seen, SetupError
from fairplay.core.chance import derived
from fairplay.match.calls import rules_at_work
from fairplay.match.driver import drive
from fairplay.match.levels import Level, worth_telling
from fairplay.match.referee import Ask, Orders, referee
from fairplay.match.secrecy import see_event

__all__ = [
    "FORMAT",
    "SIGNED",
    "Chain",
    "Entry",
    "Header",
    "HousePlayer",
    "Record",
    "Script",
    "Signature",
    "SignedLine",
    "deal_state",
    "exchanges_with",
    "first_state",
    "read_record",
    "record_match",
    "referee_of",
    "replay_record",
    "start_match",
]

FORMAT: Final = 2
"""The newest form of a header.  One that says nothing new is written in form 1, byte for byte as it always was."""

SIGNED: Final = b'{"signed"'
"""What the line of a signature begins with."""

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises when bytes are not JSON of the expected form."""


class HousePlayer(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A house player of a match: everything that its choices follow from, besides what it is shown."""

    strategy: str
    version: int
    chance: int  # the seed of its own generator, which says nothing about that of others
    options: dict[str, int | float | str] = {}  # all of them, those that nobody set too
    budget: float | None = None  # seconds for an answer, if it thinks until they are over


class Header(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a match started from."""

    fairplay: int
    game: str
    players: tuple[str, ...]
    setup: msgspec.Raw
    seed: int
    seed_chosen: bool = False  # by a person, though a player might have guessed it; since format 2
    levels: tuple[Level, ...] = ()  # by seat; empty if all are house players, or before format 2
    house: tuple[HousePlayer | None, ...] = ()  # by seat; empty: none are named; since format 2


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The reply of one seat to one order, unless it was nothing."""

    order: int
    seat: int
    action: msgspec.Raw | UnsetType = UNSET
    fault: Fault | UnsetType = UNSET


class Last(Struct, frozen=True, forbid_unknown_fields=True):
    """How the match ended."""

    outcome: Outcome


class Signature(Struct, frozen=True, forbid_unknown_fields=True):
    """Who vouches for a record, as which match."""

    key: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]  # the public key
    match: Annotated[str, Meta(max_length=200)]
    signature: Annotated[str, Meta(pattern="^[0-9a-f]{128}$")]


class SignedLine(Struct, frozen=True, forbid_unknown_fields=True):
    """The line behind the outcome, if there is one."""

    signed: Signature


class Record(Struct, frozen=True):
    """A record read back; without an outcome the match was cut off."""

    header: Header
    entries: tuple[Entry, ...]
    outcome: Outcome | None
    fingerprint: str  # the last hash of what was played, which stands for every byte before it


# -- playing and writing -----------------------------------------------------------------------


def deal_state(game: AnyGame, setup: Any, seed: int, seats: int) -> Any:
    """The state that `setup` and `seed` deal; raises SetupError, or RuleBookError."""
    try:
        with rules_at_work(game, SetupError):
            return game.rules.start(setup, seats, derived(seed, "deal"))
    except RuleBookError as error:
        raise error.locate(seed=seed) from error


def start_match(game: AnyGame, setup: Any, seed: int, seats: int) -> Orders:
    """A referee for the match that `setup` and `seed` deal; raises SetupError."""
    return referee(game, deal_state(game, setup, seed, seats), seats)


def record_match(
    game: AnyGame,
    setup: Any,
    seed: int,
    players: tuple[str, ...],
    write: Callable[[bytes], object],
    *,
    seed_chosen: bool = False,
    levels: tuple[Level, ...] = (),
    house: tuple[HousePlayer | None, ...] = (),
    begun: Header | None = None,
) -> Orders:
    """The same referee as `match`, each reply written down before it is judged.  EFFECT: calls `write` per line.

    levels: how each seat is kept apart, unless all of them are house players.
    begun: the header of a match that was cut off and goes on; it is written again as it was, even if an older
        version wrote it, unless it is of another match.
    """
    minutes = Recorder(write)
    state = deal_state(game, setup, seed, len(players))
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    told = worth_telling(levels)
    version = FORMAT if seed_chosen or told or house else 1
    header = Header(version, game.name, players, encoded, seed, seed_chosen, told, house)
    minutes.line(begun if begun is not None and is_same_match(begun, header) else header)
    try:
        outcome = yield from referee(game, state, len(players), minutes)
    except RuleBookError as error:
        raise error.locate(seed=seed) from error
    minutes.line(Last(outcome))
    return outcome


def is_same_match(begun: Header, header: Header) -> bool:
    """Is `begun` a header of the same match, maybe from an older version or another machine?"""
    return (begun.game, begun.players, begun.seed) == (header.game, header.players, header.seed)


class Recorder:
    """Writes a record line by line; satisfies `Minutes`."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.chain, self.write, self.order = Chain(), write, -1

    def line(self, value: Struct) -> None:
        self.write(self.chain.line(value))

    def note_answer(self, seat: Seat, reply: Any) -> None:
        self.order += 1
        if isinstance(reply, Fault):
            self.line(Entry(self.order, seat, fault=reply))
        else:
            self.line(Entry(self.order, seat, action=msgspec.Raw(msgspec.json.encode(reply))))

    def note_news(self, seat: Seat, reply: Fault | None) -> None:
        self.order += 1
        if reply is not None:
            self.line(Entry(self.order, seat, fault=reply))


# -- reading and replaying ---------------------------------------------------------------------


def read_record(lines: Iterable[bytes]) -> Record:
    """The record in `lines`, its chain of hashes checked; raises RecordError naming the line that is wrong."""
    chain, fingerprint = Chain(), b""
    header: Header | None = None
    entries: list[Entry] = []
    outcome: Outcome | None = None
    for number, line in enumerate(lines, 1):
        if fingerprint or (outcome is not None and not line.startswith(SIGNED)):
            raise RecordError(f"line {number}: nothing may follow the outcome and its signature")
        before, body = chain.hash, chain.checked(number, line)
        if header is None:
            header = parse_line(number, body, Header)
            if not 1 <= header.fairplay <= FORMAT:
                raise RecordError(f"line 1: record format {header.fairplay} is not known here; expected 1 to {FORMAT}")
        elif outcome is not None:
            parse_line(number, body, SignedLine)
            fingerprint = before
        elif body.startswith(b'{"outcome"'):
            outcome = parse_line(number, body, Last).outcome
        else:
            entries.append(parse_line(number, body, Entry))
    if header is None:
        raise RecordError("the record is empty; expected a header line")
    return Record(header, tuple(entries), outcome, (fingerprint or chain.hash).decode())


def replay_record(game: AnyGame, record: Record) -> Iterator[Event[Any, Any]]:
    """Play `record` again, yielding what happens; raises RecordError if it does not fit the rules, RuleBookError.

    A record that was cut off yields what it holds.
    """
    script = Script(game, record)
    try:
        outcome = yield from drive(referee_of(game, record), script.reply)
    except CutOff:
        return
    script.check_end()
    if record.outcome is None or without_reasons(outcome) != without_reasons(record.outcome):
        raise RecordError("the match replays to another outcome than the record claims")


def without_reasons(outcome: Outcome) -> Outcome:
    """`outcome` without the words for illegal actions: a later version of the rules may say the same in other words."""
    faults = (Fault(fault.kind) if fault and fault.kind is FaultKind.ILLEGAL else fault for fault in outcome.faults)
    return replace(outcome, faults=tuple(faults))


def first_state(game: AnyGame, record: Record) -> Any:
    """The state that the recorded match began with; raises RecordError."""
    header = record.header
    if header.game != game.name:
        raise RecordError(f"this is a record of {header.game}, not of {game.name}")
    try:
        return deal_state(game, setup_of(game, header), header.seed, len(header.players))
    except SetupError as error:
        raise RecordError(f"line 1: {error}") from None


def referee_of(game: AnyGame, record: Record) -> Orders:
    """A referee for the recorded match; raises RecordError at its first order, and RuleBookError."""
    try:
        return (yield from referee(game, first_state(game, record), len(record.header.players), again=True))
    except RuleBookError as error:
        raise error.locate(seed=record.header.seed) from error


def exchanges_with(game: AnyGame, record: Record, seat: Seat) -> list[Seen | tuple[Any, Any]]:
    """Every order that went to `seat` so far, with what it replied, and all that it could see; raises RecordError."""
    script, found, numbers = Script(game, record), list[Seen | tuple[Any, Any]](), count()

    def reply(order: Any) -> Any:
        answer = script.reply(order)
        if order.seat == seat:
            found.append((order, answer))
        return answer

    def see(report: Any) -> None:
        found.append(see_event(report, next(numbers), seat))

    with suppress(CutOff):
        for _ in drive(referee_of(game, record), reply, see):
            pass
    return found


class CutOff(Exception):  # noqa: N818 - not an error: a record may end before its match did
    """There is no reply left in the record."""


class Script:
    """The replies of a record, one order after the other."""

    def __init__(self, game: AnyGame, record: Record) -> None:
        self.game, self.cut_off = game, record.outcome is None
        self._entries: tuple[Entry | None, ...] = (*record.entries, None)
        self._order, self._at = -1, 0

    @property
    def over(self) -> bool:
        """Have all replies been given?"""
        return self._entries[self._at] is None

    def reply(self, order: Any) -> Any:
        """What was replied to the next order; raises CutOff, or RecordError if the record does not fit."""
        self._order += 1
        entry = self._entries[self._at]
        if entry is not None and entry.order == self._order:
            self._at += 1
            return reply_in(self.game, self._at + 1, entry, order.seat)
        if type(order) is not Ask:
            return None
        if entry is None and self.cut_off:
            raise CutOff
        where = "the last line" if entry is None else f"line {self._at + 2}"
        raise RecordError(f"{where}: order {self._order} asks seat {order.seat}, but the record holds no answer to it")

    @property
    def line(self) -> int:
        """The number of the line with the last reply that was in the record."""
        return self._at + 1

    def check_end(self) -> None:
        """Raises RecordError if replies are left though the match is over."""
        if not self.over:
            raise RecordError(f"line {self._at + 2}: the match was already over")


def reply_in(game: AnyGame, number: int, entry: Entry, seat: Seat) -> Any:
    """The action or the fault of an entry; raises RecordError if it does not answer `seat`."""
    if entry.seat != seat:
        raise RecordError(f"line {number}: order {entry.order} goes to seat {seat}, not to seat {entry.seat}")
    if entry.fault is not UNSET:
        return entry.fault
    if entry.action is UNSET:
        raise RecordError(f"line {number}: expected an action or a fault")
    try:
        return game.action_decoder.decode(entry.action)
    except UNREADABLE as error:
        raise RecordError(f"line {number}: {error}") from None


def setup_of(game: AnyGame, header: Header) -> Any:
    """The setup in a header; raises RecordError."""
    try:
        return msgspec.json.decode(header.setup, type=game.setup)
    except UNREADABLE as error:
        raise RecordError(f"line 1: the setup is not one of {game.name}: {error}") from None


def parse_line(number: int, body: bytes, kind: type[Any]) -> Any:
    """The body of a line as a type; raises RecordError with its number."""
    try:
        return msgspec.json.decode(body, type=kind)
    except UNREADABLE as error:
        raise RecordError(f"line {number}: {error}") from None


class Chain:
    """The running hash: seals lines when writing, checks them when reading."""

    SEAL = b',"hash":"%b"}\n'
    WIDTH = 32  # hexadecimal digits

    def __init__(self) -> None:
        self.hash = b""

    def advance(self, body: bytes) -> None:
        self.hash = blake2b(self.hash + body, digest_size=self.WIDTH // 2).hexdigest().encode()

    def line(self, value: Struct) -> bytes:
        body = msgspec.json.encode(value)
        self.advance(body)
        return body[:-1] + self.SEAL % self.hash

    def checked(self, number: int, line: bytes) -> bytes:
        """The body of `line`; raises RecordError if the seal is missing or broken."""
        seal = len(self.SEAL % (b"0" * self.WIDTH))
        if not line.endswith(b"\n"):
            raise RecordError(f"line {number}: cut off in the middle")
        body = line[:-seal] + b"}"
        self.advance(body)
        if line[-seal:] != self.SEAL % self.hash:
            raise RecordError(f"line {number}: changed after it was written (its hash does not fit)")
        return body
