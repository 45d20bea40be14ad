"""The last turn as motion."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core import Turn
from fairplay.core.chance import derived
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.drawing.canvas import entry_point, exit_point, tile_middle
from fairplay.games.labyrinth.drawing.motion import LastMove, find_last_move, pawn_motion, spare_motion, tile_motion
from fairplay.games.labyrinth.state import Action, Pass, Setup, State
from games.labyrinth.worlds import ANN, BOB, started, to, turns


def turn_of(state: State, action: Action) -> Turn[State, Action]:
    assert state.turn is not None
    assert rules.why_illegal(rules.view(state, state.turn), action) is None
    return Turn(state, state.turn, action, turns(state, action))


def points(*spots: tuple[int, int]) -> str:
    return " ".join("{},{}".format(*tile_middle(spot)) for spot in spots)


def last_move(state: State, action: Action) -> LastMove:
    turn = turn_of(state, action)
    move = find_last_move(turn.after, turn)
    assert move is not None
    return move


def test_the_pawn_rides_on_the_line_and_then_walks_a_shortest_way() -> None:
    state = replace(started(), avatars=((2, 2), (2, 1)))
    move = last_move(state, to(2, "RIGHT", (0, 3), 90))
    assert move.way == [(2, 3), (1, 3), (0, 3)]
    assert pawn_motion(move, ANN) == f' data-step="2" data-ride="{points((2, 3))}" data-path="{points((2, 3), (1, 3))}"'
    assert pawn_motion(move, BOB) == ' data-step="1"'


def test_a_pawn_whose_tile_is_pushed_out_does_not_cross_the_board() -> None:
    """The rule book's example: red is carried to (2,0) and goes to (1,2)."""
    move = last_move(started(), to(2, "RIGHT", (1, 2), 90))
    ride = f'data-ride="{points((2, 0))}"'
    assert pawn_motion(move, ANN) == f' data-step="2" data-jump="" {ride} data-path="{points(*move.way[:-1])}"'
    assert move.way[0] == (2, 0) and move.way[-1] == (1, 2) and len(move.way) == 4


def test_a_pawn_that_is_not_on_the_line_just_walks() -> None:
    move = last_move(replace(started(), avatars=((1, 1), (2, 1))), to(0, "LEFT", (1, 2)))
    assert pawn_motion(move, ANN) == f' data-step="2" data-path="{points((1, 1))}"'


def test_tiles_come_in_and_go_out_with_the_line() -> None:
    move = last_move(started(), to(2, "RIGHT", (1, 2), 90))
    tile = points((2, 0)), points((2, move.grid.columns - 1))
    assert [tile_motion(move, at) for at in ((1, 0), (2, 1))] == ["", ' data-step="1"']
    entry, exit = entry_point(move.grid, move.shift), exit_point(move.grid, move.shift)
    assert tile_motion(move, (2, 0)) == ' data-step="1" data-ride="{},{}"'.format(*entry)
    assert spare_motion(move) == ' data-step="2" data-ride="{},{}"'.format(*exit)
    assert entry[0] < int(tile[0].split(",")[0]) < int(tile[1].split(",")[0]) < exit[0]


def test_who_stays_does_not_walk() -> None:
    """Labyrinth 13.2."""
    state = rules.start(Setup("original"), 2, derived(1))
    assert "data-path" not in pawn_motion(last_move(state, to(1, "LEFT", state.avatars[0])), ANN)


def test_only_the_move_that_led_here_is_shown() -> None:
    turn = turn_of(started(), to(2, "RIGHT", (1, 2), 90))
    later = turns(turn.after, to(0, "LEFT", (1, 1)))
    passed = turn_of(turn.after, Pass())
    assert find_last_move(later, turn) is None
    assert find_last_move(passed.after, passed) is None
    assert find_last_move(turn.after, None) is None
    assert tile_motion(None, (0, 0)) == spare_motion(None) == pawn_motion(None, ANN) == ""
