"""What happens in a turn: slides, walks, goals, whose turn comes next."""

from typing import Any

from fairplay.core.arithmetic import ONE
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.labyrinth.kernel.board import carry_cell, slide_planes, slide_words, tile_at
from fairplay.games.labyrinth.kernel.row import (
    COLUMNS,
    FINISHER,
    FRESH,
    GOAL_COUNT,
    LAST,
    LIMIT_AT,
    MOVERS,
    NEXT_GOAL,
    NO_LANE,
    NOBODY,
    ORIGINAL,
    ROUNDS,
    ROWS,
    SMALL,
    TREASURE,
    TURN,
    TURN_NUMBER,
    WIDTH,
    avatar_of,
    count_found,
    count_seats,
    get_lane,
    goal_at,
    home_of,
    is_going_home,
    is_in,
    owner_at,
    set_avatar,
    set_found,
    set_goal,
    set_lane,
    set_target,
    target_of,
)


def to_move(tables: Tables, row: Row) -> int:
    """Whose decision is awaited; OVER when the match is over."""
    return get_lane(row, TURN)


def step(tables: Tables, row: Row, action: int) -> None:
    """Do the action with this number.  ASSUME it is legal."""
    seat = get_lane(row, TURN)
    row[TURN_NUMBER] += ONE
    if get_lane(row, FRESH):
        set_lane(row, MOVERS, 0)
    if action == 0:
        pass_turn(tables, row, seat)
        return
    first = (action - 1) // (ROWS * COLUMNS)
    cell = action - 1 - first * (ROWS * COLUMNS)
    cell += cell // COLUMNS
    slide_board(tables, row, first >> 2, first & 3)
    set_avatar(row, seat, cell)
    set_lane(row, MOVERS, get_lane(row, MOVERS) | (1 << seat))
    arrived, going_home = is_target(row, seat, cell), is_going_home(row, seat)
    rounds = row[ROUNDS]
    pass_turn(tables, row, seat)
    if arrived and going_home:  # Labyrinth 4.1: at once, also within a round
        row[ROUNDS] = rounds
        set_lane(row, TURN, OVER)
        set_lane(row, FINISHER, seat)
    elif arrived:
        give_next_goal(row, seat)


def slide_board(tables: Tables, row: Row, slide: int, quarters: int) -> None:
    """Slide a line and insert the spare tile, turned; carry the avatars along (Labyrinth 3.3, 3.4)."""
    if SMALL:
        slide_planes(tables, row, slide, quarters)
    else:
        slide_words(tables, row, slide, quarters)
    set_lane(row, LAST, slide)
    for seat in range(count_seats(tables)):
        cell = avatar_of(row, seat)
        if cell != NO_LANE:
            set_avatar(row, seat, carry_cell(tables, slide, cell))


def is_target(row: Row, seat: int, cell: int) -> bool:
    """Does `seat` want to go to this cell?"""
    target = target_of(row, seat)
    if ORIGINAL and target >= TREASURE:
        return target - TREASURE == tile_at(row, cell) >> 4
    return target == cell


def pass_turn(tables: Tables, row: Row, seat: int) -> None:
    """Find whose turn comes after `seat`, and whether a round is complete (Labyrinth 3.1, 4.2, 4.3)."""
    other = next_seat(tables, row, seat + 1)
    if other != OVER:
        set_lane(row, TURN, other)
        set_lane(row, FRESH, 0)
        return
    row[ROUNDS] += ONE
    set_lane(row, FRESH, 1)
    if get_lane(row, MOVERS) == 0 or row[ROUNDS] >= tables[LIMIT_AT]:
        set_lane(row, TURN, OVER)
    else:
        set_lane(row, TURN, next_seat(tables, row, 0))


def next_seat(tables: Tables, row: Row, start: int) -> int:
    """The first seat from `start` that is still in; OVER if there is none."""
    for seat in range(start, count_seats(tables)):
        if is_in(row, seat):
            return seat
    return OVER


def give_next_goal(row: Row, seat: int) -> None:
    """Count the goal that `seat` reached, and give it the next one (Labyrinth 3.7, 3.8, 13.5)."""
    found, home, going_home = count_found(row, seat) + 1, home_of(row, seat), False
    target, front, count = NO_LANE, get_lane(row, NEXT_GOAL), get_lane(row, GOAL_COUNT)
    if ORIGINAL:
        place = find_goal(row, seat, found)
        if place != NO_LANE:
            target = TREASURE + goal_at(row, place)
    elif front < count:
        target = goal_at(row, front)
        set_goal(row, front, target, seat)
        set_lane(row, NEXT_GOAL, front + 1)
        if target == home and front + 1 == count:
            going_home = True
    if target == NO_LANE:
        target = home
        going_home = True
    set_target(row, seat, target)
    set_found(row, seat, found, going_home)


def find_goal(row: Row, seat: int, rank: int) -> int:
    """Where the goal lies that `seat` has got, or will get, after `rank` others; NO_LANE if nowhere."""
    for place in range(get_lane(row, GOAL_COUNT)):
        if owner_at(row, place) == seat:
            if rank == 0:
                return place
            rank -= 1
    return NO_LANE


def remove(tables: Tables, row: Row, seat: int) -> None:
    """Throw `seat` out of the match, and pass its turn on (Labyrinth 6.4)."""
    set_avatar(row, seat, NO_LANE)
    forget_found(row, seat)
    movers, fresh, turn = get_lane(row, MOVERS), get_lane(row, FRESH), get_lane(row, TURN)
    others = movers & ~(1 << seat)
    set_lane(row, MOVERS, others)
    if turn == OVER:
        return
    if next_seat(tables, row, 0) == OVER:
        set_lane(row, TURN, OVER)  # Labyrinth 4.4
    elif seat == turn:
        if fresh:
            set_lane(row, MOVERS, 0)
        pass_turn(tables, row, seat)
    elif fresh and movers != others and others == 0:
        set_lane(row, TURN, OVER)  # only this seat moved in the round before (Labyrinth 4.2)


def forget_found(row: Row, seat: int) -> None:
    """Take from `seat` the goals that it found."""
    for _ in range(count_found(row, seat)):
        place = find_goal(row, seat, 0)
        set_goal(row, place, goal_at(row, place), NOBODY)
    set_found(row, seat, 0, is_going_home(row, seat))


def scores(tables: Tables, row: Row, out: Any) -> None:
    """Write one number per seat into `out`: treasures, then coming home, then distance (Labyrinth 5.1, 13.2)."""
    scale = ROWS * ROWS + COLUMNS * COLUMNS
    for seat in range(count_seats(tables)):
        cell = avatar_of(row, seat)
        if cell == NO_LANE:
            out[seat] = -scale
        else:
            found = 2 * count_found(row, seat)
            distance = 0 if ORIGINAL else measure_distance(cell, target_of(row, seat))
            out[seat] = (found + (get_lane(row, FINISHER) == seat)) * scale - distance


def measure_distance(one: int, other: int) -> int:
    """The squared distance of two cells."""
    down, across = one // WIDTH - other // WIDTH, one % WIDTH - other % WIDTH
    return down * down + across * across
