"""What stays the same for a whole match of Fish: sky, sea, numbers at the rim, and the water below every tile."""

from collections.abc import Iterator
from functools import lru_cache

from fairplay.games.fish.board import Board, Geometry, Layout
from fairplay.games.fish.drawing.canvas import COLUMN, HORIZON, LEFT, TOP, UNIT, tile_middle, translate_to
from fairplay.games.fish.drawing.penguins import PENGUINS
from fairplay.games.fish.drawing.shapes import SHAPES, define_ice, define_tiles
from fairplay.games.fish.drawing.style import STYLE

CORNER = 18
SUN = 314  # between two icebergs

PAINTS = (
    f'<linearGradient id="fish-sky" gradientUnits="userSpaceOnUse" x2="0" y2="{HORIZON}"><stop stop-color="#4d83bd"/>'
    '<stop offset=".6" stop-color="#a8d0e6"/><stop offset="1" stop-color="#fde3c8"/></linearGradient>'
    '<linearGradient id="fish-sea" x2="0" y2="1"><stop stop-color="#7cc9d8"/><stop offset=".16" stop-color="#3f9fc0"/>'
    '<stop offset=".55" stop-color="#1c6f9f"/><stop offset="1" stop-color="#0c4270"/></linearGradient>'
    '<linearGradient id="fish-top" x2=".6" y2="1"><stop stop-color="#fff"/><stop offset="1" stop-color="#d9eff8"/>'
    '</linearGradient><linearGradient id="fish-top-lit" x2=".6" y2="1"><stop stop-color="#fffbe6"/>'
    '<stop offset="1" stop-color="#ffe596"/></linearGradient>'
    '<pattern id="fish-waves" width="150" height="64" patternUnits="userSpaceOnUse">'
    '<path fill="none" stroke="#e9fbff" stroke-width="2" stroke-linecap="round" opacity=".16"'
    ' d="M10 14q9-7 18 0t18 0M84 34q8-6 16 0t16 0 16 0M36 54q6-5 12 0t12 0"/></pattern>'
)

BERGS = (
    f'<pattern id="fish-bergs" width="620" height="62" y="{HORIZON - 62}" patternUnits="userSpaceOnUse">'
    '<path fill="#9dbcd6" d="M0 62l30-17 22 8 40-27 26 15 20-8 46 29zM330 62l44-21 18 6 34-24 30 17 22-6 40 28z"/>'
    '<path fill="#fff" opacity=".6" d="M92 26l26 15-12-1-9 5-8-8-12 1zM426 23l30 17-14-2-8 6-10-9-10 2z"/>'
    '<path fill="#eef8fc" d="M196 62l10-22 16-10 12 6 14 26zM520 62l6-14 20-12 26 4 16 22zM268 62l8-9 16-3 12 12z"/>'
    '<path fill="#a9d5e8" d="M222 30l12 6 14 26h-22l-6-16zM546 36l26 4 16 22h-34l-4-14zM284 51l8-1 12 12h-16z"/>'
    "</pattern>"
)


@lru_cache(maxsize=32)
def draw_scenery(board: Board, width: int, height: int) -> str:
    """Draw everything below the tiles of a board, with the styles and definitions of a picture of this size."""
    geometry = board.geometry
    shape = SHAPES[geometry.layout]
    definitions = (PAINTS, BERGS, define_ice(shape), *define_tiles(shape), PENGUINS)
    return "".join(
        [f"<style>{STYLE}</style><defs>", *definitions, "</defs>", *draw_landscape(width, height)]
        + ['<g class="rim">', *number_columns(geometry), *number_rows(geometry), "</g>", *draw_water(board)]
    )


def draw_landscape(width: int, height: int) -> Iterator[str]:
    """Draw the sky with the sun, icebergs on the horizon, and the sea."""
    edge, sun = width - CORNER, min(SUN, width - 3 * CORNER)
    sky = f"M0 {HORIZON}V{CORNER}Q0 0 {CORNER} 0H{edge}Q{width} 0 {width} {CORNER}V{HORIZON}z"
    low = height - CORNER
    sea = f"M0 {HORIZON}H{width}V{low}Q{width} {height} {edge} {height}H{CORNER}Q0 {height} 0 {low}z"
    yield f'<path fill="url(#fish-sky)" d="{sky}"/>'
    yield f'<circle fill="#fff6df" opacity=".9" cx="{sun}" cy="{HORIZON - 8}" r="15"/>'
    yield f'<path fill="url(#fish-bergs)" d="{sky}"/><path fill="url(#fish-sea)" d="{sea}"/>'
    yield f'<path fill="url(#fish-waves)" d="{sea}"/>'
    glitter = f"M{sun - 20} {HORIZON + 5}h40m-30 6h20"
    yield f'<path stroke="#fff6df" stroke-width="2.5" stroke-linecap="round" opacity=".6" d="{glitter}"/>'


def number_columns(geometry: Geometry) -> Iterator[str]:
    """Write the numbers of the columns above the board, each over all of its tiles."""
    standard = geometry.layout is Layout.STANDARD
    first, step, half = (UNIT * 2.5, UNIT * 4, 46) if standard else (COLUMN * 0.75, COLUMN, 30)
    for column in range(geometry.columns):
        x = LEFT + first + step * column
        yield f'<text x="{x:g}" y="{TOP - 22}">{column}</text><path d="M{x - half:g} {TOP - 16}h{2 * half}"/>'


def number_rows(geometry: Geometry) -> Iterator[str]:
    """Write the numbers of the rows to the left of the board."""
    half = max(x for x, _ in SHAPES[geometry.layout].corners)
    for row in range(geometry.rows):
        x, y = tile_middle(geometry.layout, (row, 0))
        yield f'<text x="16" y="{y + 5}">{row}</text>'
        if x - half - 6 > LEFT:
            yield f'<path d="M27 {y}H{x - half - 6:g}"/>'


def draw_water(board: Board) -> Iterator[str]:
    """Draw what is seen where a tile sank, for every tile."""
    layout = board.geometry.layout
    for position, fish in zip(board.geometry.positions, board.fish, strict=True):
        if fish:
            yield f'<use href="#fish-hole-{SHAPES[layout].name}" {translate_to(layout, position)}/>'
