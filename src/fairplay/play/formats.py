"""Tournament formats: generators of rounds that are sent outcomes.  They play nothing themselves.

A line-up is the players of one match by number, in seat order.  A format yields a round (line-ups that may be
played in any order or at once) and is sent their outcomes in the same order.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import combinations
from typing import TypeAlias

from fairplay.core import Outcome

__all__ = ["Format", "LineUp", "allotment", "knock_out", "round_robin"]

LineUp: TypeAlias = tuple[int, ...]
Format: TypeAlias = Generator[list[LineUp], Sequence[Outcome], list[int]]
"""Yields rounds, is sent outcomes, returns the winners."""


def knock_out(players: Sequence[int], sizes: range) -> Format:
    """The knock-out of the rule books (Fish 9, Trains 9, Labyrinth 9) for `players` in age order."""
    left: list[int] = list(players)
    won: list[int] | None = None
    while len(left) > sizes[-1]:
        line_ups = allotment(left, sizes)
        before, won = won, winners(line_ups, (yield line_ups))
        if won == before:  # the same winners twice
            return won
        left = won
    return winners([tuple(left)], (yield [tuple(left)])) if len(left) >= sizes[0] else left


def winners(line_ups: Sequence[LineUp], outcomes: Sequence[Outcome]) -> list[int]:
    """The first tiers of all matches, in age order: an allotment keeps it."""
    pairs = zip(line_ups, outcomes, strict=True)
    return [line_up[seat] for line_up, outcome in pairs for seat in outcome.winners]


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
    return [line_up[start:] + line_up[:start] for line_up in combinations(players, seats) for start in range(seats)]
