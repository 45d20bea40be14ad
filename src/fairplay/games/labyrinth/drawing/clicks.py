"""Labyrinth by clicks: an arrow, the spare tile turned, and the place to go to."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from re import ASCII, fullmatch
from typing import NamedTuple

from fairplay.core import AnyTurn, UsageError, WireError
from fairplay.core.immutable import bits as cells
from fairplay.core.shown import Choice, CompleteMove, PartialMove, Placement, follow_clicks, parse_click
from fairplay.games.labyrinth.board import OPPOSITE, Grid, Position, Shift, carry_avatars
from fairplay.games.labyrinth.drawing import canvas as places
from fairplay.games.labyrinth.goals import locate_target_after
from fairplay.games.labyrinth.rules import format_slide
from fairplay.games.labyrinth.state import Action, Move, Pass, View
from fairplay.games.labyrinth.tiles import Degree, rotate_tile

PASS = "pass=turn"
TURNS: dict[str, int] = {"left": 90, "right": 270}
"""Degrees count counter-clockwise (Labyrinth 1.6)."""


class ChosenSlide(NamedTuple):
    """What has been clicked so far: which line is slid, and how the spare tile is turned."""

    shift: Shift | None = None
    degree: Degree = 0


def interpret_clicks(view: View, clicked: Sequence[str], last: AnyTurn | None = None) -> PartialMove | Action:
    """Return what a person has clicked so far, or the action it makes; raises UsageError or WireError."""
    if view.turn != view.me:
        raise UsageError("it is not your turn")

    def step(so_far: ChosenSlide, name: str, value: str) -> ChosenSlide | CompleteMove[Action]:
        match name:
            case "at":
                if so_far.shift is None:
                    raise UsageError("choose an arrow first: a slide comes before the walk")
                return CompleteMove(build_move(so_far.shift, so_far.degree, parse_position(value)))
            case "slide":
                shift = parse_shift(view, value)
                if undoes_last(view, shift):
                    return CompleteMove(build_move(shift, so_far.degree, (0, 0)))  # the rules say why it is forbidden
                return ChosenSlide(shift, so_far.degree)
            case "turn":
                return ChosenSlide(so_far.shift, turn_further(so_far.degree, value))
            case _ if f"{name}={value}" == PASS:
                return CompleteMove(Pass())
        raise WireError("expected a click on an arrow, the spare tile or a tile of the board")

    after = follow_clicks(clicked, ChosenSlide(), step)
    return after.action if isinstance(after, CompleteMove) else show_choices(view, after)


# -- what a click says -------------------------------------------------------------------------


def turn_further(degree: Degree, value: str) -> Degree:
    """Turn the spare tile by a quarter; raises WireError."""
    if value not in TURNS:
        raise WireError("expected a turn to the left or to the right")
    return (degree + TURNS[value]) % 360  # type: ignore[return-value]  # a quarter more


def parse_shift(view: View, value: str) -> Shift:
    """Read a click on an arrow; raises WireError."""
    shift = shifts_by_value(view.board.grid).get(value)
    if shift is None:
        raise WireError("expected an arrow of this board, such as slide=2,LEFT")
    return shift


@lru_cache(maxsize=64)
def shifts_by_value(grid: Grid) -> Mapping[str, Shift]:
    """All slides of a board by what stands for them in keys."""
    return {parse_click(places.slide_key(shift))[1]: shift for shift in grid.shifts}


@lru_cache(maxsize=4096)
def parse_position(value: str) -> Position:
    """Read a click on a place; raises WireError."""
    found = fullmatch(r"(\d{1,4}),(\d{1,4})", value, ASCII)
    if found is None:
        raise WireError("expected a place, such as at=2,3")
    return int(found[1]), int(found[2])


def undoes_last(view: View, shift: Shift) -> bool:
    """Would this slide undo the last one (Labyrinth 3.6)?"""
    slide, last = shift.slide, view.last
    return last is not None and (slide.index, slide.direction) == (last.index, OPPOSITE[last.direction])


def build_move(shift: Shift, degree: Degree, to: Position) -> Move:
    """Make the move of a slide and a walk."""
    return Move(shift.slide.index, shift.slide.direction, degree, to)


# -- what may be clicked next ------------------------------------------------------------------


@lru_cache(maxsize=256)  # a turn has about sixty of these, and each is asked for again and again
def show_choices(view: View, so_far: ChosenSlide) -> PartialMove:
    """Offer what can be clicked next, and show how it would look."""
    ends = () if so_far.shift is None else list_walk_ends(view, so_far.shift, so_far.degree)
    choices = (
        *walk_choices(view, so_far, ends),
        *TURN_CHOICES,
        *slide_choices(view, so_far),
        *(() if view.board.grid.original else (PASS_CHOICE,)),  # Labyrinth 13.2
    )
    chosen = (*TURNS_MADE[so_far.degree], *(() if so_far.shift is None else (places.slide_key(so_far.shift),)))
    return PartialMove(prompt_for(so_far, ends), choices, chosen, tuple(place_pieces(view, so_far)))


TURNS_MADE: Mapping[Degree, tuple[str, ...]] = {
    0: (),
    90: (places.TURN_LEFT,),
    180: (places.TURN_LEFT, places.TURN_RIGHT),
    270: (places.TURN_RIGHT,),
}
"""The knobs that are marked once they have turned the spare tile; even a crossing is turned by clicks."""


TURN_CHOICES = (
    Choice(places.TURN_LEFT, "turn the spare tile left"),
    Choice(places.TURN_RIGHT, "turn the spare tile right"),
)
PASS_CHOICE = Choice(PASS, "Pass")


@lru_cache(maxsize=1024)
def list_walk_ends(view: View, shift: Shift, degree: Degree) -> tuple[Position, ...]:
    """List where a walk may end after a slide (Labyrinth 3.5, 13.2)."""
    board, grid = view.board, view.board.grid
    if not grid.holds(view.at):
        return ()
    at = shift.carry.get(view.at, view.at)
    sides = shift.move_sides(board.sides) | grid.spread[rotate_tile(board.spare, degree)] << shift.entry
    found = (grid.positions[cell] for cell in cells(grid.flood(sides, 1 << grid.cell(at))))
    return tuple(end for end in found if grid.original or end != at)


def walk_choices(view: View, so_far: ChosenSlide, ends: Sequence[Position]) -> Iterator[Choice]:
    """Offer the places where a walk may end."""
    grid = view.board.grid
    goal = 0
    if so_far.shift is not None and view.target is not None:
        goal = locate_target_after(view.board, view.target, so_far.shift)
    for at in ends:
        key, label, goal_label = place_words(at)
        yield Choice(key, goal_label if goal >> grid.cell(at) & 1 else label)


@lru_cache(maxsize=4096)
def place_words(at: Position) -> tuple[str, str, str]:
    """The key of a place, and what a walk there is called: if it is the goal, too."""
    words = f"go to ({at[0]},{at[1]})"
    return places.position_key(at), words, f"{words}, your goal"


def slide_choices(view: View, so_far: ChosenSlide) -> Iterator[Choice]:
    """Offer the other slides that are allowed; before the first one, each shows where one could go after it."""
    for shift, choice in slide_words(view.board.grid):
        if shift is so_far.shift or undoes_last(view, shift):
            continue
        if so_far.shift is not None:
            yield choice
        else:
            ends = list_walk_ends(view, shift, so_far.degree)
            yield Choice(choice.key, choice.label, tuple(place_words(at)[0] for at in ends))


@lru_cache(maxsize=64)
def slide_words(grid: Grid) -> tuple[tuple[Shift, Choice], ...]:
    """All slides of a board, as choices."""
    return tuple(
        (shift, Choice(places.slide_key(shift), f"slide {format_slide(shift.slide.index, shift.slide.direction)}"))
        for shift in grid.shifts
    )


def prompt_for(so_far: ChosenSlide, ends: Sequence[Position]) -> str:
    """Say what to click next."""
    if so_far.shift is None:
        return "Turn the spare tile if you like, then click an arrow."
    if not ends:
        return "No way leads on: try another arrow or turn."
    return "Walk to a marked tile, or try another arrow or turn."


# -- how it would look -------------------------------------------------------------------------


def place_pieces(view: View, so_far: ChosenSlide) -> Iterator[Placement]:
    """Say where tiles and pawns would lie: the line slid, the spare tile turned and pushed in, one tile pushed out."""
    board, grid, keys, shift = view.board, view.board.grid, places.tile_keys(view.board), so_far.shift
    turned = rotate_tile(board.spare, so_far.degree)
    if shift is None:
        if turned != board.spare:
            yield Placement(keys[-1], places.tile_transform(places.slot_middle(grid), turned))
        return
    out = grid.positions[shift.exit]
    for before, after in shift.carry.items():
        key = keys[before[0] * grid.columns + before[1]]
        place = places.slot_middle(grid) if before == out else places.tile_middle(after)
        yield Placement(key, places.tile_transform(place, board.tile(before)))
    yield Placement(keys[-1], places.tile_transform(places.tile_middle(grid.positions[shift.entry]), turned))
    standing = places.pawn_places(grid, view.avatars)
    for seat, stand in places.pawn_places(grid, carry_avatars(view.avatars, shift)).items():
        if stand != standing[seat]:
            yield Placement(f"pawn-{seat}", places.translate(stand))
