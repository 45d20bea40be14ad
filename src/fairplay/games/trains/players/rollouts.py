"""Rollouts of the light planner, paired: each world is played once for every candidate, by the same chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.core.arithmetic import GOLDEN, MIX_A, ONE, next_random, to_int, to_word
from fairplay.core.kernel import OVER, RANDOM, Row, Tables
from fairplay.games.trains.kernel.row import LINK_WORDS, PICK_MASKS, SEATS, TABLE_CONNECTIONS, WORDS, is_picking
from fairplay.games.trains.kernel.scoring import REMOVED, scores
from fairplay.games.trains.kernel.turns import step, to_move
from fairplay.games.trains.players.belief import deal_again, measure_map, pick_cheapest, weigh_destinations
from fairplay.games.trains.players.light_planner import light_turn, make_plan
from fairplay.games.trains.players.routes import AGES, SAVED

__all__ = ["LINE", "SHARE", "choose_lightly", "play_worlds", "prepare_belief"]

SHARE = 840  # a whole win: every number of winners divides it
LINE = 16  # actions of a rollout that are noted
SHIFT = np.uint64(29)
LEAD_LIMIT = 60  # points
LEAD_WEIGHT = 12  # of a point, where a win has SHARE


def prepare_belief(tables: Tables, row: Row, fit: Any, masks: Any, notes: Any, seat: int) -> None:
    """Measure what the connections of a seat tell of its destinations; with the number after the last seat, the map."""
    if seat == SEATS:
        measure_map(tables, fit, masks, notes)
    else:
        weigh_destinations(tables, row, fit, masks, notes, seat)


def choose_lightly(tables: Tables, row: Row, fit: Any, masks: Any, notes: Any) -> int:
    """The light planner's own action for the seat to move; its plan is made again."""
    if not is_picking(row):
        make_plan(tables, row, masks, notes, to_move(tables, row))
    return light_action(tables, row, fit, masks, notes)


def light_action(tables: Tables, row: Row, fit: Any, masks: Any, notes: Any) -> int:
    """What the light planner does with the seat to move."""
    if is_picking(row):
        picked = to_word(pick_cheapest(tables, row, fit))
        pick = 0
        while tables[PICK_MASKS + pick] != picked:
            pick += 1
        return 1 + to_int(tables[TABLE_CONNECTIONS]) + pick
    return light_turn(tables, row, masks, notes, to_move(tables, row))


def play_worlds(
    tables: Tables,
    root: Row,
    world: Row,
    row: Row,
    clues: Row,
    fit: Any,
    masks: Any,
    notes: Any,
    points: Any,
    candidates: Any,
    gains: Any,
    totals: Any,
    line: Any,
    first: int,
    last: int,
) -> None:
    """Deal the worlds from `first` to before `last`, and play each once for every candidate.

    root: the position, with the seed of all worlds as its random numbers.
    gains: what I gain by each candidate in each world.
    totals: for each candidate, the sums of all shares of the win, and of all points.
    """
    me = to_move(tables, root)
    for number in range(first, last):
        make_world(tables, root, world, clues, fit, masks, notes, number)
        for nth in range(len(candidates)):
            for at in range(WORDS):
                row[at] = world[at]
            for at in range(SEATS * LINK_WORDS):
                masks[at] = masks[(SEATS + SAVED) * LINK_WORDS + at]
            for seat in range(SEATS):
                notes[AGES + seat] = 0
            step(tables, row, candidates[nth])
            roll_out(tables, row, fit, masks, notes, line, is_picking(root))
            scores(tables, row, points)
            gains[nth, number - first] = rate(points, totals, nth, me)


def make_world(
    tables: Tables, root: Row, world: Row, clues: Row, fit: Any, masks: Any, notes: Any, number: int
) -> None:
    """Deal what I cannot see, and make the plans of all seats."""
    for at in range(WORDS):
        world[at] = root[at]
    seed = (root[RANDOM] + to_word(number) * GOLDEN) * MIX_A
    world[RANDOM] = (seed ^ seed >> SHIFT) | ONE
    next_random(world)
    deal_again(tables, world, fit, clues, to_move(tables, root))
    if not is_picking(root):
        for seat in range(SEATS):
            make_plan(tables, world, masks, notes, seat)
    for at in range(SEATS * LINK_WORDS):
        masks[(SEATS + SAVED) * LINK_WORDS + at] = masks[at]


def roll_out(tables: Tables, row: Row, fit: Any, masks: Any, notes: Any, line: Any, planless: bool) -> None:
    """Let the light planner play all seats until the match is over, noting the first actions; -1 follows the last.

    planless: destinations were being picked, so there are no plans yet.
    """
    turns = 0
    while to_move(tables, row) != OVER:
        if planless and not is_picking(row):
            planless = False
            for seat in range(SEATS):
                make_plan(tables, row, masks, notes, seat)
        action = light_action(tables, row, fit, masks, notes)
        if turns < LINE:
            line[turns] = action
            turns += 1
        step(tables, row, action)
    if turns < LINE:
        line[turns] = -1


def rate(points: Any, totals: Any, nth: int, me: int) -> int:
    """Add the shares of the win and the points to the totals; return what I gain: my share and a bit of my lead."""
    most, winners, rival = -(1 << 40), 0, -(1 << 40)
    for seat in range(SEATS):
        if points[seat] > most:
            most, winners = points[seat], 0
        if points[seat] == most:
            winners += 1
        if seat != me and points[seat] > rival:
            rival = points[seat]
    for seat in range(SEATS):
        if points[seat] != REMOVED:
            totals[nth, SEATS + seat] += points[seat]
        if points[seat] == most:
            totals[nth, seat] += SHARE // winners
    lead = min(max(to_int(points[me] - rival), -LEAD_LIMIT), LEAD_LIMIT)
    return (SHARE // winners if points[me] == most else 0) + LEAD_WEIGHT * lead
