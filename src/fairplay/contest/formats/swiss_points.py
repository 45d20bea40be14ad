"""Points of a Swiss tournament, and how ties are broken: Buchholz points, then the direct encounter.

1. **Points**: the share of what a player could win.  With two seats a win is 1 and a tie 1/2; with more, the share of
   the others that it left behind.  It is an average over matches, so sitting out a round neither helps nor hurts.
2. **Buchholz points**: the mean of the points of all opponents, each as often as they met.
3. **Direct encounter**: among those who are still equal, how many more they have beaten than they have lost to.

Who is equal after that shares a place.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations, groupby

from msgspec import Struct

from fairplay.contest.points import half_points, places
from fairplay.core import Outcome


class SwissRow(Struct, frozen=True):
    """One player's row in the order of a Swiss tournament; those who are equal in everything share a place."""

    place: int
    player: str
    points: float  # as shares of what could be won
    buchholz: float
    direct: int  # beaten minus lost to, among those with equal points and Buchholz points


class SwissPoints:
    """Counts outcomes, in memory bounded by the pairs that met; the order of adding changes nothing."""

    def __init__(self, players: int) -> None:
        self._won = [0] * players
        self._most = [0] * players
        self._beaten: list[Counter[int]] = [Counter() for _ in range(players)]  # minus those who were lost to
        self._met: list[Counter[int]] = [Counter() for _ in range(players)]

    def add(self, line_up: Sequence[int], outcome: Outcome) -> None:
        """Count one match."""
        for player, points in zip(line_up, half_points(outcome), strict=True):
            self._won[player] += points
            self._most[player] += 2 * (len(line_up) - 1)
        for (one, place), (other, behind) in combinations(zip(line_up, places(outcome), strict=True), 2):
            ahead = (place < behind) - (place > behind)
            self._beaten[one][other] += ahead
            self._beaten[other][one] -= ahead
            self._met[one][other] += 1
            self._met[other][one] += 1

    def points(self, player: int) -> Fraction:
        """The share of what `player` could win."""
        return Fraction(self._won[player], max(1, self._most[player]))

    def buchholz(self, player: int) -> Fraction:
        """The mean of the points of all opponents."""
        total = sum((times * self.points(other) for other, times in self._met[player].items()), Fraction())
        return total / max(1, self._met[player].total())

    def rank(self, players: Iterable[int]) -> list[list[tuple[int, int]]]:
        """The players, best first, those who are equal together; each with what the direct encounters say."""
        figures = {player: (self.points(player), self.buchholz(player)) for player in players}
        ranked: list[list[tuple[int, int]]] = []
        for _, group in groupby(sorted(figures, key=lambda one: (figures[one], -one), reverse=True), figures.get):
            equal = list(group)
            direct = {one: sum(self._beaten[one][other] for other in equal) for one in equal}
            equal.sort(key=lambda one: (-direct[one], one))
            ranked += [[(one, direct[one]) for one in level] for _, level in groupby(equal, direct.get)]
        return ranked

    def table(self, names: Sequence[str]) -> list[SwissRow]:
        """All players that played, in their order."""
        rows: list[SwissRow] = []
        for tier in self.rank(player for player, most in enumerate(self._most) if most):
            place = len(rows) + 1
            for player, direct in tier:
                figures = float(self.points(player)), float(self.buchholz(player))
                rows.append(SwissRow(place, names[player], *figures, direct))
        return rows
