"""Matches played out: hidden goals drawn from a belief, then everyone goes where the most ways to the goal open.

Interpreted and compiled.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from fairplay.core.arithmetic import (
    ONE,
    STAR,
    ZERO,
    advance_random,
    count_bits,
    pick_bit_of_many,
    random_below,
    to_int,
    to_word,
)
from fairplay.core.kernel import OVER, RANDOM, Row, Tables
from fairplay.games.labyrinth.kernel.board import carry_cell, mask_of, turn_sides
from fairplay.games.labyrinth.kernel.deal import TREASURES
from fairplay.games.labyrinth.kernel.legal import undo_of
from fairplay.games.labyrinth.kernel.row import (
    COLUMNS,
    ENTRY,
    GOAL_COUNT,
    NEXT_GOAL,
    ORIGINAL,
    ROWS,
    TREASURE,
    TURN,
    WIDTH,
    WORDS,
    avatar_of,
    count_found,
    count_seats,
    count_slides,
    get_lane,
    is_going_home,
    is_in,
    target_of,
)
from fairplay.games.labyrinth.kernel.turns import scores, step
from fairplay.games.labyrinth.players.hidden import ME, draw_goals
from fairplay.games.labyrinth.players.mazes import (
    AFTER,
    HERE,
    LATER,
    OFF,
    SPARE_TILE,
    aim_after,
    copy_maze,
    count_turns,
    count_ways,
    flood_maze,
    flood_turned,
    locate_tile,
    most_ways,
    near_entry,
    slide_maze,
    ways_of,
)

__all__ = ["expect_line", "play_samples"]

TURNS, TRIES = 3, 4
"""Places in the facts: turns that are played out at most; slides that a seat tries if it cannot arrive."""

LINE_TRIES = 16
"""Slides that are tried for a turn that is shown."""


def play_samples(
    tables: Tables,
    root: Row,
    row: Row,
    mazes: Row,
    actions: Any,
    facts: Any,
    chances: Any,
    guesses: Row,
    sums: Any,
    products: Any,
    shares: Any,
    points: Any,
    seed: np.uint64,
    first: int,
    samples: int,
) -> None:
    """Play the match out after each action, with the same hidden goals; add up the share of the win of each seat.

    `sums` has a place for each action and seat, `products` one for each two actions: of my shares after them, so that
    it can be told how much they differ by chance.  The samples are numbered from `first` on.
    """
    seats, count = count_seats(tables), len(actions)
    for sample in range(first, first + samples):
        for place in range(count):
            for word in range(WORDS):
                row[word] = root[word]
            row[RANDOM] = start_of(seed, sample)
            draw_goals(tables, row, facts, chances, guesses)
            step(tables, row, actions[place])
            play_out(tables, row, mazes, facts)
            before = sums[place * seats + facts[ME]]
            if get_lane(row, TURN) != OVER:
                add_race(tables, row, sums, place * seats)
            else:
                add_shares(tables, row, points, sums, place * seats)
            shares[place] = sums[place * seats + facts[ME]] - before
            for other in range(place + 1):
                products[place * count + other] += shares[place] * shares[other]


def expect_line(
    tables: Tables, root: Row, row: Row, mazes: Row, facts: Any, chances: Any, guesses: Row, line: Any, seed: np.uint64
) -> int:
    """Write what may well follow the first action of `line` into it; return how many actions it has then."""
    for word in range(WORDS):
        row[word] = root[word]
    row[RANDOM] = start_of(seed, 0)
    draw_goals(tables, row, facts, chances, guesses)
    for place in range(len(line)):
        if get_lane(row, TURN) == OVER:
            return place
        if place > 0:
            line[place] = choose_turn(tables, row, mazes, LINE_TRIES)
        step(tables, row, line[place])
    return len(line)


def start_of(seed: np.uint64, sample: int) -> np.uint64:
    """The random numbers of a sample; not 0."""
    return advance_random(((seed ^ (to_word(sample + 1) * STAR)) * STAR) | ONE)


def play_out(tables: Tables, row: Row, mazes: Row, facts: Any) -> None:
    """Play on until the match is over, or for a number of turns."""
    for _ in range(facts[TURNS]):
        if get_lane(row, TURN) == OVER:
            return
        step(tables, row, choose_turn(tables, row, mazes, facts[TRIES]))


def add_shares(tables: Tables, row: Row, points: Any, sums: Any, start: int) -> None:
    """Add the share of the win to the sum of each seat that has the most points."""
    scores(tables, row, points)
    seats, winners = count_seats(tables), 0
    best = points[0]
    for seat in range(1, seats):
        best = max(best, points[seat])
    for seat in range(seats):
        if points[seat] == best:
            winners += 1
    for seat in range(seats):
        if points[seat] == best:
            sums[start + seat] += 1.0 / winners


def add_race(tables: Tables, row: Row, sums: Any, start: int) -> None:
    """Add what a race that is not over is worth to each seat: its chance to stay ahead of every other."""
    seats, total = count_seats(tables), 0.0
    for seat in range(seats):
        total += chance_of(tables, row, seat)
    for seat in range(seats):
        sums[start + seat] += chance_of(tables, row, seat) / total


def chance_of(tables: Tables, row: Row, seat: int) -> float:
    """The product of the chances of a seat against each other: a lead counts for more the fewer goals are left."""
    chance = 1.0
    if not is_in(row, seat):
        return 0.0
    found = count_found(row, seat)
    for other in range(count_seats(tables)):
        if other != seat and is_in(row, other):
            lead = found - count_found(row, other)
            left = 2 * (TREASURES // count_seats(tables) + 1 - found) + lead if ORIGINAL else count_left(tables, row)
            pace = lead * lead / (left + 0.1)
            half = 0.5 * sqrt(pace / (1.0 + pace))
            chance *= 0.5 + half if lead > 0 else 0.5 - half
    return chance


def count_left(tables: Tables, row: Row) -> int:
    """How many goals are still to be found in the standard game."""
    left = get_lane(row, GOAL_COUNT) - get_lane(row, NEXT_GOAL)
    for seat in range(count_seats(tables)):
        if is_in(row, seat) and not is_going_home(row, seat):
            left += 1
    return left


def choose_turn(tables: Tables, row: Row, mazes: Row, tries: int) -> int:
    """The number of an action for the seat to move: it arrives at its goal, or opens many ways for its next turn."""
    seat = get_lane(row, TURN)
    avatar, target = avatar_of(row, seat), target_of(row, seat)
    rides = 1 if ORIGINAL and target >= TREASURE else 0
    aim = locate_tile(tables, row, target - TREASURE) if rides else target
    copy_maze(row, mazes)
    action = find_arrival(tables, row, mazes, avatar, aim, rides)
    if action == 0:
        action = open_ways(tables, row, mazes, avatar, aim, rides, tries)
    return action


def number_of(first: int, cell: int) -> int:
    """The number of the action that ends on a cell after a slide and a turn of the spare tile."""
    return 1 + first * (ROWS * COLUMNS) + cell - cell // WIDTH


def find_arrival(tables: Tables, row: Row, mazes: Row, avatar: int, aim: int, rides: int) -> int:
    """The number of an action that ends on the goal, beginning with a random slide; 0 if there is none."""
    undo, offset = undo_of(row), random_below(row, count_slides())
    for number in range(count_slides()):
        slide = (number + offset) % count_slides()
        there = aim_after(tables, slide, aim, rides)
        if slide != undo and there != OFF:
            quarters = find_turn(tables, mazes, slide, carry_cell(tables, slide, avatar), there, random_below(row, 4))
            if quarters >= 0:
                return number_of(slide * 4 + quarters, there)
    return 0


def find_turn(tables: Tables, mazes: Row, slide: int, start: int, there: int, offset: int) -> int:
    """A turn of the spare tile after which the cell `there` can be reached from `start`; -1 if there is none."""
    if start == there and not ORIGINAL:
        return -1
    slide_maze(tables, mazes, HERE, LATER, slide, 0)
    seen, goal = flood_maze(mazes, LATER, ONE << to_word(start)), ONE << to_word(there)
    if seen & goal:
        return offset
    if seen & near_entry(tables, slide):
        spare = to_int(mazes[HERE + SPARE_TILE])
        for quarters in range(count_turns(spare)):
            if flood_turned(mazes, LATER, mask_of(tables, slide, ENTRY), turn_sides(spare, quarters), seen) & goal:
                return quarters
    return -1


def open_ways(tables: Tables, row: Row, mazes: Row, avatar: int, aim: int, rides: int, tries: int) -> int:
    """Try a few slides, and go to one of the cells from which the most slides then open a way to the goal."""
    undo, best, action = undo_of(row), -1, 0
    for _ in range(tries):
        first = random_below(row, count_slides() * 4)
        if first >> 2 == undo:
            continue
        ends = enter_maze(tables, mazes, first, avatar)
        if ends == ZERO:
            continue
        count_ways(tables, mazes, AFTER, aim_after(tables, first >> 2, aim, rides), rides)
        ends = most_ways(mazes, ends)
        cell = pick_bit_of_many(ends, random_below(row, count_bits(ends)))
        ways = ways_of(mazes, cell)
        if ways > best:
            best, action = ways, number_of(first, cell)
    return action or any_move(tables, row, mazes, avatar)


def enter_maze(tables: Tables, mazes: Row, first: int, avatar: int) -> np.uint64:
    """Slide the maze HERE to AFTER; return the cells where a move may end then."""
    slide = first >> 2
    slide_maze(tables, mazes, HERE, AFTER, slide, turn_sides(to_int(mazes[HERE + SPARE_TILE]), first & 3))
    place = ONE << to_word(carry_cell(tables, slide, avatar))
    ends = flood_maze(mazes, AFTER, place)
    return ends if ORIGINAL else ends ^ place


def any_move(tables: Tables, row: Row, mazes: Row, avatar: int) -> int:
    """Any move that is legal, with the first slide that allows one; 0, a pass, if none does."""
    undo = undo_of(row)
    for first in range(count_slides() * 4):
        if first >> 2 != undo:
            ends = enter_maze(tables, mazes, first, avatar)
            if ends != ZERO:
                return number_of(first, pick_bit_of_many(ends, random_below(row, count_bits(ends))))
    return 0
