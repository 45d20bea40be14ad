"""Chance: play at random, and what a seat may not know, replaced by something that it could be."""

from fairplay.core.arithmetic import random_below
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.labyrinth.kernel.deal import TREASURES, fixed_cell, shuffle_goals
from fairplay.games.labyrinth.kernel.legal import is_legal
from fairplay.games.labyrinth.kernel.row import (
    COLUMNS,
    GOAL_COUNT,
    NEXT_GOAL,
    NOBODY,
    ORIGINAL,
    ROWS,
    TREASURE,
    TURN,
    count_found,
    count_seats,
    count_slides,
    get_lane,
    goal_at,
    home_of,
    is_going_home,
    is_in,
    owner_at,
    set_found,
    set_goal,
    set_lane,
    set_target,
    target_of,
)
from fairplay.games.labyrinth.kernel.turns import find_goal, forget_found, step

TRIES = 5
"""Actions drawn in one call of `play_on`."""


def random_action(tables: Tables, row: Row) -> int:
    """Choose one of the legal actions, each with the same chance.  ASSUME the match is not over.

    About one number in eight is legal, so numbers are drawn until one is.
    """
    while True:
        action = random_below(row, 1 + count_slides() * 4 * ROWS * COLUMNS)
        if is_legal(tables, row, action):
            return action


def play_on(tables: Tables, row: Row) -> int:
    """Draw a few actions, and make a turn of the first that is legal; return the number of turns.

    Threads that draw until they find one would wait for the unluckiest among them.
    """
    action, found = 0, False
    for _ in range(TRIES):
        if not found:
            action = random_below(row, 1 + count_slides() * 4 * ROWS * COLUMNS)
            found = is_legal(tables, row, action)
    if found:
        step(tables, row, action)
    return 1 if found else 0


def playout(tables: Tables, row: Row) -> int:
    """Choose at random until the match is over; return the number of turns."""
    turns = 0
    while get_lane(row, TURN) != OVER:
        step(tables, row, random_action(tables, row))
        turns += 1
    return turns


# -- what a seat may not know -----------------------------------------------------------------


def imagine(tables: Tables, row: Row, seat: int) -> None:
    """Replace what `seat` may not know by something that it could be, by the row's random numbers."""
    known = keep_own_goals(row, seat)
    count = known
    for number in range(TREASURES if ORIGINAL else (ROWS // 2) * (COLUMNS // 2)):
        goal = number if ORIGINAL else fixed_cell(number)
        if not is_goal_known(row, known, goal):
            set_goal(row, count, goal, NOBODY)
            count += 1
    shuffle_goals(row, known, count)
    if ORIGINAL:
        imagine_piles(tables, row, seat, known)
    else:
        imagine_goals(tables, row, seat, known, count)


def keep_own_goals(row: Row, seat: int) -> int:
    """Put the goals that `seat` found, and its target, first; return how many these are."""
    found, target = count_found(row, seat), target_of(row, seat)
    place = 0
    for count in range(found):
        while owner_at(row, place) != seat:
            place += 1
        set_goal(row, count, goal_at(row, place), seat)
        place += 1
    if not is_in(row, seat):
        return found
    # A first target is never the way home, even if it is the home; later it nearly always is.
    if target < TREASURE and (ORIGINAL or (found > 0 and target == home_of(row, seat))):
        set_found(row, seat, found, True)
        return found
    set_found(row, seat, found, False)
    set_goal(row, found, target & 0xFFF, seat)
    return found + 1


def is_goal_known(row: Row, count: int, goal: int) -> bool:
    """Is this one of the first `count` goals?"""
    for place in range(count):
        if goal_at(row, place) == goal:
            return True
    return False


def imagine_goals(tables: Tables, row: Row, me: int, start: int, end: int) -> None:
    """Deal the goals from `start` to before `end` to the others and, as far as nobody goes home, to the queue."""
    anybody_home = is_going_home(row, me)
    if not is_in(row, me):
        anybody_home = False
    for seat in range(count_seats(tables)):
        if seat == me and is_in(row, me):
            continue
        if start < end:
            goal = goal_at(row, start)
            set_goal(row, start, goal, seat)
            set_target(row, seat, goal)
            set_found(row, seat, 0, False)
            start += 1
        else:
            set_target(row, seat, home_of(row, seat))
            set_found(row, seat, 0, True)
            anybody_home = True
    set_lane(row, NEXT_GOAL, start)
    set_lane(row, GOAL_COUNT, start if anybody_home else start + random_below(row, end - start + 1))


def imagine_piles(tables: Tables, row: Row, me: int, start: int) -> None:
    """Deal the treasures from `start` on: each pile gets its size, and the others have found part of theirs."""
    size, own = TREASURES // count_seats(tables), start
    for seat in range(count_seats(tables)):
        playing = is_in(row, seat)
        known = own if seat == me and playing else 0
        for _ in range(size - known):
            set_goal(row, start, goal_at(row, start), seat)
            start += 1
        set_lane(row, GOAL_COUNT, start)
        set_lane(row, NEXT_GOAL, start)
        if seat != me or not playing:
            imagine_progress(row, seat, size)
            if seat == me:
                forget_found(row, seat)


def imagine_progress(row: Row, seat: int, size: int) -> None:
    """Let `seat` have found some of its pile of `size` treasures, or all, and look for the next one or its home."""
    done = random_below(row, size + 1)
    target = home_of(row, seat)
    if done < size:
        target = TREASURE + goal_at(row, find_goal(row, seat, done))
    set_target(row, seat, target)
    set_found(row, seat, done, done == size)
