"""How a player did against each of its opponents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from fairplay.core import Score
from fairplay.store.history import MatchRow

__all__ = ["HeadToHead", "compare_opponents", "find_extremes"]

ENOUGH: Final = 3
"""Matches against an opponent that say something."""


class HeadToHead(Struct, frozen=True):
    """What a player did against one opponent: who had the better score won."""

    opponent: str
    matches: int
    wins: int
    ties: int

    @property
    def losses(self) -> int:
        """How often the opponent was better."""
        return self.matches - self.wins - self.ties

    @property
    def share(self) -> float:
        """The share of the points, from 0 to 1: a tie is half a point."""
        return (self.wins + self.ties / 2) / self.matches


def compare_opponents(player: str, matches: Iterable[MatchRow]) -> tuple[HeadToHead, ...]:
    """The opponents of a player, those first whom it met most often."""
    met, wins, ties = Counter[str](), Counter[str](), Counter[str]()
    for match in matches:
        scores = dict(zip(match.names, match.scores, strict=True))
        own = order_score(scores.pop(player, None))
        for opponent, score in scores.items():
            met[opponent] += 1
            wins[opponent] += own > order_score(score)
            ties[opponent] += own == order_score(score)
    return tuple(HeadToHead(name, count, wins[name], ties[name]) for name, count in met.most_common())


def order_score(score: Score | None) -> tuple[bool, Score]:
    """A score that can be compared: that of a player who was removed is below all others."""
    return (False, ()) if score is None else (True, score)


def find_extremes(opponents: Iterable[HeadToHead]) -> tuple[HeadToHead, HeadToHead] | None:
    """The opponents against whom a player did best and worst; None if no two were met often enough."""
    known = sorted((each for each in opponents if each.matches >= ENOUGH), key=lambda each: each.share)
    return (known[-1], known[0]) if known and known[-1].share > known[0].share else None
