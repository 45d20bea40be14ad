"""Formats that let equals meet, round after round: Swiss by points, the ladder by rating.

In the order of a Swiss tournament, ties are broken by Buchholz points, then by the direct encounter:

1. **Points**: the share of what a player could win.  With two seats a win is 1 and a tie 1/2; with more, the share of
   the others that it left behind.  It is an average over matches, so sitting out a round neither helps nor hurts.
2. **Buchholz points**: the mean of the points of all opponents, each as often as they met.
3. **Direct encounter**: among those who are still equal, how many more they have beaten than they have lost to.

Who is equal after that shares a place.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, count, groupby, takewhile

from msgspec import Struct

from fairplay.contest.contest import Fixture, half_points, places
from fairplay.contest.formats.pairing import LineUp, Meetings, fold_order, pair_players, split_neighbours
from fairplay.contest.formats.rounds import Dealer, Field, Removal, Rounds, check_minimum, limit_rounds
from fairplay.contest.rating import LadderRatings
from fairplay.core import Outcome
from fairplay.core.chance import derived

# -- the order of a Swiss tournament -----------------------------------------------------------


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


# -- the formats -------------------------------------------------------------------------------

_DRAWN_BY_LOT = 4
"""One round of a ladder in this many is drawn by lot: if only neighbours met, nobody could say how far the ends are
apart, and intervals would hold the truth too rarely."""


def swiss(
    players: int,
    seats: range,
    *,
    size: int | None = None,
    games: int = 1,
    rounds: int | None = None,
    removed: Removal = "stay",
    paired: bool = False,
) -> Rounds:
    """Each round, neighbours by points meet `games` times in all rotations, with few pairs that have met before.

    In the first round the top meets the bottom, by order of entry: with two seats, each player of the upper half one of
    the lower half.  Players with equal points are ordered by Buchholz points (what their opponents have won), then by
    what they won against each other, then by entry; the last does not decide who wins.
    If the players cannot be divided into matches, the last ones that sat out least often sit out.
    Players that were removed stay, unless they are told to leave.
    """
    field = Field(players, seats, size, removed)
    rounds = swiss_rounds(players) if rounds is None else rounds
    check_minimum(1, games=games, rounds=rounds)
    return _play_swiss(field, games, rounds, Dealer(paired=paired))


def swiss_rounds(players: int) -> int:
    """Twice as many rounds as halving needs to find a winner: the middle is to be ranked, too."""
    return 2 * max(1, (players - 1).bit_length())


def _play_swiss(field: Field, games: int, rounds: int, dealer: Dealer) -> Rounds:
    """The rounds of a Swiss tournament."""
    met, byes = Meetings(len(field.playing)), _Byes(field)
    points = SwissPoints(len(field.playing))
    for number in range(rounds):
        if len(field.playing) < field.size:
            break
        order = byes.without([player for tier in points.rank(field.playing) for player, _ in tier])
        left = rounds - number if len(order) == len(field.playing) else 1
        line_ups = pair_players(order, field.size, met, left) if number else fold_order(order, field.size)
        met.add(line_ups)
        for fixtures in limit_rounds(_deal_line_ups(line_ups, games, dealer)):
            outcomes = yield fixtures
            field.take(fixtures, outcomes)
            for fixture, outcome in zip(fixtures, outcomes, strict=True):
                points.add(fixture.line_up, outcome)
    return [player for player, _ in points.rank(field.playing)[0]] if field.playing else []


def ladder(
    players: int,
    seats: range,
    *,
    size: int | None = None,
    games: int = 1,
    removed: Removal = "stay",
    seed: int = 0,
    paired: bool = False,
) -> Rounds:
    """Rounds for ever: neighbours by rating meet, the ones the less is known of a player the wider apart.

    A player's place is drawn again for each round from what its rating is believed to be; every fourth round is by lot.
    Players that were removed stay, unless they are told to leave; too few for a match end it.
    """
    field = Field(players, seats, size, removed)
    check_minimum(1, games=games)
    return _play_ladder(field, games, seed, Dealer(paired=paired))


def _play_ladder(field: Field, games: int, seed: int, dealer: Dealer) -> Rounds:
    """The rounds of a ladder, without end."""
    ratings = LadderRatings(len(field.playing))
    byes = _Byes(field)
    for number in takewhile(lambda _: len(field.playing) >= field.size, count()):
        rng = derived(seed, "ladder", number)
        lots = number % _DRAWN_BY_LOT == 0
        drawn = {player: rng.random() if lots else ratings.draw(player, rng) for player in field.playing}
        order = byes.without(sorted(field.playing, key=drawn.__getitem__, reverse=True))
        for fixtures in limit_rounds(_deal_line_ups(split_neighbours(order, field.size), games, dealer)):
            outcomes = yield fixtures
            field.take(fixtures, outcomes)
            for fixture, outcome in zip(fixtures, outcomes, strict=True):
                ratings.add(fixture.line_up, outcome)
    return sorted(field.playing, key=ratings.mean, reverse=True)[:1]


def _deal_line_ups(line_ups: Sequence[LineUp], games: int, dealer: Dealer) -> Iterator[list[Fixture]]:
    """Each line-up `games` times in all rotations."""
    return (dealer.rotate_line_up(line_up) for _ in range(games) for line_up in line_ups)


class _Byes:
    """Counts who sat out how often, so that nobody sits out twice more than another."""

    def __init__(self, field: Field) -> None:
        self.size = field.size
        self.taken = [0] * len(field.playing)

    def without(self, order: Sequence[int]) -> list[int]:
        """`order` without those who sit out: of those that did least often the last.  EFFECT: counts them."""
        last_first = list(reversed(order))
        last_first.sort(key=self.taken.__getitem__)
        sitting_out = last_first[: len(order) % self.size]
        for player in sitting_out:
            self.taken[player] += 1
        return [player for player in order if player not in sitting_out]
