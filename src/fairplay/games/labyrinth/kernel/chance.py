"""Chance: play at random, and what a seat may not know, replaced by something that it could be."""

from fairplay.core.arithmetic import random_below
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.labyrinth.kernel import row as layout
from fairplay.games.labyrinth.kernel.deal import TREASURES, fixed_cell, shuffle_goals
from fairplay.games.labyrinth.kernel.legal import is_legal
from fairplay.games.labyrinth.kernel.turns import find_goal, forget_found, step

TRIES = 5
"""Actions drawn in one call of `play_on`."""


def random_action(tables: Tables, row: Row) -> int:
    """Choose one of the legal actions, each with the same chance.  ASSUME the match is not over.

    About one number in eight is legal, so numbers are drawn until one is.
    """
    while True:
        action = random_below(row, 1 + layout.count_slides() * 4 * layout.ROWS * layout.COLUMNS)
        if is_legal(tables, row, action):
            return action


def play_on(tables: Tables, row: Row) -> int:
    """Draw a few actions, and make a turn of the first that is legal; return the number of turns.

    Threads that draw until they find one would wait for the unluckiest among them.
    """
    action, found = 0, False
    for _ in range(TRIES):
        if not found:
            action = random_below(row, 1 + layout.count_slides() * 4 * layout.ROWS * layout.COLUMNS)
            found = is_legal(tables, row, action)
    if found:
        step(tables, row, action)
    return 1 if found else 0


def playout(tables: Tables, row: Row) -> int:
    """Choose at random until the match is over; return the number of turns."""
    turns = 0
    while layout.get_lane(row, layout.TURN) != OVER:
        step(tables, row, random_action(tables, row))
        turns += 1
    return turns


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
