"""Labyrinth as a drawing: the maze with its gems, homes and avatars, the spare tile, and the arrows for slides."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

from fairplay.core import Picture, Turn
from fairplay.games.labyrinth.board import NOWHERE, OPPOSITE, Board, Position, Shift, shortest_way
from fairplay.games.labyrinth.drawing.canvas import (
    LANE,
    Canvas,
    canvas_size,
    position_key,
    seat_label,
    slide_key,
    slot_corner,
    tile_corner,
)
from fairplay.games.labyrinth.drawing.gems import draw_gem
from fairplay.games.labyrinth.drawing.panel import draw_beneath, draw_beside
from fairplay.games.labyrinth.drawing.shapes import (
    ARROW_DEGREES,
    DEFINITIONS,
    HALF,
    STYLE,
    TILE,
    draw_home,
    draw_pawn,
    draw_star,
    draw_tile,
    paint_for,
)
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Move, State, Target, View
from fairplay.games.labyrinth.tiles import CONNECTORS
from fairplay.games.labyrinth.words import seat_name

__all__ = ["draw_picture"]

ARROW: Final = 38  # from the board to the middle of an arrow


def draw_picture(
    shown: State | View,
    last: Turn[Any, Any] | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """Draw a state or a view, `open` with all goals; the last slide is marked even if it was not in `last`."""
    grid = shown.board.grid
    canvas = Canvas(shown, open and isinstance(shown, State), seats, frozenset(lit), frozenset(chosen))
    width, height = canvas_size(canvas)
    size = f'width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="labyrinth-board" viewBox="0 0 {width} {height}" {size}',
        f' role="img" aria-label="{describe_shown(shown)}"><style>{STYLE}</style><defs>{DEFINITIONS}</defs>',
        f'<rect class="page" {size} rx="16"/><rect class="frame" x="{LANE - 6}" y="{LANE - 6}"',
        f' width="{TILE * grid.columns + 12}" height="{TILE * grid.rows + 12}" rx="9"/>',
        *draw_tiles(canvas),
        '<g class="over">',
        *draw_highlights(canvas),
        *draw_homes(canvas),
        *draw_gems(canvas),
        *draw_slide_strip(canvas),
        *draw_goals(canvas),
        *draw_last_walk(shown, last),
        *draw_avatars(shown),
        *draw_numbers(shown.board),
        "</g>",
        *draw_arrows(canvas),
        *(draw_beside(canvas) if seats else draw_beneath(canvas)),
        "</svg>",
    ]
    return Picture("".join(parts))


def describe_shown(shown: State | View) -> str:
    """Say what the picture shows, for screen readers."""
    grid = shown.board.grid
    names = ", ".join(
        f"{seat_label(shown, seat)} at {describe_place(shown.avatars[seat])}" for seat in range(len(shown.avatars))
    )
    turn = "over" if shown.turn is None else f"{seat_name(shown.turn)} to move"
    return f"Labyrinth of {grid.rows} rows and {grid.columns} columns: {names or 'nobody'}; {turn}"


def describe_place(position: Position) -> str:
    """Where an avatar is."""
    return "no place" if position == NOWHERE else f"({position[0]},{position[1]})"


# -- the board ---------------------------------------------------------------------------------


def draw_tiles(canvas: Canvas) -> Iterator[str]:
    """Draw the tiles; the title of each says all that is on it.  What is drawn over them lets clicks through."""
    board, fixed, notes = canvas.board, set(canvas.board.grid.fixed), notes_by_position(canvas.shown)
    for row, line in enumerate(board.tiles):
        for column, tile in enumerate(line):
            at = row, column
            pair = " and ".join(dict.fromkeys(board.pairs[row][column]))
            title = "; ".join([f"row {row}, column {column}: {pair}", *notes.get(at, ())])
            kind = "still" if at in fixed else "tile"
            yield (
                f'<g{canvas.class_attribute(position_key(at))} data-at="{row},{column}" data-tile="{CONNECTORS[tile]}">'
                f"<title>{title}</title>{draw_tile(tile, *tile_corner(at), kind)}</g>"
            )


def notes_by_position(shown: State | View) -> dict[Position, list[str]]:
    """Say who lives and who stands where."""
    notes: dict[Position, list[str]] = {}
    for seat, (home, at) in enumerate(zip(shown.homes, shown.avatars, strict=True)):
        if at != NOWHERE:
            notes.setdefault(home, []).append(f"home of {seat_label(shown, seat)}")
            notes.setdefault(at, []).append(f"{seat_label(shown, seat)} stands here")
    return notes


def draw_gems(canvas: Canvas) -> Iterator[str]:
    """Draw the gems in two corners of each tile, where no path goes; above the homes, which would hide them."""
    for row, line in enumerate(canvas.board.pairs):
        for column, pair in enumerate(line):
            x, y = tile_corner((row, column))
            yield draw_gem(pair[0], x + 11, y + 11) + draw_gem(pair[1], x + 61, y + 61)


def draw_highlights(canvas: Canvas) -> Iterator[str]:
    """Frame the tiles where a walk may end."""
    for row in range(canvas.board.grid.rows):
        for column in range(canvas.board.grid.columns):
            if position_key((row, column)) in canvas.lit:
                x, y = tile_corner((row, column))
                yield (
                    f'<rect class="glow" x="{x + 4}" y="{y + 4}" width="{TILE - 8}" height="{TILE - 8}" rx="8"/>'
                    f'<circle class="foot" cx="{x + HALF}" cy="{y + HALF}" r="7"/>'
                )


def draw_slide_strip(canvas: Canvas) -> Iterator[str]:
    """Frame the line that is being slid, or was slid last."""
    last = canvas.shown.last
    shift = canvas.sliding or (None if last is None else canvas.board.grid.shift_for.get((last.index, last.direction)))
    if shift is None:
        return
    index, direction, grid = shift.slide.index, shift.slide.direction, canvas.board.grid
    level = direction in ("LEFT", "RIGHT")
    x, y = tile_corner((index, 0) if level else (0, index))
    width, height = (TILE * grid.columns, TILE) if level else (TILE, TILE * grid.rows)
    kind, name = ("sliding", "sliding") if canvas.sliding else ("strip", "last")
    yield (
        f'<rect class="{kind}" data-{name}="{index},{direction}" x="{x}" y="{y}" '
        f'width="{width}" height="{height}" rx="7"/>'
    )


def draw_homes(canvas: Canvas) -> Iterator[str]:
    """Draw the homes, which belong to the board and not to a tile; shared ones are drawn inside each other."""
    shown, seen = canvas.shown, dict[Position, int]()
    for seat, home in enumerate(shown.homes):
        if shown.avatars[seat] == NOWHERE or not canvas.board.grid.holds(home):
            continue
        depth = seen[home] = seen.get(home, 0) + 1
        inset = 6 * depth - 2
        x, y = tile_corner(home)
        paint, side = paint_for(shown.colors[seat]), TILE - 2 * inset
        yield (
            f'<g data-home="{seat}" data-on="{home[0]},{home[1]}">'
            f'<rect class="home" stroke="{paint}" x="{x + inset}" y="{y + inset}" '
            f'width="{side}" height="{side}" rx="8"/>'
            f"{draw_home(x + TILE - 15 - 17 * (depth - 1), y + 15, paint, seat)}</g>"
        )


# -- what is looked for ------------------------------------------------------------------------


class GoalMark(NamedTuple):
    """A mark for what a seat is looking for."""

    whose: str
    target: Target
    paint: str
    seat: int | None


def draw_goals(canvas: Canvas) -> Iterator[str]:
    """Draw the goal of the owner of a view; all goals if everything is open."""
    shown, seen = canvas.shown, dict[tuple[float, float], int]()
    for goal in visible_goals(canvas):
        at = locate_target(shown.board, goal.target)
        if (at is None and canvas.sliding) or (at is not None and not shown.board.grid.holds(at)):
            continue  # it is not on a tile that is drawn
        x, y = slot_corner(canvas) if at is None else tile_corner(at)
        depth = seen[x, y] = seen.get((x, y), -1) + 1
        place = "" if at is None else f' data-on="{at[0]},{at[1]}"'
        yield (
            f'<g data-goal="{goal.whose}"{place}><circle class="goal" stroke="{goal.paint}" fill="{goal.paint}"'
            f' cx="{x + HALF:g}" cy="{y + HALF:g}" r="{25 - 4 * depth}"/>'
            f"{draw_star(x + 14 + 17 * depth, y + TILE - 14, goal.paint, goal.seat)}</g>"
        )


def visible_goals(canvas: Canvas) -> Iterator[GoalMark]:
    """List the goals that may be shown: only its owner sees a target (Labyrinth 3.11)."""
    shown = canvas.shown
    if isinstance(shown, View):
        if shown.target is not None:
            yield GoalMark("mine", shown.target, "#ffdf5e", None)
    elif canvas.open:
        for seat in shown.seats:
            yield GoalMark(str(seat), shown.targets[seat], paint_for(shown.colors[seat]), seat)


# -- who moves ---------------------------------------------------------------------------------


def draw_last_walk(shown: State | View, last: Turn[Any, Any] | None) -> Iterator[str]:
    """Draw the path of the last move."""
    board = shown.board
    if last is None or not isinstance(last.action, Move) or last.after.board != board:
        return
    shift = board.grid.shift_for[last.action.index, last.action.direction]
    before = last.before.avatars[last.seat]
    points = [tile_corner(place) for place in shortest_way(board, shift.carry.get(before, before), last.action.to)]
    line = "L".join(f"{x + HALF} {y + HALF}" for x, y in points)
    yield f'<path class="walk" data-walk="{last.seat}" d="M{line}" stroke="{paint_for(shown.colors[last.seat])}"/>'


def draw_avatars(shown: State | View) -> Iterator[str]:
    """Draw pawns, side by side where they share a tile."""
    places: dict[Position, list[int]] = {}
    for seat, at in enumerate(shown.avatars):
        if shown.board.grid.holds(at):
            places.setdefault(at, []).append(seat)
    for at, seats in places.items():
        x, y = tile_corner(at)
        for number, seat in enumerate(seats):
            across = (number - (len(seats) - 1) / 2) * min(22, 44 / max(len(seats) - 1, 1))
            mine = isinstance(shown, View) and shown.me == seat
            figure = draw_pawn(x + HALF + across, y + HALF + 2, paint_for(shown.colors[seat]), seat, mine=mine)
            yield f'<g data-seat="{seat}" data-on="{at[0]},{at[1]}">{figure}</g>'


# -- around the board --------------------------------------------------------------------------


def draw_arrows(canvas: Canvas) -> Iterator[str]:
    """Draw one arrow for each slide, at the end where the spare tile goes in."""
    last = canvas.shown.last
    undo = None if last is None else (last.index, OPPOSITE[last.direction])
    for shift in canvas.board.grid.shifts:
        kind, words = "push", "slide"
        if shift.slide == last:
            kind, words = "slid", "last slide:"
        elif (shift.slide.index, shift.slide.direction) == undo:
            kind, words = "undo", "would undo the last slide:"
        yield draw_arrow(canvas, shift, kind, words)


def draw_arrow(canvas: Canvas, shift: Shift, kind: str, words: str) -> str:
    """Draw one arrow."""
    index, direction = shift.slide.index, shift.slide.direction
    x, y = tile_corner(canvas.board.grid.positions[shift.entry])
    x += {"LEFT": TILE + ARROW - 8, "RIGHT": -ARROW}.get(direction, HALF)  # no numbers there to go past
    y += {"UP": TILE + ARROW - 8, "DOWN": -ARROW}.get(direction, HALF)
    line = "row" if direction in ("LEFT", "RIGHT") else "column"
    return (
        f'<g{canvas.class_attribute(slide_key(shift))} data-slide="{index},{direction}"'
        f' transform="translate({x} {y})rotate({ARROW_DEGREES[direction]})">'
        f"<title>{words} {line} {index} {direction.lower()}"
        f'</title><use class="arrow {kind}" href="#labyrinth-arrow"/></g>'
    )


def draw_numbers(board: Board) -> Iterator[str]:
    """Draw the numbers of rows and columns, from 0."""
    for column in range(board.grid.columns):
        yield f'<text class="number" x="{LANE + TILE * column + HALF}" y="{LANE - 10}">{column}</text>'
    for row in range(board.grid.rows):
        yield f'<text class="number" x="{LANE - 14}" y="{LANE + TILE * row + HALF + 5}">{row}</text>'
