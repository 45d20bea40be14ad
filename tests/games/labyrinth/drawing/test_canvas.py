"""What is highlighted in a picture of Labyrinth, where its parts lie, and what they are called."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from fairplay.core import Turn
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.board import NOWHERE, Board
from fairplay.games.labyrinth.drawing.canvas import (
    ANGLES,
    Canvas,
    canvas_size,
    entry_point,
    pawn_places,
    position_key,
    seat_label,
    slide_key,
    slot_middle,
    tile_keys,
    tile_middle,
    tile_transform,
)
from fairplay.games.labyrinth.drawing.stone import HALF, LANE, TILE
from fairplay.games.labyrinth.state import Move
from fairplay.games.labyrinth.tiles import OPEN_SIDES, ROTATIONS, rotate_tile
from games.labyrinth.kit import ORIGINAL, dealt
from games.labyrinth.worlds import ANN, BOB, open_board, player, started
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
