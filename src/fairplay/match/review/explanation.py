"""What the house players of a match thought: they are seated again with the same chance, and asked to say it."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from msgspec import Struct

from fairplay.core import AnyGame, Seat, Seen, Turn
from fairplay.core.thinking import Clock, Thought
from fairplay.match.record import HousePlayer, Record
from fairplay.match.review.walk import Question, can_think, walk_record


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
        options: dict[str, Any] = dict(player.options)
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
