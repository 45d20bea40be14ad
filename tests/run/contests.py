"""Small contests for the engines to play."""

from __future__ import annotations

import msgspec

from fairplay.contest.contest import Contest, Entrant, Fixture, Match, Result
from fairplay.contest.schedule import number_matches
from fairplay.games.fish.state import Setup

SETUP = msgspec.Raw(msgspec.json.encode(Setup(rows=4, columns=4)))


def contest(*specs: str) -> Contest:
    players = tuple(Entrant(f"player {number}", spec) for number, spec in enumerate(specs or ("random", "greedy")))
    return Contest("fish", players, "round-robin", {}, SETUP, 7, 3.0, matched=True)


def fixtures(count: int) -> list[Fixture]:
    return [Fixture((number % 2, 1 - number % 2), number // 2) for number in range(count)]


def wanted(of: Contest, count: int) -> list[Match]:
    return number_matches(of, fixtures(count))


def by_number(results: list[Result]) -> list[tuple[int, object, bytes]]:
    """What must be equal, however the matches were played."""
    return [(result.number, result.outcome, result.record) for result in sorted(results, key=lambda each: each.number)]
