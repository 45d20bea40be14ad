"""Play matches that are written down, and what was written down again.

A match is fixed by its setup, its seed and its replies: replaying a record gives the same match on every machine.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import Any, Unpack

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from fairplay.core import (
    AnyEvent,
    AnyGame,
    Befell,
    Fault,
    FaultKind,
    Outcome,
    RecordError,
    RuleBookError,
    Seat,
    SetupError,
)
from fairplay.core.chance import derived
from fairplay.match.calls import rules_at_work
from fairplay.match.driver import Exchange, drive, see_event
from fairplay.match.record import UNREADABLE, Chain, Entry, Facts, Header, Last, Record, needed_format, worth_telling
from fairplay.match.referee import AnyOrder, AnyReport, Ask, Orders, referee

# -- playing -----------------------------------------------------------------------------------


def deal_state(game: AnyGame, setup: object, seed: int, seats: int) -> Any:
    """The state that `setup` and `seed` deal; raises SetupError, or RuleBookError."""
    try:
        with rules_at_work(game, SetupError):
            return game.rules.start(setup, seats, derived(seed, "deal"))
    except RuleBookError as error:
        raise error.locate(seed=seed) from error


def start_match(game: AnyGame, setup: object, seed: int, seats: int) -> Orders:
    """A referee for the match that `setup` and `seed` deal; raises SetupError."""
    return referee(game, deal_state(game, setup, seed, seats), seats, seed=seed)


def record_match(
    game: AnyGame,
    setup: object,
    seed: int,
    players: tuple[str, ...],
    write: Callable[[bytes], object],
    *,
    begun: Header | None = None,
    **facts: Unpack[Facts],
) -> Orders:
    """The same referee as `start_match`, each reply written down before it is judged.  EFFECT: calls `write` per line.

    begun: the header of a match that was cut off and goes on; it is written again as it was, even if an older
        version wrote it, unless it is of another match.
    facts: what else the header says; of the levels only those of matches in which not all are house players.
    """
    minutes = _Recorder(write)
    state = deal_state(game, setup, seed, len(players))
    facts["levels"] = worth_telling(facts.get("levels", ()))
    header = Header(1, game.name, players, msgspec.Raw(msgspec.json.encode(setup)), seed, **facts)
    header = replace(header, fairplay=needed_format(header))
    minutes.line(begun if begun is not None and _is_same_match(begun, header) else header)
    try:
        outcome = yield from referee(game, state, len(players), minutes, seed=seed)
    except RuleBookError as error:
        raise error.locate(seed=seed) from error
    minutes.line(Last(outcome))
    return outcome


def _is_same_match(begun: Header, header: Header) -> bool:
    """Is `begun` a header of the same match, maybe from an older version or another machine?"""
    return (begun.game, begun.players, begun.seed) == (header.game, header.players, header.seed)


class _Recorder:
    """Writes a record line by line; satisfies `Minutes`."""

    def __init__(self, write: Callable[[bytes], object]) -> None:
        self.chain, self.write, self.order = Chain(), write, -1

    def line(self, value: Struct) -> None:
        self.write(self.chain.line(value))

    def note_answer(self, seat: Seat, reply: object) -> None:
        self.order += 1
        if isinstance(reply, Fault):
            self.line(Entry(self.order, seat, fault=reply))
        else:
            self.line(Entry(self.order, seat, action=msgspec.Raw(msgspec.json.encode(reply))))

    def note_news(self, seat: Seat, reply: Fault | None) -> None:
        self.order += 1
        if reply is not None:
            self.line(Entry(self.order, seat, fault=reply))

    def note_chance(self, outcome: object) -> None:
        self.order += 1
        self.line(Entry(self.order, befell=msgspec.Raw(msgspec.json.encode(outcome))))


# -- replaying ---------------------------------------------------------------------------------


def replay_record(game: AnyGame, record: Record) -> Iterator[AnyEvent]:
    """Play `record` again, yielding what happens; raises RecordError if it does not fit the rules, RuleBookError.

    A record that was cut off yields what it holds.
    """
    script = Script(game, record)
    try:
        outcome = yield from drive(script.build_orders(), script.reply)
    except CutOff:
        return
    script.check_end()
    if record.outcome is None or _without_reasons(outcome) != _without_reasons(record.outcome):
        raise RecordError("the match replays to another outcome than the record claims")


def _without_reasons(outcome: Outcome) -> Outcome:
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


def exchanges_with(game: AnyGame, record: Record, seat: Seat) -> list[Exchange]:
    """Every order that went to `seat` so far, with what it replied, and all that it could see; raises RecordError."""
    script, found, numbers = Script(game, record), list[Exchange](), count()

    def reply(order: AnyOrder) -> object:
        answer = script.reply(order)
        if order.seat == seat:
            found.append((order, answer))
        return answer

    def see(report: AnyReport) -> None:
        found.append(see_event(report, next(numbers), seat))

    with suppress(CutOff):
        for _ in drive(script.build_orders(), reply, see):
            pass
    return found


class CutOff(RecordError):  # noqa: N818 - a record may end before its match did
    """There is no line left in the record."""


class Script:
    """The replies of a record, one order after the other, and what chance brought in between."""

    def __init__(self, game: AnyGame, record: Record) -> None:
        self.game, self.record, self.cut_off = game, record, record.outcome is None
        self._entries: tuple[Entry | None, ...] = (*record.entries, None)
        self._order, self._at = -1, 0

    def build_orders(self) -> Orders:
        """A referee for the recorded match, to whom chance brings what is recorded.

        Raises RecordError at its first order, or if the seed draws something else; RuleBookError.
        """
        seed, seats = self.record.header.seed, len(self.record.header.players)
        try:
            return (
                yield from referee(self.game, first_state(self.game, self.record), seats, self, seed=seed, again=True)
            )
        except RuleBookError as error:
            raise error.locate(seed=seed) from error

    def note_answer(self, seat: Seat, reply: object) -> None:
        """The answer is our own."""

    def note_news(self, seat: Seat, reply: Fault | None) -> None:
        """The reply is our own."""

    def note_chance(self, outcome: object) -> None:
        """Compare what the seed draws with the record; raises CutOff, or RecordError if it holds something else."""
        self._order += 1
        entry = self._entries[self._at]
        if entry is None and self.cut_off:
            raise CutOff
        drawn = msgspec.json.encode(outcome)
        if entry is None or entry.befell is UNSET or entry.order != self._order:
            where = "the last line" if entry is None else f"line {self._at + 2}"
            raise RecordError(f"{where}: expected order {self._order}, with what befell: {drawn.decode()}")
        self._at += 1
        if msgspec.json.decode(entry.befell) != msgspec.json.decode(drawn):
            raise RecordError(f"line {self.line}: the seed draws {drawn.decode()}, not {bytes(entry.befell).decode()}")

    def follow(self, event: AnyEvent) -> None:
        """Something happened in a match that goes on: what chance brought there is in the record, too."""
        if isinstance(event, Befell) and not self.over:
            self.note_chance(event.outcome)

    @property
    def over(self) -> bool:
        """Have all replies been given?"""
        return self._entries[self._at] is None

    def reply(self, order: AnyOrder) -> object:
        """What was replied to the next order; raises CutOff, or RecordError if the record does not fit."""
        self._order += 1
        entry = self._entries[self._at]
        if entry is not None and entry.order == self._order:
            self._at += 1
            return _reply_in(self.game, self._at + 1, entry, order)
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


def _reply_in(game: AnyGame, number: int, entry: Entry, order: AnyOrder) -> object:
    """The action or the fault of an entry, or None; raises RecordError if it does not answer `order`."""
    if entry.befell is not UNSET and game.chance_rules is None:
        raise RecordError(f"line {number}: chance after the deal, but {game.name} has none in this version")
    if entry.together != 1:
        raise RecordError(f"line {number}: choices made together, but {game.name} has none in this version")
    if entry.resigned:
        raise RecordError(f"line {number}: a resignation, which this version cannot replay")
    if entry.befell is not UNSET:
        raise RecordError(f"line {number}: order {entry.order} goes to seat {order.seat}; nothing befalls here")
    if entry.seat != order.seat:
        raise RecordError(f"line {number}: order {entry.order} goes to seat {order.seat}, not to seat {entry.seat}")
    if entry.fault is not UNSET:
        return entry.fault
    if entry.action is UNSET:
        if entry.note is not UNSET and not isinstance(order, Ask):
            return None
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


def first_replies(record: Record, replies: int) -> Record:
    """`record` cut off after so many of its replies, as a branch begins; raises RecordError if it has fewer."""
    if replies > len(record.entries):
        raise RecordError(f"the match has {len(record.entries)} replies, so that no branch can begin after {replies}")
    return Record(record.header, record.entries[:replies], None, "")


def check_branch(game: AnyGame, branch: Record, origin: Record) -> None:
    """Raises RecordError if `branch` does not begin as `origin`, which it names, was played."""
    told = branch.header.branch
    if told is None:
        raise RecordError("line 1: this match is no branch of another")
    here, there = ((setup_of(game, each.header), each.header.seed) for each in (branch, origin))
    if here != there or len(branch.header.players) != len(origin.header.players):
        raise RecordError(f"line 1: {told.match} has another setup, seed or number of seats")
    copied = first_replies(origin, told.replies).entries
    for number, (entry, other) in enumerate(zip(branch.entries, copied, strict=False), 2):
        if entry != other:
            raise RecordError(f"line {number}: {told.match} has another reply here")
    if len(branch.entries) < len(copied):
        raise RecordError(f"the record holds {len(branch.entries)} of the {len(copied)} replies of {told.match}")
