"""What is highlighted in a picture of Labyrinth, where its parts lie, and what they are called."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from fairplay.core import Turn
from fairplay.core.chance import derived
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.board import NOWHERE, Board
from fairplay.games.labyrinth.drawing.canvas import (
    ANGLES,
    Canvas,
    LastMove,
    canvas_size,
    entry_point,
    exit_point,
    find_last_move,
    pawn_motion,
    pawn_places,
    position_key,
    seat_label,
    slide_key,
    slot_middle,
    spare_motion,
    tile_keys,
    tile_middle,
    tile_motion,
    tile_transform,
)
from fairplay.games.labyrinth.drawing.figures import HALF, LANE, TILE
from fairplay.games.labyrinth.state import Action, Move, Pass, Setup, State
from fairplay.games.labyrinth.tiles import OPEN_SIDES, ROTATIONS, rotate_tile
from games.labyrinth.kit import ORIGINAL, dealt
from games.labyrinth.worlds import ANN, BOB, open_board, player, started, to, turns
from kit import walk


def canvas(*chosen: str, lit: tuple[str, ...] = (), seats: bool = True) -> Canvas:
    return Canvas(rules.view(started(), ANN), False, seats, frozenset(lit), frozenset(chosen))


def test_keys_name_places_and_arrows() -> None:
    shift = started().board.grid.shift_for[2, "DOWN"]
    assert (position_key((2, 3)), slide_key(shift)) == ("at=2,3", "slide=2,DOWN")


def test_classes_say_what_can_be_clicked_and_what_was() -> None:
    marked = canvas("at=0,0", lit=("at=0,0", "at=0,1"))
    assert [marked.class_attribute(f"at=0,{column}") for column in range(3)] == [
        ' class="lit chosen"',
        ' class="lit"',
        "",
    ]


def test_everything_lies_within_the_picture() -> None:
    for seats in (False, True):
        shown = canvas(seats=seats)
        width, height = canvas_size(shown)
        for x, y in (tile_middle((2, 4)), slot_middle(shown.board.grid)):
            assert LANE + HALF <= x <= width - HALF and LANE + HALF <= y <= height - HALF
    assert tile_middle((0, 0)) == (LANE + HALF, LANE + HALF)


def test_a_tile_is_pushed_in_from_just_outside_the_edge() -> None:
    grid = started().board.grid
    (left, top), (right, bottom) = tile_middle((0, 0)), tile_middle((2, 4))
    points = [entry_point(grid, grid.shift_for[2, direction]) for direction in ("RIGHT", "LEFT", "DOWN", "UP")]
    middle = tile_middle((0, 2))[0]
    assert points == [(left - TILE, bottom), (right + TILE, bottom), (middle, top - TILE), (middle, bottom + TILE)]


def test_pawns_that_share_a_tile_stand_side_by_side() -> None:
    grid = started().board.grid
    x, y = tile_middle((1, 1))
    assert pawn_places(grid, [(1, 1), NOWHERE, (0, 0), (1, 1)]) == {
        0: (x - 12, y),
        2: tile_middle((0, 0)),
        3: (x + 12, y),
    }
    crowd = pawn_places(grid, [(1, 1)] * 6)
    assert len(set(crowd.values())) == 6
    assert all(abs(place[0] - x) < HALF for place in crowd.values())


def test_a_tile_that_is_turned_left_turns_left_in_the_picture() -> None:
    """Labyrinth 1.6: counter-clockwise; SVG counts clockwise."""
    assert set(ANGLES) == set(OPEN_SIDES.values())
    for tile, angle in ANGLES.items():
        left = ANGLES[rotate_tile(tile, 90)]
        symmetry = {1: 90, 2: 180, 4: 360}[len(ROTATIONS[tile])]
        assert (angle - left - 90) % symmetry == 0
    assert tile_transform((3, 4), OPEN_SIDES["└"]) == "translate(3 4)"
    assert tile_transform((3, 4), OPEN_SIDES["┘"]) == "translate(3 4)rotate(-90)"


def test_a_seat_is_labelled_with_a_colour_that_has_a_name() -> None:
    view = rules.view(started(), ANN)
    assert [seat_label(view, seat) for seat in (ANN, BOB)] == ["player 1 (red)", "player 2 (blue)"]
    assert seat_label(started(), ANN) == "player 1 (red)"


# -- the law of keys ---------------------------------------------------------------------------


def places_by_key(board: Board) -> dict[str, tuple[int, int] | None]:
    """Where the tile of each key lies; None: off the board."""
    columns = board.grid.columns
    spots = [*(divmod(number, columns) for number in range(len(board.gems) - 1)), None]
    keys = tile_keys(board)
    assert len(set(keys)) == len(keys)
    return dict(zip(keys, spots, strict=True))


@given(table=dealt() | ORIGINAL, seed=st.integers(0, 2**32), turns=st.integers(1, 30))
@settings(max_examples=25)
def test_after_a_slide_every_key_has_moved_as_the_rules_say(table: object, seed: int, turns: int) -> None:
    found = walk("labyrinth", table, seed, turns)  # type: ignore[arg-type]  # the strategies make tables
    for event in found.events:
        if not isinstance(event, Turn):
            continue
        before, after = places_by_key(event.before.board), places_by_key(event.after.board)
        if not isinstance(event.action, Move):
            assert before == after
            continue
        grid = event.before.board.grid
        shift = grid.shift_for[event.action.index, event.action.direction]
        for key, spot in before.items():
            if spot is None:
                assert after[key] == grid.positions[shift.entry]
            elif grid.cell(spot) == shift.exit:
                assert after[key] is None
            else:
                assert after[key] == shift.carry.get(spot, spot)


def test_tiles_that_are_alike_are_numbered() -> None:
    """Labyrinth 12.2."""
    board = started(open_board([player((1, 1), (1, 1), "red", (3, 3))])).board
    keys = tile_keys(board)
    assert len(set(keys)) == len(keys) == 26


# -- motion -----------------------------------------------------------------------------------


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
