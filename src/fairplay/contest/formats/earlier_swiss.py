"""How earlier versions paired a Swiss round, so that a contest that one of them began goes on as it began."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from typing import Final

from fairplay.contest.formats.pairing import LineUp

__all__ = ["EarlierPairing"]

SECTION: Final = 240
"""Players among whom repeated line-ups are avoided together."""

SEARCH: Final = 20_000
"""Steps after which the search for a round without a repeated line-up gives up."""


class EarlierPairing:
    """Pairs neighbours, also in the first round, and avoids only whole line-ups that have met."""

    def __init__(self) -> None:
        self._met: set[frozenset[int]] = set()

    def pair(self, order: Sequence[int], size: int) -> list[LineUp]:
        """The matches of the next round.  EFFECT: remembers them."""
        line_ups = pair_neighbours(order, size, self._met)
        self._met.update(map(frozenset, line_ups))
        return line_ups


def pair_neighbours(order: Sequence[int], size: int, met: Collection[frozenset[int]]) -> list[LineUp]:
    """Neighbours in matches of `size`, none of them in `met` if a bounded search finds a way."""
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
    """Matches of neighbours from the top; a line-up is repeated if nothing else is left."""
    rest, chosen = tuple(order), list[LineUp]()
    while rest:
        new = (line_up for line_up in line_ups_of_first(rest, size) if frozenset(line_up) not in met)
        chosen.append(next(new, rest[:size]))
        rest = tuple(player for player in rest if player not in chosen[-1])
    return chosen


def line_ups_of_first(order: Sequence[int], size: int) -> Iterator[LineUp]:
    """All line-ups of the first player, those with the nearest neighbours first."""
    return ((order[0], *others) for others in combinations(order[1:], size - 1))
