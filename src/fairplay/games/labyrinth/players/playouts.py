"""Matches played out: hidden goals drawn from a belief, then everyone goes where the most ways to the goal open.

A guess about a rival is one word: the goals that it found as bits, and from TARGET_AT on the number of its target, or
GOING_HOME.  Goals are numbered as the fixed positions are, row by row, or as the treasures are.  The guesses about a
seat lie side by side in an array, MOST_GUESSES for each seat, with their chances added up from the first on.

Interpreted and compiled.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from fairplay.core.arithmetic import (
    LOW_HALF,
    ONE,
    STAR,
    ZERO,
    advance_random,
    count_bits,
    pick_bit,
    pick_bit_of_many,
    random_below,
    to_int,
    to_word,
)
from fairplay.core.kernel import OVER, RANDOM, Doubles, Integers, Row, Tables
from fairplay.games.labyrinth.kernel import row as layout
from fairplay.games.labyrinth.kernel.board import carry_cell, mask_of, turn_sides
from fairplay.games.labyrinth.kernel.deal import TREASURES, fixed_cell
from fairplay.games.labyrinth.kernel.legal import undo_of
from fairplay.games.labyrinth.kernel.turns import scores, step
from fairplay.games.labyrinth.players import mazes as maze
from fairplay.games.labyrinth.players.belief import GOING_HOME

LINE_TRIES = 16
"""Slides that are tried for a turn that is shown."""


class Arrays(NamedTuple):
    """One position, and what is believed of it."""

    tables: Tables
    root: Row  # the position
    row: Row  # a copy, to play on
    mazes: Row
    chances: Integers  # of each seat: those of its guesses, added up
    guesses: Row
    me: int  # my seat
    known: int  # the goals that I found or have, as bits
    dealt: int  # how many goals there are in all
    turns: int  # that are played out at most
    tries: int  # slides that a seat tries if it cannot arrive


class SampleArrays(NamedTuple):
    """What playouts after some actions add up to."""

    sums: Doubles  # of the share of the win, for each action and seat
    products: Doubles  # of my shares after each two actions, so that it can be told how much they differ by chance
    shares: Doubles  # mine, in the last sample
    points: Integers


def play_samples(
    arrays: Arrays, actions: Integers, found: SampleArrays, seed: np.uint64, first: int, samples: int
) -> None:
    """Play the match out after each action, with the same hidden goals; the samples are numbered from `first` on."""
    tables, row, me = arrays.tables, arrays.row, arrays.me
    sums, products, shares = found.sums, found.products, found.shares
    seats, count = layout.count_seats(tables), len(actions)
    for sample in range(first, first + samples):
        for place in range(count):
            begin_sample(arrays, seed, sample)
            step(tables, row, actions[place])
            play_out(arrays)
            before = sums[place * seats + me]
            if layout.get_lane(row, layout.TURN) != OVER:
                add_race(tables, row, sums, place * seats)
            else:
                add_shares(tables, row, found.points, sums, place * seats)
            shares[place] = sums[place * seats + me] - before
            for other in range(place + 1):
                products[place * count + other] += shares[place] * shares[other]


def expect_line(arrays: Arrays, line: Integers, seed: np.uint64) -> int:
    """Write what may well follow the first action of `line` into it; return how many actions it has then."""
    tables, row = arrays.tables, arrays.row
    begin_sample(arrays, seed, 0)
    for place in range(len(line)):
        if layout.get_lane(row, layout.TURN) == OVER:
            return place
        if place > 0:
            line[place] = choose_turn(tables, row, arrays.mazes, LINE_TRIES)
        step(tables, row, line[place])
    return len(line)


def begin_sample(arrays: Arrays, seed: np.uint64, sample: int) -> None:
    """Go back to the position, and draw what is hidden in it."""
    for word in range(layout.WORDS):
        arrays.row[word] = arrays.root[word]
    arrays.row[RANDOM] = start_of(seed, sample)
    draw_goals(arrays)


def start_of(seed: np.uint64, sample: int) -> np.uint64:
    """The random numbers of a sample; not 0."""
    return advance_random(((seed ^ (to_word(sample + 1) * STAR)) * STAR) | ONE)


def play_out(arrays: Arrays) -> None:
    """Play on until the match is over, or for a number of turns."""
    tables, row = arrays.tables, arrays.row
    for _ in range(arrays.turns):
        if layout.get_lane(row, layout.TURN) == OVER:
            return
        step(tables, row, choose_turn(tables, row, arrays.mazes, arrays.tries))


def add_shares(tables: Tables, row: Row, points: Integers, sums: Doubles, start: int) -> None:
    """Add the share of the win to the sum of each seat that has the most points."""
    scores(tables, row, points)
    seats, winners = layout.count_seats(tables), 0
    best = points[0]
    for seat in range(1, seats):
        best = max(best, points[seat])
    for seat in range(seats):
        if points[seat] == best:
            winners += 1
    for seat in range(seats):
        if points[seat] == best:
            sums[start + seat] += 1.0 / winners


def add_race(tables: Tables, row: Row, sums: Doubles, start: int) -> None:
    """Add what a race that is not over is worth to each seat: its chance to stay ahead of every other."""
    seats, total = layout.count_seats(tables), 0.0
    for seat in range(seats):
        total += chance_of(tables, row, seat)
    for seat in range(seats):
        sums[start + seat] += chance_of(tables, row, seat) / total


def chance_of(tables: Tables, row: Row, seat: int) -> float:
    """The product of the chances of a seat against each other: a lead counts for more the fewer goals are left."""
    chance = 1.0
    if not layout.is_in(row, seat):
        return 0.0
    found = layout.count_found(row, seat)
    for other in range(layout.count_seats(tables)):
        if other != seat and layout.is_in(row, other):
            lead = found - layout.count_found(row, other)
            each = TREASURES // layout.count_seats(tables)
            left = 2 * (each + 1 - found) + lead if layout.ORIGINAL else count_left(tables, row)
            pace = lead * lead / (left + 0.1)
            half = 0.5 * sqrt(pace / (1.0 + pace))
            chance *= 0.5 + half if lead > 0 else 0.5 - half
    return chance


def count_left(tables: Tables, row: Row) -> int:
    """How many goals are still to be found in the standard game."""
    left = layout.get_lane(row, layout.GOAL_COUNT) - layout.get_lane(row, layout.NEXT_GOAL)
    for seat in range(layout.count_seats(tables)):
        if layout.is_in(row, seat) and not layout.is_going_home(row, seat):
            left += 1
    return left


def choose_turn(tables: Tables, row: Row, mazes: Row, tries: int) -> int:
    """The number of an action for the seat to move: it arrives at its goal, or opens many ways for its next turn."""
    seat = layout.get_lane(row, layout.TURN)
    avatar, target = layout.avatar_of(row, seat), layout.target_of(row, seat)
    rides = 1 if layout.ORIGINAL and target >= layout.TREASURE else 0
    aim = maze.locate_tile(tables, row, target - layout.TREASURE) if rides else target
    maze.copy_maze(row, mazes)
    action = find_arrival(tables, row, mazes, avatar, aim, rides)
    if action == 0:
        action = open_ways(tables, row, mazes, avatar, aim, rides, tries)
    return action


def find_arrival(tables: Tables, row: Row, mazes: Row, avatar: int, aim: int, rides: int) -> int:
    """The number of an action that ends on the goal, beginning with a random slide; 0 if there is none."""
    undo, offset = undo_of(row), random_below(row, layout.count_slides())
    for number in range(layout.count_slides()):
        slide = (number + offset) % layout.count_slides()
        there = maze.aim_after(tables, slide, aim, rides)
        if slide != undo and there != maze.OFF:
            quarters = find_turn(tables, mazes, slide, carry_cell(tables, slide, avatar), there, random_below(row, 4))
            if quarters >= 0:
                return maze.number_of(slide * 4 + quarters, there)
    return 0


def find_turn(tables: Tables, mazes: Row, slide: int, start: int, there: int, offset: int) -> int:
    """A turn of the spare tile after which the cell `there` can be reached from `start`; -1 if there is none."""
    if start == there and not layout.ORIGINAL:
        return -1
    maze.slide_maze(tables, mazes, maze.HERE, maze.LATER, slide, 0)
    seen, goal = maze.flood_maze(mazes, maze.LATER, ONE << to_word(start)), ONE << to_word(there)
    if seen & goal:
        return offset
    if seen & maze.near_entry(tables, slide):
        spare, entry = to_int(mazes[maze.HERE + maze.SPARE_TILE]), mask_of(tables, slide, layout.ENTRY)
        for quarters in range(maze.count_turns(spare)):
            if maze.flood_turned(mazes, maze.LATER, entry, turn_sides(spare, quarters), seen) & goal:
                return quarters
    return -1


def open_ways(tables: Tables, row: Row, mazes: Row, avatar: int, aim: int, rides: int, tries: int) -> int:
    """Try a few slides, and go to one of the cells from which the most slides then open a way to the goal."""
    undo, best, action = undo_of(row), -1, 0
    for _ in range(tries):
        first = random_below(row, layout.count_slides() * 4)
        if first >> 2 == undo:
            continue
        ends = maze.enter_maze(tables, mazes, first, avatar)
        if ends == ZERO:
            continue
        maze.count_ways(tables, mazes, maze.AFTER, maze.aim_after(tables, first >> 2, aim, rides), rides)
        ends = maze.most_ways(mazes, ends)
        cell = pick_bit_of_many(ends, random_below(row, count_bits(ends)))
        ways = maze.ways_of(mazes, cell)
        if ways > best:
            best, action = ways, maze.number_of(first, cell)
    return action or any_move(tables, row, mazes, avatar)


def any_move(tables: Tables, row: Row, mazes: Row, avatar: int) -> int:
    """Any move that is legal, with the first slide that allows one; 0, a pass, if none does."""
    undo = undo_of(row)
    for first in range(layout.count_slides() * 4):
        if first >> 2 != undo:
            ends = maze.enter_maze(tables, mazes, first, avatar)
            if ends != ZERO:
                return maze.number_of(first, pick_bit_of_many(ends, random_below(row, count_bits(ends))))
    return 0


# -- hidden goals -----------------------------------------------------------------------------


TARGET_AT = 32
MOST_GUESSES = 512

GUESS_TRIES = 8


def draw_goals(arrays: Arrays) -> None:
    """Draw the targets of all others, what they found, and the queue or the piles, by the row's random numbers."""
    tables, row, me = arrays.tables, arrays.row, arrays.me
    used, anybody_home = to_word(arrays.known), layout.is_going_home(row, me)
    for seat in range(layout.count_seats(tables)):
        if seat != me:
            guess = draw_guess(row, seat, used, arrays.chances, arrays.guesses)
            used |= goals_of(guess)
            anybody_home |= take_guess(row, seat, guess)
    unknown = ~used & to_word((1 << maze.count_goals()) - 1)
    if layout.ORIGINAL:
        draw_piles(tables, row, me, unknown)
    else:
        left = 0 if anybody_home else max(0, arrays.dealt - count_bits(used))
        draw_queue(row, unknown, left)


def goals_of(guess: np.uint64) -> np.uint64:
    """The goals that a seat found or has, by a guess."""
    target = guess >> to_word(TARGET_AT)
    found = guess & LOW_HALF
    return found if to_int(target) == GOING_HOME else found | (ONE << target)


def draw_guess(row: Row, seat: int, used: np.uint64, chances: Integers, guesses: Row) -> np.uint64:
    """One of the guesses about a seat; no goal comes twice, as far as a few tries find such a guess."""
    start, count = seat * MOST_GUESSES, chances[(seat + 1) * MOST_GUESSES - 1]
    guess: np.uint64 = guesses[start]
    for _ in range(GUESS_TRIES):
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
    target, found = to_int(guess >> to_word(TARGET_AT)), count_bits(guess & LOW_HALF)
    home = target == GOING_HOME
    layout.set_found(row, seat, found, home)
    layout.set_target(row, seat, target_lane(row, seat, target))
    return home


def target_lane(row: Row, seat: int, goal: int) -> int:
    """What a row has for the target of a seat: a cell, or the tile with a treasure."""
    if goal == GOING_HOME:
        return layout.home_of(row, seat)
    return layout.TREASURE + goal if layout.ORIGINAL else fixed_cell(goal)


def draw_queue(row: Row, unknown: np.uint64, left: int) -> None:
    """Put goals that nobody has into the queue, in any order."""
    left = min(left, count_bits(unknown))
    layout.set_lane(row, layout.NEXT_GOAL, 0)
    layout.set_lane(row, layout.GOAL_COUNT, left)
    for place in range(left):
        goal = pick_bit(unknown, random_below(row, count_bits(unknown)))
        unknown ^= ONE << to_word(goal)
        layout.set_goal(row, place, fixed_cell(goal), layout.NOBODY)


def draw_piles(tables: Tables, row: Row, me: int, unknown: np.uint64) -> None:
    """Write the piles: what was found, if it only counts how much that is, the target, and any others."""
    place, size = 0, TREASURES // layout.count_seats(tables)
    for seat in range(layout.count_seats(tables)):
        target, found = layout.target_of(row, seat), layout.count_found(row, seat)
        for number in range(size):
            goal = target & 0xFF if number == found else 0
            if number > found and unknown != ZERO:
                goal = pick_bit(unknown, random_below(row, count_bits(unknown)))
                unknown ^= ONE << to_word(goal)
            layout.set_goal(row, place, goal, seat)
            place += 1
    layout.set_lane(row, layout.NEXT_GOAL, place)
    layout.set_lane(row, layout.GOAL_COUNT, place)
