"""What the house players of a match thought: they are seated again with the same chance, and asked to say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from msgspec import Struct

from fairplay.core import AnyGame, Seat, Turn
from fairplay.match.record import HousePlayer, Record
from fairplay.match.review.walk import Question, can_think, walk_record
from fairplay.parts.thinking import Clock, Thinker, Thought

__all__ = ["Explanation", "explain_record", "seat_house"]


class Explanation(Struct, frozen=True):
    """What a house player thinks before a turn that it took."""

    number: int  # of the turn, counted from 1 as `fairplay replay` does
    seat: Seat
    thought: Thought
    same: bool  # does it choose again what the record has?


def seat_house(game: AnyGame, record: Record, clock: Clock | None = None) -> dict[Seat, Thinker]:
    """Those house players of a record, by seat, that are here in the same version and can say what they think.

    clock: for those that think for some time.  How far they get depends on the machine, so they may think otherwise.
    """
    named = ((Seat(seat), player) for seat, player in enumerate(record.header.house) if player is not None)
    seated = {seat: make_again(game, player, clock) for seat, player in named}
    return {seat: strategy for seat, strategy in seated.items() if can_think(strategy)}


def make_again(game: AnyGame, player: HousePlayer, clock: Clock | None) -> Any:
    """The strategy as it sat down; None where it is not known here."""
    if player.strategy not in game.strategies or player.version != game.versions.get(player.strategy, 1):
        return None
    options: dict[str, Any] = dict(player.options)
    if player.budget is not None:
        options["clock"] = clock
    try:
        return game.strategies[player.strategy](Random(player.chance), **options)
    except (TypeError, ValueError):
        return None


def explain_record(game: AnyGame, record: Record, thinkers: Mapping[Seat, Thinker]) -> Iterator[Explanation]:
    """What `thinkers`, as `seat_house` gives them, think before each of their turns; raises RecordError."""
    explained: list[Explanation] = []

    def explain(question: Question) -> None:
        if question.seat in thinkers and question.action is not None:
            thought = thinkers[question.seat].think(question.view)
            explained.append(
                Explanation(question.number, question.seat, thought, bool(thought.action == question.action))
            )

    seats = range(len(record.header.players))
    for event in walk_record(game, record, [thinkers.get(Seat(seat)) for seat in seats], explain):
        if isinstance(event, Turn) and event.seat in thinkers:
            yield explained.pop()
