"""The figures of Labyrinth: slabs with corridors carved into them, the frame they lie in, pawns, gates and goals.

Every seat has a colour, a number and a pawn of its own.
"""

from collections.abc import Iterator
from re import fullmatch

from fairplay.core import Picture, Seat
from fairplay.games.labyrinth.board import Grid
from fairplay.games.labyrinth.state import COLORS
from fairplay.games.labyrinth.tiles import EAST, NORTH, SOUTH, WEST, Tile

# -- the maze ---------------------------------------------------------------------------------


TILE = 72
HALF = TILE // 2
LANE = 70  # around the board, for its frame and the arrows
RIM = 19  # the part of it that is the frame

WAYS: dict[Tile, str] = {
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


LIP = 'stroke="#fff" stroke-opacity=".3" stroke-width="33" transform="translate(1 1.3)"'
WALL = 'stroke="#3b3023" stroke-width="32"'
FLOOR = 'stroke="#f0dfb6" stroke-width="28" transform="translate(.8 1.5)"'
JOINTS = (
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


STONE_DEFINITIONS = "".join(
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

STONE_RULES = (
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


# -- pawns, gates and goals -------------------------------------------------------------------


PAINTS = {
    "purple": "#9a4fd0",
    "orange": "#f58220",
    "pink": "#f78fc4",
    "red": "#d92f38",
    "blue": "#2f7fe6",
    "green": "#2fa05a",
    "yellow": "#f6d02f",
    "white": "#fbfbf7",
    "black": "#3a3a46",
}

GOLD = "#ffcf3f"

BODY = "M-13 18C-12 9-8 5-6-4H6C8 5 12 9 13 18Q0 23-13 18z"
HEADS = (
    "M-9-11A9 9 0 1 1 9-11A9 9 0 1 1-9-11z",  # a round head
    "M0-27L11-3H-11z",  # a pointed hat
    "M-11-3V-20L-5-13 0-23 5-13 11-20V-3z",  # a crown
    "M-9-21H9V-3H-9z",  # a square helmet
    "M-8-3Q-17-9-13-22Q-9-15 0-16Q9-15 13-22Q17-9 8-3z",  # horns
    "M-15-8H-8V-20H8V-8H15V-3H-15z",  # a hat with a brim
    "M0-25L11-13 0-2-11-13z",  # a diamond
    "M-11-12Q-11-22-4-17L0-24 4-17Q11-22 11-12Q9-3 0-3Q-9-3-11-12z",  # ears
    "M-4-3V-9H-11V-16H-4V-24H4V-16H11V-9H4V-3z",  # a cross
)
"""What tells pawns apart when colours do not."""

STAR = "M0-26 6.2-9.6 23.6-8.5 10.1 2.6 14.6 19.6 0 10-14.6 19.6-10.1 2.6-23.6-8.5-6.2-9.6z"
TOWER = "M-11 11V-11H-6V-7H-2.5V-11H2.5V-7H6V-11H11V11z"
BRACKETS = "M-32-14V-26Q-32-32-26-32H-14M14-32H26Q32-32 32-26V-14M32 14V26Q32 32 26 32H14M-14 32H-26Q-32 32-32 26V14"


def paint_for(color: str) -> str:
    """The CSS colour for a colour of Labyrinth 1.1; grey for any other string."""
    return PAINTS.get(color) or (f"#{color}" if fullmatch("[0-9A-F]{6}", color) else "#9aa7ab")


def letter_paint(paint: str) -> str:
    """A CSS colour that is readable on `paint`."""
    red, green, blue = (int(paint[start : start + 2], 16) for start in (1, 3, 5))
    return "#fff" if 299 * red + 587 * green + 114 * blue < 150_000 else "#17130c"


def pawn_art(seat: int) -> str:
    """The outline of a pawn, in the colour of the element around it."""
    edge = 'stroke="#17130c" stroke-width="1.8" stroke-linejoin="round"'
    return (
        f'<path d="{BODY}" {edge}/><path d="{HEADS[seat % len(HEADS)]}" {edge}/>'
        '<path d="M-8 14C-7 8-5 4-4-1" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="2"/>'
    )


def number_mark(seat: int, y: float, paint: str) -> str:
    """The number of a seat, as a text."""
    return (
        f'<text y="{y:g}" fill="{letter_paint(paint)}" font-family="system-ui,sans-serif" font-size="13"'
        f' font-weight="700" text-anchor="middle">{seat + 1}</text>'
    )


def define_figures(seats: int) -> str:
    """Define what all seats share, and the pawn of each."""
    pawns = (
        f'<g id="labyrinth-pawn-{seat}"><ellipse cx="2" cy="19" rx="15" ry="4.5" fill="#000" fill-opacity=".35"/>'
        f"{pawn_art(seat)}</g>"
        for seat in range(seats)
    )
    return (
        f'{"".join(pawns)}<path id="labyrinth-star" d="{STAR}"/><path id="labyrinth-brackets" d="{BRACKETS}"'
        f' fill="none" stroke-linecap="round"/><path id="labyrinth-tower" d="{TOWER}"/>'
    )


def draw_pawn(seat: int, paint: str, *, mine: bool = False) -> str:
    """Draw a pawn around (0, 0) with its number; the viewer's own stands in a ring.  ASSUME figures are defined."""
    ring = '<ellipse class="mine" cy="18" rx="21" ry="8"/>' if mine else ""
    return (
        f'<g transform="translate(0 1)scale(1.18)">{ring}<use href="#labyrinth-pawn-{seat}" fill="{paint}"/>'
        f"{number_mark(seat, 15, paint)}</g>"
    )


def draw_gate(seat: int, paint: str, depth: int = 0) -> str:
    """Draw a home around (0, 0), the middle of its tile: brackets and a tower; ASSUME figures are defined.

    depth: how many gates stand on this tile already.
    """
    size = f' transform="scale({1 - 0.2 * depth:g})"' if depth else ""
    return (
        f'<g{size} class="gate"><use class="under" href="#labyrinth-brackets"/>'
        f'<use href="#labyrinth-brackets" stroke="{paint}"/></g>'
        f'<g transform="translate({23 - 23 * depth} -23)"><use class="edge" href="#labyrinth-tower" fill="{paint}"/>'
        f"{number_mark(seat, 7.5, paint)}</g>"
    )


def draw_goal_sign(paint: str, seat: int | None = None) -> str:
    """Draw a large star in a halo around (0, 0); ASSUME figures are defined."""
    return f'<circle class="halo" r="30"/>{draw_star(paint, seat)}'


def draw_star(paint: str, seat: int | None = None) -> str:
    """Draw a star around (0, 0), with a number if those of several seats are shown; ASSUME it is defined."""
    number = "" if seat is None else number_mark(seat, 6, paint)
    return (
        f'<use class="under" href="#labyrinth-star"/><use class="edge" href="#labyrinth-star" fill="{paint}"/>{number}'
    )


# -- small pictures of their own ---------------------------------------------------------------


def build_icon(art: str, label: str = "") -> str:
    """Frame a figure of 56 units as a small picture."""
    told = f'role="img" aria-label="{label}"' if label else 'aria-hidden="true"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-28 -28 56 56" width="46" height="46" {told}>{art}</svg>'


def goal_icon() -> str:
    """The star that marks a goal."""
    return build_icon(f'<path d="{STAR}" fill="{GOLD}" stroke="#17130c" stroke-width="2" stroke-linejoin="round"/>')


def gate_icon(seat: int, paint: str) -> str:
    """The gate that marks a home."""
    return build_icon(
        f'<g transform="scale(2)"><path d="{TOWER}" fill="{paint}" stroke="#17130c" stroke-linejoin="round"/>'
        f"{number_mark(seat, 7.5, paint)}</g>"
    )


def seat_color(seat: Seat) -> str:
    """The colour that a seat has in a dealt match."""
    return paint_for(COLORS[seat % len(COLORS)])


def draw_token(seat: Seat) -> Picture:
    """Draw the pawn of a seat, in the colour it has in a dealt match, for lists of names."""
    paint = seat_color(seat)
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">'
        f'<g transform="translate(12 13.2)scale(.46)" fill="{paint}">{pawn_art(seat)}{number_mark(seat, 15, paint)}'
        "</g></svg>"
    )
