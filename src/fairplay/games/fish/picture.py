"""Fish as a drawing: tiles with their fish, penguins by colour, the last move, the scores."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from fairplay.core import Picture, Seat, Turn
from fairplay.games.fish.board import Cell, Geometry, Layout, Position
from fairplay.games.fish.codec import COLORS
from fairplay.games.fish.state import Action, Move, State, View

__all__ = ["picture"]

UNIT: Final = 26.0  # s of Fish 1.8
MARGIN: Final = 16.0
PANEL: Final = 34.0  # height of one seat's line

STYLE: Final = """
text{font:600 13px system-ui,sans-serif;fill:#16324a}
.sea{fill:#cfe6f3}.line{fill:#fff;opacity:.75}.hole{fill:#b9d8ea;stroke:#a9cce0}.tile{fill:#fbfdff;stroke:#8fb4cc;stroke-width:1.5}
.fish{fill:#2f7fb5}.left{fill:#f6e3a8;stroke:#c99a1c;stroke-dasharray:4 3}
.path{stroke:#c9761c;stroke-width:4;stroke-linecap:round;stroke-dasharray:1 8;fill:none}
.beak{fill:#f2a73b}.belly{fill:#fdfdf8}.letters{font-size:11px;text-anchor:middle}
.eyes{stroke:#16324a;stroke-width:3.6;stroke-linecap:round;paint-order:stroke}
.count{font-size:15px}.small{font-size:11px;font-weight:500}.out{text-decoration:line-through;opacity:.6}
"""

BODIES: Final = {"red": "#d2453f", "white": "#f7f7f2", "brown": "#8a5a33", "black": "#2c2c36"}

SCHOOLS: Final[dict[int, tuple[Position, ...]]] = {
    1: ((0, 0),),
    2: ((-1, 0), (1, 0)),
    3: ((0, -1), (-1, 1), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
}
"""Where the fish of a tile swim, in steps from its middle."""


class Hexagon(NamedTuple):
    """The box of one tile and its corners, both as multiples of the unit."""

    width: float
    height: float
    corners: tuple[tuple[float, float], ...]


SHAPES: Final = {
    Layout.STANDARD: Hexagon(3, 2, ((1, 0), (2, 0), (3, 1), (2, 2), (1, 2), (0, 1))),  # Fish 1.8
    Layout.ORIGINAL: Hexagon(2.4, 2.8, ((1.2, 0), (2.4, 0.7), (2.4, 2.1), (1.2, 2.8), (0, 2.1), (0, 0.7))),
}


def corner(layout: Layout, position: Position) -> tuple[float, float]:
    """The top left corner of a tile's box."""
    row, column = position
    if layout is Layout.STANDARD:
        return MARGIN + UNIT * (4 * column + 2 * (row % 2)), MARGIN + UNIT * row
    return MARGIN + UNIT * (2.4 * column + 1.2 * (1 - row % 2)), MARGIN + UNIT * 2.1 * row


def extent(geometry: Geometry) -> tuple[float, float]:
    """Width and height of all tiles together."""
    if geometry.layout is Layout.STANDARD:
        return UNIT * (4 * geometry.columns + 1), UNIT * (geometry.rows + 1)  # Fish 1.8
    return UNIT * 2.4 * geometry.columns, UNIT * (2.1 * geometry.rows + 0.7)


def picture(shown: State | View, last: Turn[State, Action] | None = None) -> Picture:
    """The drawing of a state or a view, with the move of `last` marked."""
    state = shown.state if isinstance(shown, View) else shown
    me = shown.me if isinstance(shown, View) else None
    geometry = state.board.geometry
    board_width, board_height = extent(geometry)
    width = max(board_width + 2 * MARGIN, 300)
    board_height += 2 * MARGIN
    height = board_height + PANEL * len(state.penguins) + MARGIN / 2
    size = f'width="{width:g}" height="{height:g}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {size} role="img"',
        f' aria-label="{summary(state)}"><style>{STYLE}</style><rect class="sea" {size} rx="14"/>',
        *tiles(state, last),
        *last_move(state, last),
        *penguins(state),
        *(seat_line(state, Seat(seat), board_height, width, me) for seat in range(len(state.penguins))),
        "</svg>",
    ]
    return Picture("".join(parts))


def summary(state: State) -> str:
    """The picture for those who cannot see it."""
    scores = ", ".join(f"{COLORS[seat]} {fish} fish" for seat, fish in enumerate(state.fish) if seat not in state.out)
    return f"Fish: {scores or 'nobody is left'}; {'over' if state.turn is None else f'{COLORS[state.turn]} to move'}"


def tiles(state: State, last: Turn[State, Action] | None) -> Iterator[str]:
    geometry = state.board.geometry
    shape = SHAPES[geometry.layout]
    left = last.action.start if last is not None and isinstance(last.action, Move) else None
    standing = {cell for cells in state.penguins for cell in cells}
    for cell, position in enumerate(geometry.positions):
        fish = state.board.fish[cell] if state.free >> cell & 1 or cell in standing else 0
        if not fish and not state.board.fish[cell]:
            continue  # never a tile
        x, y = corner(geometry.layout, position)
        points = " ".join(f"{x + UNIT * dx:g},{y + UNIT * dy:g}" for dx, dy in shape.corners)
        kind = "tile" if fish else "hole left" if position == left else "hole"
        row, column = position
        title = f"row {row}, column {column}: {f'{fish} fish' if fish else 'a hole'}"
        school = "" if cell in standing else "".join(swimming(state, position, fish))
        yield (
            f'<g data-at="{row},{column}" data-fish="{fish}"><title>{title}</title>'
            f'<polygon class="{kind}" points="{points}"/>{school}</g>'
        )


def middle(state: State, position: Position) -> tuple[float, float]:
    layout = state.board.geometry.layout
    x, y = corner(layout, position)
    return x + UNIT * SHAPES[layout].width / 2, y + UNIT * SHAPES[layout].height / 2


def swimming(state: State, position: Position, fish: int) -> Iterable[str]:
    x, y = middle(state, position)
    return (one_fish(x + 12 * dx, y + 11 * dy) for dx, dy in SCHOOLS.get(fish, ()))


def one_fish(x: float, y: float) -> str:
    return (
        f'<path class="fish" d="M{x - 9:g} {y:g}q6-7 12 0l5-4v8l-5-4q-6 7-12 0z"/>'
        f'<circle cx="{x - 5:g}" cy="{y - 1:g}" r="1" fill="#fff"/>'
    )


def penguins(state: State) -> Iterator[str]:
    for seat, cells in enumerate(state.penguins):
        for cell in cells:
            yield penguin(state, Seat(seat), cell)


def penguin(state: State, seat: Seat, cell: Cell) -> str:
    """A penguin with its colour's letter, beside the number of fish under it."""
    row, column = state.board.geometry.positions[cell]
    x, y = middle(state, (row, column))
    fish = state.board.fish[cell]
    return (
        f'<g data-seat="{seat}" data-at="{row},{column}"><title>{COLORS[seat]} penguin on {fish} fish</title>'
        f"{figure(seat, x - 10, y)}{one_fish(x + 16, y - 7)}"
        f'<text class="count" x="{x + 12:g}" y="{y + 16:g}" text-anchor="middle">{fish}</text></g>'
    )


def figure(seat: Seat, x: float, y: float) -> str:
    """Feet, body in the seat's colour, belly with its letters, beak, eyes."""
    return (
        f'<g stroke="#16324a" stroke-width="1.2"><path class="beak" d="M{x - 10:g} {y + 20:g}h8l-3-6zm20 0h-8l3-6z"/>'
        f'<path fill="{BODIES[COLORS[seat]]}" d="M{x - 12:g} {y + 4:g}c0-26 24-26 24 0c0 18-24 18-24 0z"/>'
        f'<ellipse class="belly" cx="{x:g}" cy="{y + 6:g}" rx="9" ry="8.5"/>'
        f'<path class="beak" d="M{x - 3:g} {y - 8:g}h6l-3 5z"/></g>'
        f'<path class="eyes" d="M{x - 5:g} {y - 10:g}h.1m9.8 0h.1"/>'
        f'<text class="letters" x="{x:g}" y="{y + 10:g}">{COLORS[seat][:2].title()}</text>'
    )


def last_move(state: State, last: Turn[State, Action] | None) -> Iterator[str]:
    if last is not None and isinstance(last.action, Move):
        (x, y), (to_x, to_y) = middle(state, last.action.start), middle(state, last.action.target)
        yield f'<path class="path" d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>'


def seat_line(state: State, seat: Seat, top: float, width: float, me: Seat | None) -> str:
    y = top + PANEL * seat + PANEL / 2
    out = seat in state.out
    box = f'<rect class="line" x="{MARGIN:g}" y="{y - 15:g}" width="{width - 2 * MARGIN:g}" height="30" rx="8"/>'
    token = f'<g transform="translate({MARGIN + 20:g} {y - 1:g}) scale(.62)">{figure(seat, 0, 0)}</g>'
    fish = f'x="{width - MARGIN - 12:g}" y="{y + 6:g}" text-anchor="end">{state.fish[seat]} fish'
    mark = "removed" if out else "to move" if state.turn == seat else ""
    you = " (you)" if seat == me else ""
    return (
        f'<g data-seat="{seat}">{box}{token}'
        f'<text class="{"out" if out else ""}" x="{MARGIN + 42:g}" y="{y + 5:g}">{COLORS[seat]}{you}</text>'
        f'<text class="small" x="{MARGIN + 130:g}" y="{y + 5:g}">{mark}</text>'
        f'<text class="count" {fish}</text></g>'
    )
