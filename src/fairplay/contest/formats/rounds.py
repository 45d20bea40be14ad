"""What all formats share: rounds of fixtures, rotations of the seats, and who has won how much so far."""

from collections.abc import Generator, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import count
from typing import Literal, TypeAlias

from fairplay.contest.contest import Fixture, faulted_players, half_points
from fairplay.contest.formats.pairing import LineUp
from fairplay.core import Outcome, UsageError

Rounds: TypeAlias = Generator[list[Fixture], Sequence[Outcome], list[int]]
"""Yields rounds, is sent their outcomes in the same order, returns the winners."""

Removal: TypeAlias = Literal["leave", "stay"]
"""What becomes of a player that was removed from a match: it plays no later round, or it goes on."""

_REMOVALS = ("leave", "stay")

LARGEST_ROUND = 4_096
"""Fixtures after which a format that could go on yields what it has: a round is held in memory."""


class Field:
    """Who is in the running, and what everybody has won so far."""

    def __init__(self, players: int, seats: range, size: int | None, removal: Removal) -> None:
        self.size = seats[0] if size is None else size
        if players < seats[0]:
            raise UsageError(f"a match needs at least {seats[0]} players, not {players}")
        if self.size not in seats or self.size > players:
            allowed = f"{seats[0]} to {min(seats[-1], players)}"
            raise UsageError(f"{players} players can play in matches of {allowed} seats, not {self.size}")
        if removal not in _REMOVALS:
            raise UsageError(f"players that were removed can {' or '.join(_REMOVALS)}, not '{removal}'")
        self.leaving = removal == "leave"
        self.playing = list(range(players))
        self.out: set[int] = set()
        self._points, self._matches = [0] * players, [0] * players

    def take(self, fixtures: Sequence[Fixture], outcomes: Sequence[Outcome]) -> None:
        """Count a round.  EFFECT: players who were removed are out, if the rule is to leave."""
        for fixture, outcome in zip(fixtures, outcomes, strict=True):
            for player, points in zip(fixture.line_up, half_points(outcome), strict=True):
                self._points[player] += points
                self._matches[player] += 1
            if self.leaving:
                self.out.update(faulted_players(fixture.line_up, outcome))
        if self.out:
            self.playing = [player for player in self.playing if player not in self.out]

    def leaders(self) -> list[int]:
        """Those in the running with the most points a match."""
        most = max(map(self._average, self.playing), default=None)
        return [player for player in self.playing if self._average(player) == most]

    def _average(self, player: int) -> Fraction:
        return Fraction(self._points[player], max(1, self._matches[player]))


class Dealer:
    """Numbers deals: one for every match, or, if they are `paired`, one for all rotations of a line-up."""

    def __init__(self, *, paired: bool) -> None:
        self.paired = paired
        self._numbers = count()

    def rotate_line_up(self, line_up: LineUp) -> list[Fixture]:
        """All rotations of the seats with new deals: everybody sits once on every seat."""
        seats = range(len(line_up))
        numbers = [next(self._numbers)] * len(seats) if self.paired else [next(self._numbers) for _ in seats]
        return [Fixture(line_up[start:] + line_up[:start], numbers[start]) for start in seats]


def limit_rounds(units: Iterable[list[Fixture]]) -> Iterator[list[Fixture]]:
    """The fixtures of `units` in rounds of bounded length that keep each unit together."""
    fixtures: list[Fixture] = []
    for unit in units:
        fixtures += unit
        if len(fixtures) >= LARGEST_ROUND:
            yield fixtures
            fixtures = []
    if fixtures:
        yield fixtures


def check_minimum(least: int, **numbers: int) -> None:
    """Refuse options that are too small."""
    for name, number in numbers.items():
        if number < least:
            raise UsageError(f"{name} must be at least {least}, not {number}")
