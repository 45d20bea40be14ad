"""Drawing a board of Labyrinth: which tiles lie where, and which one is spare."""

from collections.abc import Iterator, Mapping
from random import Random

import msgspec
from msgspec.structs import replace

from fairplay.core import Json, Picture, SetupError, UsageError, WireError, editor
from fairplay.core.chance import choice, derived
from fairplay.core.convert import as_type, text
from fairplay.core.shown import Choice, parse_click
from fairplay.games.labyrinth.board import Grid, Position, grid_of
from fairplay.games.labyrinth.drawing.canvas import tile_middle, translate
from fairplay.games.labyrinth.drawing.figures import LANE, TILE, draw_frame, draw_shade, tile_art
from fairplay.games.labyrinth.drawing.picture import STYLE, build_definitions
from fairplay.games.labyrinth.state import Maze, Setup
from fairplay.games.labyrinth.tiles import CONNECTORS, EAST, NORTH, OPEN_SIDES, ROTATIONS, SOUTH, TILES, WEST, Tile

SIDES = range(2, 26)
EDGE = 24  # around the board

BOARDS: Mapping[str, str] = {
    "random": "7 by 7, tiles at random",
    "small": "5 by 5, tiles at random",
    "open": "7 by 7, every tile a crossing",
}
STARTS = BOARDS
BOARD_FIELD = ""

TURN = editor.Tool("turn", "turn a tile", "Click a tile, or the spare one, to turn it by a quarter.")
NEXT = editor.Tool("shape", "next shape", "Click a tile, or the spare one, to give it the next shape.")
SHAPES: Mapping[str, Tile] = {
    "straight": NORTH | SOUTH,
    "corner": NORTH | EAST,
    "fork": NORTH | EAST | SOUTH,
    "crossing": NORTH | EAST | SOUTH | WEST,
}
"""The shapes of tiles, each before it is turned."""


def draw_icon(tile: Tile) -> str:
    """Draw a small tile; its parts are defined in the picture of the board."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="labyrinth-board" viewBox="-36 -36 72 72" width="28"'
        f' height="28">{tile_art(tile)}</svg>'
    )


TOOLS = (
    *(TURN, NEXT),
    *(
        editor.Tool(
            shape, shape, f"Click a tile to make it a {shape}; click it again to turn it.", icon=draw_icon(tile)
        )
        for shape, tile in SHAPES.items()
    ),
)


# -- the drawing: the tiles of a setup ---------------------------------------------------------


def start_drawing(start: str) -> Json:
    """Return a new board; raises UsageError if there is no such start."""
    rng = derived(0, "labyrinth", start)
    match start:
        case "random":
            return msgspec.to_builtins(random_maze(7, 7, rng))
        case "small":
            return msgspec.to_builtins(random_maze(5, 5, rng))
        case "open":
            return msgspec.to_builtins(Maze(("┼" * 7,) * 7, "┼"))
        case _:
            raise UsageError(
                f"a board of Labyrinth starts from {', '.join(STARTS)}, not {editor.shorten_text(start)!r}"
            )


def random_board(rng: Random, *, rows: int = 7, columns: int = 7) -> Json:
    """Make a board of random tiles; raises UsageError."""
    editor.check_size(rows, columns, SIDES)
    return msgspec.to_builtins(random_maze(rows, columns, rng))


def random_maze(rows: int, columns: int, rng: Random) -> Maze:
    """Draw a tile for every position, and a spare one."""
    every = tuple(OPEN_SIDES)
    tiles = tuple("".join(choice(rng, every) for _ in range(columns)) for _ in range(rows))
    return Maze(tiles, choice(rng, every))


def maze_from_json(value: Json) -> Maze:
    """Read a drawing; raises WireError."""
    maze: Maze = as_type(value, Maze)
    widths = {len(row) for row in maze.tiles}
    if len(maze.tiles) not in SIDES or len(widths) != 1 or not widths <= set(SIDES):
        raise WireError(f"expected {SIDES[0]} to {SIDES[-1]} rows and columns, all rows of one length", "$.tiles")
    return maze


def find_flaws(board: Json) -> list[tuple[str, str]]:
    """Say where and why a board cannot be read."""
    return editor.first_flaw(maze_from_json, board)


def setup_on(board: Json, base: Setup) -> Setup:
    """Return `base` on a board or the one of that name; raises WireError, or SetupError for the original game."""
    maze = maze_from_json(start_drawing(board) if isinstance(board, str) else board)
    if base.variant == "original":
        raise SetupError("the original game has its own tiles")  # Labyrinth 13.3
    return replace(base, board=maze)


# -- clicks ------------------------------------------------------------------------------------


def edit_drawing(drawing: Json, tool: str, click: str, text: str) -> Json:
    """Return the drawing after a click; raises WireError or UsageError."""
    return msgspec.to_builtins(change_maze(maze_from_json(drawing), tool, click))


def change_maze(maze: Maze, tool: str, click: str) -> Maze:
    """Do what a click asks for; raises UsageError."""
    name, value = parse_click(click)
    if name == "deal":
        return deal_again(maze)
    if name == "size":
        return resize_maze(maze, *editor.parse_size(value, SIDES))
    if tool not in (one.key for one in TOOLS):
        raise UsageError(f"there is no tool {editor.shorten_text(tool)!r} for this board")
    if name == "spare":
        return replace(maze, spare=change_tile(maze.spare, tool))
    if name == "at":
        return change_tile_at(maze, tool, editor.parse_pair(value))
    raise UsageError(f"there is no {editor.shorten_text(click)!r} on this board")


def change_tile_at(maze: Maze, tool: str, at: Position) -> Maze:
    """Change one tile of the board; raises UsageError."""
    row, column = at
    if row >= len(maze.tiles) or column >= len(maze.tiles[0]):
        raise UsageError(f"row {row}, column {column} is not on this board")
    line = maze.tiles[row]
    line = f"{line[:column]}{change_tile(line[column], tool)}{line[column + 1 :]}"
    return replace(maze, tiles=(*maze.tiles[:row], line, *maze.tiles[row + 1 :]))


def change_tile(connector: str, tool: str) -> str:
    """Give a tile another shape, or turn it by a quarter if it has that shape already."""
    turned = [tile for tile, _ in ROTATIONS[TILES[connector]]]
    shape = next(shape for shape, tile in SHAPES.items() if tile in turned)
    if tool == NEXT.key:
        shapes = [*SHAPES]
        tool = shapes[(shapes.index(shape) + 1) % len(shapes)]
    return CONNECTORS[turned[1 % len(turned)] if tool in (TURN.key, shape) else SHAPES[tool]]


def deal_again(maze: Maze) -> Maze:
    """Draw other tiles everywhere; the drawing itself is the seed, so each click deals differently."""
    rng = derived(0, "labyrinth", text(maze))
    return random_maze(len(maze.tiles), len(maze.tiles[0]), rng)


def resize_maze(maze: Maze, rows: int, columns: int) -> Maze:
    """Cut the board, or fill it up with tiles."""
    old, fresh = maze.tiles, random_maze(rows, columns, derived(0, "labyrinth", "more")).tiles

    def row(number: int) -> str:
        kept = old[number][:columns] if number < len(old) else ""
        return kept + fresh[number][len(kept) :]

    return replace(maze, tiles=tuple(map(row, range(rows))))


# -- how it looks ------------------------------------------------------------------------------


def show_drawing(drawing: Json) -> editor.EditorScreen:
    """Return the drawing as people see it; raises WireError."""
    maze = maze_from_json(drawing)
    grid = grid_of(len(maze.tiles), len(maze.tiles[0]))
    about = f"a board of Labyrinth with {grid.rows} rows and {grid.columns} columns"
    return editor.EditorScreen(
        about=about,
        picture=draw_maze(maze, grid, about),
        problems=tuple(list_problems(grid)),
        seats=tuple(range(2, min(len(grid.fixed), Setup().most) + 1)),
        tools=TOOLS,
        choices=(*editor.resize_choices(grid.rows, grid.columns, SIDES), Choice("deal=again", "Deal the tiles again")),
    )


preview_board = show_drawing


def list_problems(grid: Grid) -> Iterator[str]:
    """Say what keeps a board from being played (Labyrinth 1.8)."""
    homes = len(grid.fixed)
    if homes < 2:
        yield (
            f"Two players need two homes, where an odd row crosses an odd column; {grid.rows} rows and"
            f" {grid.columns} columns have {homes}."
        )


def draw_maze(maze: Maze, grid: Grid, label: str) -> Picture:
    """Draw the board and the spare tile with everything that can be clicked."""
    corner = LANE - EDGE
    width, height = TILE * (grid.columns + 2) + 2 * EDGE, TILE * grid.rows + 2 * EDGE
    box = f'x="{corner}" y="{corner}" width="{width}" height="{height}"'
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" class="labyrinth-board" role="group"'
        f' aria-label="{label}"'
        f' viewBox="{corner} {corner} {width} {height}" width="{width}" height="{height}">'
        f'<style>{STYLE}</style><defs>{build_definitions(0, original=False)}</defs><rect class="page" {box} rx="16"/>'
        f"{''.join(draw_frame(grid))}{''.join(draw_board_tiles(maze, grid))}{draw_shade(grid)}"
        f"{draw_spare_tile(maze, grid)}</svg>"
    )


def draw_board_tiles(maze: Maze, grid: Grid) -> Iterator[str]:
    """Draw the tiles of the board."""
    fixed = set(grid.fixed)
    for row, line in enumerate(maze.tiles):
        for column, connector in enumerate(line):
            still = (row, column) in fixed
            words = f"row {row}, column {column}: {describe_tile(connector)}{', never slides' if still else ''}"
            yield (
                f'<g transform="{translate(tile_middle((row, column)))}">{tile_art(TILES[connector], still=still)}'
                f'<g data-at="{row},{column}"><title>{words}</title><use href="#labyrinth-place"/></g></g>'
            )


def draw_spare_tile(maze: Maze, grid: Grid) -> str:
    """Draw the spare tile, to the right of the board."""
    x, y = tile_middle((0, grid.columns + 1))
    x, y = x - 18, y + 24
    words = f"the spare tile: {describe_tile(maze.spare)}"
    return (
        f'<text x="{x - 36}" y="{y - 48}">Spare tile</text><g data-spare="tile" transform="{translate((x, y))}">'
        f"<title>{words}</title>{tile_art(TILES[maze.spare])}</g>"
    )


def describe_tile(connector: str) -> str:
    """Say which sides of a tile are open, for screen readers."""
    sides = {"north": NORTH, "east": EAST, "south": SOUTH, "west": WEST}
    return f"open to {' and '.join(side for side, bit in sides.items() if TILES[connector] & bit)}"
