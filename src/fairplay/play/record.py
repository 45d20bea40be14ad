"""A match as data: setup, seed and replies, one JSON value a line, chained by hashes.

    {"fairplay":1,"game":"fish","players":["minimax","random"],"setup":{...},"seed":7,"hash":"..."}
    {"order":4,"seat":0,"action":{"do":"place","at":[0,0]},"hash":"..."}
    {"order":9,"seat":1,"fault":{"kind":"crashed","detail":"..."},"hash":"..."}
    {"outcome":{...},"hash":"..."}

`order` counts the questions and the news of the referee; an order without a line was answered with nothing.
Each hash covers its line and the hash before, so a changed byte breaks the chain in the line where it stands.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from fairplay.core import AnyGame, Event, Fault, FaultKind, Outcome, RecordError, Seat, SetupError
from fairplay.core.chance import derived
from fairplay.play.referee import Ask, Orders, Report, referee, understood

__all__ = ["FORMAT", "Entry", "Header", "Record", "deal", "dealt", "match", "read", "recorded", "replay", "resumed"]

FORMAT: Final = 1

UNREADABLE: Final = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
"""What msgspec raises where bytes are no JSON of the expected form."""


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What a match started from."""

    fairplay: int
    game: str
    players: tuple[str, ...]
    setup: msgspec.Raw
    seed: int


class Entry(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The reply of one seat to one order, unless it was nothing."""

    order: int
    seat: int
    action: msgspec.Raw | UnsetType = UNSET
    fault: Fault | UnsetType = UNSET


class Last(Struct, frozen=True, forbid_unknown_fields=True):
    """How the match ended."""

    outcome: Outcome


class Record(Struct, frozen=True):
    """A record read back; without an outcome the match was cut off."""

    header: Header
    entries: tuple[Entry, ...]
    outcome: Outcome | None
    fingerprint: str  # the last hash of the chain, which stands for every byte before it


# -- playing and writing -----------------------------------------------------------------------


def deal(game: AnyGame, setup: Any, seed: int, seats: int) -> Any:
    """The state that `setup` and `seed` deal; raises SetupError."""
    return game.rules.start(setup, seats, derived(seed, "deal"))


def match(game: AnyGame, setup: Any, seed: int, seats: int) -> Orders:
    """A referee for the match that `setup` and `seed` deal; raises SetupError."""
    return referee(game, deal(game, setup, seed, seats), seats)


def recorded(
    game: AnyGame, setup: Any, seed: int, players: tuple[str, ...], write: Callable[[bytes], object]
) -> Generator[Any, Any, Outcome]:
    """The same referee as `match`, each reply written down before it is judged.  EFFECT: calls `write` per line."""
    orders = match(game, setup, seed, len(players))
    chain = Chain()
    write(chain.line(Header(FORMAT, game.name, players, msgspec.Raw(msgspec.json.encode(setup)), seed)))
    reply: Any = None
    count = -1
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            outcome: Outcome = done.value
            write(chain.line(Last(outcome)))
            return outcome
        reply = yield order
        if isinstance(order, Report):
            continue
        count += 1
        if isinstance(order, Ask):
            reply = understood(game, reply)
        if isinstance(reply, Fault):
            write(chain.line(Entry(count, order.seat, fault=reply)))
        elif isinstance(order, Ask):
            write(chain.line(Entry(count, order.seat, action=msgspec.Raw(msgspec.json.encode(reply)))))


# -- reading and replaying ---------------------------------------------------------------------


def read(lines: Iterable[bytes]) -> Record:
    """The record in `lines`, its chain of hashes checked; raises RecordError naming the line that is wrong."""
    chain = Chain()
    header: Header | None = None
    entries: list[Entry] = []
    outcome: Outcome | None = None
    for number, line in enumerate(lines, 1):
        if outcome is not None:
            raise RecordError(f"line {number}: nothing may follow the outcome")
        body = chain.checked(number, line)
        if header is None:
            header = parsed(number, body, Header)
            if header.fairplay != FORMAT:
                raise RecordError(f"line 1: record format {header.fairplay} is not known here; expected {FORMAT}")
        elif body.startswith(b'{"outcome"'):
            outcome = parsed(number, body, Last).outcome
        else:
            entries.append(parsed(number, body, Entry))
    if header is None:
        raise RecordError("the record is empty; expected a header line")
    return Record(header, tuple(entries), outcome, chain.hash.decode())


def replay(game: AnyGame, record: Record) -> Iterator[Event[Any, Any]]:
    """Play `record` again, yielding what happens; raises RecordError where it does not fit the rules.

    A record that was cut off yields what it holds.
    """
    orders = referee(game, dealt(game, record), len(record.header.players))
    outcome = yield from carry_out(game, orders, record)
    if outcome is not None and (record.outcome is None or without_reasons(outcome) != without_reasons(record.outcome)):
        raise RecordError("the match replays to another outcome than the record claims")


def without_reasons(outcome: Outcome) -> Outcome:
    """`outcome` without the words for illegal actions: a later version of the rules may say the same in other words."""
    faults = (Fault(fault.kind) if fault and fault.kind is FaultKind.ILLEGAL else fault for fault in outcome.faults)
    return replace(outcome, faults=tuple(faults))


def resumed(game: AnyGame, record: Record, write: Callable[[bytes], object]) -> Orders:
    """The referee of a match that was cut off, going on where `record` ends; raises RecordError.

    What happened before is reported again and written again, byte for byte; nobody is asked or told anything twice.
    """
    header = record.header
    orders = recorded(game, setup_of(game, header), header.seed, header.players, write)
    entries = {entry.order: (number, entry) for number, entry in enumerate(record.entries, 2)}
    last, count, reply = max(entries, default=-1), -1, None
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome
        reply = None
        if isinstance(order, Report):
            yield order
            continue
        count += 1
        if count in entries:
            reply = answer(game, *entries[count], order.seat)
        elif count > last:
            reply = yield order
        elif isinstance(order, Ask):
            raise RecordError(f"order {count} asks seat {order.seat}, but the record holds no answer to it")


def dealt(game: AnyGame, record: Record) -> Any:
    """The state that the recorded match began with; raises RecordError."""
    header = record.header
    if header.game != game.name:
        raise RecordError(f"this is a record of {header.game}, not of {game.name}")
    try:
        return deal(game, setup_of(game, header), header.seed, len(header.players))
    except SetupError as error:
        raise RecordError(f"line 1: {error}") from None


def carry_out(game: AnyGame, orders: Orders, record: Record) -> Generator[Event[Any, Any], None, Outcome | None]:
    """Answer `orders` out of `record`; None where the record was cut off."""
    entries = iter(enumerate(record.entries, 2))
    number, entry = next(entries, (0, None))
    reply: Any = None
    count = -1
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            if entry is not None:
                raise RecordError(f"line {number}: the match was already over") from None
            outcome: Outcome = done.value
            return outcome
        reply = None
        if isinstance(order, Report):
            yield order.event
            continue
        count += 1
        if entry is not None and entry.order == count:
            reply = answer(game, number, entry, order.seat)
            number, entry = next(entries, (0, None))
        elif isinstance(order, Ask):
            if entry is None and record.outcome is None:
                return None
            where = f"line {number}" if entry else "the last line"
            raise RecordError(f"{where}: order {count} asks seat {order.seat}, but the record holds no answer to it")


def answer(game: AnyGame, number: int, entry: Entry, seat: Seat) -> Any:
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
    try:
        return msgspec.json.decode(header.setup, type=game.setup)
    except UNREADABLE as error:
        raise RecordError(f"line 1: the setup is not one of {game.name}: {error}") from None


def parsed(number: int, body: bytes, kind: type[Any]) -> Any:
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
        """The body of `line`; raises RecordError where the seal is missing or broken."""
        seal = len(self.SEAL % (b"0" * self.WIDTH))
        if not line.endswith(b"\n"):
            raise RecordError(f"line {number}: cut off in the middle")
        body = line[:-seal] + b"}"
        self.advance(body)
        if line[-seal:] != self.SEAL % self.hash:
            raise RecordError(f"line {number}: changed after it was written (its hash does not fit)")
        return body
