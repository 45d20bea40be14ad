"""Fish as short texts: `3,4` places a penguin on row 3, column 4, and `3,4-5,6` moves one; positions on one line.

    standard 23.5/4r11/251w3/..12 7:3,1+0,0;4:2,1;out white move 12

The variant; the fish on each tile, row by row, with the collector behind a tile that is gone (r, w, b, k for red,
white, brown, black; x for a seat that was removed) and a dot where there never was one; for each seat its fish and
where its penguins stand; whose turn it is; whether penguins are placed or moved; and how many turns were completed.
"""

import re
from typing import assert_never

from fairplay.core import Json, NotationError, WireError
from fairplay.core.immutable import bits
from fairplay.games.fish.codec import state_from_json
from fairplay.games.fish.state import COLORS, Action, Move, Place, State, View

TEXT = re.compile(r"(\d{1,3})\s*,\s*(\d{1,3})(?:\s*-\s*(\d{1,3})\s*,\s*(\d{1,3}))?", re.ASCII)


def format_action(action: Action) -> str:
    match action:
        case Place((row, column)):
            return f"{row},{column}"
        case Move((row, column), (to_row, to_column)):
            return f"{row},{column}-{to_row},{to_column}"
        case _:
            assert_never(action)


def parse_action(text: str, shown: State | View | None = None) -> Action:
    """Read an action; raises NotationError."""
    found = TEXT.fullmatch(text.strip())
    if found is None:
        raise NotationError(text, "ROW,COLUMN to place a penguin, or ROW,COLUMN-ROW,COLUMN to move one")
    row, column, *target = (None if number is None else int(number) for number in found.groups())
    assert row is not None and column is not None
    to_row, to_column = target
    if to_row is None or to_column is None:
        return Place((row, column))
    return Move((row, column), (to_row, to_column))


COLLECTORS = "rwbkx"
"""Red, white, brown, black; and nobody, for the tiles of a seat that was removed."""

CELL = re.compile(r"\.|([1-5])([rwbkx]?)")
PHASES = ("move", "place")


def format_position(state: State) -> str:
    """Write a state on one line."""
    collectors = dict.fromkeys(bits(state.board.tiles & ~present_tiles(state)), COLLECTORS[-1])
    for seat, tiles in enumerate(state.collected):
        collectors |= dict.fromkeys(bits(tiles), COLLECTORS[seat])
    cells = [f"{fish or '.'}{collectors.get(cell, '')}" for cell, fish in enumerate(state.board.fish)]
    columns = state.board.geometry.columns
    rows = ("".join(cells[start : start + columns]) for start in range(0, len(cells), columns or 1))
    seats = ";".join(format_seat(state, seat) for seat in range(len(state.penguins)))
    turn = "nobody" if state.turn is None else COLORS[state.turn]
    return f"{state.variant} {'/'.join(rows)} {seats} {turn} {PHASES[state.placing]} {state.turn_number}"


def present_tiles(state: State) -> int:
    """The mask of the tiles that are still there."""
    return state.free | sum(1 << cell for cells in state.penguins for cell in cells)


def format_seat(state: State, seat: int) -> str:
    """The fish and the penguins of a seat, or that it is out."""
    if seat in state.out:
        return "out"
    places = (state.board.geometry.positions[cell] for cell in state.penguins[seat])
    return f"{state.fish[seat]}:{'+'.join(f'{row},{column}' for row, column in places)}"


def parse_position(text: str) -> State:
    """Read a state; raises NotationError."""
    try:
        variant, board, seats, turn, phase, number = text.split()
        cells = [[*CELL.finditer(row)] for row in board.split("/")]
        if "/".join("".join(cell[0] for cell in row) for row in cells) != board:
            raise ValueError(board)
        return state_from_json(
            {
                "variant": variant,
                "dealt": [[int(cell[1] or 0) for cell in row] for row in cells],
                "board": [[0 if cell[2] else int(cell[1] or 0) for cell in row] for row in cells],
                "collected": [[read_collector(cell[2]) for cell in row] for row in cells],
                "seats": [*map(parse_seat, seats.split(";"))],
                "turn": None if turn == "nobody" else [str(color) for color in COLORS].index(turn),
                "placing": PHASES.index(phase) == 1,
                "turn_number": int(number),
            }
        )
    except (ValueError, LookupError, WireError):
        raise NotationError(text, POSITION, "a position of Fish") from None


POSITION = "VARIANT BOARD SEATS TURN PHASE NUMBER, such as 'standard 21/34 0:0,0;0: white place 1'"


def read_collector(mark: str | None) -> int | None:
    """The seat that collected a tile, if it is still in."""
    return None if not mark or mark == COLLECTORS[-1] else COLLECTORS.index(mark)


def parse_seat(text: str) -> Json:
    """Read the fish and the penguins of a seat; raises ValueError."""
    fish, _, places = text.partition(":")
    penguins = [[int(number) for number in place.split(",")] for place in places.split("+") if place]
    out = text == "out"
    return {"penguins": penguins, "fish": 0 if out else int(fish), "tiles": 0, "out": out}  # tiles are counted again
