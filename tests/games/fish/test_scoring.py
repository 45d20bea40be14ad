"""Where the points of Fish come from."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.games.fish import rules
from fairplay.games.fish.board import make_board
from fairplay.games.fish.scoring import progress, score_lines
from fairplay.games.fish.state import Move, Place
from games.fish.samples import moving_state


def test_tiles_are_counted_by_their_fish_and_add_up() -> None:
    state = rules.begin_match(make_board([[5, 1, 5, 3], [2, 2, 2, 2], [1, 1, 1, 1]]), 2)
    for at in [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2), (1, 2), (0, 3), (1, 3)]:
        state = rules.apply(state, Place(at))
    for move in [Move((0, 0), (2, 0)), Move((1, 0), (2, 1)), Move((0, 2), (2, 2)), Move((1, 2), (2, 3))]:
        state = rules.apply(state, move)
    lines = score_lines(state)
    assert lines[Seat(0)] == (("2 tiles with 5 fish", 10),)
    assert lines[Seat(1)] == (("2 tiles with 2 fish", 4),)
    assert {seat: sum(points for _, points in each) for seat, each in lines.items()} == progress(state)


def test_fish_of_unknown_tiles_are_a_line_too() -> None:
    state = replace(moving_state(), fish=(7, 0))
    assert score_lines(state) == {Seat(0): (("from before this position", 7),), Seat(1): ()}


def test_who_was_removed_has_no_points() -> None:
    state = rules.remove(moving_state(), Seat(0))
    assert progress(state) == {Seat(1): 0}
    assert score_lines(state).keys() == {Seat(1)}
