"""Matches dealt by chance, and what a seat could not know (Labyrinth 2.3, 13.3, 13.4)."""

from fairplay.core.arithmetic import ONE, ZERO, count_bits, random_below, to_int, to_word
from fairplay.core.kernel import OVER, RANDOM, Row, Tables
from fairplay.games.labyrinth.kernel.board import clear_planes, clear_words, lay_on_planes, lay_on_word, turn_sides
from fairplay.games.labyrinth.kernel.row import (
    COLUMNS,
    DRAWN,
    FINISHER,
    FIXED_AT,
    FRESH,
    FURTHER_AT,
    GEMS,
    GIVEN,
    GOAL_COUNT,
    GOALS,
    LAST,
    MOVERS,
    NEXT_GOAL,
    NO_LANE,
    NOBODY,
    ORIGINAL,
    ROUNDS,
    ROWS,
    SMALL,
    SPARE,
    SPARE_NUMBER,
    TREASURE,
    TURN,
    TURN_NUMBER,
    WAY_AT,
    WIDTH,
    WORDS,
    count_seats,
    extra_word,
    get_lane,
    goal_at,
    home_of,
    set_avatar,
    set_found,
    set_goal,
    set_home,
    set_lane,
    set_target,
)

KINDS_OF_GEM = 102
TREASURES = 24
CONNECTORS = 0xFEDCBA97653  # the eleven tiles with two open sides or more, four bits each
CORNER, STRAIGHT, FORK = 3, 5, 11
LOOSE_TILES = 34  # Labyrinth 13.3: 6 corners and 6 forks with treasures, 9 more corners, 13 straight ones


def start(tables: Tables, row: Row) -> None:
    """Deal a match by the row's random numbers, with the same chances as the rule book, from any row.

    One that the board has no room for is over at once.
    """
    if to_int(tables[WAY_AT]) == GIVEN:
        for word in range(RANDOM + 1, WORDS):
            row[word] = extra_word(tables, word)
        return
    row[ROUNDS] = row[TURN_NUMBER] = ZERO
    set_lane(row, TURN, 0)
    set_lane(row, FINISHER, NO_LANE)
    set_lane(row, MOVERS, 0)
    set_lane(row, FRESH, 1)
    set_lane(row, LAST, NO_LANE)
    deal_gems(row)
    if SMALL:
        clear_planes(row)
    else:
        clear_words(row)
    if ORIGINAL:
        lay_original(tables, row)
        deal_piles(tables, row)
    else:
        lay_standard(tables, row)
        deal_standard(tables, row)


def deal_standard(tables: Tables, row: Row) -> None:
    """Draw homes and goals, in this order (Labyrinth 2.3, 2.4)."""
    fixed = (ROWS // 2) * (COLUMNS // 2)
    if fixed < 2 or fixed < count_seats(tables):
        set_lane(row, TURN, OVER)
    else:
        deal_homes(tables, row)
        deal_goals(tables, row)


def deal_gems(row: Row) -> None:
    """Draw different pairs of two different gems; in the original game a treasure's tile bears it twice."""
    seen = ZERO  # six bits of all pairs drawn: a pair with new ones is new
    for number in range(ROWS * COLUMNS + 1):
        pair = number * 257
        if not ORIGINAL or number >= TREASURES:
            pair = draw_pair(row)
            while (seen >> to_word(pair & 63)) & ONE and is_pair_taken(row, number, pair):
                pair = draw_pair(row)
            seen |= ONE << to_word(pair & 63)
        set_lane(row, GEMS + number, pair)


def draw_pair(row: Row) -> int:
    """Draw two different gems; the smaller number is multiplied by 256."""
    one, other = random_below(row, KINDS_OF_GEM), random_below(row, KINDS_OF_GEM - 1)
    if other >= one:
        other += 1
    return (min(one, other) << 8) | max(one, other)


def is_pair_taken(row: Row, count: int, pair: int) -> bool:
    """Does one of the first `count` tiles bear this pair?"""
    for number in range(count):
        if get_lane(row, GEMS + number) == pair:
            return True
    return False


def lay_tile(row: Row, cell: int, sides: int, number: int) -> None:
    """Put a tile on an empty cell."""
    if SMALL:
        lay_on_planes(row, cell, sides, number)
    else:
        lay_on_word(row, cell, sides, number)


def lay_standard(tables: Tables, row: Row) -> None:
    """Lay out random tiles, or those of a drawn board (Labyrinth 2.3 (b))."""
    for number in range(ROWS * COLUMNS):
        lay_tile(row, number + number // COLUMNS, choose_tile(tables, row, number), number)
    set_lane(row, SPARE, choose_tile(tables, row, ROWS * COLUMNS))
    set_lane(row, SPARE_NUMBER, ROWS * COLUMNS)


def choose_tile(tables: Tables, row: Row, number: int) -> int:
    """One of the eleven connectors at random, or the one that was drawn."""
    if to_int(tables[WAY_AT]) == DRAWN:
        return to_int(extra_word(tables, number))
    return (CONNECTORS >> (4 * random_below(row, 11))) & 15


def fixed_cell(number: int) -> int:
    """The cell of a fixed position, counted row by row (Labyrinth 1.7)."""
    across = COLUMNS // 2
    return (number // across * 2 + 1) * WIDTH + number % across * 2 + 1


def deal_homes(tables: Tables, row: Row) -> None:
    """Draw a different fixed position for each seat."""
    for seat in range(count_seats(tables)):
        home = fixed_cell(random_below(row, (ROWS // 2) * (COLUMNS // 2)))
        while is_home_taken(row, seat, home):
            home = fixed_cell(random_below(row, (ROWS // 2) * (COLUMNS // 2)))
        set_home(row, seat, home)
        set_avatar(row, seat, home)
        set_found(row, seat, 0, False)


def is_home_taken(row: Row, count: int, home: int) -> bool:
    """Does one of the first `count` seats live here?"""
    for seat in range(count):
        if home_of(row, seat) == home:
            return True
    return False


def deal_goals(tables: Tables, row: Row) -> None:
    """Draw an order of all fixed positions, again until no seat starts with its home (Labyrinth 2.3 (d), 2.4)."""
    seats, fixed = count_seats(tables), (ROWS // 2) * (COLUMNS // 2)
    for place in range(fixed):
        set_goal(row, place, fixed_cell(place), NOBODY)
    shuffle_goals(row, 0, fixed)
    while starts_at_goal(tables, row):
        shuffle_goals(row, 0, fixed)
    set_lane(row, NEXT_GOAL, seats)
    set_lane(row, GOAL_COUNT, seats + to_int(tables[FURTHER_AT]))
    for seat in range(seats):
        target = goal_at(row, seat)
        set_goal(row, seat, target, seat)
        set_target(row, seat, target)


def shuffle_goals(row: Row, start: int, end: int) -> None:
    """Bring the goals from `start` to before `end` into a random order."""
    for last in range(end - 1, start, -1):
        other = start + random_below(row, last - start + 1)
        goal = get_lane(row, GOALS + last)
        set_lane(row, GOALS + last, get_lane(row, GOALS + other))
        set_lane(row, GOALS + other, goal)


def starts_at_goal(tables: Tables, row: Row) -> bool:
    """Would a seat's first target be its home?"""
    for seat in range(count_seats(tables)):
        if goal_at(row, seat) == home_of(row, seat):
            return True
    return False


# -- the original game -------------------------------------------------------------------------


def lay_original(tables: Tables, row: Row) -> None:
    """Lay out the fixed tiles and, in random order and turned at random, the loose ones (Labyrinth 13.3, 13.4)."""
    for place in range(LOOSE_TILES):
        set_goal(row, place, place, 0)
    shuffle_goals(row, 0, LOOSE_TILES)
    corner, fork, loose = TREASURES, 0, 0
    for cell in range(ROWS * WIDTH):
        down, across = cell // WIDTH, cell % WIDTH
        if across == COLUMNS:
            continue
        if down % 2 == 0 and across % 2 == 0:
            sides = (tables[FIXED_AT] >> to_word((down * 2 + across // 2) * 4)) & to_word(15)
            if count_bits(sides) == 2:
                lay_tile(row, cell, to_int(sides), corner)
                corner += 1
            else:
                lay_tile(row, cell, to_int(sides), fork)
                fork += 1
        else:
            place = goal_at(row, loose)
            lay_tile(row, cell, draw_turned(row, place), loose_number(place))
            loose += 1
    place = goal_at(row, loose)
    set_lane(row, SPARE, draw_turned(row, place))
    set_lane(row, SPARE_NUMBER, loose_number(place))


def draw_turned(row: Row, place: int) -> int:
    """One of the loose tiles, turned at random."""
    sides = STRAIGHT
    if place < 6 or 12 <= place < 21:
        sides = CORNER
    elif place < 12:
        sides = FORK
    return turn_sides(sides, random_below(row, 4))


def loose_number(place: int) -> int:
    """The number of a loose tile: the treasure on it, or one after all treasures and fixed corners."""
    return place + 12 if place < 12 else place + 16


def deal_piles(tables: Tables, row: Row) -> None:
    """Cut a random order of the treasures into equal piles; every seat starts in its corner (Labyrinth 13.2, 13.4)."""
    size = TREASURES // count_seats(tables)
    for place in range(TREASURES):
        set_goal(row, place, place, 0)
    shuffle_goals(row, 0, TREASURES)
    for place in range(TREASURES):
        set_goal(row, place, goal_at(row, place), place // size)
    set_lane(row, NEXT_GOAL, TREASURES)
    set_lane(row, GOAL_COUNT, TREASURES)
    for seat in range(count_seats(tables)):
        home = (seat >> 1) * (ROWS - 1) * WIDTH + (((seat + 1) >> 1) & 1) * (COLUMNS - 1)
        set_home(row, seat, home)
        set_avatar(row, seat, home)
        set_found(row, seat, 0, False)
        set_target(row, seat, TREASURE + goal_at(row, seat * size))
