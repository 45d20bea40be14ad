"""A knock-out as people draw it: round by round, who met whom and who went on, as far as it was played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from msgspec import Struct

from fairplay.contest.contest import Contest, Match
from fairplay.contest.schedule import schedule_of
from fairplay.core import Outcome

__all__ = ["Bracket", "Pairing", "draw_bracket"]


class Pairing(Struct, frozen=True):
    """A match of a round: its number, its players in the order of their seats, and how it ended if it has."""

    number: int
    names: tuple[str, ...]
    winners: tuple[str, ...] = ()
    scores: tuple[int | None, ...] = ()  # by seat, the first number of each; empty before the match
    played: bool = False


class Bracket(NamedTuple):
    """The rounds of which it is certain who plays in them, and who won in the end."""

    rounds: tuple[tuple[Pairing, ...], ...]
    winners: tuple[str, ...]  # empty until the last round is over


def draw_bracket(contest: Contest, seats: range, known: Callable[[Sequence[int]], Mapping[int, Outcome]]) -> Bracket:
    """The bracket of a contest; ASSUME it has a format of few, short rounds."""
    schedule, drawn = schedule_of(contest, seats), list[tuple[Pairing, ...]]()
    while matches := schedule.next_matches(contest):
        found = known([match.number for match in matches])
        drawn.append(tuple(describe_pairing(match, found.get(match.number)) for match in matches))
        if len(found) < len(matches):
            break
        schedule.report([found[match.number] for match in matches])
    return Bracket(tuple(drawn), tuple(contest.names[number] for number in schedule.winners))


def describe_pairing(match: Match, outcome: Outcome | None) -> Pairing:
    """How `match` is drawn."""
    names = tuple(name for name, _ in match.entrants)
    if outcome is None:
        return Pairing(match.number, names)
    scores = tuple(None if score is None else score[0] for score in outcome.scores)
    return Pairing(match.number, names, tuple(names[seat] for seat in outcome.winners), scores, played=True)
