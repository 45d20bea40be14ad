"""Let the house players of a record choose again: what they reply follows from what they are shown and their chance."""

from random import Random
from typing import Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.core import AnyGame, Fault, FaultKind, House, Strategy
from fairplay.match.driver import drive
from fairplay.match.record import HousePlayer, Record
from fairplay.match.referee import Ask
from fairplay.match.replay import CutOff, Script, referee_of
from fairplay.match.secrecy import Witnesses

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

    def reply(order: Any) -> Any:
        recorded = script.reply(order)
        if type(order) is Ask and order.seat in again:
            again[order.seat].compare(order.view, recorded, script.line)
        return recorded

    seats = len(record.header.players)
    witnesses = Witnesses([again.get(seat) for seat in range(seats)])
    try:
        for _ in drive(referee_of(game, record), reply, witnesses.witness):
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


def _make_strategy(game: AnyGame, player: HousePlayer) -> Strategy[Any, Any]:
    """The strategy as it sat down; raises TypeError or ValueError if its options are not known."""
    return game.players.strategies[player.strategy](Random(player.chance), **player.options)


class _HouseAgain:
    """A house player at its seat again, and what it would not have replied."""

    def __init__(self, game: AnyGame, player: HousePlayer) -> None:
        self.player, self.house = player, House(_make_strategy(game, player))
        self.saw = self.house.saw
        self.replies = 0
        self.differences: list[HouseDifference] = []

    def compare(self, view: Any, recorded: Any, line: int) -> None:
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


def _encode_reply(reply: Any) -> bytes:
    """A reply as JSON: actions, faults, and whatever else a strategy may return."""
    return msgspec.json.encode(reply, enc_hook=repr)


def _is_crash(reply: Any) -> bool:
    """Is this the fault of a player that crashed?"""
    return isinstance(reply, Fault) and reply.kind is FaultKind.CRASHED
