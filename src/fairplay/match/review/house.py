"""The house players of a record at their seats again: do they choose as they did, and what did they think?

What they reply follows from what they are shown and their chance.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.core import AnyGame, AnyStrategy, Fault, FaultKind, House, Seat, Seen, Turn
from fairplay.core.thinking import Clock, Thought
from fairplay.match.driver import Witnesses, drive
from fairplay.match.record import HousePlayer, Record
from fairplay.match.referee import AnyOrder, Ask
from fairplay.match.replay import CutOff, Script
from fairplay.match.review.walk import Question, can_think, walk_record

_Verdict: TypeAlias = Literal["same", "different", "not checkable"]


class HouseDifference(Struct, frozen=True):
    """A reply in a record that the house player would not have given."""

    line: int  # of the record
    recorded: msgspec.Raw  # an action, or a fault
    chosen: msgspec.Raw


class HouseCheck(Struct, frozen=True):
    """What came of letting one house player choose again."""

    seat: int
    player: HousePlayer
    verdict: _Verdict
    reason: str = ""  # why it is not checkable
    replies: int = 0  # that were compared
    differences: tuple[HouseDifference, ...] = ()


def check_house(game: AnyGame, record: Record) -> list[HouseCheck]:
    """Every house player that the record names, and whether it replied as it does here; raises RecordError.

    A player of another version, or one that is bounded by time, is not checkable: it may well choose something else.
    """
    named = {seat: player for seat, player in enumerate(record.header.house) if player is not None}
    reasons = {seat: _explain_why_not(game, player) for seat, player in named.items()}
    again = {seat: _HouseAgain(game, player) for seat, player in named.items() if not reasons[seat]}
    script = Script(game, record)

    def reply(order: AnyOrder) -> object:
        recorded = script.reply(order)
        if isinstance(order, Ask) and order.seat in again:
            again[order.seat].compare(order.view, recorded, script.line)
        return recorded

    seats = len(record.header.players)
    witnesses = Witnesses([again.get(seat) for seat in range(seats)])
    try:
        for _ in drive(script.build_orders(), reply, witnesses.witness):
            pass
    except CutOff:
        pass
    return [
        again[seat].report(seat) if seat in again else HouseCheck(seat, player, "not checkable", reasons[seat])
        for seat, player in named.items()
    ]


def _explain_why_not(game: AnyGame, player: HousePlayer) -> str:
    """Why this player cannot be asked again here; empty if it can."""
    here = game.players.versions.get(player.strategy, 1)
    if player.strategy not in game.players.strategies:
        return f"{game.name} has no house player '{player.strategy}' here"
    if player.version != here:
        return f"it was version {player.version} of {player.strategy}, and here is version {here}"
    if player.budget is not None:
        return f"it thinks for {player.budget:g} s, and how far it gets depends on the machine"
    try:
        _make_strategy(game, player)
    except (TypeError, ValueError) as error:
        return f"its options are not known here: {error}"
    return ""


def _make_strategy(game: AnyGame, player: HousePlayer) -> AnyStrategy:
    """The strategy as it sat down; raises TypeError or ValueError if its options are not known."""
    return game.players.strategies[player.strategy](Random(player.chance), **player.options)


class _HouseAgain:
    """A house player at its seat again, and what it would not have replied."""

    def __init__(self, game: AnyGame, player: HousePlayer) -> None:
        self.player, self.house = player, House(_make_strategy(game, player))
        self.saw = self.house.saw
        self.replies = 0
        self.differences: list[HouseDifference] = []

    def compare(self, view: object, recorded: object, line: int) -> None:
        """Ask it, and note what it says if it is something else."""
        try:
            chosen = self.house.choose(view)
        except Exception as crash:  # it would have crashed then too
            chosen = Fault.of(FaultKind.CRASHED, str(crash))
        self.replies += 1
        theirs, ours = _encode_reply(recorded), _encode_reply(chosen)
        if theirs != ours and not (_is_crash(recorded) and _is_crash(chosen)):
            self.differences.append(HouseDifference(line, msgspec.Raw(theirs), msgspec.Raw(ours)))

    def report(self, seat: int) -> HouseCheck:
        verdict: _Verdict = "different" if self.differences else "same"
        return HouseCheck(seat, self.player, verdict, "", self.replies, tuple(self.differences))


def _encode_reply(reply: object) -> bytes:
    """A reply as JSON: actions, faults, and whatever else a strategy may return."""
    return msgspec.json.encode(reply, enc_hook=repr)


def _is_crash(reply: object) -> bool:
    """Is this the fault of a player that crashed?"""
    return isinstance(reply, Fault) and reply.kind is FaultKind.CRASHED


# -- what they thought -------------------------------------------------------------------------


class Explanation(Struct, frozen=True):
    """What a house player thought before a turn that it took."""

    number: int  # of the turn, counted from 1 as `fairplay replay` does
    seat: Seat
    thought: Thought
    same: bool  # does it choose again what the record has?
    slipped: bool  # did it do something else than it thought best, as weak players do now and then?


class _SeatedAgain:
    """A house player at its seat again: it chooses as it did, then thinks the same again and says it."""

    def __init__(self, game: AnyGame, player: HousePlayer, clock: Clock | None = None) -> None:
        """Raises KeyError, TypeError or ValueError if the player is not known here."""
        options: dict[str, object] = dict(player.options)
        if player.budget is not None:
            options["clock"] = clock
        self.timed = player.budget is not None
        self.thinker: Any = game.players.strategies[player.strategy](Random(player.chance), **options)

    def saw(self, seen: Seen) -> None:
        """Tell it what happened."""
        self.thinker.saw(seen)

    def explain(self, question: Question) -> Explanation:
        """What it thought before a turn; of one that thinks by time, who can say why it chose something else?"""
        chosen = self.thinker.choose(question.view)
        thought = self.thinker.think(question.view, seed=chosen.seed)
        same = bool((thought if self.timed else chosen).action == question.action)
        slipped = same and not self.timed and bool(thought.action != chosen.action)
        return Explanation(question.number, question.seat, thought, same, slipped)


def seat_house(game: AnyGame, record: Record, clock: Clock | None = None) -> dict[Seat, _SeatedAgain]:
    """Those house players of a record, by seat, that are here in the same version and can say what they think.

    clock: for those that think for some time.  How far they get depends on the machine, so they may think otherwise.
    """
    seated = {}
    for seat, player in enumerate(record.header.house):
        if player is None or player.version != game.players.versions.get(player.strategy, 1):
            continue
        try:
            again = _SeatedAgain(game, player, clock)
        except (KeyError, TypeError, ValueError):
            continue
        if can_think(again.thinker):
            seated[Seat(seat)] = again
    return seated


def explain_record(game: AnyGame, record: Record, players: Mapping[Seat, _SeatedAgain]) -> Iterator[Explanation]:
    """What `players`, as `seat_house` gives them, thought before each of their turns; raises RecordError."""
    explained: list[Explanation] = []

    def explain(question: Question) -> None:
        if question.seat in players and question.action is not None:
            explained.append(players[question.seat].explain(question))

    seats = range(len(record.header.players))
    for event in walk_record(game, record, [players.get(Seat(seat)) for seat in seats], explain):
        if isinstance(event, Turn) and event.seat in players:
            yield explained.pop()
