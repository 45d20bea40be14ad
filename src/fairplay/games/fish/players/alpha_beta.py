"""Alpha-beta search for matches of two seats: compiled like a kernel, without recursion, so that it can be resumed.

A node is a position that was made and valued; the children of an inner position are valued to order them.  Values are
worths (see `territory`) by which the seat on turn is ahead.  What is kept of a position in the table of positions is
its value less the lead so far, so that it serves for all ways to get there.
"""

import numpy as np

from fairplay.core.arithmetic import GOLDEN, MIX_A, MIX_B, ZERO, to_int, to_word
from fairplay.core.kernel import OVER, RANDOM, Integers, Row, Tables, Words
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.legal import legal
from fairplay.games.fish.kernel.turns import step
from fairplay.games.fish.players import memory
from fairplay.games.fish.players.solo import SHIFT_A, SHIFT_B, appraise
from fairplay.games.fish.players.territory import are_apart, bank, lead_of

INFINITE = 1 << 40

# -- in a frame --------------------------------------------------------------------------------------

DEPTH = 0  # turns left
ALPHA = 1
BETA = 2
FLOOR = 3  # alpha at the beginning
BEST = 4
CHOSEN = 5  # the number of the best action
COUNT = 6  # of moves
INDEX = 7  # of the move that is searched
STAGE = 8  # how it is searched; UNTOUCHED: it was not chosen yet
CERTAIN = 9  # 1 while all values below are
LEAD = 10  # so far

UNTOUCHED, REDUCED, NARROW, WIDE = -1, 0, 1, 2  # less deep with a window of width 1, as deep, with the whole window

# -- in an entry of the table ------------------------------------------------------------------------

WORTH = 0
DEEP = 1  # turns that were looked ahead, times 4, plus the kind of the worth
ACTION = 2
STAMP = 3  # the age

EXACT, LOWER, UPPER = 0, 1, 2  # kinds of a worth
CERTAINLY = 1000  # the depth of a worth that no deeper search can change

SLOTS = np.uint64(memory.TABLE - 1)


# -- positions ---------------------------------------------------------------------------------------


def mix(word: np.uint64) -> np.uint64:
    """A word that depends on every bit of `word`."""
    word = (word ^ (word >> SHIFT_A)) * MIX_A
    word = (word ^ (word >> SHIFT_B)) * MIX_B
    return word ^ (word >> SHIFT_A)


def key_of(row: Row) -> np.uint64:
    """A word for what can still happen: free tiles, penguins in any order, and whose turn it is."""
    key: np.uint64 = row[layout.TURN] * GOLDEN
    for word in range(layout.MASK_WORDS):
        key = mix(key ^ row[layout.FREE + word])
    for seat in range(layout.SEATS):
        for lane in range(layout.LANES):
            bit = layout.penguin_at(row[layout.PENGUINS + seat], lane)
            if bit != layout.NOBODY:
                key += mix(to_word(bit << 3 | seat + 1) * GOLDEN)
    return key


def make_child(tables: Tables, rows: Words, ply: int, action: int) -> None:
    """Write the position after an action into the next row."""
    for word in range(layout.WORDS):
        rows[ply + 1, word] = rows[ply, word]
    step(tables, rows[ply + 1], action)


def value_position(arrays: memory.Arrays, ply: int, seat: int) -> int:
    """By how much `seat` can expect to be ahead in the end; notes whether that is certain."""
    appraise(arrays, ply)
    return lead_of(arrays.worths, seat)


# -- the search --------------------------------------------------------------------------------------


def begin(arrays: memory.Arrays, depth: int) -> None:
    """Begin a search from the position in the first row, whose moves are in its frame in the order to search them."""
    arrays.control[memory.PLY] = 0
    open_frame(arrays, 0, depth, -INFINITE, INFINITE)


def open_frame(arrays: memory.Arrays, ply: int, depth: int, alpha: int, beta: int) -> None:
    """Set a frame up, all but its moves."""
    frames, worths = arrays.frames, arrays.worths
    row = arrays.rows[ply]
    bank(row, worths)
    frames[ply, DEPTH], frames[ply, ALPHA], frames[ply, BETA], frames[ply, FLOOR] = depth, alpha, beta, alpha
    frames[ply, BEST], frames[ply, CHOSEN], frames[ply, INDEX], frames[ply, STAGE] = -INFINITE, -1, 0, UNTOUCHED
    frames[ply, CERTAIN] = 1
    frames[ply, LEAD] = lead_of(worths, to_int(row[layout.TURN]))


def advance(arrays: memory.Arrays, limit: int) -> int:
    """Search on until about `limit` more nodes were made, or to the end; return how many were made."""
    rows, frames, control = arrays.rows, arrays.frames, arrays.control
    before = to_int(control[memory.NODES])
    while control[memory.PLY] >= 0 and control[memory.NODES] - before < limit:
        ply = to_int(control[memory.PLY])
        if frames[ply, INDEX] < frames[ply, COUNT]:
            descend(arrays, ply)
        else:
            close_frame(arrays, ply)
            if ply > 0:
                same = rows[ply, layout.TURN] == rows[ply - 1, layout.TURN]
                receive(arrays, ply - 1, to_int(control[memory.VALUE]) if same else -to_int(control[memory.VALUE]))
    return to_int(control[memory.NODES]) - before


def descend(arrays: memory.Arrays, ply: int) -> None:
    """Make the next move of a frame, and open a frame for it or value what it leads to."""
    rows, frames, control = arrays.rows, arrays.frames, arrays.control
    index = to_int(frames[ply, INDEX])
    if frames[ply, STAGE] == UNTOUCHED:
        if ply > 0:
            bring_best_forward(frames, ply, index)
        frames[ply, STAGE] = first_stage(frames, control, ply, index)
    make_child(arrays.tables, rows, ply, frames[ply, memory.FRAME + index])
    seat, other = to_int(rows[ply, layout.TURN]), to_int(rows[ply + 1, layout.TURN])
    depth = to_int(frames[ply, DEPTH]) - 1
    placing = rows[ply + 1, layout.PLACING] != ZERO
    if depth == 0 or other == OVER or (control[memory.SOLO] > 0 and not placing and are_apart(rows[ply + 1])):
        frames[ply, STAGE] = WIDE
        value = value_position(arrays, ply + 1, seat)
        receive(arrays, ply, value)
        return
    if frames[ply, STAGE] == REDUCED:
        depth -= 1
    alpha, beta = to_int(frames[ply, ALPHA]), to_int(frames[ply, BETA])
    if ply == 0 and index < control[memory.CONSIDERED]:
        alpha = -INFINITE
    if frames[ply, STAGE] != WIDE:
        beta = alpha + 1
    if other != seat:
        alpha, beta = -beta, -alpha
    open_frame(arrays, ply + 1, depth, alpha, beta)
    if look_up(arrays, ply + 1):
        value = to_int(control[memory.VALUE])
        receive(arrays, ply, value if other == seat else -value)
        return
    list_moves(arrays, ply + 1)
    control[memory.PLY] = ply + 1


def first_stage(frames: Integers, control: Integers, ply: int, index: int) -> int:
    """How a move is searched first."""
    if index == 0 or (ply == 0 and index < control[memory.CONSIDERED]):
        return WIDE
    if control[memory.REDUCE] != 0 and index > 3 and frames[ply, DEPTH] > 2:
        return REDUCED
    return NARROW


def receive(arrays: memory.Arrays, ply: int, value: int) -> None:
    """Take note of the value of the move that was searched, or decide to search it again."""
    frames = arrays.frames
    stage, index = frames[ply, STAGE], to_int(frames[ply, INDEX])
    if stage != WIDE and value > frames[ply, ALPHA] and (stage == REDUCED or value < frames[ply, BETA]):
        frames[ply, STAGE] = stage + 1
        return
    frames[ply, CERTAIN] &= arrays.control[memory.SURE]
    if value > frames[ply, BEST]:
        frames[ply, BEST], frames[ply, CHOSEN] = value, frames[ply, memory.FRAME + index]
    if ply == 0:
        frames[0, memory.FRAME + (frames.shape[1] - memory.FRAME) // 2 + index] = value
    frames[ply, INDEX], frames[ply, STAGE] = index + 1, UNTOUCHED
    if value > frames[ply, ALPHA]:
        frames[ply, ALPHA] = value
        if value >= frames[ply, BETA]:
            frames[ply, INDEX] = frames[ply, COUNT]
            arrays.history[frames[ply, CHOSEN]] += frames[ply, DEPTH] * frames[ply, DEPTH]


def close_frame(arrays: memory.Arrays, ply: int) -> None:
    """Leave a position all of whose moves are done, and keep in mind what was found."""
    rows, frames, keys, entries, control = arrays.rows, arrays.frames, arrays.keys, arrays.entries, arrays.control
    value = to_int(frames[ply, BEST])
    control[memory.VALUE], control[memory.SURE], control[memory.PLY] = value, frames[ply, CERTAIN], ply - 1
    kind = EXACT
    if value >= frames[ply, BETA]:
        kind = LOWER
    elif value <= frames[ply, FLOOR]:
        kind = UPPER
    key = rows[ply, RANDOM] if ply > 0 else key_of(rows[ply])
    slot = to_int(key & SLOTS)
    if (
        keys[slot] != key
        and entries[slot, STAMP] == control[memory.AGE]
        and entries[slot, DEEP] >> 2 > frames[ply, DEPTH]
    ):
        slot ^= 1  # the deeper one stays
    keys[slot] = key
    entries[slot, WORTH] = value - frames[ply, LEAD]
    entries[slot, DEEP] = (CERTAINLY if frames[ply, CERTAIN] != 0 else to_int(frames[ply, DEPTH])) << 2 | kind
    entries[slot, ACTION], entries[slot, STAMP] = frames[ply, CHOSEN], control[memory.AGE]


def find_entry(arrays: memory.Arrays, key: np.uint64) -> int:
    """Where a position is in the table; -1 if it is not.  It has a place, and its neighbour's."""
    keys = arrays.keys
    slot = to_int(key & SLOTS)
    if keys[slot] != key:
        slot ^= 1
    return slot if keys[slot] == key and arrays.entries[slot, STAMP] == arrays.control[memory.AGE] else -1


def look_up(arrays: memory.Arrays, ply: int) -> bool:
    """Is the value of a position known from before?  It is left in `control`."""
    rows, frames, entries, control = arrays.rows, arrays.frames, arrays.entries, arrays.control
    key = key_of(rows[ply])
    rows[ply, RANDOM] = key
    slot = find_entry(arrays, key)
    if slot < 0 or entries[slot, DEEP] >> 2 < frames[ply, DEPTH]:
        return False
    value, kind = to_int(entries[slot, WORTH] + frames[ply, LEAD]), entries[slot, DEEP] & 3
    control[memory.VALUE], control[memory.SURE] = value, 1 if entries[slot, DEEP] >> 2 == CERTAINLY else 0
    if kind == LOWER:
        return bool(value >= frames[ply, BETA])
    if kind == UPPER:
        return bool(value <= frames[ply, ALPHA])
    return True


# -- the order of moves ------------------------------------------------------------------------------


def list_moves(arrays: memory.Arrays, ply: int) -> None:
    """List the moves of a position, and how promising they are: by what they lead to or were good for before."""
    tables, rows, frames = arrays.tables, arrays.rows, arrays.frames
    frame, seat = frames[ply], to_int(rows[ply, layout.TURN])
    promises = memory.FRAME + (frames.shape[1] - memory.FRAME) // 2
    count = legal(tables, rows[ply], frame[memory.FRAME :])
    frames[ply, COUNT] = count
    slot = find_entry(arrays, rows[ply, RANDOM])
    known = to_int(arrays.entries[slot, ACTION]) if slot >= 0 else -1
    for index in range(count):
        action = frames[ply, memory.FRAME + index]
        if action == known:
            frames[ply, promises + index] = INFINITE
        elif frames[ply, DEPTH] > 1:
            make_child(tables, rows, ply, action)
            value = value_position(arrays, ply + 1, seat)
            frames[ply, promises + index] = value
        else:
            frames[ply, promises + index] = arrays.history[action]


def bring_best_forward(frames: Integers, ply: int, index: int) -> None:
    """Exchange a move with the most promising one from it on."""
    promises = memory.FRAME + (frames.shape[1] - memory.FRAME) // 2
    best = index
    for other in range(index + 1, frames[ply, COUNT]):
        if frames[ply, promises + other] > frames[ply, promises + best]:
            best = other
    move, promise = frames[ply, memory.FRAME + index], frames[ply, promises + index]
    frames[ply, memory.FRAME + index], frames[ply, promises + index] = (
        frames[ply, memory.FRAME + best],
        frames[ply, promises + best],
    )
    frames[ply, memory.FRAME + best], frames[ply, promises + best] = move, promise


# -- what was found ----------------------------------------------------------------------------------


def trace_line(arrays: memory.Arrays, action: int, out: Integers) -> int:
    """Write the actions that are expected from the first row on, beginning with `action`; return how many they are.

    Also writes what each seat can expect at the end of that line.
    """
    tables, rows, entries = arrays.tables, arrays.rows, arrays.entries
    make_child(tables, rows, 0, action)
    out[0] = action
    count = 1
    while count < out.shape[0] and to_int(rows[1, layout.TURN]) != OVER:
        slot = find_entry(arrays, key_of(rows[1]))
        if slot < 0:
            break
        out[count] = entries[slot, ACTION]
        step(tables, rows[1], to_int(entries[slot, ACTION]))
        count += 1
    appraise(arrays, 1)
    return count
