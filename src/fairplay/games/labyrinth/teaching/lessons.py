"""Labyrinth in five pictures: one turn on a small board, from the goal to the way home."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.core.teaching import Lesson
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.board import carry_avatars, cells, reachable, slide_board
from fairplay.games.labyrinth.drawing.canvas import TURN_LEFT, TURN_RIGHT, position_key, slide_key
from fairplay.games.labyrinth.drawing.picture import draw_picture
from fairplay.games.labyrinth.state import Move, Setup, View
from fairplay.games.labyrinth.tiles import Degree, rotate_tile

__all__ = ["build_lessons"]

DEAL: Final = 1489
"""On the small board that is dealt with this seed the goal can be reached only if the spare tile is turned."""

LEARNER: Final = Seat(0)
MOVE: Final = Move(2, "RIGHT", 90, (3, 3))


@lru_cache(maxsize=1)
def build_lessons() -> tuple[Lesson, ...]:
    state = rules.start(Setup(rows=5, columns=5), 2, derived(DEAL, "lessons"))
    view = rules.view(state, LEARNER)
    shift = state.board.grid.shift_for[MOVE.index, MOVE.direction]
    arrow, slid = slide_key(shift), preview_slide(view, MOVE.degree)
    turned = replace(view, board=replace(view.board, spare=rotate_tile(view.board.spare, MOVE.degree)))
    after = rules.apply(state, MOVE)
    return (
        Lesson(
            "Your goal",
            "Everyone has a secret goal: yours is the place with the star, and only you can see it.",
            draw_picture(view, seats=False),
        ),
        Lesson(
            "Slide a row",
            "Push the spare tile in at an arrow: the whole row or column slides, with everyone on it; only undoing the"
            " last slide, at the barred arrow, is forbidden.",
            draw_picture(preview_slide(view, 0), seats=False, chosen=[arrow]),
        ),
        Lesson(
            "Turn the spare tile",
            "Before you push the spare tile in, turn it with the round arrows so that its corridor fits.",
            draw_picture(turned, seats=False, lit=[TURN_LEFT, TURN_RIGHT, arrow]),
        ),
        Lesson(
            "Walk",
            "Then walk along the corridors, as far as you like, to any place that can be reached.",
            draw_picture(slid, seats=False, lit=list_reachable(slid), chosen=[arrow]),
        ),
        Lesson(
            "Treasures, then home",
            "Each goal you reach is a treasure; after the last one go home to your tower, which ends the match: the"
            " most treasures win, and among equals the one who came home.",
            draw_picture(rules.view(after, LEARNER), Turn(state, LEARNER, MOVE, after), seats=False),
        ),
    )


def preview_slide(view: View, degree: Degree) -> View:
    """The view once the line is slid, before the walk."""
    shift = view.board.grid.shift_for[MOVE.index, MOVE.direction]
    board, avatars = slide_board(view.board, shift, degree), carry_avatars(view.avatars, shift)
    return replace(view, board=board, avatars=avatars, last=shift.slide)


def list_reachable(view: View) -> list[str]:
    """The keys of the places where a walk may end."""
    grid = view.board.grid
    places = (grid.positions[cell] for cell in cells(reachable(view.board, view.at)))
    return [position_key(at) for at in places if at != view.at]
