"""The house players of Labyrinth: random, Riemann and Euclid of Labyrinth 8, lookahead, and search, the strongest."""

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from fairplay.core import Strategy
from fairplay.core.chance import choice
from fairplay.core.thinking import Budget, Clock, Thinker
from fairplay.games.labyrinth.board import NOWHERE, Grid, Position, SlideOption, slide_options
from fairplay.games.labyrinth.goals import locate_target, locate_target_after
from fairplay.games.labyrinth.players.lookahead import look_ahead, nearest_cell
from fairplay.games.labyrinth.players.search import MazeSearcher
from fairplay.games.labyrinth.rules import legal_actions
from fairplay.games.labyrinth.state import Action, Move, Pass, View

LabyrinthStrategy: TypeAlias = Strategy[View, Action]

First: TypeAlias = Callable[[Grid, Position, int], int]
"""The bit of the first candidate among the cells of a mask; ASSUME there is one."""


def random(rng: Random) -> LabyrinthStrategy:
    """Any legal action, all equally likely."""
    return lambda view: choice(rng, legal_actions(view))


def riemann(rng: Random) -> LabyrinthStrategy:
    """Goes to the target, otherwise to the first position row by row that can be reached (Labyrinth 8)."""
    return lambda view: first_hit(view, row_by_row)


def euclid(rng: Random) -> LabyrinthStrategy:
    """Goes to the target, otherwise to the nearest position to it that can be reached (Labyrinth 8)."""
    return lambda view: first_hit(view, by_distance)


def lookahead(rng: Random, *, harm: float = 1.5) -> LabyrinthStrategy:
    """Goes to the target in a way that is good for its next turn and bad for the others'; `harm` weighs the latter."""
    return lambda view: look_ahead(view, rng, harm)


def search(
    rng: Random, *, playouts: int = 16000, slip: float = 0.0, seconds: float = 0.0, clock: Clock | None = None
) -> Thinker:
    """Plays the match out from the moves that look best, with the goals that the others may have; the strongest.

    slip: the chance of a random legal action.
    """
    return MazeSearcher(rng, Budget(playouts, seconds, clock), slip)


def first_hit(view: View, first: First) -> Action:
    """Find the best candidate that can be reached, and the first slide and degree for it (Labyrinth 8.1 to 8.4, 13.7).

    The target is the first candidate, so the first slide that opens it decides; for all others the options are kept,
    so that nothing is flooded twice.
    """
    board, target = view.board, view.target
    assert target is not None, "a seat that is out is not asked"
    on_tile = isinstance(target, str)
    seen: list[SlideOption] = []
    union = aim = 0
    for option in slide_options(board, view.at, view.last):
        if on_tile or not seen:  # a tile may move, a position does not
            aim = locate_target_after(board, target, option.shift)
        if option.ends & aim:
            return move_to_cell(board.grid, option, aim)
        seen.append(option)
        union |= option.ends
    if not union:
        return Pass()
    centre = locate_target(board, target)
    best = row_by_row(board.grid, NOWHERE, union) if centre is None else first(board.grid, centre, union)
    return move_to_cell(board.grid, next(option for option in seen if option.ends & best), best)


def move_to_cell(grid: Grid, option: SlideOption, cell: int) -> Move:
    """The move that slides and then walks to a cell, which is given as a bit."""
    slide = option.shift.slide
    return Move(slide.index, slide.direction, option.degrees[0], grid.positions[cell.bit_length() - 1])


def row_by_row(grid: Grid, target: Position, cells: int) -> int:
    """The first cell row by row (Labyrinth 8.2, Riemann)."""
    return cells & -cells


def by_distance(grid: Grid, target: Position, cells: int) -> int:
    """The nearest cell (Labyrinth 8.2, Euclid)."""
    return nearest_cell(grid, target, cells)[1]


STRATEGIES: Mapping[str, Callable[..., LabyrinthStrategy]] = {
    "random": random,
    "riemann": riemann,
    "euclid": euclid,
    "lookahead": lookahead,
    "search": search,
}
