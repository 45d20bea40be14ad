"""Formats that let equals meet, round after round: Swiss by points, the ladder by rating."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations, count, takewhile
from typing import Final

from fairplay.contest.contest import Fixture
from fairplay.contest.formats.rounds import Dealer, Field, LineUp, Removal, Rounds, check_minimum, limit_rounds
from fairplay.contest.rating import LadderRatings
from fairplay.core.chance import derived

__all__ = ["ladder", "pair_neighbours", "swiss", "swiss_rounds"]

SECTION: Final = 240
"""Players among whom repeated line-ups are avoided together; more would take time and memory, and gain nothing."""

SEARCH: Final = 20_000
"""Steps after which the search for a round without a repeated line-up gives up."""


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
    """Each round, neighbours by points meet `games` times in all rotations, no line-up twice where avoidable.

    Where the players cannot be divided into matches, the last ones that sat out least often sit out.
    Players that were removed stay, unless they are told to leave.
    """
    field = Field(players, seats, size, removed)
    rounds = swiss_rounds(players) if rounds is None else rounds
    check_minimum(1, games=games, rounds=rounds)
    return play_swiss(field, games, rounds, Dealer(paired=paired))


def swiss_rounds(players: int) -> int:
    """Twice as many rounds as halving needs to find a winner: the middle is to be ranked, too."""
    return 2 * max(1, (players - 1).bit_length())


def play_swiss(field: Field, games: int, rounds: int, dealer: Dealer) -> Rounds:
    """The rounds of a Swiss tournament."""
    met: set[frozenset[int]] = set()
    byes = Byes(field)
    for _ in range(rounds):
        if len(field.playing) < field.size:
            break
        line_ups = pair_neighbours(byes.without(field.order()), field.size, met)
        met.update(map(frozenset, line_ups))
        for fixtures in limit_rounds(deal_line_ups(line_ups, games, dealer)):
            field.take(fixtures, (yield fixtures))
    return field.leaders()


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

    A player's place is drawn anew for each round from what its rating is believed to be.
    Players that were removed stay, unless they are told to leave; too few for a match end it.
    """
    field = Field(players, seats, size, removed)
    check_minimum(1, games=games)
    return play_ladder(field, games, seed, Dealer(paired=paired))


def play_ladder(field: Field, games: int, seed: int, dealer: Dealer) -> Rounds:
    """The rounds of a ladder, without end."""
    ratings = LadderRatings([str(player) for player in range(len(field.playing))])
    byes = Byes(field)
    for number in takewhile(lambda _: len(field.playing) >= field.size, count()):
        rng = derived(seed, "ladder", number)
        drawn = {player: ratings.draw(player, rng) for player in field.playing}
        order = byes.without(sorted(field.playing, key=drawn.__getitem__, reverse=True))
        for fixtures in limit_rounds(deal_line_ups(split_neighbours(order, field.size), games, dealer)):
            outcomes = yield fixtures
            field.take(fixtures, outcomes)
            for fixture, outcome in zip(fixtures, outcomes, strict=True):
                ratings.add(fixture.line_up, outcome)
    return sorted(field.playing, key=ratings.mean, reverse=True)[:1]


def deal_line_ups(line_ups: Sequence[LineUp], games: int, dealer: Dealer) -> Iterator[list[Fixture]]:
    """Each line-up `games` times in all rotations."""
    return (dealer.rotate_line_up(line_up) for _ in range(games) for line_up in line_ups)


class Byes:
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


# -- who meets whom ----------------------------------------------------------------------------


def pair_neighbours(order: Sequence[int], size: int, met: Collection[frozenset[int]]) -> list[LineUp]:
    """Neighbours in matches of `size`, none of them in `met` where a bounded search finds a way."""
    section = max(1, SECTION // size) * size
    parts = (order[start : start + section] for start in range(0, len(order), section))
    return [
        line_up for part in parts for line_up in (find_fresh_pairing(part, size, met) or pair_greedily(part, size, met))
    ]


def find_fresh_pairing(order: Sequence[int], size: int, met: Collection[frozenset[int]]) -> list[LineUp] | None:
    """Matches of neighbours without a repeated line-up; the last ones give way first.  None: not found."""
    rests = [tuple(order)]
    choices = [line_ups_of_first(rests[0], size)]
    chosen: list[LineUp] = []
    for _ in range(SEARCH):
        if not rests[-1]:
            return chosen
        found = next((line_up for line_up in choices[-1] if frozenset(line_up) not in met), None)
        if found is not None:
            chosen.append(found)
            rests.append(tuple(player for player in rests[-1] if player not in found))
            choices.append(line_ups_of_first(rests[-1], size))
        elif chosen:
            chosen.pop(), rests.pop(), choices.pop()
        else:
            break
    return None


def pair_greedily(order: Sequence[int], size: int, met: Collection[frozenset[int]]) -> list[LineUp]:
    """Matches of neighbours from the top; a line-up is repeated where nothing else is left."""
    rest, chosen = tuple(order), list[LineUp]()
    while rest:
        new = (line_up for line_up in line_ups_of_first(rest, size) if frozenset(line_up) not in met)
        chosen.append(next(new, rest[:size]))
        rest = tuple(player for player in rest if player not in chosen[-1])
    return chosen


def line_ups_of_first(order: Sequence[int], size: int) -> Iterator[LineUp]:
    """All line-ups of the first player, those with the nearest neighbours first."""
    return ((order[0], *others) for others in combinations(order[1:], size - 1))


def split_neighbours(order: Sequence[int], size: int) -> list[LineUp]:
    """Neighbours in matches of `size`."""
    return [tuple(order[start : start + size]) for start in range(0, len(order), size)]
