"""The goals of a match (memo 003): queue, assignment, records, winners."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.games.labyrinth import goals, rules
from fairplay.games.labyrinth.state import Setup, State
from fairplay.play.referee import rank

from .worlds import ANN, BOB, open_board, player, started

PLAYERS = [player((1, 1), (1, 1), "red", (3, 3)), player((3, 3), (3, 3), "blue", (3, 1))]


def with_queue(*queue: tuple[int, int]) -> State:
    return started(open_board(PLAYERS, queue))


def test_the_front_of_the_queue_comes_next() -> None:
    """Labyrinth 3.8."""
    assert goals.next_goal(with_queue((1, 3), (3, 1)), ANN) == ((1, 3), False, ((3, 1),), ())


def test_home_comes_when_the_queue_is_empty() -> None:
    """Labyrinth 3.8."""
    assert goals.next_goal(with_queue(), ANN) == ((1, 1), True, (), ())


def test_the_last_goal_being_the_own_home_is_the_way_home() -> None:
    """Labyrinth 3.8, 14.6: decided at assignment; earlier in the queue it is an ordinary treasure."""
    assert goals.next_goal(with_queue((1, 1)), ANN).going_home
    assert not goals.next_goal(with_queue((1, 1), (3, 1)), ANN).going_home
    assert not goals.next_goal(with_queue((1, 1)), BOB).going_home


def test_an_arrival_is_recorded_and_a_new_target_assigned() -> None:
    """Labyrinth 3.7, 2.7."""
    state = goals.give_next_goal(with_queue((1, 3)), ANN)
    assert state.found == (((3, 3),), ())
    assert state.targets == ((1, 3), (3, 1))
    assert state.queue == ()
    assert state.homeward == frozenset()
    state = goals.give_next_goal(state, ANN)
    assert state.homeward == {ANN}
    assert state.targets[ANN] == (1, 1)


def test_the_record_of_each_colour_is_a_set_and_treasures_count_arrivals() -> None:
    """Labyrinth 2.7, 14.5: a goal that comes twice counts twice."""
    state = goals.give_next_goal(goals.give_next_goal(with_queue((3, 3), (1, 3)), ANN), ANN)
    assert goals.reached(state) == {"red": {(3, 3)}, "blue": set()}
    assert goals.treasures(state, ANN) == 2
    assert goals.reached(rules.remove(state, ANN)) == {"blue": set()}


def test_treasures_of_the_original_game_come_from_the_own_pile() -> None:
    """Labyrinth 13.5."""
    state = rules.start(Setup("original"), 2, derived(1))
    after = goals.give_next_goal(state, BOB)
    assert after.targets[BOB] == state.piles[BOB][0]
    assert after.piles == (state.piles[ANN], state.piles[BOB][1:])
    empty = replace(state, piles=((), ()))
    assert goals.next_goal(empty, BOB).target == (0, 6)
    assert goals.next_goal(empty, BOB).going_home


def test_a_treasure_lies_where_its_tile_lies() -> None:
    """Labyrinth 13.5."""
    state = rules.start(Setup("original"), 2, derived(1))
    for target in (gem for pile in state.piles for gem in pile):
        where = goals.locate_target(state.board, target)
        found = state.board.gems[-1] if where is None else state.board.pairs[where[0]][where[1]]
        assert found == (target, target)
    assert goals.locate_target(state.board, (6, 6)) == (6, 6)


@pytest.mark.parametrize(
    ("found", "finisher", "expected"),
    [
        (((), ()), None, (BOB,)),  # (3,3) to (3,1) is nearer than (1,1) to (3,3)
        ((((9, 9),), ()), None, (ANN,)),
        (((), ()), ANN, (ANN,)),
        (((), ((9, 9),)), ANN, (BOB,)),
    ],
)
def test_winners(found: tuple[tuple[tuple[int, int], ...], ...], finisher: Seat | None, expected: object) -> None:
    """Labyrinth 5.2: goals reached, then the one who came home, then the distance to the next goal."""
    state = replace(with_queue(), found=found, finisher=finisher)
    assert goals.winners(state) == expected == rank(rules.scores(state))[0]


def test_all_equal_ones_win() -> None:
    """Labyrinth 5.2, memo 003."""
    even = started(open_board([PLAYERS[0], player((3, 3), (3, 3), "blue", (1, 1))]))
    assert goals.winners(even) == (ANN, BOB)
    assert goals.winners(rules.remove(rules.remove(even, ANN), BOB)) == ()
