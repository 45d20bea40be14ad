"""A knock-out as people draw it: round by round, who met whom and who went on, as far as it was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from fairplay.contest.contest import Contest
from fairplay.contest.formats.formats import schedule
from fairplay.core import Outcome

__all__ = ["Pairing", "bracket"]


class Pairing(Struct, frozen=True):
    """A match of a round: its number, its players in the order of their seats, and how it ended if it has."""

    number: int
    names: tuple[str, ...]
    winners: tuple[str, ...] = ()
    scores: tuple[int | None, ...] = ()  # by seat, the first number of each; empty before the match
    played: bool = False


def bracket(
    contest: Contest, seats: range, known: Callable[[Sequence[int]], Mapping[int, Outcome]]
) -> list[list[Pairing]]:
    """All rounds of which it is certain who plays in them; ASSUME the contest has a format of few, short rounds."""
    rounds, drawn, first = schedule(contest, seats), list[list[Pairing]](), 0
    outcomes: list[Outcome] | None = None
    while True:
        try:
            fixtures = rounds.send(outcomes)  # type: ignore[arg-type]  # the first one is None
        except StopIteration:
            return drawn
        numbers = range(first, first + len(fixtures))
        found = known(numbers)
        line_ups = [tuple(contest.names[player] for player in fixture.line_up) for fixture in fixtures]
        drawn.append([pairing(*each, found.get(each[0])) for each in zip(numbers, line_ups, strict=True)])
        if len(found) < len(fixtures):
            return drawn
        outcomes, first = [found[number] for number in numbers], first + len(fixtures)


def pairing(number: int, names: tuple[str, ...], outcome: Outcome | None) -> Pairing:
    if outcome is None:
        return Pairing(number, names)
    scores = tuple(None if score is None else score[0] for score in outcome.scores)
    return Pairing(number, names, tuple(names[seat] for seat in outcome.winners), scores, played=True)
