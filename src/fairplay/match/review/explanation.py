"""What the house players of a match thought: they are seated again with the same chance, and asked to say it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

from msgspec import Struct

from fairplay.core import AnyGame, Seat, Seen, Turn
from fairplay.core.thinking import Clock, Thought
from fairplay.match.record import HousePlayer, Record
from fairplay.match.review.walk import Question, can_think, walk_record

__all__ = ["Explanation", "SeatedAgain", "explain_record", "seat_house"]


class Explanation(Struct, frozen=True):
    """What a house player thought before a turn that it took."""

    number: int  # of the turn, counted from 1 as `fairplay replay` does
    seat: Seat
    thought: Thought
    same: bool  # does it choose again what the record has?
    slipped: bool  # did it do something else than it thought best, as weak players do now and then?


class SeatedAgain:
    """A house player at its seat again, twice: one chooses as it did, the other thinks the same and says it.

    What a choice draws besides the seed of its search is the player's own affair, so that one alone could not do both.
    """

    def __init__(self, game: AnyGame, player: HousePlayer, clock: Clock | None = None) -> None:
        """Raises KeyError, TypeError or ValueError if the player is not known here."""
        chance = SeedTrace(player.chance)
        options: dict[str, Any] = dict(player.options)
        if player.budget is not None:
            options["clock"] = clock
        self.timed = player.budget is not None
        make = game.players.strategies[player.strategy]
        self.chooser: Any = make(chance, **options)
        self.thinker: Any = make(SeedEcho(chance), **options)

    def saw(self, seen: Seen) -> None:
        """Tell both what happened."""
        self.chooser.saw(seen)
        self.thinker.saw(seen)

    def explain(self, question: Question) -> Explanation:
        """What it thought before a turn; of one that thinks by time, who can say why it chose something else?"""
        chosen = self.chooser(question.view)
        thought = self.thinker.think(question.view)
        same = bool((thought.action if self.timed else chosen) == question.action)
        slipped = same and not self.timed and bool(thought.action != chosen)
        return Explanation(question.number, question.seat, thought, same, slipped)


class SeedTrace(Random):
    """A generator that keeps the seed of the search: the last 64 bits that were drawn at once."""

    drawn = 0

    def getrandbits(self, k: int, /) -> int:
        bits = super().getrandbits(k)
        if k == SEED_BITS:
            self.drawn = bits
        return bits


class SeedEcho(Random):
    """A generator that draws the seed of another one's search again."""

    def __new__(cls, other: SeedTrace) -> SeedEcho:
        return super().__new__(cls)

    def __init__(self, other: SeedTrace) -> None:
        super().__init__(0)
        self.other = other

    def getrandbits(self, k: int, /) -> int:
        return self.other.drawn if k == SEED_BITS else super().getrandbits(k)


SEED_BITS: Final = 64
"""Of the seed that a search is given (see core/thinking.py)."""


def seat_house(game: AnyGame, record: Record, clock: Clock | None = None) -> dict[Seat, SeatedAgain]:
    """Those house players of a record, by seat, that are here in the same version and can say what they think.

    clock: for those that think for some time.  How far they get depends on the machine, so they may think otherwise.
    """
    seated = {}
    for seat, player in enumerate(record.header.house):
        if player is None or player.version != game.players.versions.get(player.strategy, 1):
            continue
        try:
            again = SeatedAgain(game, player, clock)
        except (KeyError, TypeError, ValueError):
            continue
        if can_think(again.thinker):
            seated[Seat(seat)] = again
    return seated


def explain_record(game: AnyGame, record: Record, players: Mapping[Seat, SeatedAgain]) -> Iterator[Explanation]:
    """What `players`, as `seat_house` gives them, thought before each of their turns; raises RecordError."""
    explained: list[Explanation] = []

    def explain(question: Question) -> None:
        if question.seat in players and question.action is not None:
            explained.append(players[question.seat].explain(question))

    seats = range(len(record.header.players))
    for event in walk_record(game, record, [players.get(Seat(seat)) for seat in seats], explain):
        if isinstance(event, Turn) and event.seat in players:
            yield explained.pop()
