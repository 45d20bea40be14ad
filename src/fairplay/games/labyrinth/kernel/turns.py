"""What happens in a turn: slides, walks, goals, whose turn comes next."""

from fairplay.core.arithmetic import ONE
from fairplay.core.kernel import OVER, Integers, Row, Tables
from fairplay.games.labyrinth.kernel import row as layout
from fairplay.games.labyrinth.kernel.board import carry_cell, slide_planes, slide_words, tile_at


def to_move(tables: Tables, row: Row) -> int:
    """Whose decision is awaited; OVER when the match is over."""
    return layout.get_lane(row, layout.TURN)


def step(tables: Tables, row: Row, action: int) -> None:
    """Do the action with this number.  ASSUME it is legal."""
    seat = layout.get_lane(row, layout.TURN)
    row[layout.TURN_NUMBER] += ONE
    if layout.get_lane(row, layout.FRESH):
        layout.set_lane(row, layout.MOVERS, 0)
    if action == 0:
        pass_turn(tables, row, seat)
        return
    first = (action - 1) // (layout.ROWS * layout.COLUMNS)
    cell = action - 1 - first * (layout.ROWS * layout.COLUMNS)
    cell += cell // layout.COLUMNS
    slide_board(tables, row, first >> 2, first & 3)
    layout.set_avatar(row, seat, cell)
    layout.set_lane(row, layout.MOVERS, layout.get_lane(row, layout.MOVERS) | (1 << seat))
    arrived, going_home = is_target(row, seat, cell), layout.is_going_home(row, seat)
    rounds = row[layout.ROUNDS]
    pass_turn(tables, row, seat)
    if arrived and going_home:  # Labyrinth 4.1: at once, also within a round
        row[layout.ROUNDS] = rounds
        layout.set_lane(row, layout.TURN, OVER)
        layout.set_lane(row, layout.FINISHER, seat)
    elif arrived:
        give_next_goal(row, seat)


def slide_board(tables: Tables, row: Row, slide: int, quarters: int) -> None:
    """Slide a line and insert the spare tile, turned; carry the avatars along (Labyrinth 3.3, 3.4)."""
    if layout.SMALL:
        slide_planes(tables, row, slide, quarters)
    else:
        slide_words(tables, row, slide, quarters)
    layout.set_lane(row, layout.LAST, slide)
    for seat in range(layout.count_seats(tables)):
        cell = layout.avatar_of(row, seat)
        if cell != layout.NO_LANE:
            layout.set_avatar(row, seat, carry_cell(tables, slide, cell))


def is_target(row: Row, seat: int, cell: int) -> bool:
    """Does `seat` want to go to this cell?"""
    target = layout.target_of(row, seat)
    if layout.ORIGINAL and target >= layout.TREASURE:
        return target - layout.TREASURE == tile_at(row, cell) >> 4
    return target == cell


def pass_turn(tables: Tables, row: Row, seat: int) -> None:
    """Find whose turn comes after `seat`, and whether a round is complete (Labyrinth 3.1, 4.2, 4.3)."""
    other = next_seat(tables, row, seat + 1)
    if other != OVER:
        layout.set_lane(row, layout.TURN, other)
        layout.set_lane(row, layout.FRESH, 0)
        return
    row[layout.ROUNDS] += ONE
    layout.set_lane(row, layout.FRESH, 1)
    if layout.get_lane(row, layout.MOVERS) == 0 or row[layout.ROUNDS] >= tables[layout.LIMIT_AT]:
        layout.set_lane(row, layout.TURN, OVER)
    else:
        layout.set_lane(row, layout.TURN, next_seat(tables, row, 0))


def next_seat(tables: Tables, row: Row, start: int) -> int:
    """The first seat from `start` that is still in; OVER if there is none."""
    for seat in range(start, layout.count_seats(tables)):
        if layout.is_in(row, seat):
            return seat
    return OVER


def give_next_goal(row: Row, seat: int) -> None:
    """Count the goal that `seat` reached, and give it the next one (Labyrinth 3.7, 3.8, 13.5)."""
    found, home, going_home = layout.count_found(row, seat) + 1, layout.home_of(row, seat), False
    target, front = layout.NO_LANE, layout.get_lane(row, layout.NEXT_GOAL)
    count = layout.get_lane(row, layout.GOAL_COUNT)
    if layout.ORIGINAL:
        place = find_goal(row, seat, found)
        if place != layout.NO_LANE:
            target = layout.TREASURE + layout.goal_at(row, place)
    elif front < count:
        target = layout.goal_at(row, front)
        layout.set_goal(row, front, target, seat)
        layout.set_lane(row, layout.NEXT_GOAL, front + 1)
        if target == home and front + 1 == count:
            going_home = True
    if target == layout.NO_LANE:
        target = home
        going_home = True
    layout.set_target(row, seat, target)
    layout.set_found(row, seat, found, going_home)


def find_goal(row: Row, seat: int, rank: int) -> int:
    """Where the goal lies that `seat` has got, or will get, after `rank` others; NO_LANE if nowhere."""
    for place in range(layout.get_lane(row, layout.GOAL_COUNT)):
        if layout.owner_at(row, place) == seat:
            if rank == 0:
                return place
            rank -= 1
    return layout.NO_LANE


def remove(tables: Tables, row: Row, seat: int) -> None:
    """Throw `seat` out of the match, and pass its turn on (Labyrinth 6.4)."""
    layout.set_avatar(row, seat, layout.NO_LANE)
    forget_found(row, seat)
    movers, fresh = layout.get_lane(row, layout.MOVERS), layout.get_lane(row, layout.FRESH)
    turn = layout.get_lane(row, layout.TURN)
    others = movers & ~(1 << seat)
    layout.set_lane(row, layout.MOVERS, others)
    if turn == OVER:
        return
    if next_seat(tables, row, 0) == OVER:
        layout.set_lane(row, layout.TURN, OVER)  # Labyrinth 4.4
    elif seat == turn:
        if fresh:
            layout.set_lane(row, layout.MOVERS, 0)
        pass_turn(tables, row, seat)
    elif fresh and movers != others and others == 0:
        layout.set_lane(row, layout.TURN, OVER)  # only this seat moved in the round before (Labyrinth 4.2)


def forget_found(row: Row, seat: int) -> None:
    """Take from `seat` the goals that it found."""
    for _ in range(layout.count_found(row, seat)):
        place = find_goal(row, seat, 0)
        layout.set_goal(row, place, layout.goal_at(row, place), layout.NOBODY)
    layout.set_found(row, seat, 0, layout.is_going_home(row, seat))


def scores(tables: Tables, row: Row, out: Integers) -> None:
    """Write one number per seat into `out`: treasures, then coming home, then distance (Labyrinth 5.1, 13.2)."""
    scale = layout.ROWS * layout.ROWS + layout.COLUMNS * layout.COLUMNS
    for seat in range(layout.count_seats(tables)):
        cell = layout.avatar_of(row, seat)
        if cell == layout.NO_LANE:
            out[seat] = -scale
        else:
            found = 2 * layout.count_found(row, seat)
            distance = 0 if layout.ORIGINAL else measure_distance(cell, layout.target_of(row, seat))
            out[seat] = (found + (layout.get_lane(row, layout.FINISHER) == seat)) * scale - distance


def measure_distance(one: int, other: int) -> int:
    """The squared distance of two cells."""
    down, across = one // layout.WIDTH - other // layout.WIDTH, one % layout.WIDTH - other % layout.WIDTH
    return down * down + across * across
