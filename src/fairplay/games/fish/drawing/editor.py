"""Drawing a board of Fish: holes, and how many fish swim under each tile."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.core import Json, Picture, SetupError, UsageError, WireError, editor
from fairplay.core.chance import below, derived, shuffled
from fairplay.core.convert import as_type, text
from fairplay.core.shown import Choice, parse_click
from fairplay.games.fish.board import Board, Layout, Position, make_board
from fairplay.games.fish.drawing.canvas import picture_size, translate_to
from fairplay.games.fish.drawing.picture import draw_tile
from fairplay.games.fish.drawing.scenery import draw_scenery
from fairplay.games.fish.drawing.shapes import SHAPES
from fairplay.games.fish.rules import ORIGINAL_FISH, ORIGINAL_ROWS, SEATS, penguins_each
from fairplay.games.fish.state import LONGEST_SIDE, Setup, Spot, Variant

SIDES = range(1, LONGEST_SIDE + 1)
Row: TypeAlias = Annotated[tuple[Spot, ...], Meta(min_length=1, max_length=LONGEST_SIDE)]


class BoardDrawing(Struct, frozen=True, forbid_unknown_fields=True):
    """The fish on each tile row by row, 0 for a hole."""

    board: Annotated[tuple[Row, ...], Meta(min_length=1, max_length=LONGEST_SIDE)]
    variant: Variant = "standard"


BOARDS: Mapping[str, str] = {
    "random": "8 by 8, fish at random",
    "small": "5 by 5, fish at random",
    "equal": "8 by 8, two fish on every tile",
    "original": "the board of the original game",
}
STARTS = BOARDS
BOARD_FIELD = ""

HOLE = editor.Tool("hole", "a hole", "Click the tiles that are to be holes.")
FISH = tuple(
    editor.Tool(str(count), f"{count} fish", f"Click the tiles and holes that are to have {count} fish.")
    for count in range(1, 6)
)


# -- the drawing -------------------------------------------------------------------------------


def start_drawing(start: str) -> Json:
    """Return a new board; raises UsageError if there is no such start."""
    rng = derived(0, "fish", start)
    match start:
        case "random":
            return drawing_to_json(BoardDrawing(random_rows(8, 8, rng)))
        case "small":
            return drawing_to_json(BoardDrawing(random_rows(5, 5, rng)))
        case "equal":
            return drawing_to_json(BoardDrawing(((2,) * 8,) * 8))
        case "original":
            return drawing_to_json(BoardDrawing(original_rows(rng), "original"))
        case _:
            raise UsageError(f"a board of Fish starts from {', '.join(STARTS)}, not {editor.shorten_text(start)!r}")


def random_board(rng: Random, *, rows: int = 8, columns: int = 8) -> Json:
    """Make a standard board with 1 to 5 fish on every tile; raises UsageError."""
    editor.check_size(rows, columns, SIDES)
    return drawing_to_json(BoardDrawing(random_rows(rows, columns, rng)))


def random_rows(rows: int, columns: int, rng: Random) -> tuple[tuple[int, ...], ...]:
    """Draw 1 to 5 fish for every tile."""
    return tuple(tuple(1 + below(rng, 5) for _ in range(columns)) for _ in range(rows))


def original_rows(rng: Random) -> tuple[tuple[int, ...], ...]:
    """Deal the tiles of the original game (Fish 13.2, 13.4)."""
    deck = shuffled(rng, [fish for fish, count in ORIGINAL_FISH.items() for _ in range(count)])
    return tuple(tuple(deck.pop() for _ in range(width)) for width in ORIGINAL_ROWS)


def drawing_to_json(drawing: BoardDrawing) -> Json:
    """Write a drawing as JSON."""
    return msgspec.to_builtins(drawing)


def drawing_from_json(value: Json) -> BoardDrawing:
    """Read a drawing; raises WireError."""
    drawing: BoardDrawing = as_type(value, BoardDrawing)
    widths = tuple(map(len, drawing.board))
    if drawing.variant == "original" and widths != ORIGINAL_ROWS:
        raise WireError(f"expected rows of {', '.join(map(str, ORIGINAL_ROWS))} tiles", "$.board")
    if drawing.variant == "standard" and len(set(widths)) > 1:
        raise WireError("expected rows of one length", "$.board")
    return drawing


def find_flaws(board: Json) -> list[tuple[str, str]]:
    """Say where and why a board cannot be read."""
    return editor.first_flaw(drawing_from_json, board)


def setup_on(board: Json, base: Setup) -> Setup:
    """Return `base` on a board or the one of that name; raises WireError, or SetupError for another variant."""
    drawn = drawing_from_json(start_drawing(board) if isinstance(board, str) else board)
    if base != Setup(drawn.variant):
        raise SetupError(f"this board has its own size and fish; it is for the {drawn.variant} game only")
    return replace(base, board=drawn.board)


# -- clicks ------------------------------------------------------------------------------------


def edit_drawing(drawing: Json, tool: str, click: str, text: str) -> Json:
    """Return the drawing after a click; raises WireError or UsageError."""
    drawn, (name, value) = drawing_from_json(drawing), parse_click(click)
    if name == "at":
        return drawing_to_json(paint_tile(drawn, tool, editor.parse_pair(value)))
    if name == "deal":
        return drawing_to_json(deal_again(drawn))
    if name == "size" and drawn.variant == "standard":
        return drawing_to_json(resize_board(drawn, *editor.parse_size(value, SIDES)))
    raise UsageError(f"there is no {editor.shorten_text(click)!r} on this board")


def paint_tile(drawing: BoardDrawing, tool: str, at: Position) -> BoardDrawing:
    """Change the number of fish at one position."""
    if tool not in (one.key for one in tools_for(drawing)):
        raise UsageError(f"there is no tool {editor.shorten_text(tool)!r} for this board")
    row, column = at
    if row >= len(drawing.board) or column >= len(drawing.board[row]):
        raise UsageError(f"row {row}, column {column} is not on this board")
    line, fish = drawing.board[row], 0 if tool == HOLE.key else int(tool)
    line = (*line[:column], fish, *line[column + 1 :])
    return replace(drawing, board=(*drawing.board[:row], line, *drawing.board[row + 1 :]))


def deal_again(drawing: BoardDrawing) -> BoardDrawing:
    """Put other fish on the tiles; the drawing itself is the seed, so each click deals differently."""
    rng = derived(0, "fish", text(drawing_to_json(drawing)))
    if drawing.variant == "original":
        return replace(drawing, board=original_rows(rng))
    rows = tuple(tuple(fish and 1 + below(rng, 5) for fish in row) for row in drawing.board)
    return replace(drawing, board=rows)


def resize_board(drawing: BoardDrawing, rows: int, columns: int) -> BoardDrawing:
    """Cut the board, or fill it up with tiles."""
    fresh = random_rows(rows, columns, derived(0, "fish", "more"))
    old = drawing.board

    def row(number: int) -> tuple[int, ...]:
        kept = old[number][:columns] if number < len(old) else ()
        return kept + fresh[number][len(kept) :]

    return replace(drawing, board=tuple(map(row, range(rows))))


# -- how it looks ------------------------------------------------------------------------------


def show_drawing(drawing: Json) -> editor.EditorScreen:
    """Return the drawing as people see it; raises WireError."""
    drawn = drawing_from_json(drawing)
    board = make_board(drawn.board, Layout(drawn.variant))
    problems = tuple(list_original_problems(drawn) if drawn.variant == "original" else list_problems(board))
    tiles = board.tiles.bit_count()
    seats = () if problems else tuple(seats for seats in SEATS if tiles >= seats * penguins_each(seats))
    about = f"a board of Fish with {len(drawn.board)} rows and {tiles} tiles"
    return editor.EditorScreen(
        about=about,
        picture=draw_board(board, drawn, about),
        problems=problems,
        seats=seats,
        tools=tools_for(drawn),
        choices=choices_for(drawn),
    )


preview_board = show_drawing


def tools_for(drawing: BoardDrawing) -> tuple[editor.Tool, ...]:
    """The original game has one to three fish on a tile, and no holes (Fish 13.2)."""
    return FISH[:3] if drawing.variant == "original" else (*FISH, HOLE)


def choices_for(drawing: BoardDrawing) -> tuple[Choice, ...]:
    """What can be done to the whole board."""
    deal = Choice("deal=again", "Deal the fish again")
    if drawing.variant == "original":
        return (deal,)
    return (*editor.resize_choices(len(drawing.board), len(drawing.board[0]), SIDES), deal)


def list_problems(board: Board) -> Iterator[str]:
    """Say what keeps a standard board from being played."""
    tiles, fewest = board.tiles.bit_count(), min(seats * penguins_each(seats) for seats in SEATS)
    if tiles < fewest:
        yield f"The penguins of two players need {fewest} tiles; this board has {tiles}."


def list_original_problems(drawing: BoardDrawing) -> Iterator[str]:
    """Say what keeps a board of the original game from being played (Fish 13.2)."""
    for fish, count in ORIGINAL_FISH.items():
        there = sum(row.count(fish) for row in drawing.board)
        if there != count:
            yield f"The original game has {count} tiles with {fish} fish; this board has {there}."
    if any(fish not in ORIGINAL_FISH for row in drawing.board for fish in row):
        yield "The original game has no holes, and at most three fish on a tile."


def draw_board(board: Board, drawing: BoardDrawing, label: str) -> Picture:
    """Draw the board with everything that can be clicked."""
    width, height = picture_size(board.geometry)
    places = (
        draw_place(board.geometry.layout, (row, column), fish)
        for row, line in enumerate(drawing.board)
        for column, fish in enumerate(line)
    )
    picture = Picture.build("fish-board", width, height, label, draw_scenery(board, width, height), "".join(places))
    return Picture(picture.replace('role="img"', 'role="group"', 1))


def draw_place(layout: Layout, position: Position, fish: int) -> str:
    """Draw a tile with its fish, or a hole where one could be."""
    if fish:
        return draw_tile(layout, position, fish)
    row, column = position
    return (
        f'<g class="hole" data-at="{row},{column}" {translate_to(layout, position)}>'
        f'<title>({row},{column}): a hole</title><use href="#fish-hole-{SHAPES[layout].name}"/></g>'
    )
