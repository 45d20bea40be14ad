"""Walk through a record and let players that think look at every question of it, each from its own seat."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, TypeGuard

from msgspec import Struct

from fairplay.core import AnyEvent, AnyGame, Fault, Seat, UsageError
from fairplay.core.chance import derived
from fairplay.core.thinking import Clock, Thinker
from fairplay.match.driver import Witnesses, drive
from fairplay.match.players import house_strategy
from fairplay.match.record import Record
from fairplay.match.referee import AnyOrder, Ask, judge
from fairplay.match.replay import CutOff, Script


class Question(Struct, frozen=True):
    """A seat is asked what it does."""

    number: int  # of the turn that is asked for, counted from 1 as `fairplay replay` does
    seat: Seat
    view: Any  # all that the thinker is shown
    action: Any  # the legal action that was recorded; None: there is none


def make_thinker(
    game: AnyGame, spec: str, seat: Seat, clock: Clock | None = None, rng: Random | None = None
) -> Thinker:
    """The house player `spec`, ready to think for `seat`; raises UsageError if it cannot say what it thinks.

    Its chance is always the same, so that it thinks the same of the same match; `rng`: where it has got to.
    """
    strategy = house_strategy(game, spec, rng or draw_chance(seat), clock)
    if can_think(strategy):
        return strategy
    raise UsageError(f"'{spec}' cannot say what it thinks; '{default_reviewer(game)}' can")


def default_reviewer(game: AnyGame) -> str:
    """The house player that reviews matches, unless another one is named; raises UsageError if there is none."""
    if not game.players.reviewer:
        raise UsageError(f"{game.name} has no house player that says what it thinks")
    return game.players.reviewer


def draw_chance(seat: Seat) -> Random:
    """The generator of a thinker at the start of a review."""
    return derived(0, "review", seat)


def can_think(strategy: object) -> TypeGuard[Thinker]:
    """Is it a `Thinker`, or just a function?"""
    return all(callable(getattr(strategy, name, None)) for name in ("choose", "think", "saw"))


def seat_thinkers(game: AnyGame, spec: str, seats: int, clock: Clock | None = None) -> list[Thinker]:
    """One thinker for each seat; raises UsageError."""
    return [make_thinker(game, spec, Seat(seat), clock) for seat in range(seats)]


def walk_record(
    game: AnyGame, record: Record, thinkers: Sequence[Any], ask: Callable[[Question], object]
) -> Iterator[AnyEvent]:
    """Replay a record: everything that happens, after `ask` was given the question that led to it.

    thinkers: by seat; each is told all that its seat may see.  One without a method `saw`, such as None, is not.

    The last question of a record that was cut off is asked too.  Raises RecordError if the record does not fit.
    """
    script, witnesses, number = Script(game, record), Witnesses(thinkers), 1

    def reply(order: AnyOrder) -> object:
        try:
            recorded = script.reply(order)
        except CutOff:
            assert isinstance(order, Ask), "nothing else awaits a reply that is not there"
            ask(Question(number, order.seat, order.view, None))
            raise
        if isinstance(order, Ask):
            judged = judge(game, order.view, recorded)
            ask(Question(number, order.seat, order.view, None if isinstance(judged, Fault) else judged))
        return recorded

    try:
        for event in drive(script.build_orders(), reply, witnesses.witness):
            number += 1
            yield event
    except CutOff:
        return
