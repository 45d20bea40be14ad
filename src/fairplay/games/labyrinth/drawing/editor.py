"""Drawing a board of Labyrinth: which tiles lie where, and which one is spare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace

from fairplay.core import Json, Picture, SetupError, UsageError, WireError
from fairplay.core.chance import choice, derived
from fairplay.core.convert import as_type, text
from fairplay.games.labyrinth.board import Grid, Position, grid
from fairplay.games.labyrinth.drawing.picture import corner
from fairplay.games.labyrinth.drawing.shapes import DEFINITIONS, STYLE, TILE, ground
from fairplay.games.labyrinth.state import Maze, Setup
from fairplay.games.labyrinth.tiles import CONNECTORS, EAST, NORTH, OPEN_SIDES, ROTATIONS, SOUTH, TILES, WEST, Tile
from fairplay.parts.clicks import Choice
from fairplay.parts.editor import Sheet, Tool, check_size, element, first_flaw, new_size, pair, shortened, sizes

__all__ = ["BOARDS", "STARTS", "begun", "edited", "find_flaws", "preview", "random_board", "setup", "sheet"]

SIDES: Final = range(2, 26)
EDGE: Final = 24  # around the board

BOARDS: Final[Mapping[str, str]] = {
    "random": "7 by 7, tiles at random",
    "small": "5 by 5, tiles at random",
    "open": "7 by 7, every tile a crossing",
}
STARTS: Final = BOARDS

TURN: Final = Tool("turn", "turn a tile", "Click a tile, or the spare one, to turn it by a quarter.")
NEXT: Final = Tool("shape", "next shape", "Click a tile, or the spare one, to give it the next shape.")
SHAPES: Final[Mapping[str, Tile]] = {
    "straight": NORTH | SOUTH,
    "corner": NORTH | EAST,
    "fork": NORTH | EAST | SOUTH,
    "crossing": NORTH | EAST | SOUTH | WEST,
}
"""The shapes of tiles, each as it lies at first."""


def icon(tile: Tile) -> str:
    """A small tile."""
    size = f'viewBox="0 0 {TILE} {TILE}" width="28" height="28"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="labyrinth-board" {size}>{ground(tile, 0, 0, "tile")}</svg>'


TOOLS: Final = (
    *(TURN, NEXT),
    *(
        Tool(shape, shape, f"Click a tile to make it a {shape}; click it again to turn it.", icon=icon(tile))
        for shape, tile in SHAPES.items()
    ),
)


# -- the drawing: the tiles of a setup ---------------------------------------------------------


def begun(start: str) -> Json:
    rng = derived(0, "labyrinth", start)
    match start:
        case "random":
            return msgspec.to_builtins(random_maze(7, 7, rng))
        case "small":
            return msgspec.to_builtins(random_maze(5, 5, rng))
        case "open":
            return msgspec.to_builtins(Maze(("┼" * 7,) * 7, "┼"))
        case _:
            known = ", ".join(STARTS)
            raise UsageError(f"a board of Labyrinth cannot begin with {shortened(start)!r}, but with {known}")


def random_board(rng: Random, *, rows: int = 7, columns: int = 7) -> Json:
    check_size(rows, columns, SIDES)
    return msgspec.to_builtins(random_maze(rows, columns, rng))


def random_maze(rows: int, columns: int, rng: Random) -> Maze:
    every = tuple(OPEN_SIDES)
    tiles = tuple("".join(choice(rng, every) for _ in range(columns)) for _ in range(rows))
    return Maze(tiles, choice(rng, every))


def read(value: Json) -> Maze:
    """The drawing that `value` spells; raises WireError."""
    maze: Maze = as_type(value, Maze)
    widths = {len(row) for row in maze.tiles}
    if len(maze.tiles) not in SIDES or len(widths) != 1 or not widths <= set(SIDES):
        raise WireError(f"expected {SIDES[0]} to {SIDES[-1]} rows and columns, all rows of one length", "$.tiles")
    return maze


def find_flaws(board: Json) -> list[tuple[str, str]]:
    return first_flaw(read, board)


def setup(board: Json, base: Setup) -> Setup:
    maze = read(begun(board) if isinstance(board, str) else board)
    if base.variant == "original":
        raise SetupError("the original game has its own tiles")  # Labyrinth 13.3
    return replace(base, board=maze)


# -- clicks ------------------------------------------------------------------------------------


def edited(drawing: Json, tool: str, click: str, text: str) -> Json:
    return msgspec.to_builtins(changed(read(drawing), tool, click))


def changed(maze: Maze, tool: str, click: str) -> Maze:
    name, value = element(click)
    if name == "deal":
        return dealt_again(maze)
    if name == "size":
        return resized(maze, *new_size(value, SIDES))
    if tool not in (one.key for one in TOOLS):
        raise UsageError(f"there is no tool {shortened(tool)!r} for this board")
    if name == "spare":
        return replace(maze, spare=worked(maze.spare, tool))
    if name == "at":
        return with_tile(maze, tool, pair(value))
    raise UsageError(f"there is no {shortened(click)!r} on this board")


def with_tile(maze: Maze, tool: str, at: Position) -> Maze:
    row, column = at
    if row >= len(maze.tiles) or column >= len(maze.tiles[0]):
        raise UsageError(f"row {row}, column {column} is not on this board")
    line = maze.tiles[row]
    line = f"{line[:column]}{worked(line[column], tool)}{line[column + 1 :]}"
    return replace(maze, tiles=(*maze.tiles[:row], line, *maze.tiles[row + 1 :]))


def worked(connector: str, tool: str) -> str:
    """The connector after a click: of another shape, or turned by a quarter where it has that shape already."""
    turned = [tile for tile, _ in ROTATIONS[TILES[connector]]]
    shape = next(shape for shape, tile in SHAPES.items() if tile in turned)
    if tool == NEXT.key:
        shapes = [*SHAPES]
        tool = shapes[(shapes.index(shape) + 1) % len(shapes)]
    return CONNECTORS[turned[1 % len(turned)] if tool in (TURN.key, shape) else SHAPES[tool]]


def dealt_again(maze: Maze) -> Maze:
    """Other tiles everywhere; what is drawn decides which, so that each time others come."""
    rng = derived(0, "labyrinth", text(maze))
    return random_maze(len(maze.tiles), len(maze.tiles[0]), rng)


def resized(maze: Maze, rows: int, columns: int) -> Maze:
    """The board cut or filled up with tiles."""
    old, fresh = maze.tiles, random_maze(rows, columns, derived(0, "labyrinth", "more")).tiles

    def row(number: int) -> str:
        kept = old[number][:columns] if number < len(old) else ""
        return kept + fresh[number][len(kept) :]

    return replace(maze, tiles=tuple(map(row, range(rows))))


# -- how it looks ------------------------------------------------------------------------------


def sheet(drawing: Json) -> Sheet:
    maze = read(drawing)
    places = grid(len(maze.tiles), len(maze.tiles[0]))
    seats = tuple(range(2, min(len(places.fixed), Setup().most) + 1))
    choices = (*sizes(places.rows, places.columns, SIDES), Choice("deal=again", "Deal the tiles again"))
    about = f"a board of Labyrinth with {places.rows} rows and {places.columns} columns"
    return Sheet(about, picture(maze, places, about), tuple(problems(places)), seats, TOOLS, choices)


preview = sheet


def problems(places: Grid) -> Iterator[str]:
    """Labyrinth 1.8."""
    homes = len(places.fixed)
    if homes < 2:
        yield (
            f"Two players need two homes, where an odd row crosses an odd column; {places.rows} rows and"
            f" {places.columns} columns have {homes}."
        )


def picture(maze: Maze, places: Grid, label: str) -> Picture:
    left, top = (side - EDGE for side in corner((0, 0)))
    width, height = TILE * (places.columns + 2) + 2 * EDGE, TILE * places.rows + 2 * EDGE
    page = f'x="{left}" y="{top}" width="{width}" height="{height}"'
    frame = f'width="{TILE * places.columns + 12}" height="{TILE * places.rows + 12}"'
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" class="labyrinth-board" role="group"'
        f' aria-label="{label}"'
        f' viewBox="{left} {top} {width} {height}" width="{width}" height="{height}">'
        f'<style>{STYLE}</style><defs>{DEFINITIONS}</defs><rect class="page" {page} rx="16"/>'
        f'<rect class="frame" x="{left + EDGE - 6}" y="{top + EDGE - 6}" {frame} rx="9"/>'
        f"{''.join(board_tiles(maze, places))}{spare_tile(maze, places)}</svg>"
    )


def board_tiles(maze: Maze, places: Grid) -> Iterator[str]:
    fixed = set(places.fixed)
    for row, line in enumerate(maze.tiles):
        for column, connector in enumerate(line):
            still = (row, column) in fixed
            words = f"row {row}, column {column}: {described(connector)}{', never slides' if still else ''}"
            tile = ground(TILES[connector], *corner((row, column)), "still" if still else "tile")
            yield f'<g data-at="{row},{column}"><title>{words}</title>{tile}</g>'


def spare_tile(maze: Maze, places: Grid) -> str:
    """To the right of the board."""
    x, y = corner((0, places.columns + 1))
    x, y = x - 18, y + 24
    tile = ground(TILES[maze.spare], x, y, "tile")
    words = f"the spare tile: {described(maze.spare)}"
    return f'<text x="{x}" y="{y - 12}">Spare tile</text><g data-spare="tile"><title>{words}</title>{tile}</g>'


def described(connector: str) -> str:
    """The tile for those who cannot see it."""
    sides = {"north": NORTH, "east": EAST, "south": SOUTH, "west": WEST}
    return f"open to {' and '.join(side for side, bit in sides.items() if TILES[connector] & bit)}"
