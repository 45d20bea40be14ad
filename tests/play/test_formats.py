"""Formats: rounds out, outcomes in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from fairplay.core import Outcome, Seat
from fairplay.play.formats import LineUp, allotment, knock_out, round_robin

FISH, TRAINS, LABYRINTH = range(2, 5), range(2, 9), range(2, 7)


@pytest.mark.parametrize(
    ("sizes", "players", "games"),
    [
        *(
            (FISH, n, g)
            for n, g in [(5, [3, 2]), (6, [4, 2]), (7, [4, 3]), (8, [4, 4]), (9, [4, 3, 2]), (13, [4, 4, 3, 2])]
        ),
        *((TRAINS, n, g) for n, g in [(9, [7, 2]), (10, [8, 2]), (15, [8, 7]), (17, [8, 7, 2]), (50, [8] * 6 + [2])]),
        *((LABYRINTH, n, g) for n, g in [(7, [5, 2]), (8, [6, 2]), (13, [6, 5, 2]), (25, [6, 6, 6, 5, 2])]),
        (range(3, 9), 17, [8, 6, 3]),  # Trains 13.3: a rest of 1 where three are the fewest
        (range(2, 5), 3, [3]),
    ],
)
def test_the_allotment_tables(sizes: range, players: int, games: list[int]) -> None:
    line_ups = allotment(range(players), sizes)
    assert [len(line_up) for line_up in line_ups] == games
    assert [player for line_up in line_ups for player in line_up] == list(range(players))


def outcome(winners: Sequence[int], seats: int) -> Outcome:
    losers = tuple(Seat(seat) for seat in range(seats) if seat not in winners)
    return Outcome((tuple(map(Seat, winners)), losers), ((0,),) * seats, (None,) * seats, "over")


def played(
    players: int, win: Callable[[LineUp], Sequence[int]], sizes: range = FISH
) -> tuple[list[list[LineUp]], list[int]]:
    """All rounds of a knock-out where `win` says which seats of a line-up win, and the winners."""
    running = knock_out(range(players), sizes)
    rounds: list[list[LineUp]] = []
    outcomes: list[Outcome] | None = None
    while True:
        try:
            line_ups = running.send(outcomes)  # type: ignore[arg-type]
        except StopIteration as done:
            return rounds, done.value
        rounds.append(line_ups)
        outcomes = [outcome(win(line_up), len(line_up)) for line_up in line_ups]


def test_the_best_wins_the_knock_out() -> None:
    rounds, winners = played(9, lambda line_up: [line_up.index(max(line_up))])
    assert rounds == [[(0, 1, 2, 3), (4, 5, 6), (7, 8)], [(3, 6, 8)]]
    assert winners == [8]


def test_fewer_than_a_match_needs_win_at_once() -> None:
    assert played(0, lambda line_up: [0]) == ([], [])
    assert played(1, lambda line_up: [0]) == ([], [0])


def test_all_out_in_a_round_leaves_nobody() -> None:
    rounds, winners = played(9, lambda line_up: [])
    assert len(rounds) == 1
    assert winners == []


def test_a_final_with_several_winners() -> None:
    assert played(3, lambda line_up: [0, 2]) == ([[(0, 1, 2)]], [0, 2])


def test_the_same_winners_twice_running_end_it() -> None:
    """Everybody wins every match: the second round has the same winners as the first, so it stops there."""
    rounds, winners = played(6, lambda line_up: range(len(line_up)))
    assert len(rounds) == 2
    assert winners == list(range(6))


def test_a_round_robin_has_every_line_up_in_every_rotation() -> None:
    line_ups = round_robin(range(4), 3)
    assert len(line_ups) == len(set(line_ups)) == 4 * 3
    seats = Counter((player, seat) for line_up in line_ups for seat, player in enumerate(line_up))
    assert set(seats.values()) == {3}
