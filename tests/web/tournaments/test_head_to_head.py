"""Head to head: who did better in the matches that two players shared."""

from __future__ import annotations

from fairplay.core import Score
from fairplay.store.history import MatchRow
from fairplay.web.tournaments.players import HeadToHead, compare_opponents, find_extremes


def match(scores: dict[str, Score | None]) -> MatchRow:
    return MatchRow(1, "fish", 0, (*scores,), (), (), (*scores.values(),), "over", 0.1, 0.0, True)


def test_the_better_score_wins_and_who_was_removed_has_the_worst() -> None:
    matches = [
        match({"a": (5,), "b": (3,)}),
        match({"b": (5,), "a": (5,)}),
        match({"a": (1, 2), "b": (1, 3), "c": None}),
        match({"a": None, "c": None}),
    ]
    assert compare_opponents("a", matches) == (HeadToHead("b", 3, 1, 1), HeadToHead("c", 2, 1, 1))
    assert HeadToHead("b", 3, 1, 1).losses == 1


def test_best_and_worst_need_enough_matches() -> None:
    strong, weak, seldom = HeadToHead("strong", 4, 1, 0), HeadToHead("weak", 4, 3, 0), HeadToHead("seldom", 1, 0, 0)
    assert find_extremes([strong, seldom, weak]) == (weak, strong)
    assert find_extremes([strong, seldom]) is None
    assert find_extremes([]) is None
