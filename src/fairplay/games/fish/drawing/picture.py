"""Fish as a drawing: ice with its fish, penguins by colour and dress, the last move, the scores."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from fairplay.core import Picture, Seat, Turn
from fairplay.games.fish.board import Cell, Geometry, Layout, Position
from fairplay.games.fish.codec import COLORS
from fairplay.games.fish.drawing.shapes import DEFINITIONS, SHAPES, STYLE, UNIT
from fairplay.games.fish.state import Action, Move, State, View

__all__ = ["picture"]

MARGIN: Final = 16.0
HEADROOM: Final = 10.0  # above the first row, for heads
PANEL: Final = 42.0  # height of one seat's line
LEAST_WIDTH: Final = 320.0


class Sheet(NamedTuple):
    """What is drawn and what is marked in it."""

    state: State
    me: Seat | None
    last: Turn[State, Action] | None
    lit: Collection[str]
    chosen: Collection[str]

    @property
    def layout(self) -> Layout:
        return self.state.board.geometry.layout

    def mark(self, at: Position) -> str:
        """The class of what stands at a position."""
        key = f"at={at[0]},{at[1]}"
        return " chosen" if key in self.chosen else " lit" if key in self.lit else ""


def picture(
    shown: State | View,
    last: Turn[State, Action] | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """The drawing of a state or a view, with the move of `last` marked; Fish has nothing that `open` could show."""
    state, me = (shown.state, shown.me) if isinstance(shown, View) else (shown, None)
    sheet = Sheet(state, me, last, frozenset(lit), frozenset(chosen))
    wide, high = extent(state.board.geometry)
    width, top = max(wide + 2 * MARGIN, LEAST_WIDTH), high + 2 * MARGIN + HEADROOM
    height = top + (PANEL * len(state.penguins) + MARGIN / 2 if seats else 0)
    size = f'width="{width:g}" height="{height:g}"'
    lines = [seat_line(sheet, Seat(seat), top, width) for seat in range(len(state.penguins))] if seats else []
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fish-board" viewBox="0 0 {width:g} {height:g}" {size}',
        f' role="img" aria-label="{summary(state)}"><style>{STYLE}</style><defs>{DEFINITIONS}</defs>',
        f'<rect class="sea" {size} rx="16"/><rect class="waves" {size} rx="16"/>',
        *tiles(sheet),
        *last_move(sheet),
        *penguins(sheet),
        *lines,
        "</svg>",
    ]
    return Picture("".join(parts))


def summary(state: State) -> str:
    """The picture for those who cannot see it."""
    scores = ", ".join(f"{COLORS[seat]} {fish} fish" for seat, fish in enumerate(state.fish) if seat not in state.out)
    return f"Fish: {scores or 'nobody is left'}; {'over' if state.turn is None else f'{COLORS[state.turn]} to move'}"


# -- where things lie --------------------------------------------------------------------------


def extent(geometry: Geometry) -> tuple[float, float]:
    """Width and height of all tiles together."""
    if geometry.layout is Layout.STANDARD:
        return UNIT * (4 * geometry.columns + 1), UNIT * (geometry.rows + 1)  # Fish 1.8
    return UNIT * 2.4 * geometry.columns, UNIT * (2.1 * geometry.rows + 0.7)


def middle(layout: Layout, position: Position) -> tuple[float, float]:
    """The middle of a tile."""
    row, column = position
    if layout is Layout.STANDARD:
        across, down = 4 * column + 2 * (row % 2) + 1.5, row + 1.0
    else:
        across, down = 2.4 * column + 1.2 * (1 - row % 2) + 1.2, 2.1 * row + 1.4
    return MARGIN + UNIT * across, MARGIN + HEADROOM + UNIT * down


def moved_to(layout: Layout, position: Position) -> str:
    x, y = middle(layout, position)
    return f'transform="translate({x:g} {y:g})"'


# -- the board ---------------------------------------------------------------------------------


def tiles(sheet: Sheet) -> Iterator[str]:
    """From the top row down, so that each tile covers the edge of the one behind it."""
    state = sheet.state
    standing = {cell for cells in state.penguins for cell in cells}
    for cell, position in enumerate(state.board.geometry.positions):
        if state.board.fish[cell]:  # else it never was a tile
            there = bool(state.free >> cell & 1) or cell in standing
            yield tile(sheet, position, state.board.fish[cell] if there else 0, swim=cell not in standing)


def tile(sheet: Sheet, position: Position, fish: int, *, swim: bool) -> str:
    (row, column), shape = position, SHAPES[sheet.layout].name
    left = sheet.last is not None and isinstance(sheet.last.action, Move) and sheet.last.action.start == position
    title = f"row {row}, column {column}: {f'{fish} fish' if fish else 'a hole'}"
    kind = f"tile{sheet.mark(position)}" if fish else "hole left" if left else "hole"
    ground = f'<use href="#fish-{"tile" if fish else "hole"}-{shape}"/>'
    school = f'<use href="#fish-{fish}"/>' if fish and swim else ""
    return (
        f'<g class="{kind}" data-at="{row},{column}" data-fish="{fish}" {moved_to(sheet.layout, position)}>'
        f"<title>{title}</title>{ground}{school}</g>"
    )


def last_move(sheet: Sheet) -> Iterator[str]:
    if sheet.last is not None and isinstance(sheet.last.action, Move):
        (x, y), (to_x, to_y) = (middle(sheet.layout, at) for at in (sheet.last.action.start, sheet.last.action.target))
        yield f'<path class="path" d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>'


def penguins(sheet: Sheet) -> Iterator[str]:
    found = [(cell, Seat(seat)) for seat, cells in enumerate(sheet.state.penguins) for cell in cells]
    for cell, seat in sorted(found):
        yield penguin(sheet, seat, cell)


def penguin(sheet: Sheet, seat: Seat, cell: Cell) -> str:
    """A penguin beside the number of fish under it."""
    row, column = at = sheet.state.board.geometry.positions[cell]
    fish = sheet.state.board.fish[cell]
    return (
        f'<g class="penguin{sheet.mark(at)}" data-at="{row},{column}" data-seat="{seat}" {moved_to(sheet.layout, at)}>'
        f"<title>{COLORS[seat]} penguin on {fish} fish</title>"
        f'<use href="#fish-penguin-{COLORS[seat]}" x="-12"/><use href="#fish-one" x="16" y="-8"/>'
        f'<text class="count" x="16" y="17">{fish}</text></g>'
    )


# -- the seats ---------------------------------------------------------------------------------


def seat_line(sheet: Sheet, seat: Seat, top: float, width: float) -> str:
    state, y, out = sheet.state, top + PANEL * seat, seat in sheet.state.out
    turn = state.turn == seat
    mark = "removed" if out else "to move" if turn else ""
    box = f'x="{MARGIN:g}" y="{y:g}" width="{width - 2 * MARGIN:g}" height="{PANEL - 6:g}" rx="9"'
    return (
        f'<g class="{"out" if out else ""}" data-seat="{seat}"><rect class="line{" turn" if turn else ""}" {box}/>'
        f'<use href="#fish-penguin-{COLORS[seat]}" transform="translate({MARGIN + 22:g} {y + 19:g}) scale(.66)"/>'
        f'<text class="name" x="{MARGIN + 46:g}" y="{y + 24:g}">{COLORS[seat]}{" (you)" if seat == sheet.me else ""}'
        f'</text><text class="small" x="{MARGIN + 140:g}" y="{y + 24:g}">{mark}</text>'
        f'<text class="sum" x="{width - MARGIN - 12:g}" y="{y + 24:g}">{state.fish[seat]} fish</text></g>'
    )
