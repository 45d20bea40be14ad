"""Matches dealt by chance, and what a seat cannot see dealt again (Labyrinth 2.3, 13.3, 13.4)."""

from fairplay.core.arithmetic import ONE, ZERO, count_bits, random_below, to_int, to_word
from fairplay.core.kernel import OVER, RANDOM, Row, Tables
from fairplay.games.labyrinth.kernel import row as layout
from fairplay.games.labyrinth.kernel.board import clear_planes, clear_words, lay_on_planes, lay_on_word, turn_sides
from fairplay.games.labyrinth.kernel.turns import find_goal, forget_found

KINDS_OF_GEM = 102
TREASURES = 24
CONNECTORS = 0xFEDCBA97653  # the eleven tiles with two open sides or more, four bits each
CORNER, STRAIGHT, FORK = 3, 5, 11
LOOSE_TILES = 34  # Labyrinth 13.3: 6 corners and 6 forks with treasures, 9 more corners, 13 straight ones


def start(tables: Tables, row: Row) -> None:
    """Deal a match by the row's random numbers, with the same chances as the rule book, from any row.

    One that the board has no room for is over at once.
    """
    if to_int(tables[layout.WAY_AT]) == layout.GIVEN:
        for word in range(RANDOM + 1, layout.WORDS):
            row[word] = layout.extra_word(tables, word)
        return
    row[layout.ROUNDS] = row[layout.TURN_NUMBER] = ZERO
    layout.set_lane(row, layout.TURN, 0)
    layout.set_lane(row, layout.FINISHER, layout.NO_LANE)
    layout.set_lane(row, layout.MOVERS, 0)
    layout.set_lane(row, layout.FRESH, 1)
    layout.set_lane(row, layout.LAST, layout.NO_LANE)
    deal_gems(row)
    if layout.SMALL:
        clear_planes(row)
    else:
        clear_words(row)
    if layout.ORIGINAL:
        lay_original(tables, row)
        deal_piles(tables, row)
    else:
        lay_standard(tables, row)
        deal_standard(tables, row)


def deal_standard(tables: Tables, row: Row) -> None:
    """Draw homes and goals, in this order (Labyrinth 2.3, 2.4)."""
    fixed = (layout.ROWS // 2) * (layout.COLUMNS // 2)
    if fixed < 2 or fixed < layout.count_seats(tables):
        layout.set_lane(row, layout.TURN, OVER)
    else:
        deal_homes(tables, row)
        deal_goals(tables, row)


def deal_gems(row: Row) -> None:
    """Draw different pairs of two different gems; in the original game a treasure's tile bears it twice."""
    seen = ZERO  # six bits of all pairs drawn: a pair with new ones is new
    for number in range(layout.ROWS * layout.COLUMNS + 1):
        pair = number * 257
        if not layout.ORIGINAL or number >= TREASURES:
            pair = draw_pair(row)
            while (seen >> to_word(pair & 63)) & ONE and is_pair_taken(row, number, pair):
                pair = draw_pair(row)
            seen |= ONE << to_word(pair & 63)
        layout.set_lane(row, layout.GEMS + number, pair)


def draw_pair(row: Row) -> int:
    """Draw two different gems; the smaller number is multiplied by 256."""
    one, other = random_below(row, KINDS_OF_GEM), random_below(row, KINDS_OF_GEM - 1)
    if other >= one:
        other += 1
    return (min(one, other) << 8) | max(one, other)


def is_pair_taken(row: Row, count: int, pair: int) -> bool:
    """Does one of the first `count` tiles bear this pair?"""
    for number in range(count):
        if layout.get_lane(row, layout.GEMS + number) == pair:
            return True
    return False


def lay_tile(row: Row, cell: int, sides: int, number: int) -> None:
    """Put a tile on an empty cell."""
    if layout.SMALL:
        lay_on_planes(row, cell, sides, number)
    else:
        lay_on_word(row, cell, sides, number)


def lay_standard(tables: Tables, row: Row) -> None:
    """Lay out random tiles, or those of a drawn board (Labyrinth 2.3 (b))."""
    for number in range(layout.ROWS * layout.COLUMNS):
        lay_tile(row, number + number // layout.COLUMNS, choose_tile(tables, row, number), number)
    layout.set_lane(row, layout.SPARE, choose_tile(tables, row, layout.ROWS * layout.COLUMNS))
    layout.set_lane(row, layout.SPARE_NUMBER, layout.ROWS * layout.COLUMNS)


def choose_tile(tables: Tables, row: Row, number: int) -> int:
    """One of the eleven connectors at random, or the one that was drawn."""
    if to_int(tables[layout.WAY_AT]) == layout.DRAWN:
        return to_int(layout.extra_word(tables, number))
    return (CONNECTORS >> (4 * random_below(row, 11))) & 15


def fixed_cell(number: int) -> int:
    """The cell of a fixed position, counted row by row (Labyrinth 1.7)."""
    across = layout.COLUMNS // 2
    return (number // across * 2 + 1) * layout.WIDTH + number % across * 2 + 1


def deal_homes(tables: Tables, row: Row) -> None:
    """Draw a different fixed position for each seat."""
    for seat in range(layout.count_seats(tables)):
        home = fixed_cell(random_below(row, (layout.ROWS // 2) * (layout.COLUMNS // 2)))
        while is_home_taken(row, seat, home):
            home = fixed_cell(random_below(row, (layout.ROWS // 2) * (layout.COLUMNS // 2)))
        layout.set_home(row, seat, home)
        layout.set_avatar(row, seat, home)
        layout.set_found(row, seat, 0, False)


def is_home_taken(row: Row, count: int, home: int) -> bool:
    """Does one of the first `count` seats live here?"""
    for seat in range(count):
        if layout.home_of(row, seat) == home:
            return True
    return False


def deal_goals(tables: Tables, row: Row) -> None:
    """Draw an order of all fixed positions, again until no seat starts with its home (Labyrinth 2.3 (d), 2.4)."""
    seats, fixed = layout.count_seats(tables), (layout.ROWS // 2) * (layout.COLUMNS // 2)
    for place in range(fixed):
        layout.set_goal(row, place, fixed_cell(place), layout.NOBODY)
    shuffle_goals(row, 0, fixed)
    while starts_at_goal(tables, row):
        shuffle_goals(row, 0, fixed)
    layout.set_lane(row, layout.NEXT_GOAL, seats)
    layout.set_lane(row, layout.GOAL_COUNT, seats + to_int(tables[layout.FURTHER_AT]))
    for seat in range(seats):
        target = layout.goal_at(row, seat)
        layout.set_goal(row, seat, target, seat)
        layout.set_target(row, seat, target)


def shuffle_goals(row: Row, start: int, end: int) -> None:
    """Bring the goals from `start` to before `end` into a random order."""
    for last in range(end - 1, start, -1):
        other = start + random_below(row, last - start + 1)
        goal = layout.get_lane(row, layout.GOALS + last)
        layout.set_lane(row, layout.GOALS + last, layout.get_lane(row, layout.GOALS + other))
        layout.set_lane(row, layout.GOALS + other, goal)


def starts_at_goal(tables: Tables, row: Row) -> bool:
    """Would a seat's first target be its home?"""
    for seat in range(layout.count_seats(tables)):
        if layout.goal_at(row, seat) == layout.home_of(row, seat):
            return True
    return False


# -- the original game -------------------------------------------------------------------------


def lay_original(tables: Tables, row: Row) -> None:
    """Lay out the fixed tiles and, in random order and turned at random, the loose ones (Labyrinth 13.3, 13.4)."""
    for place in range(LOOSE_TILES):
        layout.set_goal(row, place, place, 0)
    shuffle_goals(row, 0, LOOSE_TILES)
    corner, fork, loose = TREASURES, 0, 0
    for cell in range(layout.ROWS * layout.WIDTH):
        down, across = cell // layout.WIDTH, cell % layout.WIDTH
        if across == layout.COLUMNS:
            continue
        if down % 2 == 0 and across % 2 == 0:
            sides = (tables[layout.FIXED_AT] >> to_word((down * 2 + across // 2) * 4)) & to_word(15)
            if count_bits(sides) == 2:
                lay_tile(row, cell, to_int(sides), corner)
                corner += 1
            else:
                lay_tile(row, cell, to_int(sides), fork)
                fork += 1
        else:
            place = layout.goal_at(row, loose)
            lay_tile(row, cell, draw_turned(row, place), loose_number(place))
            loose += 1
    place = layout.goal_at(row, loose)
    layout.set_lane(row, layout.SPARE, draw_turned(row, place))
    layout.set_lane(row, layout.SPARE_NUMBER, loose_number(place))


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
    size = TREASURES // layout.count_seats(tables)
    for place in range(TREASURES):
        layout.set_goal(row, place, place, 0)
    shuffle_goals(row, 0, TREASURES)
    for place in range(TREASURES):
        layout.set_goal(row, place, layout.goal_at(row, place), place // size)
    layout.set_lane(row, layout.NEXT_GOAL, TREASURES)
    layout.set_lane(row, layout.GOAL_COUNT, TREASURES)
    for seat in range(layout.count_seats(tables)):
        home = (seat >> 1) * (layout.ROWS - 1) * layout.WIDTH + (((seat + 1) >> 1) & 1) * (layout.COLUMNS - 1)
        layout.set_home(row, seat, home)
        layout.set_avatar(row, seat, home)
        layout.set_found(row, seat, 0, False)
        layout.set_target(row, seat, layout.TREASURE + layout.goal_at(row, seat * size))


# -- what a seat may not know -----------------------------------------------------------------


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Replace what `seat` may not know by something that it could be, by the row's random numbers."""
    known = keep_own_goals(row, seat)
    count = known
    for number in range(TREASURES if layout.ORIGINAL else (layout.ROWS // 2) * (layout.COLUMNS // 2)):
        goal = number if layout.ORIGINAL else fixed_cell(number)
        if not is_goal_known(row, known, goal):
            layout.set_goal(row, count, goal, layout.NOBODY)
            count += 1
    shuffle_goals(row, known, count)
    if layout.ORIGINAL:
        imagine_piles(tables, row, seat, known)
    else:
        imagine_goals(tables, row, seat, known, count)


def keep_own_goals(row: Row, seat: int) -> int:
    """Put the goals that `seat` found, and its target, first; return how many these are."""
    found, target = layout.count_found(row, seat), layout.target_of(row, seat)
    place = 0
    for count in range(found):
        while layout.owner_at(row, place) != seat:
            place += 1
        layout.set_goal(row, count, layout.goal_at(row, place), seat)
        place += 1
    if not layout.is_in(row, seat):
        return found
    # A first target is never the way home, even if it is the home; later it nearly always is.
    if target < layout.TREASURE and (layout.ORIGINAL or (found > 0 and target == layout.home_of(row, seat))):
        layout.set_found(row, seat, found, True)
        return found
    layout.set_found(row, seat, found, False)
    layout.set_goal(row, found, target & 0xFFF, seat)
    return found + 1


def is_goal_known(row: Row, count: int, goal: int) -> bool:
    """Is this one of the first `count` goals?"""
    for place in range(count):
        if layout.goal_at(row, place) == goal:
            return True
    return False


def imagine_goals(tables: Tables, row: Row, me: int, start: int, end: int) -> None:
    """Deal the goals from `start` to before `end` to the others and, as far as nobody goes home, to the queue."""
    anybody_home = layout.is_going_home(row, me)
    if not layout.is_in(row, me):
        anybody_home = False
    for seat in range(layout.count_seats(tables)):
        if seat == me and layout.is_in(row, me):
            continue
        if start < end:
            goal = layout.goal_at(row, start)
            layout.set_goal(row, start, goal, seat)
            layout.set_target(row, seat, goal)
            layout.set_found(row, seat, 0, False)
            start += 1
        else:
            layout.set_target(row, seat, layout.home_of(row, seat))
            layout.set_found(row, seat, 0, True)
            anybody_home = True
    layout.set_lane(row, layout.NEXT_GOAL, start)
    layout.set_lane(row, layout.GOAL_COUNT, start if anybody_home else start + random_below(row, end - start + 1))


def imagine_piles(tables: Tables, row: Row, me: int, start: int) -> None:
    """Deal the treasures from `start` on: each pile gets its size, and the others have found part of theirs."""
    size, own = TREASURES // layout.count_seats(tables), start
    for seat in range(layout.count_seats(tables)):
        playing = layout.is_in(row, seat)
        known = own if seat == me and playing else 0
        for _ in range(size - known):
            layout.set_goal(row, start, layout.goal_at(row, start), seat)
            start += 1
        layout.set_lane(row, layout.GOAL_COUNT, start)
        layout.set_lane(row, layout.NEXT_GOAL, start)
        if seat != me or not playing:
            imagine_progress(row, seat, size)
            if seat == me:
                forget_found(row, seat)


def imagine_progress(row: Row, seat: int, size: int) -> None:
    """Let `seat` have found some of its pile of `size` treasures, or all, and look for the next one or its home."""
    done = random_below(row, size + 1)
    target = layout.home_of(row, seat)
    if done < size:
        target = layout.TREASURE + layout.goal_at(row, find_goal(row, seat, done))
    layout.set_target(row, seat, target)
    layout.set_found(row, seat, done, done == size)
