"""Drive a referee: the one place where its orders are carried out, and where players learn what they may know.

Players that answer at once, players that are awaited, and the replies of a stored record all come this way.  What
differs is only who steps through `drive`: `run/inline.py` in one go, `run/awaited.py` in an event loop, and
`match/replay.py` when a record is replayed.
"""

from collections.abc import Callable, Generator, Sequence
from types import CoroutineType
from typing import Any, TypeAlias, Union

import msgspec

from fairplay.core import AnyEvent, AnyGame, AnyTurn, Befell, Fault, Outcome, Removed, Seat, SeatInfo, Seen
from fairplay.match.calls import call_player, rules_at_work
from fairplay.match.referee import AnyOrder, AnyReport, Orders, Report


def drive(
    orders: Orders, answer: Callable[[AnyOrder], object], witness: Callable[[AnyReport], object] | None = None
) -> Generator[Any, Any, Outcome]:
    """Carry `orders` out, each with the reply that `answer` gives to it; the outcome.

    Yields every event of the match, and every reply that is a coroutine: the caller awaits it and sends
    back what it came to.  A `witness` is shown every report before that.
    """
    reply: Any = None
    while True:
        try:
            order = orders.send(reply)
        except StopIteration as done:
            outcome: Outcome = done.value
            return outcome
        if type(order) is Report:  # quicker than isinstance, for what is asked about every order
            if witness is not None:
                try:
                    witness(order)
                except Exception as error:  # the rule book says what others may know of it
                    orders.throw(error)
            yield order.event
            reply = None
            continue
        reply = answer(order)
        if type(reply) is CoroutineType:
            reply = yield reply


# -- what players may know beyond their views --------------------------------------------------


def describe_seat(game: AnyGame, setup: object = None, seat: int = 0, seats: int | None = None) -> SeatInfo:
    """What the player on `seat` may know before a match begins; by default, of the standard game."""
    if setup is None:
        setup = next(iter(game.variants.values()))
    with rules_at_work(game):
        return SeatInfo(Seat(seat), seats or game.seats[0], game.rules.public_setup(setup))


def see_event(report: AnyReport, number: int, seat: Seat) -> Seen:
    """What `seat` may know of what is reported."""
    event = report.event
    if isinstance(event, Removed):
        return Seen(number, event.seat, None, event.fault.kind)
    if isinstance(event, Befell):
        return Seen(number, None, befell=msgspec.json.decode(msgspec.json.encode(report.public(event.outcome))))
    return Seen(number, event.seat, event.action if event.seat == seat else report.public(event.action))


def report_event(game: AnyGame, event: AnyEvent) -> AnyReport:
    """The report of an event, as the referee of `game` gives it."""
    return Report(event, game.public_outcome if isinstance(event, Befell) else game.rules.public_action)


def seen_action(game: AnyGame, turn: AnyTurn, viewer: Seat | None) -> object:
    """The action of a turn as `viewer` may know it; None: somebody who may know everything."""
    return turn.action if viewer in (None, turn.seat) else game.rules.public_action(turn.action)


def seen_fault(fault: Fault, seat: Seat, viewer: Seat | None) -> Fault:
    """A fault of `seat` as `viewer` may know it: its reason may tell what the seat knew.  None: as seen_action."""
    return fault if viewer in (None, seat) else Fault(fault.kind)


def describe_chance(game: AnyGame, befell: Befell[Any], *, open: bool = False) -> str:
    """What chance brought, as a sentence that tells what everybody may know, or everything if it is `open`."""
    outcome = befell.outcome if open else game.public_outcome(befell.outcome)
    if (describe := getattr(game.words, "describe_outcome", None)) is not None:
        return str(describe(outcome))
    if outcome is None:
        return "chance brought something that is hidden"
    return f"chance brought {outcome if isinstance(outcome, str) else msgspec.json.encode(outcome).decode()}"


Exchange: TypeAlias = Union[Seen, tuple[AnyOrder, Any]]
"""What a seat lives through: something that it sees, or an order with its reply."""


class Witnesses:
    """Those players of a match who are told of everything that happens, as long as they are in."""

    def __init__(self, players: Sequence[Any]) -> None:
        self.players = {Seat(at): player for at, player in enumerate(players) if getattr(player, "saw", None)}
        self._number = 0

    @property
    def witness(self) -> Callable[[AnyReport], None] | None:
        """What takes reports; None if nobody wants them."""
        return self._show if self.players else None

    def _show(self, report: AnyReport) -> None:
        number, self._number = self._number, self._number + 1
        if isinstance(report.event, Removed):
            self.players.pop(report.event.seat, None)
        for seat, player in self.players.items():
            if player.saw is not None:
                player.saw(see_event(report, number, seat))


Observer: TypeAlias = Callable[[Any], object]
"""Somebody who is shown the events of a match."""


class Audience:
    """Those who are shown every event; one that raises is shown no more."""

    def __init__(self, observers: Sequence[Observer]) -> None:
        self.observers = list(observers)

    def show(self, event: object) -> None:
        for observer in tuple(self.observers):
            if isinstance(call_player(observer, event), Fault):
                self.observers.remove(observer)
