"""Labyrinth as a drawing: the maze with its gems, homes and avatars, the spare tile, and where one may push."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Final, NamedTuple

from fairplay.core import Picture, Turn
from fairplay.games.labyrinth.board import NOWHERE, OPPOSITE, Board, Position, Push, way
from fairplay.games.labyrinth.drawing.gems import gem
from fairplay.games.labyrinth.drawing.panel import LANE, Sheet, beneath, beside, label, sheet_size, slot_corner
from fairplay.games.labyrinth.drawing.shapes import (
    DEFINITIONS,
    HALF,
    STYLE,
    TILE,
    TURNED,
    ground,
    house,
    ink,
    pawn,
    star,
)
from fairplay.games.labyrinth.goals import whereabouts
from fairplay.games.labyrinth.state import Move, State, Target, View
from fairplay.games.labyrinth.tiles import CONNECTORS
from fairplay.games.labyrinth.words import seat_name

__all__ = ["picture"]

ARROW: Final = 38  # from the board to the middle of an arrow


def picture(
    shown: State | View,
    last: Turn[Any, Any] | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """A state or a view, `open` with all goals; the last slide is marked, whether or not `last` was it."""
    grid = shown.board.grid
    sheet = Sheet(shown, open and isinstance(shown, State), seats, frozenset(lit), frozenset(chosen))
    width, height = sheet_size(sheet)
    size = f'width="{width}" height="{height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="labyrinth-board" viewBox="0 0 {width} {height}" {size}',
        f' role="img" aria-label="{summary(shown)}"><style>{STYLE}</style><defs>{DEFINITIONS}</defs>',
        f'<rect class="page" {size} rx="16"/><rect class="frame" x="{LANE - 6}" y="{LANE - 6}"',
        f' width="{TILE * grid.columns + 12}" height="{TILE * grid.rows + 12}" rx="9"/>',
        *tiles(sheet),
        '<g class="over">',
        *lights(sheet),
        *homes(sheet),
        *gems(sheet),
        *slide_strip(sheet),
        *goals(sheet),
        *last_walk(shown, last),
        *avatars(shown),
        *numbers(shown.board),
        "</g>",
        *arrows(sheet),
        *(beside(sheet) if seats else beneath(sheet)),
        "</svg>",
    ]
    return Picture("".join(parts))


def summary(shown: State | View) -> str:
    """The picture for those who cannot see it."""
    grid = shown.board.grid
    names = ", ".join(f"{label(shown, seat)} at {spot(shown.avatars[seat])}" for seat in range(len(shown.avatars)))
    turn = "over" if shown.turn is None else f"{seat_name(shown.turn)} to move"
    return f"Labyrinth of {grid.rows} rows and {grid.columns} columns: {names or 'nobody'}; {turn}"


def spot(position: Position) -> str:
    return "no place" if position == NOWHERE else f"({position[0]},{position[1]})"


def corner(position: Position) -> tuple[int, int]:
    """The top left corner of a tile."""
    return LANE + TILE * position[1], LANE + TILE * position[0]


# -- the board ---------------------------------------------------------------------------------


def tiles(sheet: Sheet) -> Iterator[str]:
    """Everything on a tile is told by its title; what is drawn upon it says where, and lets clicks through."""
    board, fixed, notes = sheet.board, set(sheet.board.grid.fixed), found_at(sheet.shown)
    for row, line in enumerate(board.tiles):
        for column, tile in enumerate(line):
            at = row, column
            pair = " and ".join(dict.fromkeys(board.pairs[row][column]))
            title = "; ".join([f"row {row}, column {column}: {pair}", *notes.get(at, ())])
            kind = "still" if at in fixed else "tile"
            yield (
                f'<g{sheet.marked(f"at={row},{column}")} data-at="{row},{column}" data-tile="{CONNECTORS[tile]}">'
                f"<title>{title}</title>{ground(tile, *corner(at), kind)}</g>"
            )


def found_at(shown: State | View) -> dict[Position, list[str]]:
    """Who lives and who stands where, in words."""
    notes: dict[Position, list[str]] = {}
    for seat, (home, at) in enumerate(zip(shown.homes, shown.avatars, strict=True)):
        if at != NOWHERE:
            notes.setdefault(home, []).append(f"home of {label(shown, seat)}")
            notes.setdefault(at, []).append(f"{label(shown, seat)} stands here")
    return notes


def gems(sheet: Sheet) -> Iterator[str]:
    """In two corners of each tile, where no way ever goes; above the homes, so that these hide none."""
    for row, line in enumerate(sheet.board.pairs):
        for column, pair in enumerate(line):
            x, y = corner((row, column))
            yield gem(pair[0], x + 11, y + 11) + gem(pair[1], x + 61, y + 61)


def lights(sheet: Sheet) -> Iterator[str]:
    """Where a walk may end: framed, with a foothold in the middle."""
    for row in range(sheet.board.grid.rows):
        for column in range(sheet.board.grid.columns):
            if f"at={row},{column}" in sheet.lit:
                x, y = corner((row, column))
                yield (
                    f'<rect class="glow" x="{x + 4}" y="{y + 4}" width="{TILE - 8}" height="{TILE - 8}" rx="8"/>'
                    f'<circle class="foot" cx="{x + HALF}" cy="{y + HALF}" r="7"/>'
                )


def slide_strip(sheet: Sheet) -> Iterator[str]:
    """The line that is being slid, or was slid last, framed."""
    last = sheet.shown.last
    push = sheet.sliding or (None if last is None else sheet.board.grid.push.get((last.index, last.direction)))
    if push is None:
        return
    index, direction, grid = push.slide.index, push.slide.direction, sheet.board.grid
    level = direction in ("LEFT", "RIGHT")
    x, y = corner((index, 0) if level else (0, index))
    width, height = (TILE * grid.columns, TILE) if level else (TILE, TILE * grid.rows)
    kind, name = ("sliding", "sliding") if sheet.sliding else ("strip", "last")
    yield (
        f'<rect class="{kind}" data-{name}="{index},{direction}" x="{x}" y="{y}" '
        f'width="{width}" height="{height}" rx="7"/>'
    )


def homes(sheet: Sheet) -> Iterator[str]:
    """Homes stay where they are, so they are drawn onto the board, not the tile; shared ones lie one in another."""
    shown, seen = sheet.shown, dict[Position, int]()
    for seat, home in enumerate(shown.homes):
        if shown.avatars[seat] == NOWHERE or not sheet.board.grid.holds(home):
            continue
        depth = seen[home] = seen.get(home, 0) + 1
        inset = 6 * depth - 2
        x, y = corner(home)
        paint, side = ink(shown.colors[seat]), TILE - 2 * inset
        yield (
            f'<g data-home="{seat}" data-on="{home[0]},{home[1]}">'
            f'<rect class="home" stroke="{paint}" x="{x + inset}" y="{y + inset}" '
            f'width="{side}" height="{side}" rx="8"/>'
            f"{house(x + TILE - 15 - 17 * (depth - 1), y + 15, paint, seat)}</g>"
        )


# -- what is looked for ------------------------------------------------------------------------


class Goal(NamedTuple):
    """A mark for what somebody looks for."""

    whose: str
    target: Target
    paint: str
    seat: int | None


def goals(sheet: Sheet) -> Iterator[str]:
    """The goal of the owner of a view; all goals where everything is open."""
    shown, seen = sheet.shown, dict[tuple[float, float], int]()
    for goal in sought(sheet):
        at = whereabouts(shown.board, goal.target)
        if (at is None and sheet.sliding) or (at is not None and not shown.board.grid.holds(at)):
            continue  # it is on no tile that is drawn
        x, y = slot_corner(sheet) if at is None else corner(at)
        depth = seen[x, y] = seen.get((x, y), -1) + 1
        place = "" if at is None else f' data-on="{at[0]},{at[1]}"'
        yield (
            f'<g data-goal="{goal.whose}"{place}><circle class="goal" stroke="{goal.paint}" fill="{goal.paint}"'
            f' cx="{x + HALF:g}" cy="{y + HALF:g}" r="{25 - 4 * depth}"/>'
            f"{star(x + 14 + 17 * depth, y + TILE - 14, goal.paint, goal.seat)}</g>"
        )


def sought(sheet: Sheet) -> Iterator[Goal]:
    """Labyrinth 3.11: nobody else is shown a target while a match is hidden."""
    shown = sheet.shown
    if isinstance(shown, View):
        if shown.target is not None:
            yield Goal("mine", shown.target, "#ffdf5e", None)
    elif sheet.open:
        for seat in shown.seats:
            yield Goal(str(seat), shown.targets[seat], ink(shown.colors[seat]), seat)


# -- who moves ---------------------------------------------------------------------------------


def last_walk(shown: State | View, last: Turn[Any, Any] | None) -> Iterator[str]:
    """The way that the last mover took."""
    board = shown.board
    if last is None or not isinstance(last.action, Move) or last.after.board != board:
        return
    push = board.grid.push[last.action.index, last.action.direction]
    before = last.before.avatars[last.seat]
    points = [corner(place) for place in way(board, push.carry.get(before, before), last.action.to)]
    line = "L".join(f"{x + HALF} {y + HALF}" for x, y in points)
    yield f'<path class="walk" data-walk="{last.seat}" d="M{line}" stroke="{ink(shown.colors[last.seat])}"/>'


def avatars(shown: State | View) -> Iterator[str]:
    """Pawns, side by side where they share a tile."""
    places: dict[Position, list[int]] = {}
    for seat, at in enumerate(shown.avatars):
        if shown.board.grid.holds(at):
            places.setdefault(at, []).append(seat)
    for at, seats in places.items():
        x, y = corner(at)
        for number, seat in enumerate(seats):
            across = (number - (len(seats) - 1) / 2) * min(22, 44 / max(len(seats) - 1, 1))
            mine = isinstance(shown, View) and shown.me == seat
            figure = pawn(x + HALF + across, y + HALF + 2, ink(shown.colors[seat]), seat, mine=mine)
            yield f'<g data-seat="{seat}" data-on="{at[0]},{at[1]}">{figure}</g>'


# -- around the board --------------------------------------------------------------------------


def arrows(sheet: Sheet) -> Iterator[str]:
    """One arrow for each slide, at the end where the spare tile goes in."""
    last = sheet.shown.last
    undo = None if last is None else (last.index, OPPOSITE[last.direction])
    for push in sheet.board.grid.pushes:
        kind, words = "push", "slide"
        if push.slide == last:
            kind, words = "slid", "last slide:"
        elif (push.slide.index, push.slide.direction) == undo:
            kind, words = "undo", "would undo the last slide:"
        yield arrow(sheet, push, kind, words)


def arrow(sheet: Sheet, push: Push, kind: str, words: str) -> str:
    index, direction = push.slide.index, push.slide.direction
    x, y = corner(sheet.board.grid.positions[push.entry])
    x += {"LEFT": TILE + ARROW - 8, "RIGHT": -ARROW}.get(direction, HALF)  # no numbers there to go past
    y += {"UP": TILE + ARROW - 8, "DOWN": -ARROW}.get(direction, HALF)
    line = "row" if direction in ("LEFT", "RIGHT") else "column"
    return (
        f'<g{sheet.marked(f"slide={index},{direction}")} data-slide="{index},{direction}"'
        f' transform="translate({x} {y})rotate({TURNED[direction]})"><title>{words} {line} {index} {direction.lower()}'
        f'</title><use class="arrow {kind}" href="#labyrinth-arrow"/></g>'
    )


def numbers(board: Board) -> Iterator[str]:
    """Rows and columns are counted from 0."""
    for column in range(board.grid.columns):
        yield f'<text class="number" x="{LANE + TILE * column + HALF}" y="{LANE - 10}">{column}</text>'
    for row in range(board.grid.rows):
        yield f'<text class="number" x="{LANE - 14}" y="{LANE + TILE * row + HALF + 5}">{row}</text>'
