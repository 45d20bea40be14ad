"""The goals of a match: queue, assignment, arrival."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core.chance import derived
from fairplay.games.labyrinth import goals, rules
from fairplay.games.labyrinth.state import Setup, State

from .worlds import ANN, BOB, open_board, player, started, to, turns

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


def test_points_are_treasures_and_add_up() -> None:
    """Labyrinth 5.1: coming home decides between equals, but is no treasure."""
    state = started(open_board(PLAYERS))
    assert goals.progress(state) == {ANN: 0, BOB: 0}
    after = turns(state, to(0, "LEFT", (3, 3)), to(0, "LEFT", (3, 1)), to(0, "LEFT", (1, 1)))
    assert after.turn is None
    assert goals.progress(after) == {ANN: 1, BOB: 1}
    lines = goals.score_lines(after)
    assert lines == {ANN: (("treasures found", 1), ("came home", 0)), BOB: (("treasures found", 1),)}
    for seat, score in goals.scores(after).items():
        assert sum(points for _, points in lines[seat]) == score[0] == goals.progress(after)[seat]
    assert goals.progress(rules.remove(state, BOB)).keys() == {ANN}
