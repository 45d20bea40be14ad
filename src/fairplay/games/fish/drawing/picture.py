"""Fish as a drawing: ice with its fish, penguins by colour and dress, the last move, the scores."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from fairplay.core import Picture, Seat, Turn
from fairplay.games.fish.board import Cell, Position
from fairplay.games.fish.drawing.canvas import HEADROOM, MARGIN, Canvas, board_extent, tile_middle, translate_to
from fairplay.games.fish.drawing.shapes import DEFINITIONS, SHAPES, STYLE
from fairplay.games.fish.state import COLORS, Action, Move, State, View

__all__ = ["draw_picture"]

PANEL: Final = 42.0  # height of one seat's line
MIN_WIDTH: Final = 320.0


def draw_picture(
    shown: State | View,
    last: Turn[State, Action] | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """Draw a state or a view with the move of `last` marked; Fish hides nothing that `open` could show."""
    state, me = (shown.state, shown.me) if isinstance(shown, View) else (shown, None)
    canvas = Canvas(state, me, last, frozenset(lit), frozenset(chosen))
    wide, high = board_extent(state.board.geometry)
    width, top = max(wide + 2 * MARGIN, MIN_WIDTH), high + 2 * MARGIN + HEADROOM
    height = top + (PANEL * len(state.penguins) + MARGIN / 2 if seats else 0)
    size = f'width="{width:g}" height="{height:g}"'
    lines = [draw_seat_line(canvas, Seat(seat), top, width) for seat in range(len(state.penguins))] if seats else []
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fish-board" viewBox="0 0 {width:g} {height:g}" {size}',
        f' role="img" aria-label="{describe_state(state)}"><style>{STYLE}</style><defs>{DEFINITIONS}</defs>',
        f'<rect class="sea" {size} rx="16"/><rect class="waves" {size} rx="16"/>',
        *draw_tiles(canvas),
        *draw_last_move(canvas),
        *draw_penguins(canvas),
        *lines,
        "</svg>",
    ]
    return Picture("".join(parts))


def describe_state(state: State) -> str:
    """Say what the picture shows, for screen readers."""
    scores = ", ".join(f"{COLORS[seat]} {fish} fish" for seat, fish in enumerate(state.fish) if seat not in state.out)
    return f"Fish: {scores or 'nobody is left'}; {'over' if state.turn is None else f'{COLORS[state.turn]} to move'}"


# -- the board ---------------------------------------------------------------------------------


def draw_tiles(canvas: Canvas) -> Iterator[str]:
    """Draw the tiles from the top row down, so that each one covers the edge of the one behind it."""
    state = canvas.state
    standing = {cell for cells in state.penguins for cell in cells}
    for cell, position in enumerate(state.board.geometry.positions):
        if state.board.fish[cell]:  # otherwise it never was a tile
            there = bool(state.free >> cell & 1) or cell in standing
            yield draw_tile(canvas, position, state.board.fish[cell] if there else 0, swim=cell not in standing)


def draw_tile(canvas: Canvas, position: Position, fish: int, *, swim: bool) -> str:
    """Draw a tile, or the hole where it was; `swim`: with its fish."""
    (row, column), shape = position, SHAPES[canvas.layout].name
    left = canvas.last is not None and isinstance(canvas.last.action, Move) and canvas.last.action.start == position
    title = f"row {row}, column {column}: {f'{fish} fish' if fish else 'a hole'}"
    kind = f"tile{canvas.mark_class(position)}" if fish else "hole left" if left else "hole"
    ground = f'<use href="#fish-{"tile" if fish else "hole"}-{shape}"/>'
    school = f'<use href="#fish-{fish}"/>' if fish and swim else ""
    return (
        f'<g class="{kind}" data-at="{row},{column}" data-fish="{fish}" {translate_to(canvas.layout, position)}>'
        f"<title>{title}</title>{ground}{school}</g>"
    )


def draw_last_move(canvas: Canvas) -> Iterator[str]:
    """Draw the path of the last move."""
    if canvas.last is not None and isinstance(canvas.last.action, Move):
        (x, y), (to_x, to_y) = (
            tile_middle(canvas.layout, at) for at in (canvas.last.action.start, canvas.last.action.target)
        )
        yield f'<path class="path" d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>'


def draw_penguins(canvas: Canvas) -> Iterator[str]:
    """Draw the penguins from the top row down."""
    penguins = [(cell, Seat(seat)) for seat, cells in enumerate(canvas.state.penguins) for cell in cells]
    for cell, seat in sorted(penguins):
        yield draw_penguin(canvas, seat, cell)


def draw_penguin(canvas: Canvas, seat: Seat, cell: Cell) -> str:
    """Draw a penguin beside the number of fish under it."""
    row, column = at = canvas.state.board.geometry.positions[cell]
    fish = canvas.state.board.fish[cell]
    return (
        f'<g class="penguin{canvas.mark_class(at)}" data-at="{row},{column}" data-seat="{seat}"'
        f" {translate_to(canvas.layout, at)}>"
        f"<title>{COLORS[seat]} penguin on {fish} fish</title>"
        f'<use href="#fish-penguin-{COLORS[seat]}" x="-12"/><use href="#fish-one" x="16" y="-8"/>'
        f'<text class="count" x="16" y="17">{fish}</text></g>'
    )


# -- the seats ---------------------------------------------------------------------------------


def draw_seat_line(canvas: Canvas, seat: Seat, top: float, width: float) -> str:
    """Draw a seat with its score, below the board."""
    state, y, out = canvas.state, top + PANEL * seat, seat in canvas.state.out
    turn = state.turn == seat
    mark = "removed" if out else "to move" if turn else ""
    box = f'x="{MARGIN:g}" y="{y:g}" width="{width - 2 * MARGIN:g}" height="{PANEL - 6:g}" rx="9"'
    return (
        f'<g class="{"out" if out else ""}" data-seat="{seat}"><rect class="line{" turn" if turn else ""}" {box}/>'
        f'<use href="#fish-penguin-{COLORS[seat]}" transform="translate({MARGIN + 22:g} {y + 19:g}) scale(.66)"/>'
        f'<text class="name" x="{MARGIN + 46:g}" y="{y + 24:g}">{COLORS[seat]}{" (you)" if seat == canvas.me else ""}'
        f'</text><text class="small" x="{MARGIN + 140:g}" y="{y + 24:g}">{mark}</text>'
        f'<text class="sum" x="{width - MARGIN - 12:g}" y="{y + 24:g}">{state.fish[seat]} fish</text></g>'
    )
