"""The house players of Labyrinth: random, Riemann and Euclid of Labyrinth 8, and one that looks ahead."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from fairplay.core import Strategy
from fairplay.core.chance import choice
from fairplay.games.labyrinth.board import Grid, Outlook, Position, outlooks
from fairplay.games.labyrinth.goals import whereabouts
from fairplay.games.labyrinth.lookahead import look_ahead
from fairplay.games.labyrinth.rings import nearest
from fairplay.games.labyrinth.rules import legal_actions
from fairplay.games.labyrinth.state import Action, Move, Pass, View

__all__ = ["STRATEGIES", "euclid", "lookahead", "random", "riemann"]

LabyrinthStrategy: TypeAlias = Strategy[View, Action]

First: TypeAlias = Callable[[Grid, Position, int], int]
"""The bit of the first candidate among the cells of a mask; ASSUME there is one."""


def random(rng: Random) -> LabyrinthStrategy:
    """Any legal action, all equally likely."""
    return lambda view: choice(rng, legal_actions(view))


def riemann(rng: Random) -> LabyrinthStrategy:
    """The target, else the first position row by row that can be reached (Labyrinth 8)."""
    return lambda view: first_hit(view, row_by_row)


def euclid(rng: Random) -> LabyrinthStrategy:
    """The target, else the position nearest to it that can be reached (Labyrinth 8)."""
    return lambda view: first_hit(view, by_distance)


def lookahead(rng: Random, *, harm: float = 1.5) -> LabyrinthStrategy:
    """The target, so that the next turn is good for me and bad for the others; `harm` weighs the latter."""
    return lambda view: look_ahead(view, rng, harm)


def first_hit(view: View, first: First) -> Action:
    """Labyrinth 8.1 to 8.4: the best candidate that some slide opens, by the first slide and degree that does.

    The target is the first candidate, so the first slide that opens it settles the matter; for all the others what
    each slide opens is kept, so that nothing is flooded twice.
    """
    grid = view.board.grid
    if grid.original:
        return first_hit_original(view, first)
    target = view.target
    assert target is not None and not isinstance(target, str)
    aim = 1 << grid.cell(target) if grid.holds(target) else 0
    seen: list[tuple[Outlook, int]] = []
    union = 0
    for outlook in outlooks(view.board, view.at, view.last):
        open_cells = outlook.reached ^ outlook.place
        if open_cells & aim:
            return move(grid, outlook, aim)
        seen.append((outlook, open_cells))
        union |= open_cells
    if not union:
        return Pass()
    best = first(grid, target, union)
    return move(grid, next(outlook for outlook, open_cells in seen if open_cells & best), best)


def first_hit_original(view: View, first: First) -> Action:
    """Labyrinth 13.7: the target where it lies after the slide, else around where it lay before; staying is a hit."""
    board, target = view.board, view.target
    grid = board.grid
    assert target is not None
    seen: list[Outlook] = []
    union = 0
    before = whereabouts(board, target)
    for outlook in outlooks(board, view.at, view.last):
        push = outlook.push
        if isinstance(target, str):
            if before is None:  # the target is on the spare tile, which is put in
                after: Position | None = grid.positions[push.entry]
            else:
                after = None if grid.cell(before) == push.exit else push.carry.get(before, before)
        else:
            after = target
        if after is not None and outlook.reached >> grid.cell(after) & 1:
            return move(grid, outlook, 1 << grid.cell(after))
        seen.append(outlook)
        union |= outlook.reached
    best = row_by_row(grid, (0, 0), union) if before is None else first(grid, before, union)
    return move(grid, next(outlook for outlook in seen if outlook.reached & best), best)


def move(grid: Grid, outlook: Outlook, cell: int) -> Move:
    slide = outlook.push.slide
    return Move(slide.index, slide.direction, outlook.degrees[0], grid.positions[cell.bit_length() - 1])


def row_by_row(grid: Grid, target: Position, cells: int) -> int:
    """Labyrinth 8.2, Riemann."""
    return cells & -cells


def by_distance(grid: Grid, target: Position, cells: int) -> int:
    """Labyrinth 8.2, Euclid."""
    return nearest(grid, target, cells)[1]


STRATEGIES: Mapping[str, Callable[..., LabyrinthStrategy]] = {
    "random": random,
    "riemann": riemann,
    "euclid": euclid,
    "lookahead": lookahead,
}
