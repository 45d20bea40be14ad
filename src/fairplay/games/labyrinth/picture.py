"""Labyrinth as a drawing: the maze with its gems, homes and avatars, the spare tile, and where one may push."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import fullmatch
from typing import Any, Final, NamedTuple

from fairplay.core import Picture, Seat, Turn
from fairplay.games.labyrinth.board import NOWHERE, OPPOSITE, Board, Direction, Position, Slide, way
from fairplay.games.labyrinth.gems import gem
from fairplay.games.labyrinth.goals import whereabouts
from fairplay.games.labyrinth.state import COLORS, Move, State, Target, View
from fairplay.games.labyrinth.tiles import CONNECTORS, EAST, NORTH, SOUTH, WEST, Pair, Tile
from fairplay.games.labyrinth.words import seat_name

__all__ = ["picture"]

TILE: Final = 72
HALF: Final = TILE // 2
LANE: Final = 58  # around the board, for arrows and numbers
ARROW: Final = 36  # from the board to the middle of an arrow
PANEL: Final = 226  # beside the board, for the spare tile and the seats
LINE: Final = 44  # height of one seat's line

STYLE: Final = """
text{font:600 14px system-ui,sans-serif;fill:#e9eef0}
.number{font-size:10.5px;fill:#8aa1a9;text-anchor:middle}.small{font-size:12px;font-weight:500;fill:#b4c3c6}.page{fill:#1f2d33}.frame{fill:#131c20}
.tile{fill:#6b8794}.still{fill:#4d6672}.bank{fill:none;stroke:#8d6f3d;stroke-width:32}
.way{fill:none;stroke:#f3e2b6;stroke-width:26}.worn{fill:none;stroke:#e6cf98;stroke-width:2;stroke-dasharray:3 7}
.cut{stroke-width:.16;paint-order:stroke}.push{fill:#5d7984}.push:hover{fill:#f3c74f}.undo{fill:#33454d}
.slid{fill:#f3c74f}.strip{fill:none;stroke:#f3c74f;stroke-width:3;stroke-dasharray:9 6}
.goal{fill:none;stroke:#ffdf5e;stroke-width:4}.beam{fill:#ffdf5e;opacity:.22}.card{fill:#2b3c43}
.home{fill:none;stroke-width:5}.edge{stroke:#131c20;stroke-width:1.6;stroke-linejoin:round}
.walk{fill:none;stroke-width:5;stroke-linecap:round;stroke-linejoin:round;stroke-dasharray:1 11}
.out{text-decoration:line-through;opacity:.6}
"""

INKS: Final = {
    "purple": "#9b4fc4",
    "orange": "#f58a2a",
    "pink": "#f77fb9",
    "red": "#dd3c3c",
    "blue": "#3b82ec",
    "green": "#36ab57",
    "yellow": "#f6d02f",
    "white": "#fbfbf7",
    "black": "#3a3a46",
}

WAYS: Final[dict[Tile, str]] = {
    NORTH | SOUTH: "M36 0V72",
    EAST | WEST: "M0 36H72",
    SOUTH | WEST: "M0 36A36 36 0 0 1 36 72",
    NORTH | EAST: "M36 0A36 36 0 0 0 72 36",
    EAST | SOUTH: "M72 36A36 36 0 0 0 36 72",
    NORTH | WEST: "M0 36A36 36 0 0 0 36 0",
    EAST | SOUTH | WEST: "M0 36H72M36 36V72",
    NORTH | EAST | SOUTH: "M36 0V72M36 36H72",
    NORTH | EAST | WEST: "M0 36H72M36 36V0",
    NORTH | SOUTH | WEST: "M36 0V72M36 36H0",
    NORTH | EAST | SOUTH | WEST: "M0 36H72M36 0V72",
}
"""The way through a tile, as a line."""

TURNED: Final[dict[Direction, int]] = {"UP": 0, "RIGHT": 90, "DOWN": 180, "LEFT": 270}


class Sheet(NamedTuple):
    """What is drawn, and how large."""

    shown: State | View
    width: int
    height: int

    @property
    def board(self) -> Board:
        return self.shown.board

    @property
    def right(self) -> int:
        """Where the panel beside the board begins."""
        return 2 * LANE + TILE * self.board.grid.columns

    @property
    def me(self) -> Seat | None:
        return self.shown.me if isinstance(self.shown, View) else None

    @property
    def target(self) -> Target | None:
        """Only a view has one: nobody else is shown it (Labyrinth 3.11)."""
        return self.shown.target if isinstance(self.shown, View) else None


def picture(shown: State | View, last: Turn[Any, Any] | None = None) -> Picture:
    """The drawing of a state or a view; the last slide is marked, whether or not `last` was it."""
    grid, seats = shown.board.grid, len(shown.avatars)
    height = max(2 * LANE + TILE * grid.rows, 210 + LINE * seats + 96 * isinstance(shown, View))
    sheet = Sheet(shown, 2 * LANE + TILE * grid.columns + PANEL, height)
    size = f'width="{sheet.width}" height="{sheet.height}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width} {sheet.height}" {size} role="img"',
        f' aria-label="{summary(sheet)}"><style>{STYLE}</style><rect class="page" {size} rx="16"/>',
        f'<rect class="frame" x="{LANE - 6}" y="{LANE - 6}" width="{TILE * grid.columns + 12}"',
        f' height="{TILE * grid.rows + 12}" rx="8"/>',
        *tiles(sheet),
        *last_slide(sheet),
        *homes(sheet),
        *gems(sheet),
        *goal(sheet),
        *last_walk(sheet, last),
        *avatars(sheet),
        *arrows(sheet),
        *numbers(sheet),
        *panel(sheet),
        "</svg>",
    ]
    return Picture("".join(parts))


def summary(sheet: Sheet) -> str:
    """The picture for those who cannot see it."""
    shown, grid = sheet.shown, sheet.board.grid
    names = ", ".join(f"{label(shown, seat)} at {spot(shown.avatars[seat])}" for seat in range(len(shown.avatars)))
    turn = "over" if shown.turn is None else f"{seat_name(shown.turn)} to move"
    return f"Labyrinth of {grid.rows} rows and {grid.columns} columns: {names or 'nobody'}; {turn}"


def label(shown: State | View, seat: int) -> str:
    """The seat with its colour, where that has a name."""
    color = shown.colors[seat]
    return f"{seat_name(Seat(seat))} ({color})" if color in INKS else seat_name(Seat(seat))


def spot(position: Position) -> str:
    return "no place" if position == NOWHERE else f"({position[0]},{position[1]})"


def ink(color: str) -> str:
    """The paint for a colour of Labyrinth 1.1; grey for any other string."""
    return INKS.get(color) or (f"#{color}" if fullmatch("[0-9A-F]{6}", color) else "#9aa7ab")


def corner(position: Position) -> tuple[int, int]:
    """The top left corner of a tile."""
    return LANE + TILE * position[1], LANE + TILE * position[0]


# -- the board ---------------------------------------------------------------------------------


def tiles(sheet: Sheet) -> Iterator[str]:
    fixed = set(sheet.board.grid.fixed)
    for row, line in enumerate(sheet.board.tiles):
        for column, tile in enumerate(line):
            x, y = corner((row, column))
            kind = "still" if (row, column) in fixed else "tile"
            title = f"<title>row {row}, column {column}</title>"
            yield f'<g data-at="{row},{column}" data-tile="{CONNECTORS[tile]}">{title}{ground(tile, x, y, kind)}</g>'


def ground(tile: Tile, x: int, y: int, kind: str) -> str:
    """A tile and the way through it."""
    line = WAYS[tile]
    return (
        f'<g transform="translate({x} {y})"><rect class="{kind}" x="1" y="1" width="70" height="70" rx="5"/>'
        f'<path class="bank" d="{line}"/><path class="way" d="{line}"/><path class="worn" d="{line}"/></g>'
    )


def gems(sheet: Sheet) -> Iterator[str]:
    """Above the homes, so that these hide none."""
    for row, line in enumerate(sheet.board.pairs):
        for column, pair in enumerate(line):
            x, y = corner((row, column))
            yield f'<g data-at="{row},{column}">{two_gems(pair, x, y)}</g>'


def two_gems(pair: Pair, x: int, y: int) -> str:
    """In two corners of the tile, where no way ever goes."""
    return gem(pair[0], x + 10.5, y + 10.5, 8) + gem(pair[1], x + 61.5, y + 61.5, 8)


def last_slide(sheet: Sheet) -> Iterator[str]:
    """The line that was slid last, framed."""
    slide, grid = sheet.shown.last, sheet.board.grid
    push = None if slide is None else grid.push.get((slide.index, slide.direction))
    if push is None or slide is None:
        return
    level = slide.direction in ("LEFT", "RIGHT")
    x, y = corner((slide.index, 0) if level else (0, slide.index))
    width, height = (TILE * grid.columns, TILE) if level else (TILE, TILE * grid.rows)
    yield (
        f'<rect class="strip" data-last="{slide.index},{slide.direction}" x="{x}" y="{y}" '
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
            f'<g data-home="{seat}" data-at="{home[0]},{home[1]}"><title>home of {label(shown, seat)}</title>'
            f'<rect class="home" stroke="{paint}" x="{x + inset}" y="{y + inset}" '
            f'width="{side}" height="{side}" rx="8"/>'
            f"{house(x + TILE - 14 - 15 * (depth - 1), y + 14, paint)}</g>"
        )


def house(x: float, y: float, paint: str) -> str:
    return f'<path class="edge" fill="{paint}" d="M{x:g} {y - 11:g}l11 10h-3v10h-16v-10h-3z"/>'


def goal(sheet: Sheet) -> Iterator[str]:
    """Where the owner of the view goes: a position, or the tile with the treasure."""
    if sheet.target is None:
        return
    at = whereabouts(sheet.board, sheet.target)
    x, y = spare_corner(sheet) if at is None else corner(at)
    if at is not None and not sheet.board.grid.holds(at):
        return
    place = "" if at is None else f' data-at="{at[0]},{at[1]}"'
    yield (
        f'<g data-goal="mine"{place}><title>your goal</title>'
        f'<circle class="beam" cx="{x + HALF}" cy="{y + HALF}" r="24"/>'
        f'<circle class="goal" cx="{x + HALF}" cy="{y + HALF}" r="24"/>{goal_star(x + 13, y + TILE - 13)}</g>'
    )


def goal_star(x: float, y: float) -> str:
    return (
        f'<path class="edge" fill="#ffdf5e" transform="translate({x:g} {y:g})" '
        'd="M0-12 3.4-4 12-3.5 5.4 2.1 7.6 10.5 0 5.8-7.6 10.5-5.4 2.1-12-3.5-3.4-4z"/>'
    )


def last_walk(sheet: Sheet, last: Turn[Any, Any] | None) -> Iterator[str]:
    """The way that the last mover took."""
    shown, board = sheet.shown, sheet.board
    if last is None or not isinstance(last.action, Move) or last.after.board != board:
        return
    push = board.grid.push[last.action.index, last.action.direction]
    before = last.before.avatars[last.seat]
    points = [corner(place) for place in way(board, push.carry.get(before, before), last.action.to)]
    line = "L".join(f"{x + HALF} {y + HALF}" for x, y in points)
    yield f'<path class="walk" data-walk="{last.seat}" d="M{line}" stroke="{ink(shown.colors[last.seat])}"/>'


def avatars(sheet: Sheet) -> Iterator[str]:
    """Pawns, side by side where they share a tile."""
    shown = sheet.shown
    places: dict[Position, list[int]] = {}
    for seat, at in enumerate(shown.avatars):
        if sheet.board.grid.holds(at):
            places.setdefault(at, []).append(seat)
    for at, seats in places.items():
        x, y = corner(at)
        for number, seat in enumerate(seats):
            across = (number - (len(seats) - 1) / 2) * min(22, 44 / max(len(seats) - 1, 1))
            yield (
                f'<g data-seat="{seat}" data-at="{at[0]},{at[1]}"><title>{label(shown, seat)}</title>'
                f"{pawn(x + HALF + across, y + HALF + 2, ink(shown.colors[seat]), seat)}</g>"
            )


def pawn(x: float, y: float, paint: str, seat: int) -> str:
    """A figure with the number of its seat."""
    red, green, blue = (int(paint[start : start + 2], 16) for start in (1, 3, 5))
    letter = "#fff" if 299 * red + 587 * green + 114 * blue < 150_000 else "#1f2d33"
    return (
        f'<g transform="translate({x:g} {y:g})"><ellipse cy="17" rx="13" ry="4" fill="#131c20" opacity=".35"/>'
        f'<path class="edge" fill="{paint}" d="M-12 16C-11 7-7 5-6-3H6C7 5 11 7 12 16Q0 21-12 16z"/>'
        f'<circle class="edge" cy="-10" r="9" fill="{paint}"/>'
        f'<text y="14" text-anchor="middle" style="font-size:12px;fill:{letter}">{seat + 1}</text></g>'
    )


# -- around the board --------------------------------------------------------------------------


def arrows(sheet: Sheet) -> Iterator[str]:
    """One arrow for each slide, at the end where the spare tile goes in."""
    grid, last = sheet.board.grid, sheet.shown.last
    undo = None if last is None else Slide(last.index, OPPOSITE[last.direction])
    for push in grid.pushes:
        index, direction = push.slide.index, push.slide.direction
        x, y = corner(grid.positions[push.entry])
        x += {"LEFT": TILE + ARROW - 8, "RIGHT": -ARROW}.get(direction, HALF)  # no numbers there to go past
        y += {"UP": TILE + ARROW - 8, "DOWN": -ARROW}.get(direction, HALF)
        kind, words = "push", "slide"
        if push.slide == last:
            kind, words = "slid", "last slide:"
        elif push.slide == undo:
            kind, words = "undo", "would undo the last slide:"
        line = "row" if direction in ("LEFT", "RIGHT") else "column"
        yield (
            f'<g data-slide="{index},{direction}"><title>{words} {line} {index} {direction.lower()}</title>'
            f'<path class="{kind}" transform="translate({x} {y})rotate({TURNED[direction]})" '
            'd="M0-13 16 5H7V13H-7V5H-16z"/></g>'
        )


def numbers(sheet: Sheet) -> Iterator[str]:
    """Rows and columns are counted from 0."""
    for column in range(sheet.board.grid.columns):
        yield f'<text class="number" x="{LANE + TILE * column + HALF}" y="{LANE - 9}">{column}</text>'
    for row in range(sheet.board.grid.rows):
        yield f'<text class="number" x="{LANE - 13}" y="{LANE + TILE * row + HALF + 4}">{row}</text>'


def spare_corner(sheet: Sheet) -> tuple[int, int]:
    return sheet.right + 12, LANE + 20


def panel(sheet: Sheet) -> Iterator[str]:
    """The spare tile, what the owner of the view looks for, and the seats."""
    board, (x, y) = sheet.board, spare_corner(sheet)
    yield f'<text x="{x}" y="{y - 12}">Spare tile</text>'
    yield f'<rect class="frame" x="{x - 4}" y="{y - 4}" width="{TILE + 8}" height="{TILE + 8}" rx="8"/>'
    tile, pair = ground(board.spare, x, y, "tile"), two_gems(board.gems[-1], x, y)
    yield f'<g data-spare="{CONNECTORS[board.spare]}">{tile}{pair}</g>'
    top = y + TILE + 24
    if isinstance(sheet.shown, View):
        yield from mission(sheet.shown, x, top)
        top += 96
    for seat in range(len(sheet.shown.avatars)):
        yield seat_line(sheet, seat, x, top + LINE * seat)


def mission(view: View, x: float, y: float) -> Sequence[str]:
    """The goal in words, for its owner alone."""
    if view.target is None:
        text, sign = "you are out", ""
    elif isinstance(view.target, str):
        text, sign = view.target, gem(view.target, x + 20, y + 36, 13)
    elif view.target == view.home:
        text, sign = f"your home {spot(view.home)}", house(x + 20, y + 38, ink(view.colors[view.me]))
    else:
        text, sign = spot(view.target), goal_star(x + 20, y + 37)
    found = f"{len(view.found)} found" if view.found else "nothing found yet"
    squeezed = ' textLength="144" lengthAdjust="spacingAndGlyphs"' if len(text) > 17 else ""
    return [
        f'<rect class="card" x="{x}" y="{y}" width="{PANEL - 34}" height="76" rx="10"/>',
        f'<text class="small" x="{x + 40}" y="{y + 22}">You look for</text>',
        f'<text x="{x + 40}" y="{y + 42}"{squeezed}>{text}</text>',
        f'<text class="small" x="{x + 40}" y="{y + 62}">{found}</text>{sign}',
    ]


def seat_line(sheet: Sheet, seat: int, x: float, y: float) -> str:
    shown = sheet.shown
    out, color = shown.avatars[seat] == NOWHERE, shown.colors[seat]
    you = ", you" if seat == sheet.me else ""
    mark = "removed" if out else "to move" if shown.turn == seat else ""
    note = ", ".join(part for part in (color if color in COLORS else "", mark) if part)
    figure = f'<g transform="translate({x + 20:g} {y + 21:g})scale(.72)">{pawn(0, 0, ink(color), seat)}</g>'
    ring = f' stroke="{ink(color)}" stroke-width="2"' if shown.turn == seat else ""
    return (
        f'<g data-seat="{seat}"><rect class="card" x="{x:g}" y="{y:g}" width="{PANEL - 34}" height="38" rx="9"{ring}/>'
        f'{figure}<text class="{"out" if out else ""}" x="{x + 40:g}" y="{y + 17:g}">'
        f"{seat_name(Seat(seat))}{you}</text>"
        f'<text class="small" x="{x + 40:g}" y="{y + 32:g}">{note}</text></g>'
    )
