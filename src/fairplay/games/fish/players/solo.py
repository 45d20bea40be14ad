"""The most that a seat can still collect where nobody else gets: branch and bound, compiled like a kernel.

Only for masks of one word.  Positions are a mask of free tiles and one of penguins, which need not be told apart.
"""

import numpy as np

from fairplay.core.arithmetic import GOLDEN, MIX_A, MIX_B, ONE, ZERO, count_bits, lowest_bit, to_int, to_word
from fairplay.core.kernel import OVER, Integers, Row
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.board import neighbours, number_of
from fairplay.games.fish.kernel.turns import step
from fairplay.games.fish.players.memory import CALLS, LINE, MASKS_AT, MEMO, MEMO_AT, NODES, SOLO, SOLO_AT, SURE, Arrays
from fairplay.games.fish.players.nets.net import estimate_worths, is_known
from fairplay.games.fish.players.territory import UNIT, are_apart, bank, flood, is_alone, reach, survey, worth_of

COUNT, GAINED, MOVE, MOVES = 0, 1, 2, 3  # in a frame: how many moves, what was collected before, the last move, all
SHIFT_A, SHIFT_B = np.uint64(31), np.uint64(29)
SLOTS = np.uint64(MEMO - 1)
TWO_FISH = 2 * UNIT


def appraise(arrays: Arrays, ply: int) -> None:
    """Write what each seat can expect in the end; notes whether that is certain."""
    rows, control, worths = arrays.rows, arrays.control, arrays.worths
    row = rows[ply]
    control[NODES] += 1 if layout.MASK_WORDS == 1 else 4 * layout.MASK_WORDS  # that is how much longer it takes
    if is_known(row):
        split = estimate_worths(row, arrays.frames[MASKS_AT], worths)
    else:
        split = survey(arrays.tables, row, rows[MASKS_AT], worths)
    control[SURE] = 1 if to_int(row[layout.TURN]) == OVER else 0
    if split == 0 and control[SURE] == 0 and control[SOLO] > 0 and row[layout.PLACING] == ZERO and are_apart(row):
        exact = solve_all(arrays, row, control[SOLO])
        control[SURE] = 1 if exact else 0


def solve_all(arrays: Arrays, row: Row, limit: int) -> bool:
    """Write what each seat has in the end if it plays on alone; is that certain?

    limit: how many positions may be made for each region.
    """
    worths = arrays.worths
    bank(row, worths)
    exact = 1
    for seat in range(layout.SEATS):
        found = solve_seat(arrays, row, seat, limit)
        exact &= found & 1
        worths[seat] += found >> 1
    return exact == 1


def solve_alone(arrays: Arrays, limit: int) -> int:
    """The best action of the seat on turn if it has its tiles to itself; -1 if others can reach some of them."""
    control = arrays.control
    row = arrays.rows[0]
    seat = to_int(row[layout.TURN])
    if row[layout.PLACING] != ZERO or not is_alone(row, seat):
        return -1
    solve_seat(arrays, row, seat, limit)
    return number_of(arrays.tables, to_int(control[LINE]) >> 6, to_int(control[LINE]) & 63)


def solve_child(arrays: Arrays, action: int, limit: int) -> None:
    """Write what each seat can expect after an action of the seat on turn, which has its tiles to itself."""
    rows, worths = arrays.rows, arrays.worths
    seat = to_int(rows[0, layout.TURN])
    for word in range(layout.WORDS):
        rows[1, word] = rows[0, word]
    step(arrays.tables, rows[1], action)
    if are_apart(rows[1]):
        exact = solve_all(arrays, rows[1], limit)
        arrays.control[SURE] = 1 if exact else 0
        return
    bank(rows[1], worths)
    mine = to_int(worths[seat]) + (solve_seat(arrays, rows[1], seat, limit) >> 1)
    appraise(arrays, 1)
    worths[seat] = mine


def solve_seat(arrays: Arrays, row: Row, seat: int, limit: int) -> int:
    """The most that a seat can still collect, times 2, plus 1 if that is certain; region by region."""
    standing, free = layout.standing_cells(row[layout.PENGUINS + seat]), row[layout.FREE]
    worth, exact = 0, 1
    left = flood(standing, free)
    while left != ZERO:
        region = ZERO
        grown = left & ~(left - ONE)
        while grown != region:  # penguins join the regions that they can go to
            region = grown
            grown |= flood(region | standing & neighbours(region), left)
        penguins = standing & neighbours(region)
        found = recall_region(arrays, row, region, penguins, limit)
        worth += found >> 1
        exact &= found & 1
        left &= ~region
    if layout.ORIGINAL:
        worth += worth_of(row, standing & ~neighbours(free), 0)
    return worth << 1 | exact


def recall_region(arrays: Arrays, row: Row, free: np.uint64, standing: np.uint64, limit: int) -> int:
    """Search a region unless that was done before."""
    keys, entries = arrays.keys, arrays.entries
    key = mix_masks(free, standing, to_word(limit) ^ MIX_A)
    slot = MEMO_AT + to_int(key & SLOTS)
    if keys[slot] == key:
        return to_int(entries[slot, 0])
    found = solve_region(arrays, row, free, standing, limit)
    keys[slot], entries[slot, 0] = key, found
    return found


def mix_masks(free: np.uint64, standing: np.uint64, salt: np.uint64) -> np.uint64:
    """A word that depends on every bit of all three."""
    word = (free ^ (free >> SHIFT_A) ^ salt) * MIX_A
    word = (word ^ (word >> SHIFT_B) ^ standing) * MIX_B
    word = (word ^ (word >> SHIFT_A)) * GOLDEN
    return word ^ (word >> SHIFT_B)


def bound_worth(row: Row, free: np.uint64, standing: np.uint64) -> int:
    """No less than the most that these penguins can still collect."""
    region = flood(standing, free)
    if layout.ORIGINAL:
        return worth_of(row, region | standing, 0)
    mobile = standing & neighbours(free)
    tiles, penguins = region | mobile, count_bits(mobile)  # each ends on a tile that does not count
    ones = count_bits(tiles & row[layout.PLANES] & ~row[layout.PLANES + 1] & ~row[layout.PLANES + 2])
    return worth_of(row, tiles, 0) - (UNIT * penguins if penguins <= ones else TWO_FISH * penguins - UNIT * ones)


def solve_region(arrays: Arrays, row: Row, free: np.uint64, standing: np.uint64, limit: int) -> int:
    """The most that penguins can collect in a region, times 2, plus 1 if that is certain.

    Moves with the highest bound come first; a position that was reached with as much before is left out.
    """
    rows, frames, keys, entries, control = arrays.rows, arrays.frames, arrays.keys, arrays.entries, arrays.control
    control[CALLS] += 1
    salt, end = to_word(control[CALLS]) * GOLDEN, control[NODES] + limit
    rows[SOLO_AT, 0], rows[SOLO_AT, 1] = free, standing
    best, ply, highest = -1, SOLO_AT, bound_worth(row, free, standing)
    expand(arrays, row, ply, 0)
    while ply >= SOLO_AT:
        index = pick_branch(frames, ply)
        if index < 0:  # no move: the end of a line
            total = to_int(frames[ply, GAINED]) + (worth_of(row, rows[ply, 1], 0) if layout.ORIGINAL else 0)
            if total > best:
                best = total
                keep_line(frames, ply, control)
        if index < 0 or frames[ply, index] >> 15 <= best:
            ply -= 1
            continue
        if best == highest or (best >= 0 and control[NODES] >= end):
            break
        move = to_int(frames[ply, index]) & 0xFFF
        frames[ply, MOVE], frames[ply, index] = move, -1
        left, reached = ONE << to_word(move >> 6), ONE << to_word(move & 63)
        rows[ply + 1, 0], rows[ply + 1, 1] = rows[ply, 0] ^ reached, rows[ply, 1] ^ left ^ reached
        gained = to_int(frames[ply, GAINED]) + worth_of(row, left, 0)
        key = mix_masks(rows[ply + 1, 0], rows[ply + 1, 1], salt)
        slot = MEMO_AT + to_int(key & SLOTS)
        if keys[slot] == key and entries[slot, 0] >= gained:
            continue
        keys[slot], entries[slot, 0] = key, gained
        ply += 1
        expand(arrays, row, ply, gained)
    return best << 1 | (1 if ply < SOLO_AT or best == highest else 0)


def pick_branch(frames: Integers, ply: int) -> int:
    """Where the most promising move of a frame is; -1 without moves."""
    best = -1
    for index in range(MOVES, MOVES + frames[ply, COUNT]):
        if best < 0 or frames[ply, index] > frames[ply, best]:
            best = index
    return best


def expand(arrays: Arrays, row: Row, ply: int, gained: int) -> None:
    """List the moves of a position: what could be had in all, then 6 less the ways on, then start and target."""
    rows, frames = arrays.rows, arrays.frames
    free, standing = rows[ply, 0], rows[ply, 1]
    count, left = 0, standing
    while left != ZERO:
        begin = left & ~(left - ONE)
        left ^= begin
        worth = gained + worth_of(row, begin, 0)
        targets = reach(begin, free)
        while targets != ZERO:
            target = targets & ~(targets - ONE)
            targets ^= target
            total = worth + bound_worth(row, free ^ target, standing ^ begin ^ target)
            ways = count_bits(neighbours(target) & free)
            frames[ply, MOVES + count] = (total << 3 | 6 - ways) << 12 | lowest_bit(begin) << 6 | lowest_bit(target)
            count += 1
    frames[ply, COUNT], frames[ply, GAINED] = count, gained
    arrays.control[NODES] += count + 1


def keep_line(frames: Integers, ply: int, control: Integers) -> None:
    """Keep the moves that led here."""
    for index in range(ply - SOLO_AT):
        control[LINE + index] = frames[SOLO_AT + index, MOVE]
    control[LINE + ply - SOLO_AT] = -1
