"""How Labyrinth is taught: one turn on a small board in five pictures, from the goal to the way home, and advice."""

from functools import lru_cache

from msgspec.structs import replace

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.core.immutable import bits as cells
from fairplay.core.shown import Lesson, Teaching, TurnAdvice
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.board import carry_avatars, reachable, slide_board, slide_options
from fairplay.games.labyrinth.drawing.canvas import TURN_LEFT, TURN_RIGHT, position_key, slide_key
from fairplay.games.labyrinth.drawing.picture import draw_picture
from fairplay.games.labyrinth.goals import locate_target, locate_target_after
from fairplay.games.labyrinth.players.lookahead import look_ahead
from fairplay.games.labyrinth.rules import format_place, format_slide
from fairplay.games.labyrinth.state import Action, Move, Pass, Setup, View
from fairplay.games.labyrinth.tiles import Degree, rotate_tile
from fairplay.games.labyrinth.words import TURNED

# -- five pictures ----------------------------------------------------------------------------


DEAL = 1489
"""On the small board that is dealt with this seed the goal can be reached only if the spare tile is turned."""

LEARNER = Seat(0)
MOVE = Move(2, "RIGHT", 90, (3, 3))


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


# -- advice in a first match ------------------------------------------------------------------


LAST_TURN = 20
"""A player who has moved this often needs no more advice."""

EFFORT = {0: 0, 90: 1, 270: 1, 180: 2}
"""How often the spare tile has to be turned."""


def give_advice(view: View, turn: int) -> TurnAdvice | None:
    """Say what a beginner should do now, and why: reach the goal if that is possible, otherwise get ready for it."""
    if view.target is None or turn > LAST_TURN:
        return None
    arrival = find_arrival(view)
    if arrival is not None:
        return TurnAdvice(title_for(view), f"{introduce(view)} {explain_arrival(view, arrival)}", arrival)
    action = look_ahead(view, derived(view.turn_number, "advice"), 0)
    return TurnAdvice(title_for(view), f"{introduce(view)} {explain_approach(view, action)}", action)


def find_arrival(view: View) -> Move | None:
    """Find the move to the goal with the fewest clicks, if there is one."""
    assert view.target is not None
    found: list[Move] = []
    for shift, _, degrees, ends in slide_options(view.board, view.at, view.last):
        for cell in cells(ends & locate_target_after(view.board, view.target, shift)):
            degree = min(degrees, key=EFFORT.__getitem__)
            found.append(Move(shift.slide.index, shift.slide.direction, degree, view.board.grid.positions[cell]))
    return min(found, key=lambda move: EFFORT[move.degree], default=None)


# -- in words ----------------------------------------------------------------------------------


def goes_home(view: View) -> bool:
    """Is the own home the goal, after all treasures?"""
    return view.target == view.home and bool(view.found)


def title_for(view: View) -> str:
    if goes_home(view):
        return "Now go home"
    return "Your next goal" if view.found else "Your goal"


def introduce(view: View) -> str:
    """Say where the goal is."""
    if goes_home(view):
        return "Your own tower is the goal now: go home."
    sign = "treasure in the golden ring" if isinstance(view.target, str) else "place with the star"
    return f"Your {'next ' if view.found else ''}goal is the {sign}."


def explain_arrival(view: View, move: Move) -> str:
    """Say how the goal is reached now."""
    end = "stay there" if is_carried_to(view, move) else "walk there"
    slide = format_slide(move.index, move.direction)
    way = "the way there is open" if is_open(view) else "a way opens"
    return f"{begin(move, 'click')} the marked arrow to slide {slide}: {way}, so {end}."


def explain_approach(view: View, action: Action) -> str:
    """Say how to get ready for the goal."""
    if isinstance(action, Pass):
        return "There is nowhere to go this time, so pass."
    place = format_place(action.to)
    end = f"stay at {place}" if is_carried_to(view, action) else f"walk to {place}"
    slide = format_slide(action.index, action.direction)
    return f"No slide opens a way yet. {begin(action, 'slide')} {slide} and {end}: from there one may open next time."


def begin(move: Move, verb: str) -> str:
    """Begin a sentence with turning the tile, if it has to be turned."""
    return f"Turn the spare tile {TURNED[move.degree]}, then {verb}" if move.degree else verb.capitalize()


def is_open(view: View) -> bool:
    """Is there a way to the goal before anything slides?"""
    at = None if view.target is None else locate_target(view.board, view.target)
    grid = view.board.grid
    return at is not None and grid.holds(at) and bool(reachable(view.board, view.at) >> grid.cell(at) & 1)


def is_carried_to(view: View, move: Move) -> bool:
    """Does the slide itself take the pawn to where the move ends?"""
    carry = view.board.grid.shift_for[move.index, move.direction].carry
    return carry.get(view.at, view.at) == move.to


TEACHING = Teaching("5 to 10", build_lessons, give_advice)
