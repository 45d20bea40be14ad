"""What a position is worth to each seat: the fish it has, and those on tiles that it reaches before anybody else.

Worths count UNIT for a fish.  In the original game a tile adds 1 to that, because tiles break ties (Fish 13.2).  The
source is compiled like a kernel; see `fairplay.core.kernel`.
"""

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, lowest_bit, to_int, to_word
from fairplay.core.kernel import OVER, Integers, Row, Tables
from fairplay.games.fish.kernel import board, row as layout

UNIT = 64
"""What a fish counts."""


def worth_of(row: Row, cells: np.uint64, word: int) -> int:
    """What the tiles are worth that lie in one word of a mask."""
    at = layout.PLANES + word
    fish = count_bits(cells & row[at])
    fish += 2 * count_bits(cells & row[at + layout.MASK_WORDS])
    fish += 4 * count_bits(cells & row[at + 2 * layout.MASK_WORDS])
    return UNIT * fish + (count_bits(cells) if layout.ORIGINAL else 0)


def bank(row: Row, worths: Integers) -> None:
    """Write what each seat has for certain: the tiles it has collected."""
    for seat in range(layout.SEATS):
        worth = UNIT * to_int(row[layout.FISH + seat])
        if layout.ORIGINAL:
            for word in range(layout.MASK_WORDS):
                worth += count_bits(row[layout.COLLECTED + seat * layout.MASK_WORDS + word])
        worths[seat] = 0 if layout.is_out(row, seat) else worth


def lead_of(worths: Integers, seat: int) -> int:
    """By how much a seat is ahead of all others together."""
    lead: int = 2 * worths[seat]
    for other in range(layout.SEATS):
        lead -= worths[other]
    return lead


# -- reaching tiles ----------------------------------------------------------------------------------


def reach(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells that one move leads to from `cells`, for masks of one word."""
    slanting = (
        board.slide_ne(cells, free)
        | board.slide_se(cells, free)
        | board.slide_sw(cells, free)
        | board.slide_nw(cells, free)
    )
    return slanting | board.slide_up(cells, free) | board.slide_down(cells, free)


def walk_lines(tables: Tables, masks: Row, front: int, reached: int) -> None:
    """The same for masks of several words: the cells reached from those in the mask `front`; the mask at 0 is free."""
    for word in range(layout.MASK_WORDS):
        cells: np.uint64 = masks[front + word]
        while cells != ZERO:
            bit = (word << 6) + lowest_bit(cells)
            cells &= cells - ONE
            for direction in range(layout.RAYS):
                walk_line(
                    tables,
                    masks,
                    board.first_move(tables, bit, direction),
                    board.first_move(tables, bit, direction + 1),
                    reached,
                )


def walk_line(tables: Tables, masks: Row, first: int, last: int, reached: int) -> None:
    """Mark the cells that these moves lead to, up to the first one that is not free."""
    for number in range(first, last):
        target = board.target_of(tables, number)
        place = ONE << to_word(target & 63)
        if masks[target >> 6] & place == ZERO:
            return
        masks[reached + (target >> 6)] |= place


def survey(tables: Tables, row: Row, masks: Row, worths: Integers) -> int:
    """Write what each seat can expect; return how many tiles two seats reach in the same number of moves.

    Wave by wave every seat gets the tiles that only it reaches next; those that several reach are split.  Waves go on
    from tiles that a seat has alone, and through tiles that nobody has reached.
    masks: scratch, (2 + 2 SEATS) masks: the tiles left, then of every seat its front and what it reaches.
    """
    bank(row, worths)
    if to_int(row[layout.TURN]) == OVER:
        return 0
    for word in range(layout.MASK_WORDS):
        masks[word] = row[layout.FREE + word]
    for seat in range(layout.SEATS):
        begin_front(tables, row, masks, seat, worths)
    split, found = 0, 1
    while found != 0:
        found = 0
        for seat in range(layout.SEATS):
            advance_front(tables, masks, seat)
        for word in range(layout.MASK_WORDS):
            tiles = share_out(row, masks, word, worths)
            found |= tiles
            split += tiles >> 1
    return split


def share_out(row: Row, masks: Row, word: int, worths: Integers) -> int:
    """Give the seats what they reach in one word; return 1 if that is anything, plus 2 for each tile that is split."""
    once, twice = ZERO, ZERO
    for seat in range(layout.SEATS):
        reached = masks[(1 + layout.SEATS + seat) * layout.MASK_WORDS + word]
        twice |= once & reached
        once |= reached
    masks[word] &= ~once
    for seat in range(layout.SEATS):
        reached = masks[(1 + layout.SEATS + seat) * layout.MASK_WORDS + word]
        masks[(1 + seat) * layout.MASK_WORDS + word] = reached & ~twice
        worths[seat] += worth_of(row, reached & ~twice, word)
        if twice != ZERO:
            worths[seat] += worth_of(row, reached & twice, word) >> 1
    return (0 if once == ZERO else 1) + 2 * count_bits(twice)


def begin_front(tables: Tables, row: Row, masks: Row, seat: int, worths: Integers) -> None:
    """Let a seat start from its penguins; add what is under those that can leave, less the tile they will end on."""
    at = (1 + seat) * layout.MASK_WORDS
    for word in range(layout.MASK_WORDS):
        masks[at + word] = ZERO
    if layout.MASK_WORDS == 1:
        standing = layout.standing_cells(row[layout.PENGUINS + seat])
        masks[at] = standing
        if layout.ORIGINAL:
            worths[seat] += worth_of(row, standing, 0)
        else:
            mobile = standing & board.neighbours(row[layout.FREE])
            worths[seat] += worth_of(row, mobile, 0) - UNIT * count_bits(mobile)
        return
    for lane in range(layout.LANES):
        bit = layout.penguin_at(row[layout.PENGUINS + seat], lane)
        if bit != layout.NOBODY:
            place = ONE << to_word(bit & 63)
            masks[at + (bit >> 6)] |= place
            worths[seat] += worth_of(row, place, bit >> 6) - (0 if layout.ORIGINAL else UNIT)


def advance_front(tables: Tables, masks: Row, seat: int) -> None:
    """Find what a seat reaches from its front by one more move."""
    front, reached = (1 + seat) * layout.MASK_WORDS, (1 + layout.SEATS + seat) * layout.MASK_WORDS
    if layout.MASK_WORDS == 1:
        masks[reached] = reach(masks[front], masks[0])
        return
    for word in range(layout.MASK_WORDS):
        masks[reached + word] = ZERO
    walk_lines(tables, masks, front, reached)


# -- separate regions --------------------------------------------------------------------------------


def flood(cells: np.uint64, free: np.uint64) -> np.uint64:
    """The free cells that can be reached from `cells` in any number of moves, for masks of one word."""
    region = ZERO
    grown = board.neighbours(cells) & free
    while grown != region:
        region = grown
        grown |= board.neighbours(grown) & free
    return region


def are_apart(row: Row) -> bool:
    """Is there no tile that two seats can still reach?  Only known for masks of one word."""
    if layout.MASK_WORDS > 1:
        return False
    once: np.uint64 = ZERO
    for seat in range(layout.SEATS):
        region = flood(layout.standing_cells(row[layout.PENGUINS + seat]), row[layout.FREE])
        if region & once != ZERO:
            return False
        once |= region
    return True


def is_alone(row: Row, seat: int) -> bool:
    """Is there no tile that `seat` and another one can still reach?  Only known for masks of one word."""
    if layout.MASK_WORDS > 1:
        return False
    others: np.uint64 = ZERO
    for other in range(layout.SEATS):
        if other != seat:
            others |= layout.standing_cells(row[layout.PENGUINS + other])
    region = flood(layout.standing_cells(row[layout.PENGUINS + seat]), row[layout.FREE])
    return bool(flood(others, row[layout.FREE]) & region == ZERO)
