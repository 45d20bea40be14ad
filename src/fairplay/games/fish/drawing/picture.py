"""Fish as a drawing: ice with its fish, penguins by colour and dress, the last move, the scores."""

from collections.abc import Collection, Iterator

from fairplay.core import Picture, Seat, Turn
from fairplay.games.fish.board import Layout, Position
from fairplay.games.fish.drawing.canvas import RIGHT, Canvas, lay_canvas, picture_size, tile_middle, translate_to
from fairplay.games.fish.drawing.scenery import draw_scenery
from fairplay.games.fish.drawing.shapes import SHAPES
from fairplay.games.fish.state import COLORS, Action, Move, State, View

LINE = 42  # height of one seat's line


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
    canvas = lay_canvas(state, me, last, lit, chosen)
    width, top = picture_size(state.board.geometry)
    lines = [draw_seat_line(canvas, Seat(seat), top, width) for seat in range(len(state.penguins))] if seats else []
    height = top + (LINE * len(lines) + RIGHT // 2 if lines else 0)
    body = [*draw_tiles(canvas), *draw_last_turn(canvas), *draw_penguins(canvas), *lines]
    base = draw_scenery(state.board, width, height)
    return Picture.build("fish-board", width, height, describe_state(state), base, "".join(body))


def describe_state(state: State) -> str:
    """Say what the picture shows, for screen readers."""
    scores = ", ".join(f"{COLORS[seat]} {fish} fish" for seat, fish in enumerate(state.fish) if seat not in state.out)
    return f"Fish: {scores or 'nobody is left'}; {'over' if state.turn is None else f'{COLORS[state.turn]} to move'}"


# -- the board ---------------------------------------------------------------------------------


def draw_tiles(canvas: Canvas) -> Iterator[str]:
    """Draw the tiles from the top row down, so that each one covers the edge of the one behind it."""
    state, layout, marks = canvas.state, canvas.layout, canvas.marks
    standing = {cell for cells in state.penguins for cell in cells}
    for cell, position in enumerate(state.board.geometry.positions):
        if state.free >> cell & 1 or cell in standing:
            mark = marks.get(f"at={position[0]},{position[1]}", "")
            yield draw_tile(layout, position, state.board.fish[cell], mark, penguin=cell in standing)


def draw_tile(layout: Layout, position: Position, fish: int, mark: str = "", *, penguin: bool = False) -> str:
    """Draw a tile; one with a penguin sinks once the penguin has gone."""
    (row, column), shape = position, SHAPES[layout].name
    kind, step = ("stand", ' data-step="1"') if penguin else ("tile", "")
    return (
        f'<g class="tile{mark}" data-key="tile-{row}-{column}" data-at="{row},{column}" data-leave="sink"{step}'
        f" {translate_to(layout, position)}><title>({row},{column}): {fish} fish</title>"
        f'<use href="#fish-{kind}-{fish}-{shape}"/></g>'
    )


def draw_last_turn(canvas: Canvas) -> Iterator[str]:
    """Mark where the last penguin went, the way it took, and the tile it left."""
    if canvas.last is None:
        return
    action, layout = canvas.last.action, canvas.layout
    ring = f'href="#fish-ring-{SHAPES[layout].name}"'
    if isinstance(action, Move):
        (x, y), (to_x, to_y) = (tile_middle(layout, at) for at in (action.start, action.target))
        yield f'<use class="trail left" {ring} {translate_to(layout, action.start)}/>'
        yield from (f'<path class="trail {kind}" d="M{x} {y}L{to_x} {to_y}"/>' for kind in ("halo", "path"))
    target = action.target if isinstance(action, Move) else action.at
    yield f'<use class="trail came" {ring} {translate_to(layout, target)}/>'


def draw_penguins(canvas: Canvas) -> Iterator[str]:
    """Draw the penguins from the top row down."""
    penguins = [
        (cell, Seat(seat), index)
        for seat, cells in enumerate(canvas.state.penguins)
        for index, cell in enumerate(cells)
    ]
    geometry, marks = canvas.state.board.geometry, canvas.marks
    for cell, seat, index in sorted(penguins):
        row, column = at = geometry.positions[cell]
        yield draw_penguin(geometry.layout, at, seat, index, marks.get(f"at={row},{column}", ""))


def draw_penguin(layout: Layout, at: Position, seat: Seat, index: int, mark: str) -> str:
    """Draw a penguin; its index is the order of placement, which a move does not change (Fish 3.5)."""
    row, column = at
    return (
        f'<g class="penguin{mark}" data-key="penguin-{seat}-{index}" data-at="{row},{column}"'
        f' data-enter="drop" data-leave="fade" {translate_to(layout, at)}>'
        f"<title>{COLORS[seat]} penguin on ({row},{column})</title>"
        f'<use href="#fish-penguin-{COLORS[seat]}" transform="translate(-12 6)"/></g>'
    )


# -- the seats ---------------------------------------------------------------------------------


def draw_seat_line(canvas: Canvas, seat: Seat, top: int, width: int) -> str:
    """Draw a seat with its score, below the board."""
    state, y, out = canvas.state, top + LINE * seat, seat in canvas.state.out
    turn = state.turn == seat
    mark = "removed" if out else "to move" if turn else ""
    left, right = RIGHT, width - RIGHT
    box = f'x="{left}" y="{y}" width="{right - left}" height="{LINE - 6}" rx="10"'
    return (
        f'<g class="{"out" if out else ""}"><rect class="line{" turn" if turn else ""}" {box}/>'
        f'<use href="#fish-penguin-{COLORS[seat]}" transform="translate({left + 24} {y + 23}) scale(.5)"/>'
        f'<text class="name" x="{left + 48}" y="{y + 24}">{COLORS[seat]}{" (you)" if seat == canvas.me else ""}'
        f'</text><text class="small" x="{left + 140}" y="{y + 24}">{mark}</text>'
        f'<text class="sum" x="{right - 14}" y="{y + 24}">{state.fish[seat]} fish</text></g>'
    )
