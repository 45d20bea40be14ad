"""The strongest house player that does not search: it weighs what a slide does for its own next turn, and for others'.

Whether the target can be reached a turn later is worked out for all cells at once, starting from the target: for each
slide that may follow, flood from the target and carry the cells back to where an avatar must stand before the slide.
"""

from functools import lru_cache
from random import Random
from typing import NamedTuple

from fairplay.core.chance import below
from fairplay.core.immutable import mask
from fairplay.games.labyrinth import board as boards
from fairplay.games.labyrinth.deal import TREASURES
from fairplay.games.labyrinth.goals import locate_target, locate_target_after
from fairplay.games.labyrinth.state import Action, Move, Pass, Target, View
from fairplay.games.labyrinth.tiles import ROTATIONS

MISS_CHANCE = 0.5  # of missing the target with one way to it; each further way multiplies it again
RING_VALUE = 0.004  # of being one ring nearer to the target, all else equal
RANDOM_VALUE = 0.05  # random, so that two such players do not slide back and forth for ever


class MovePlan(NamedTuple):
    """A slide, and where to walk after it."""

    value: float
    option: boards.SlideOption
    cell: int  # the bit of where to walk


def look_ahead(view: View, rng: Random, harm: float) -> Action:
    """Go to the target if it can be reached, in the way that is best afterwards; otherwise to the best next start."""
    target = view.target
    assert target is not None, "a seat that is out is not asked"
    board = view.board
    found = [(seen, seen.ends) for seen in boards.slide_options(board, view.at, view.last) if seen.ends]
    arriving = [(seen, aim) for seen, ends in found if (aim := ends & locate_target_after(board, target, seen.shift))]
    plans = (plan_move(view, target, seen, ends, rng, harm, arrives=bool(arriving)) for seen, ends in arriving or found)
    best = max(plans, key=lambda plan: plan.value, default=None)
    if best is None:
        return Pass()
    slide, position = best.option.shift.slide, board.grid.positions[best.cell.bit_length() - 1]
    return Move(slide.index, slide.direction, best.option.degrees[0], position)


def plan_move(
    view: View, target: Target, seen: boards.SlideOption, choices: int, rng: Random, harm: float, *, arrives: bool
) -> MovePlan:
    """Find the best of `choices`, and what it is worth."""
    after = boards.slide_board(view.board, seen.shift, seen.degrees[0])
    rivals = [seen.shift.carry.get(view.avatars[seat], view.avatars[seat]) for seat in view.seats if seat != view.me]
    goals = unknown_goals(view, after)
    value = RANDOM_VALUE * below(rng, 1024) / 1024 - harm * sum(
        share_of_goals(goals, opened_cells(after, rival)) for rival in rivals
    )
    if arrives:
        at = after.grid.positions[choices.bit_length() - 1]
        way_home = 1 << after.grid.cell(view.home) if after.grid.holds(view.home) else 0
        return MovePlan(value + share_of_goals(goals | way_home, opened_cells(after, at)), seen, choices)
    ways, cells = most_ways(after, target, choices)
    centre = locate_target(after, target)
    ring, cell = (0, cells & -cells) if centre is None else nearest_cell(after.grid, centre, cells)
    return MovePlan(value + 1 - MISS_CHANCE**ways - RING_VALUE * ring, seen, cell)


def unknown_goals(view: View, board: boards.Board) -> int:
    """The cells that may be someone else's goal or my next one: neither my target nor found before."""
    grid = board.grid
    if not grid.original:
        return mask(grid.cell(spot) for spot in grid.fixed if spot not in view.found and spot != view.target)
    left = [gem for gem in TREASURES if gem not in view.found and gem != view.target]
    numbers = {pair[0]: number for number, pair in enumerate(board.gems[:-1]) if pair[0] == pair[1]}
    return mask(grid.cell(divmod(numbers[gem], grid.columns)) for gem in left if gem in numbers)


def opened_cells(board: boards.Board, at: boards.Position) -> int:
    """All cells that some slide makes reachable from `at`."""
    union = 0
    for seen in boards.slide_options(board, at, None):
        union |= seen.ends
    return union


def share_of_goals(goals: int, cells: int) -> float:
    """The share of `goals` that are among `cells`."""
    return (goals & cells).bit_count() / max(goals.bit_count(), 1)


def most_ways(board: boards.Board, target: Target, choices: int) -> tuple[int, int]:
    """Find those of `choices` from which the most slides open a way to the target next turn, and how many do."""
    at_least: list[int] = []  # the cells with one way or more, with two or more, ...
    for cells in ways_in(board, target):
        for index, before in enumerate(at_least):
            at_least[index], cells = before | cells, before & cells
        if cells:
            at_least.append(cells)
    ways = 0
    for ways, cells in enumerate(at_least, 1):
        if not choices & cells:
            return ways - 1, choices
        choices &= cells
    return ways, choices


def ways_in(board: boards.Board, target: Target) -> list[int]:
    """For each slide the cells from which it opens a way to the target, the spare tile turned any way."""
    grid, sides, rotations = board.grid, board.sides, ROTATIONS[board.spare]
    found = []
    for shift in grid.shifts:
        aim = locate_target_after(board, target, shift)
        gap = shift.move_sides(sides)
        union = reached = grid.flood(gap, aim)
        if reached & (shift.around | 1 << shift.entry):
            for tile, _ in rotations:
                union |= grid.flood(gap | grid.spread[tile] << shift.entry, reached)
        found.append(shift.cells_before(union if grid.original else union & ~aim))
    return found


# -- distances --------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def distance_rings(grid: boards.Grid, centre: boards.Position) -> tuple[int, ...]:
    """Sort the cells into masks of equal distance to `centre`, nearest first."""
    found: dict[int, list[int]] = {}
    for row in range(grid.rows):
        for column in range(grid.columns):
            distance = boards.squared_distance((row, column), centre)
            found.setdefault(distance, []).append(grid.cell((row, column)))
    return tuple(mask(found[distance]) for distance in sorted(found))


def nearest_cell(grid: boards.Grid, centre: boards.Position, cells: int) -> tuple[int, int]:
    """Find the number of the first ring that meets `cells`, and the bit of its first cell; ASSUME there is one."""
    return next(
        (number, near & -near) for number, ring in enumerate(distance_rings(grid, centre)) if (near := ring & cells)
    )
