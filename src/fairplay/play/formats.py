"""Tournament formats: generators of rounds that are sent outcomes.  They play nothing themselves.

A line-up is the players of one match by number, in seat order.  A format yields a round (line-ups that may be
played in any order or at once) and is sent their outcomes in the same order.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

from fairplay.core import Outcome

__all__ = ["Format", "LineUp", "allotment", "knock_out", "round_robin"]

LineUp: TypeAlias = tuple[int, ...]
Format: TypeAlias = Generator[list[LineUp], Sequence[Outcome], list[int]]
"""Yields rounds, is sent outcomes, returns the winners."""


def knock_out(players: Sequence[int], sizes: range) -> Format:
    """The knock-out of the rule books (Fish 9, Trains 9, Labyrinth 9) for `players` in age order."""
    left, before = list(players), None
    while left != before and len(left) >= sizes[0]:
        final = len(left) <= sizes[-1]
        line_ups = [tuple(left)] if final else allotment(left, sizes)
        outcomes = yield line_ups
        before, left = left, [player for pair in zip(line_ups, outcomes, strict=True) for player in winners(*pair)]
        left.sort(key=before.index)
        if final:
            break
    return left


def winners(line_up: LineUp, outcome: Outcome) -> Iterator[int]:
    return (line_up[seat] for seat in outcome.winners)


def allotment(players: Sequence[int], sizes: range) -> list[LineUp]:
    """The matches of one round: full ones in age order, the last one or two smaller (Fish 9.5, Trains 9.7, 13.3)."""
    fewest, most = sizes[0], sizes[-1]
    full, rest = divmod(len(players), most)
    lengths = [most] * full + ([rest] if rest else [])
    if full and 0 < rest < fewest:
        lengths[-2:] = [most - (fewest - rest), fewest]
    ends = [sum(lengths[: count + 1]) for count in range(len(lengths))]
    return [tuple(players[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def round_robin(players: Sequence[int], seats: int) -> list[LineUp]:
    """All line-ups of `seats` players, each in all rotations, so that nobody profits from a seat."""
    return [
        line_up[start:] + line_up[:start]
        for line_up in combinations(players, seats)
        for start in range(seats)
    ]
