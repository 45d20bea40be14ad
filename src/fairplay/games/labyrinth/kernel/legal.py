"""What may be done: lists and masks of the legal actions."""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, to_word
from fairplay.core.kernel import OVER, Integers, Row, Tables
from fairplay.core.numbers import Mask
from fairplay.games.labyrinth.kernel import board, row as layout


def undo_of(row: Row) -> int:
    """The slide that is not allowed, if any (Labyrinth 3.6)."""
    last = layout.get_lane(row, layout.LAST)
    return last if last == layout.NO_LANE else last ^ 1


def find_ends(tables: Tables, row: Row, first: int) -> None:
    """Find the cells where a move may end after this slide and turn: what `is_reached` says then (Labyrinth 3.5)."""
    slide = first >> 2
    start = board.carry_cell(tables, slide, layout.avatar_of(row, layout.get_lane(row, layout.TURN)))
    if layout.SMALL:
        row[layout.REACHED] = board.flood_planes(tables, row, first, start)
    else:
        board.flood_words(tables, row, first, start)
    if not layout.ORIGINAL:
        row[layout.REACHED + (start >> 6)] &= ~(ONE << to_word(start & 63))


def legal(tables: Tables, row: Row, out: Integers) -> int:
    """Write the numbers of the legal actions into `out`, ascending, and return how many there are."""
    if layout.get_lane(row, layout.TURN) == OVER:
        return 0
    count = 0
    if not layout.ORIGINAL:
        out[0] = 0
        count = 1
    undo = undo_of(row)
    for first in range(layout.count_slides() * 4):
        if first >> 2 == undo:
            continue
        find_ends(tables, row, first)
        for cell in range(layout.ROWS * layout.COLUMNS):
            if board.is_reached(row, cell + cell // layout.COLUMNS):
                out[count] = 1 + first * (layout.ROWS * layout.COLUMNS) + cell
                count += 1
    return count


def legal_mask(tables: Tables, row: Row, out: Mask) -> None:
    """Set `out` to 1 at the numbers of the legal actions and to 0 elsewhere."""
    over = layout.get_lane(row, layout.TURN) == OVER
    out[0] = 0 if over or layout.ORIGINAL else 1
    undo = undo_of(row)
    for slide in range(layout.count_slides()):
        if over or slide == undo:
            size = 4 * layout.ROWS * layout.COLUMNS
            for number in range(1 + slide * size, 1 + (slide + 1) * size):
                out[number] = 0
        elif layout.SMALL:
            mask_slide(tables, row, slide, out)
        else:
            for quarters in range(4):
                find_ends(tables, row, slide * 4 + quarters)
                for cell in range(layout.ROWS * layout.COLUMNS):
                    number = 1 + (slide * 4 + quarters) * layout.ROWS * layout.COLUMNS + cell
                    out[number] = 1 if board.is_reached(row, cell + cell // layout.COLUMNS) else 0


def mask_slide(tables: Tables, row: Row, slide: int, out: Mask) -> None:
    """Write the mask of one slide on a small board, for the four turns of the spare tile at once."""
    start = board.carry_cell(tables, slide, layout.avatar_of(row, layout.get_lane(row, layout.TURN)))
    place, spare = ONE << to_word(start), layout.get_lane(row, layout.SPARE)
    close = 4 * slide * layout.ROWS * layout.COLUMNS + 1
    right, down = board.links_right(tables, row, slide, spare), board.links_down(tables, row, slide, spare)
    tile = board.turn_sides(spare, 1)
    right_1, down_1 = board.links_right(tables, row, slide, tile), board.links_down(tables, row, slide, tile)
    tile = board.turn_sides(spare, 2)
    right_2, down_2 = board.links_right(tables, row, slide, tile), board.links_down(tables, row, slide, tile)
    tile = board.turn_sides(spare, 3)
    right_3, down_3 = board.links_right(tables, row, slide, tile), board.links_down(tables, row, slide, tile)
    ends = ends_1 = ends_2 = ends_3 = place
    growing = True
    while growing:
        more, more_1 = board.spread(right, down, ends), board.spread(right_1, down_1, ends_1)
        more_2, more_3 = board.spread(right_2, down_2, ends_2), board.spread(right_3, down_3, ends_3)
        growing = ((more ^ ends) | (more_1 ^ ends_1) | (more_2 ^ ends_2) | (more_3 ^ ends_3)) != ZERO
        ends, ends_1, ends_2, ends_3 = more, more_1, more_2, more_3
    if not layout.ORIGINAL:
        ends, ends_1, ends_2, ends_3 = ends ^ place, ends_1 ^ place, ends_2 ^ place, ends_3 ^ place
    write_ends(ends, close, out)
    write_ends(ends_1, close + layout.ROWS * layout.COLUMNS, out)
    write_ends(ends_2, close + 2 * layout.ROWS * layout.COLUMNS, out)
    write_ends(ends_3, close + 3 * layout.ROWS * layout.COLUMNS, out)


def write_ends(ends: np.uint64, start: int, out: Mask) -> None:
    """Write the cells of a small board as elements of `out` from `start` on."""
    close = ZERO
    line = to_word((1 << layout.COLUMNS) - 1)
    for number in range(layout.ROWS):
        close |= ((ends >> to_word(number * layout.WIDTH)) & line) << to_word(number * layout.COLUMNS)
    for cell in range(layout.ROWS * layout.COLUMNS):
        out[to_word(start + cell)] = (close >> to_word(cell)) & ONE


def is_legal(tables: Tables, row: Row, action: int) -> bool:
    """Is the action with this number legal?"""
    if action == 0:
        return layout.ORIGINAL == 0
    first = (action - 1) // (layout.ROWS * layout.COLUMNS)
    cell = action - 1 - first * (layout.ROWS * layout.COLUMNS)
    cell += cell // layout.COLUMNS
    avatar = layout.avatar_of(row, layout.get_lane(row, layout.TURN))
    if layout.SMALL:
        return (first >> 2 != undo_of(row)) & board.is_legal_on_planes(tables, row, first, avatar, cell)
    return first >> 2 != undo_of(row) and is_legal_on_words(tables, row, first, avatar, cell)


def is_legal_on_words(tables: Tables, row: Row, first: int, avatar: int, end: int) -> bool:
    """May an avatar go to the cell `end` after a slide and the turn of the spare tile?"""
    start = board.carry_cell(tables, first >> 2, avatar)
    if start == end:
        return layout.ORIGINAL == 1
    board.flood_words(tables, row, first, start)
    return board.is_reached(row, end)
