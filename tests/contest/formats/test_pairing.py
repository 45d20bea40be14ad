"""Pairing: as few repeats as the best that anyone can find."""

from __future__ import annotations

from itertools import combinations

import networkx
from hypothesis import given, strategies as st

from fairplay.contest.formats.pairing import Meetings, fold_order, match_maximum, pair_players


def met_before(players: int, pairs: list[tuple[int, int]]) -> Meetings:
    met = Meetings(players)
    met.add(pairs)
    return met


def fewest_repeats(players: int, met: Meetings) -> int:
    """The repeats of a maximum-weight matching of all players, in which a repeat costs more than anything."""
    graph = networkx.Graph()
    for one, other in combinations(range(players), 2):
        graph.add_edge(one, other, weight=0 if met.count(one, other) else 1)
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return sum(met.count(one, other) > 0 for one, other in found)


def test_one_pair_that_met_often_meets_rather_than_two_that_met_once() -> None:
    met = met_before(4, [(0, 1)] * 4 + [(0, 2)] * 4 + [(0, 3), (1, 2)])
    assert sum(met.count(*pair) > 0 for pair in pair_players(range(4), 2, met)) == 1


@given(st.integers(1, 9), st.data())
def test_two_seats_have_no_more_repeats_than_a_maximum_weight_matching(half: int, data: st.DataObject) -> None:
    players = 2 * half
    pairs = data.draw(st.lists(st.sampled_from([*combinations(range(players), 2)]), max_size=80))
    met = met_before(players, pairs)
    found = pair_players(range(players), 2, met)
    assert sorted(player for pair in found for player in pair) == list(range(players))
    assert sum(met.count(*pair) > 0 for pair in found) == fewest_repeats(players, met)


@given(st.integers(1, 30), st.data())
def test_a_matching_is_maximum(players: int, data: st.DataObject) -> None:
    edges = data.draw(st.sets(st.tuples(st.integers(0, players - 1), st.integers(0, players - 1)), max_size=60))
    edges = {(one, other) for one, other in edges if one != other}
    partners = [sorted({b for a, b in edges if a == one} | {a for a, b in edges if b == one}) for one in range(players)]
    mates = match_maximum(partners)
    assert all(mate < 0 or (mates[mate] == one and mate in partners[one]) for one, mate in enumerate(mates))
    best = networkx.max_weight_matching(networkx.Graph(list(edges)), maxcardinality=True)
    assert sum(mate >= 0 for mate in mates) == 2 * len(best)


@given(st.integers(2, 5), st.integers(2, 5), st.data())
def test_groups_without_a_repeat_are_found_where_few_have_met(size: int, matches: int, data: st.DataObject) -> None:
    players = size * matches
    pairs = data.draw(st.lists(st.sampled_from([*combinations(range(players), 2)]), max_size=matches))
    met = met_before(players, pairs)
    found = pair_players(range(players), size, met)
    assert sorted(player for line_up in found for player in line_up) == list(range(players))
    assert all(len(line_up) == size for line_up in found)


def test_nobody_is_left_for_last_without_need() -> None:
    """All of the first fifteen have met the last one, who has to repeat; nobody else does."""
    met = met_before(16, [(player, 15) for player in range(15)])
    found = pair_players(range(16), 2, met)
    assert sum(met.count(*pair) for pair in found) == 1


def test_neighbours_meet_where_nobody_has_met() -> None:
    assert pair_players(range(6), 2, Meetings(6)) == [(0, 1), (2, 3), (4, 5)]
    assert pair_players(range(6), 3, Meetings(6)) == [(0, 1, 2), (3, 4, 5)]
    assert fold_order(range(6), 2) == [(0, 3), (1, 4), (2, 5)]
