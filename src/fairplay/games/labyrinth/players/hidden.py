"""What a seat may not know, drawn from what it believes: goals and how many were found; interpreted and compiled.

A guess about a rival is one word: the goals that it found as bits, and from TARGET_AT on the number of its target, or
GOING_HOME.  Goals are numbered as the fixed positions are, row by row, or as the treasures are.  The guesses about a
seat lie side by side in an array, MOST_GUESSES for each seat, with their chances added up from the first on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, pick_bit, random_below, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.labyrinth.kernel.deal import TREASURES, fixed_cell
from fairplay.games.labyrinth.kernel.row import (
    COLUMNS,
    GOAL_COUNT,
    NEXT_GOAL,
    NOBODY,
    ORIGINAL,
    ROWS,
    TREASURE,
    count_found,
    count_seats,
    home_of,
    is_going_home,
    set_found,
    set_goal,
    set_lane,
    set_target,
    target_of,
)
from fairplay.games.labyrinth.players.belief import GOING_HOME

__all__ = ["GOALS_DEALT", "KNOWN", "ME", "MOST_GUESSES", "TARGET_AT", "count_goals", "draw_goals"]

TARGET_AT = 32
MOST_GUESSES = 512

ME, KNOWN, GOALS_DEALT = 0, 1, 2
"""Places in the facts: my seat; the goals that I found or have, as bits; how many goals there are in all."""

LOWER = np.uint64(0xFFFFFFFF)
TRIES = 8


def draw_goals(tables: Tables, row: Row, facts: Any, chances: Any, guesses: Row) -> None:
    """Draw the targets of all others, what they found, and the queue or the piles, by the row's random numbers."""
    me, known = facts[ME], to_word(facts[KNOWN])
    used, anybody_home = known, is_going_home(row, me)
    for seat in range(count_seats(tables)):
        if seat != me:
            guess = draw_guess(row, seat, used, chances, guesses)
            used |= goals_of(guess)
            anybody_home |= take_guess(row, seat, guess)
    unknown = ~used & to_word((1 << count_goals()) - 1)
    if ORIGINAL:
        draw_piles(tables, row, me, unknown)
    else:
        left = 0 if anybody_home else max(0, facts[GOALS_DEALT] - count_bits(used))
        draw_queue(row, unknown, left)


def count_goals() -> int:
    """How many goals there can be."""
    return TREASURES if ORIGINAL else (ROWS // 2) * (COLUMNS // 2)


def goals_of(guess: np.uint64) -> np.uint64:
    """The goals that a seat found or has, by a guess."""
    target = guess >> to_word(TARGET_AT)
    found = guess & LOWER
    return found if to_int(target) == GOING_HOME else found | (ONE << target)


def draw_guess(row: Row, seat: int, used: np.uint64, chances: Any, guesses: Row) -> np.uint64:
    """One of the guesses about a seat; no goal comes twice, as far as a few tries find such a guess."""
    start, count = seat * MOST_GUESSES, chances[(seat + 1) * MOST_GUESSES - 1]
    guess: np.uint64 = guesses[start]
    for _ in range(TRIES):
        drawn = random_below(row, chances[start + count - 1])
        place = start
        while chances[place] <= drawn:
            place += 1
        guess = guesses[place]
        if goals_of(guess) & used == ZERO:
            return guess
    return guess


def take_guess(row: Row, seat: int, guess: np.uint64) -> bool:
    """Let a guess be true; does the seat go home then?"""
    target, found = to_int(guess >> to_word(TARGET_AT)), count_bits(guess & LOWER)
    home = target == GOING_HOME
    set_found(row, seat, found, home)
    set_target(row, seat, target_lane(row, seat, target))
    return home


def target_lane(row: Row, seat: int, goal: int) -> int:
    """What a row has for the target of a seat: a cell, or the tile with a treasure."""
    if goal == GOING_HOME:
        return home_of(row, seat)
    return TREASURE + goal if ORIGINAL else fixed_cell(goal)


def draw_queue(row: Row, unknown: np.uint64, left: int) -> None:
    """Put goals that nobody has into the queue, in any order."""
    left = min(left, count_bits(unknown))
    set_lane(row, NEXT_GOAL, 0)
    set_lane(row, GOAL_COUNT, left)
    for place in range(left):
        goal = pick_bit(unknown, random_below(row, count_bits(unknown)))
        unknown ^= ONE << to_word(goal)
        set_goal(row, place, fixed_cell(goal), NOBODY)


def draw_piles(tables: Tables, row: Row, me: int, unknown: np.uint64) -> None:
    """Write the piles: what was found, if it only counts how much that is, the target, and any others."""
    place, size = 0, TREASURES // count_seats(tables)
    for seat in range(count_seats(tables)):
        target, found = target_of(row, seat), count_found(row, seat)
        for number in range(size):
            goal = target & 0xFF if number == found else 0
            if number > found and unknown != ZERO:
                goal = pick_bit(unknown, random_below(row, count_bits(unknown)))
                unknown ^= ONE << to_word(goal)
            set_goal(row, place, goal, seat)
            place += 1
    set_lane(row, NEXT_GOAL, place)
    set_lane(row, GOAL_COUNT, place)
