"""The stones of a picture of Labyrinth: slabs with corridors carved into them, and the frame they lie in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairplay.games.labyrinth.board import Grid
from fairplay.games.labyrinth.tiles import EAST, NORTH, SOUTH, WEST, Tile

__all__ = [
    "HALF",
    "LANE",
    "STONE_DEFINITIONS",
    "STONE_RULES",
    "TILE",
    "define_tiles",
    "draw_frame",
    "draw_shade",
    "tile_art",
]

TILE: Final = 72
HALF: Final = TILE // 2
LANE: Final = 70  # around the board, for its frame and the arrows
RIM: Final = 19  # the part of it that is the frame

WAYS: Final[dict[Tile, str]] = {
    NORTH | SOUTH: "M0-40V40",
    EAST | WEST: "M-40 0H40",
    SOUTH | WEST: "M-40 0H-36A36 36 0 0 1 0 36V40",
    NORTH | EAST: "M0-40V-36A36 36 0 0 0 36 0H40",
    EAST | SOUTH: "M40 0H36A36 36 0 0 0 0 36V40",
    NORTH | WEST: "M-40 0H-36A36 36 0 0 0 0-36V-40",
    EAST | SOUTH | WEST: "M-40 0H40M0 0V40",
    NORTH | EAST | SOUTH: "M0-40V40M0 0H40",
    NORTH | EAST | WEST: "M-40 0H40M0 0V-40",
    NORTH | SOUTH | WEST: "M0-40V40M0 0H-40",
    NORTH | EAST | SOUTH | WEST: "M-40 0H40M0-40V40",
}
"""The corridor through a tile as a line, the middle of the tile being (0, 0); it runs a little over the edges."""


LIP: Final = 'stroke="#fff" stroke-opacity=".3" stroke-width="33" transform="translate(1 1.3)"'
WALL: Final = 'stroke="#3b3023" stroke-width="32"'
FLOOR: Final = 'stroke="#f0dfb6" stroke-width="28" transform="translate(.8 1.5)"'
JOINTS: Final = (
    'stroke="#b99b62" stroke-opacity=".5" stroke-width="27" stroke-dasharray="1.2 16.8" stroke-dashoffset="5"'
    ' transform="translate(.8 1.5)"'
)
"""The floor lies deeper than the slab: walls at the top left throw a shadow, those at the bottom right catch light.

These are attributes, because the rules of a style do not reach what is drawn by ``use``.
"""


def define_tile(tile: Tile) -> str:
    """Define a slab with its corridor, lit from the top left; it takes the colour of the element that uses it."""
    way = WAYS[tile]
    return (
        f'<g id="labyrinth-tile-{tile}" clip-path="url(#labyrinth-edge)"><use href="#labyrinth-slab"/><g fill="none">'
        f'<path {LIP} d="{way}"/><path {WALL} d="{way}"/><path {FLOOR} d="{way}"/><path {JOINTS} d="{way}"/></g></g>'
    )


def define_tiles() -> str:
    """Define all tiles; ASSUME the other stones are defined."""
    return "".join(map(define_tile, WAYS))


STONE_DEFINITIONS: Final = "".join(
    [
        '<linearGradient id="labyrinth-page" x2="0" y2="1"><stop stop-color="#2b3a40"/>',
        '<stop offset="1" stop-color="#161f24"/></linearGradient>',
        '<linearGradient id="labyrinth-rim" x2=".4" y2="1"><stop stop-color="#8a8478"/>',
        '<stop offset=".5" stop-color="#5f5b54"/><stop offset="1" stop-color="#47443f"/></linearGradient>',
        '<radialGradient id="labyrinth-light" cx=".3" cy=".22" r="1"><stop stop-color="#ffe9b0" stop-opacity=".16"/>',
        '<stop offset=".45" stop-color="#ffe9b0" stop-opacity="0"/><stop offset=".55" stop-opacity="0"/>',
        '<stop offset="1" stop-opacity=".3"/></radialGradient>',
        '<linearGradient id="labyrinth-dusk" x2="0" y2="1"><stop stop-opacity=".6"/>',
        '<stop offset="1" stop-opacity="0"/></linearGradient>',
        '<clipPath id="labyrinth-edge"><rect x="-36" y="-36" width="72" height="72" rx="3"/></clipPath>',
        '<g id="labyrinth-slab"><path d="M-36-36H36V36H-36z" fill="#11181b"/>',
        '<rect x="-35.4" y="-35.4" width="70.8" height="70.8" rx="4"/><g fill="none" stroke-width="2">',
        '<path d="M-34 33V-34H33" stroke="#fff" stroke-opacity=".33"/>',
        '<path d="M-33 34H34V-33" stroke="#000" stroke-opacity=".36"/></g>',
        '<path d="M-29-24l4 3 1 5M24 28l3-5 5-1M-27 25l3 2M27-27l2 4-3 3" fill="none" stroke="#000"',
        ' stroke-opacity=".2"/><g fill="#fff" fill-opacity=".17"><circle cx="-24" cy="-29" r="1.3"/>',
        '<circle cx="29" cy="-20" r="1"/><circle cx="22" cy="23" r="1.2"/><circle cx="-30" cy="20" r="1.1"/></g></g>',
        '<g id="labyrinth-studs"><g fill="#1b1711" fill-opacity=".6"><circle cx="-27.4" cy="-27" r="3.6"/>',
        '<circle cx="28.6" cy="-27" r="3.6"/><circle cx="-27.4" cy="29" r="3.6"/><circle cx="28.6" cy="29" r="3.6"/>',
        '</g><g fill="#d6a857"><circle cx="-28" cy="-28" r="3"/><circle cx="28" cy="-28" r="3"/>',
        '<circle cx="-28" cy="28" r="3"/><circle cx="28" cy="28" r="3"/></g></g>',
    ]
)

STONE_RULES: Final = (
    ".page{fill:url(#labyrinth-page)}",
    ".rim{fill:url(#labyrinth-rim);stroke:#0c1113;stroke-width:1.5}",
    ".bed{fill:#0b1012;stroke:#2b2823;stroke-width:3}",
    ".number{font-size:14px;font-weight:700;fill:#fff4d8;text-anchor:middle}",
    ".number{stroke:#2b2823;stroke-width:3;paint-order:stroke}",
    ".tile{fill:#7d8f93}",
    ".still{fill:#58676d}",
)


def tile_art(tile: Tile, *, still: bool = False) -> str:
    """A tile around (0, 0); a `still` one, which never moves, has studs.  ASSUME tiles are defined."""
    studs = '<use href="#labyrinth-studs"/>' if still else ""
    return f'<use class="{"still" if still else "tile"}" href="#labyrinth-tile-{tile}"/>{studs}'


def draw_frame(grid: Grid) -> Iterator[str]:
    """Draw the frame around the board, with the numbers of rows and columns from 0."""
    wide, high = TILE * grid.columns, TILE * grid.rows
    yield (
        f'<rect class="rim" x="{LANE - RIM}" y="{LANE - RIM}" width="{wide + 2 * RIM}" height="{high + 2 * RIM}"'
        f' rx="10"/><rect class="bed" x="{LANE - 2}" y="{LANE - 2}" width="{wide + 4}" height="{high + 4}" rx="4"/>'
    )
    for column in range(grid.columns):
        yield f'<text class="number" x="{LANE + TILE * column + HALF}" y="{LANE - 5}">{column}</text>'
    for row in range(grid.rows):
        yield f'<text class="number" x="{LANE - 11}" y="{LANE + TILE * row + HALF + 5}">{row}</text>'


def draw_shade(grid: Grid) -> str:
    """Draw light and shadow over the tiles: a lamp at the top left, and the shadow of the frame."""
    wide, high = TILE * grid.columns, TILE * grid.rows
    return (
        f'<g class="over"><rect x="{LANE}" y="{LANE}" width="{wide}" height="{high}" fill="url(#labyrinth-light)"/>'
        f'<rect x="{LANE}" y="{LANE}" width="{wide}" height="9" fill="url(#labyrinth-dusk)"/>'
        f'<rect transform="translate({LANE} {LANE + high})rotate(-90)" width="{high}" height="7"'
        ' fill="url(#labyrinth-dusk)"/></g>'
    )
