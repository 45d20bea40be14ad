"""Drawing a board of Fish: holes, and how many fish swim under each tile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Annotated, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.core import Json, Picture, SetupError, UsageError, WireError
from fairplay.core.chance import below, derived, shuffled
from fairplay.core.convert import as_type, text
from fairplay.games.fish.board import Board, Layout, Position, board
from fairplay.games.fish.drawing.picture import HEADROOM, MARGIN, extent, moved_to
from fairplay.games.fish.drawing.shapes import DEFINITIONS, SHAPES, STYLE
from fairplay.games.fish.rules import ORIGINAL_FISH, ORIGINAL_ROWS, SEATS
from fairplay.games.fish.state import Setup, Spot, Variant
from fairplay.parts.clicks import Choice
from fairplay.parts.editor import Sheet, Tool, check_size, element, first_flaw, new_size, pair, shortened, sizes

__all__ = ["BOARDS", "STARTS", "begun", "edited", "find_flaws", "preview", "random_board", "setup", "sheet"]

SIDES: Final = range(1, 26)  # Fish 1.4
Row: TypeAlias = Annotated[tuple[Spot, ...], Meta(min_length=1, max_length=25)]


class Drawing(Struct, frozen=True, forbid_unknown_fields=True):
    """The fish of each tile row by row, 0 for a hole."""

    board: Annotated[tuple[Row, ...], Meta(min_length=1, max_length=25)]
    variant: Variant = "standard"


BOARDS: Final[Mapping[str, str]] = {
    "random": "8 by 8, fish at random",
    "small": "5 by 5, fish at random",
    "equal": "8 by 8, two fish on every tile",
    "original": "the board of the original game",
}
STARTS: Final = BOARDS

HOLE: Final = Tool("hole", "a hole", "Click the tiles that are to be holes.")
FISH: Final = tuple(
    Tool(str(count), f"{count} fish", f"Click the tiles and holes that are to have {count} fish.")
    for count in range(1, 6)
)


# -- the drawing -------------------------------------------------------------------------------


def begun(start: str) -> Json:
    rng = derived(0, "fish", start)
    match start:
        case "random":
            return written(Drawing(random_rows(8, 8, rng)))
        case "small":
            return written(Drawing(random_rows(5, 5, rng)))
        case "equal":
            return written(Drawing(((2,) * 8,) * 8))
        case "original":
            return written(Drawing(original_rows(rng), "original"))
        case _:
            raise UsageError(f"a board of Fish cannot begin with {shortened(start)!r}, but with {', '.join(STARTS)}")


def random_board(rng: Random, *, rows: int = 8, columns: int = 8) -> Json:
    check_size(rows, columns, SIDES)
    return written(Drawing(random_rows(rows, columns, rng)))


def random_rows(rows: int, columns: int, rng: Random) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(1 + below(rng, 5) for _ in range(columns)) for _ in range(rows))


def original_rows(rng: Random) -> tuple[tuple[int, ...], ...]:
    """Fish 13.2, 13.4."""
    deck = shuffled(rng, [fish for fish, count in ORIGINAL_FISH.items() for _ in range(count)])
    return tuple(tuple(deck.pop() for _ in range(width)) for width in ORIGINAL_ROWS)


def written(drawing: Drawing) -> Json:
    return msgspec.to_builtins(drawing)


def read(value: Json) -> Drawing:
    """The drawing that `value` spells; raises WireError."""
    drawing: Drawing = as_type(value, Drawing)
    widths = tuple(map(len, drawing.board))
    if drawing.variant == "original" and widths != ORIGINAL_ROWS:
        raise WireError(f"expected rows of {', '.join(map(str, ORIGINAL_ROWS))} tiles", "$.board")
    if drawing.variant == "standard" and len(set(widths)) > 1:
        raise WireError("expected rows of one length", "$.board")
    return drawing


def find_flaws(board: Json) -> list[tuple[str, str]]:
    return first_flaw(read, board)


def setup(board: Json, base: Setup) -> Setup:
    found = read(begun(board) if isinstance(board, str) else board)
    if base != Setup(found.variant):
        raise SetupError(f"this board has its own size and its own fish; it is for the {found.variant} game alone")
    return replace(base, board=found.board)


# -- clicks ------------------------------------------------------------------------------------


def edited(drawing: Json, tool: str, click: str, text: str) -> Json:
    found, (name, value) = read(drawing), element(click)
    if name == "at":
        return written(painted(found, tool, pair(value)))
    if name == "deal":
        return written(dealt_again(found))
    if name == "size" and found.variant == "standard":
        return written(resized(found, *new_size(value, SIDES)))
    raise UsageError(f"there is no {shortened(click)!r} on this board")


def painted(drawing: Drawing, tool: str, at: Position) -> Drawing:
    """The drawing with another number of fish at one place."""
    if tool not in (one.key for one in tools(drawing)):
        raise UsageError(f"there is no tool {shortened(tool)!r} for this board")
    row, column = at
    if row >= len(drawing.board) or column >= len(drawing.board[row]):
        raise UsageError(f"row {row}, column {column} is not on this board")
    line, fish = drawing.board[row], 0 if tool == HOLE.key else int(tool)
    line = (*line[:column], fish, *line[column + 1 :])
    return replace(drawing, board=(*drawing.board[:row], line, *drawing.board[row + 1 :]))


def dealt_again(drawing: Drawing) -> Drawing:
    """Other fish on the tiles; what is drawn decides which, so that each time others come."""
    rng = derived(0, "fish", text(written(drawing)))
    if drawing.variant == "original":
        return replace(drawing, board=original_rows(rng))
    rows = tuple(tuple(fish and 1 + below(rng, 5) for fish in row) for row in drawing.board)
    return replace(drawing, board=rows)


def resized(drawing: Drawing, rows: int, columns: int) -> Drawing:
    """The drawing cut or filled up with tiles."""
    fresh = random_rows(rows, columns, derived(0, "fish", "more"))
    old = drawing.board

    def row(number: int) -> tuple[int, ...]:
        kept = old[number][:columns] if number < len(old) else ()
        return kept + fresh[number][len(kept) :]

    return replace(drawing, board=tuple(map(row, range(rows))))


# -- how it looks ------------------------------------------------------------------------------


def sheet(drawing: Json) -> Sheet:
    found = read(drawing)
    drawn = board(found.board, Layout(found.variant))
    problems = tuple(original_problems(found) if found.variant == "original" else problems_of(drawn))
    seats = () if problems else tuple(seats for seats in SEATS if drawn.tiles.bit_count() >= needed(seats))
    about = f"a board of Fish with {len(found.board)} rows and {drawn.tiles.bit_count()} tiles"
    return Sheet(about, picture(drawn, found, about), problems, seats, tools(found), choices(found))


preview = sheet


def tools(drawing: Drawing) -> tuple[Tool, ...]:
    return FISH[:3] if drawing.variant == "original" else (*FISH, HOLE)


def choices(drawing: Drawing) -> tuple[Choice, ...]:
    deal = Choice("deal=again", "Deal the fish again")
    if drawing.variant == "original":
        return (deal,)
    return (*sizes(len(drawing.board), len(drawing.board[0]), SIDES), deal)


def needed(seats: int) -> int:
    """How many penguins want a tile (Fish 1.2)."""
    return seats * (6 - seats)


def problems_of(drawn: Board) -> Iterator[str]:
    tiles, fewest = drawn.tiles.bit_count(), min(map(needed, SEATS))
    if tiles < fewest:
        yield f"The penguins of two players need {fewest} tiles; this board has {tiles}."


def original_problems(drawing: Drawing) -> Iterator[str]:
    """Fish 13.2."""
    for fish, count in ORIGINAL_FISH.items():
        there = sum(row.count(fish) for row in drawing.board)
        if there != count:
            yield f"The original game has {count} tiles with {fish} fish; this board has {there}."
    if any(fish not in ORIGINAL_FISH for row in drawing.board for fish in row):
        yield "The original game has no holes, and never more than three fish on a tile."


def picture(drawn: Board, drawing: Drawing, label: str) -> Picture:
    wide, high = extent(drawn.geometry)
    width, height = wide + 2 * MARGIN, high + 2 * MARGIN + HEADROOM
    size = f'width="{width:g}" height="{height:g}"'
    places = (
        place(drawn.geometry.layout, (row, column), fish)
        for row, line in enumerate(drawing.board)
        for column, fish in enumerate(line)
    )
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fish-board" viewBox="0 0 {width:g} {height:g}" {size}'
        f' role="group" aria-label="{label}"><style>{STYLE}</style><defs>{DEFINITIONS}</defs>'
        f'<rect class="sea" {size} rx="16"/><rect class="waves" {size} rx="16"/>{"".join(places)}</svg>'
    )


def place(layout: Layout, position: Position, fish: int) -> str:
    """A tile with its fish, or a hole where one could be."""
    (row, column), shape = position, SHAPES[layout].name
    words = f"{fish} fish" if fish else "a hole"
    ground = (
        f'<use href="#fish-tile-{shape}"/><use href="#fish-{fish}"/>' if fish else f'<use href="#fish-hole-{shape}"/>'
    )
    return (
        f'<g class="{"tile" if fish else "hole"}" data-at="{row},{column}" {moved_to(layout, position)}>'
        f"<title>row {row}, column {column}: {words}</title>{ground}</g>"
    )
