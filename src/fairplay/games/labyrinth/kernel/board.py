"""The board in a row: tiles, slides and floods.

Small boards are planes of bits.  On larger boards the word of a cell holds the open sides of the tile, 16 times its
number, and in its upper half, while cells are searched, one entry of the list of cells to go on from.
"""

import numpy as np

from fairplay.core.arithmetic import LOW_HALF, ONE, ZERO, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.labyrinth.kernel import row as layout


def turn_sides(sides: int, quarters: int) -> int:
    """A tile turned counter-clockwise (Labyrinth 1.6)."""
    return ((sides >> quarters) | (sides << (4 - quarters))) & 15


def carry_cell(tables: Tables, slide: int, cell: int) -> int:
    """Where a slide carries an avatar that stands on `cell`, or leaves it (Labyrinth 3.4)."""
    entry, exit = layout.slide_word(tables, slide, layout.ENTRY), layout.slide_word(tables, slide, layout.EXIT)
    if cell == exit:
        return entry
    by = layout.slide_word(tables, slide, layout.BY)
    first = min(entry, exit)
    if not (first <= cell < first + layout.COLUMNS if by == 1 else cell % layout.WIDTH == first):
        return cell
    return cell + by if slide & 1 else cell - by


def is_reached(row: Row, cell: int) -> bool:
    """Is this one of the cells that were found last?"""
    return to_int((row[layout.REACHED + (cell >> 6)] >> to_word(cell & 63)) & ONE) == 1


def tile_at(row: Row, cell: int) -> int:
    """The open sides of the tile on a cell, and 16 times its number."""
    if layout.SMALL:
        return tile_on_planes(row, cell)
    return tile_on_word(row, cell)


# -- small boards: planes of bits -------------------------------------------------------------


def mask_of(tables: Tables, slide: int, word: int) -> np.uint64:
    """One of the words that describe a slide."""
    mask: np.uint64 = tables[to_word(layout.SLIDES_AT + slide * layout.SLIDE_SIZE + word)]
    return mask


def slide_plane(tables: Tables, slide: int, plane: np.uint64, bit: int) -> np.uint64:
    """A plane after a slide that inserts `bit`."""
    moved = (plane & mask_of(tables, slide, layout.STAY)) << mask_of(tables, slide, layout.UPWARDS)
    moved >>= mask_of(tables, slide, layout.DOWNWARDS)
    kept, inserted = plane & mask_of(tables, slide, layout.KEEP), to_word(bit) << mask_of(tables, slide, layout.ENTRY)
    return kept | moved | inserted


def links_right(tables: Tables, row: Row, slide: int, tile: int) -> np.uint64:
    """The cells that are connected to the next one on their right, once `tile` is inserted."""
    easts = slide_plane(tables, slide, row[layout.BOARD + layout.EASTS], (tile >> layout.EASTS) & 1)
    wests = slide_plane(tables, slide, row[layout.BOARD + layout.WESTS], (tile >> layout.WESTS) & 1)
    return easts & (wests >> ONE)


def links_down(tables: Tables, row: Row, slide: int, tile: int) -> np.uint64:
    """The cells that are connected to the one below, once `tile` is inserted."""
    norths = slide_plane(tables, slide, row[layout.BOARD + layout.NORTHS], (tile >> layout.NORTHS) & 1)
    souths = slide_plane(tables, slide, row[layout.BOARD + layout.SOUTHS], (tile >> layout.SOUTHS) & 1)
    return souths & (norths >> to_word(layout.WIDTH))


def spread(right: np.uint64, down: np.uint64, seen: np.uint64) -> np.uint64:
    """The cells `seen`, and those that are connected to them across, then those up and down from these."""
    width = to_word(layout.WIDTH)
    seen |= ((seen & right) << ONE) | ((seen >> ONE) & right)
    return seen | ((seen & down) << width) | ((seen >> width) & down)


def flood(right: np.uint64, down: np.uint64, seen: np.uint64) -> np.uint64:
    """All cells that chains of links join with those `seen` (Labyrinth 1.5)."""
    more = spread(right, down, seen)
    while more != seen:
        seen = more
        more = spread(right, down, seen)
    return seen


def are_joined(right: np.uint64, down: np.uint64, one: np.uint64, other: np.uint64) -> bool:
    """Does a chain of links join two cells?  Both are flooded at once: the smaller flood ends it.

    The loop has one end only, so that threads of a device go on together after it.
    """
    growing = True
    while growing:
        more, also = spread(right, down, one), spread(right, down, other)
        growing = (more != one) & (also != other) & ((more & also) == ZERO)
        one, other = more, also
    joined: bool = (one & other) != ZERO
    return joined


def is_legal_on_planes(tables: Tables, row: Row, first: int, avatar: int, end: int) -> bool:
    """May an avatar go to the cell `end` after a slide and the turn of the spare tile?"""
    slide, tile = first >> 2, turn_sides(layout.get_lane(row, layout.SPARE), first & 3)
    right, down = links_right(tables, row, slide, tile), links_down(tables, row, slide, tile)
    place = ONE << to_word(avatar)
    wraps = to_int((place >> mask_of(tables, slide, layout.EXIT)) & ONE)
    place, goal = slide_plane(tables, slide, place, wraps), ONE << to_word(end)
    stays: bool = place == goal
    return are_joined(right, down, place, goal) & (not stays or layout.ORIGINAL == 1)


def flood_planes(tables: Tables, row: Row, first: int, start: int) -> np.uint64:
    """The cells connected with `start` after a slide and the turn of the spare tile."""
    slide, tile = first >> 2, turn_sides(layout.get_lane(row, layout.SPARE), first & 3)
    right, down = links_right(tables, row, slide, tile), links_down(tables, row, slide, tile)
    return flood(right, down, ONE << to_word(start))


def slide_planes(tables: Tables, row: Row, slide: int, quarters: int) -> None:
    """Slide a line and insert the spare tile, turned (Labyrinth 3.3)."""
    tile, number = turn_sides(layout.get_lane(row, layout.SPARE), quarters), layout.get_lane(row, layout.SPARE_NUMBER)
    exit = mask_of(tables, slide, layout.EXIT)
    sides = 0
    for side in range(4):
        plane = row[layout.BOARD + side]
        sides |= to_int((plane >> exit) & ONE) << side
        row[layout.BOARD + side] = slide_plane(tables, slide, plane, (tile >> side) & 1)
    dropped = 0
    for digit in range(layout.NUMBER_PLANES):
        plane = row[layout.BOARD + layout.NUMBERS + digit]
        dropped |= to_int((plane >> exit) & ONE) << digit
        row[layout.BOARD + layout.NUMBERS + digit] = slide_plane(tables, slide, plane, (number >> digit) & 1)
    layout.set_lane(row, layout.SPARE, sides)
    layout.set_lane(row, layout.SPARE_NUMBER, dropped)


def clear_planes(row: Row) -> None:
    """Take all tiles off the board."""
    for plane in range(layout.NUMBERS + layout.NUMBER_PLANES):
        row[layout.BOARD + plane] = ZERO


def lay_on_planes(row: Row, cell: int, sides: int, number: int) -> None:
    """Put a tile on an empty cell."""
    tile = sides | (number << layout.NUMBERS)
    for plane in range(layout.NUMBERS + layout.NUMBER_PLANES):
        row[layout.BOARD + plane] |= to_word((tile >> plane) & 1) << to_word(cell)


def tile_on_planes(row: Row, cell: int) -> int:
    """The open sides of the tile on a cell, and 16 times its number."""
    tile = 0
    for plane in range(layout.NUMBERS + layout.NUMBER_PLANES):
        tile |= to_int((row[layout.BOARD + plane] >> to_word(cell)) & ONE) << plane
    return tile


# -- large boards: one word for each cell -----------------------------------------------------


def tile_on_word(row: Row, cell: int) -> int:
    """The open sides of the tile on a cell, and 16 times its number."""
    return to_int(row[layout.BOARD + cell] & LOW_HALF)


def lay_on_word(row: Row, cell: int, sides: int, number: int) -> None:
    """Put a tile on a cell."""
    row[layout.BOARD + cell] = to_word(sides | (number << 4))


def clear_words(row: Row) -> None:
    """Take all tiles off the board; the column on the right stays empty."""
    for cell in range(layout.ROWS * layout.WIDTH):
        row[layout.BOARD + cell] = ZERO


def slide_words(tables: Tables, row: Row, slide: int, quarters: int) -> None:
    """Slide a line and insert the spare tile, turned (Labyrinth 3.3)."""
    by = layout.slide_word(tables, slide, layout.BY) if slide & 1 else -layout.slide_word(tables, slide, layout.BY)
    entry, cell = layout.slide_word(tables, slide, layout.ENTRY), layout.slide_word(tables, slide, layout.EXIT)
    sides, number = turn_sides(layout.get_lane(row, layout.SPARE), quarters), layout.get_lane(row, layout.SPARE_NUMBER)
    dropped = tile_on_word(row, cell)
    while cell != entry:
        row[layout.BOARD + cell] = row[layout.BOARD + cell - by]
        cell -= by
    lay_on_word(row, entry, sides, number)
    layout.set_lane(row, layout.SPARE, dropped & 15)
    layout.set_lane(row, layout.SPARE_NUMBER, dropped >> 4)


def push_cell(row: Row, cell: int, height: int) -> int:
    """Reach a cell, unless it was reached before, and put it on the list of `height` cells; return the new height."""
    if is_reached(row, cell):
        return height
    row[layout.REACHED + (cell >> 6)] |= ONE << to_word(cell & 63)
    row[layout.BOARD + height] = (row[layout.BOARD + height] & LOW_HALF) | (to_word(cell) << layout.THIRTY_TWO)
    return height + 1


def flood_words(tables: Tables, row: Row, first: int, start: int) -> None:
    """Find the cells connected with `start` after a slide and the turn of the spare tile (Labyrinth 1.5)."""
    spare = layout.get_lane(row, layout.SPARE)
    slide_words(tables, row, first >> 2, first & 3)
    for word in range((layout.ROWS * layout.WIDTH + 63) // 64):
        row[layout.REACHED + word] = ZERO
    height = push_cell(row, start, 0)
    while height > 0:
        height -= 1
        cell = to_int(row[layout.BOARD + height] >> layout.THIRTY_TWO)
        sides = tile_on_word(row, cell)
        if sides & 1 and cell >= layout.WIDTH and tile_on_word(row, cell - layout.WIDTH) & 4:
            height = push_cell(row, cell - layout.WIDTH, height)
        if sides & 2 and tile_on_word(row, cell + 1) & 8:
            height = push_cell(row, cell + 1, height)
        below = cell + layout.WIDTH
        if sides & 4 and below < layout.ROWS * layout.WIDTH and tile_on_word(row, below) & 1:
            height = push_cell(row, below, height)
        if sides & 8 and cell > 0 and tile_on_word(row, cell - 1) & 2:
            height = push_cell(row, cell - 1, height)
    slide_words(tables, row, (first >> 2) ^ 1, 0)
    layout.set_lane(row, layout.SPARE, spare)
