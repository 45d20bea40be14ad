"""The parts of a picture of Labyrinth: tiles, pawns, homes, stars, and their colours and styles."""

from __future__ import annotations

from re import fullmatch
from typing import Final

from fairplay.games.labyrinth.board import Direction
from fairplay.games.labyrinth.drawing.gems import CUT_DEFINITIONS
from fairplay.games.labyrinth.tiles import EAST, NORTH, SOUTH, WEST, Tile

__all__ = [
    "ARROW_DEGREES",
    "DEFINITIONS",
    "HALF",
    "PAINTS",
    "STYLE",
    "TILE",
    "draw_home",
    "draw_pawn",
    "draw_star",
    "draw_tile",
    "paint_for",
]

TILE: Final = 72
HALF: Final = TILE // 2

PAINTS: Final = {
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

TILE_PATHS: Final[dict[Tile, str]] = {
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
"""The path through a tile, as a line."""

ARROW_DEGREES: Final[dict[Direction, int]] = {"UP": 0, "RIGHT": 90, "DOWN": 180, "LEFT": 270}


def define_tile(tile: Tile) -> str:
    """Define a tile with the path through it; the stone takes the colour of the element that uses it."""
    line = TILE_PATHS[tile]
    return (
        f'<g id="labyrinth-tile-{tile}"><rect x="1" y="1" width="70" height="70" rx="6"/><g fill="none">'
        f'<path stroke="#86683a" stroke-width="32" d="{line}"/><path stroke="#f5e6bd" stroke-width="26" d="{line}"/>'
        f'<path stroke="#e3cb93" stroke-width="2.5" stroke-dasharray="3 7" d="{line}"/></g></g>'
    )


DEFINITIONS: Final = "".join(
    [
        '<linearGradient id="labyrinth-page" x2="0" y2="1"><stop stop-color="#2a3d46"/>',
        '<stop offset="1" stop-color="#17232a"/></linearGradient>',
        '<g id="labyrinth-pins" fill="#22333b"><circle cx="64" cy="8" r="3"/><circle cx="8" cy="64" r="3"/></g>',
        '<g id="labyrinth-arrow"><rect x="-34" y="-22" width="68" height="50" fill="transparent" stroke="none"/>',
        '<path d="M0-15 19 5H9V15H-9V5H-19z"/></g>',
        '<path id="labyrinth-bend" d="M-9 6A11 11 0 1 1 7 8" fill="none" stroke-width="4" stroke-linecap="round"/>',
        *map(define_tile, TILE_PATHS),
        CUT_DEFINITIONS,
    ]
)

STYLE: Final = ".labyrinth-board{font:600 15px system-ui,sans-serif;fill:#eef3f4}" + "".join(
    f".labyrinth-board {rule}"
    for rule in (
        ".page{fill:url(#labyrinth-page)}",
        ".frame{fill:#0f171b}",
        ".number{font-size:13px;fill:#9fb4bb;text-anchor:middle}",
        ".small{font-size:13px;font-weight:500;fill:#bccacd}",
        ".tile{fill:#6d8996}",
        ".still{fill:#4b6470}",
        ":focus:not(:focus-visible){outline:none}",
        "[data-at]:focus-visible{outline:none}",
        "[data-at]:focus-visible use{fill:#fff;stroke:#d6006c;stroke-width:7}",
        ".over{pointer-events:none}",
        ".push{fill:#688490}",
        ".undo{fill:none;stroke:#51666f;stroke-width:2;stroke-dasharray:4 3}",
        ".slid{fill:#f3c74f}",
        ".lit{cursor:pointer}",
        ".lit .arrow{fill:#fff04a;stroke:#fff;stroke-width:2.5;stroke-dasharray:none}",
        ".lit:hover .arrow{fill:#fff}",
        ".chosen .arrow{fill:#fff;stroke:#fff04a;stroke-width:5}",
        ".knob{fill:#2b3c43;stroke:#fff04a;stroke-width:2.5}",
        ".lit:hover .knob{fill:#4b6470}",
        ".bent{stroke:#fff04a;fill:#fff04a}",
        ".glow{fill:#fff04a;fill-opacity:.16;stroke:#fff04a;stroke-width:4;stroke-dasharray:9 5}",
        ".foot{fill:#5c4300;stroke:#fff;stroke-width:2}",
        ".strip{fill:none;stroke:#f3c74f;stroke-width:3;stroke-dasharray:9 6}",
        ".sliding{fill:none;stroke:#fff;stroke-width:4}",
        ".goal{fill-opacity:.25;stroke-width:4}",
        ".large{font-size:22px}",
        ".small.large{font-size:16px}",
        ".card{fill:#31444c}",
        ".home{fill:none;stroke-width:5}",
        ".edge{stroke:#10181c;stroke-width:1.6;stroke-linejoin:round}",
        ".walk{fill:none;stroke-width:6;stroke-linecap:round;stroke-linejoin:round;stroke-dasharray:1 11}",
        ".mine{fill:#fff;fill-opacity:.6;stroke:#10181c;stroke-width:2}",
        ".mark{font-size:13px;font-weight:700;text-anchor:middle}",
        ".out{text-decoration:line-through;opacity:.6}",
    )
)
"""Every rule applies to pictures of Labyrinth alone: a page may show other games too."""


def paint_for(color: str) -> str:
    """The CSS colour for a colour of Labyrinth 1.1; grey for any other string."""
    return PAINTS.get(color) or (f"#{color}" if fullmatch("[0-9A-F]{6}", color) else "#9aa7ab")


def letter_paint(paint: str) -> str:
    """A CSS colour that is readable on `paint`."""
    red, green, blue = (int(paint[start : start + 2], 16) for start in (1, 3, 5))
    return "#fff" if 299 * red + 587 * green + 114 * blue < 150_000 else "#17232a"


def draw_tile(tile: Tile, x: float, y: float, kind: str) -> str:
    """Draw a tile; a `still` one, which never moves, has pins."""
    pins = f'<use href="#labyrinth-pins" x="{x:g}" y="{y:g}"/>' if kind == "still" else ""
    return f'<use class="{kind}" href="#labyrinth-tile-{tile}" x="{x:g}" y="{y:g}"/>{pins}'


def draw_number(seat: int, y: float, paint: str) -> str:
    """Draw the number of a seat."""
    return f'<text class="mark" y="{y:g}" fill="{letter_paint(paint)}">{seat + 1}</text>'


def draw_pawn(x: float, y: float, paint: str, seat: int, *, mine: bool = False) -> str:
    """Draw a figure with the number of its seat; the viewer's own stands in a ring."""
    ring = '<ellipse class="mine" cy="17" rx="20" ry="7"/>' if mine else ""
    return (
        f'<g transform="translate({x:g} {y:g})">{ring}<ellipse cy="18" rx="14" ry="4" fill="#10181c" opacity=".35"/>'
        f'<path class="edge" fill="{paint}" d="M-13 17C-12 8-8 5-7-3H7C8 5 12 8 13 17Q0 22-13 17z"/>'
        f'<circle class="edge" cy="-11" r="10" fill="{paint}"/>{draw_number(seat, 15, paint)}</g>'
    )


def draw_home(x: float, y: float, paint: str, seat: int) -> str:
    """Draw a home with the number of its seat."""
    return (
        f'<g transform="translate({x:g} {y:g})"><path class="edge" fill="{paint}" d="M0-13l13 11h-3v13h-20V-2h-3z"/>'
        f"{draw_number(seat, 8, paint)}</g>"
    )


def draw_star(x: float, y: float, paint: str = "#ffdf5e", seat: int | None = None) -> str:
    """Draw a goal, with a number where those of several seats are shown."""
    number = "" if seat is None else draw_number(seat, 5, paint)
    return (
        f'<g transform="translate({x:g} {y:g})"><path class="edge" fill="{paint}" '
        f'd="M0-14 4-5 14-4 6.4 2.6 8.8 12.4 0 7-8.8 12.4-6.4 2.6-14-4-4-5z"/>{number}</g>'
    )
