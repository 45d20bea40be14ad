"""What is done to many matches on a CUDA device, one thread for each match; the counterpart of the loops for a core."""

from typing import Any

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, to_int, to_word
from fairplay.core.kernel import OVER, Integers, Tables, Words
from fairplay.core.numbers import Floats, Mask
from fairplay.kernels.loops import advance_row, clear_match, deal_row, seat_0_wins, show_row, sum_up
from fairplay.kernels.specialise import Compiled

LOOPS = ("advance_rows", "choose_rows", "play_matches", "show_rows", "start_rows")
"""What is started on the device; all else is called from there."""

INSTRUCTIONS = ("count_bits", "highest_bit")
"""The functions of ``fairplay.core.arithmetic`` that devices have instructions for."""

cuda: Any = None
"""The compiler's own module; like all the names that follow but one, put in place when this source is specialised."""

EVERYONE = 0xFFFFFFFF
"""All threads that run together."""

WORDS = 1
SEATS = 1
start: Compiled = None
to_move: Compiled = None
random_action: Compiled = None
play_on: Compiled = None
scores: Compiled = None


def play_matches(tables: Tables, first: np.uint64, matches: int, totals: Words) -> None:
    """Play whole matches at random, as `play_seeds` does on a core; each thread keeps its row to itself.

    A thread whose match is over takes the next one that nobody plays: `totals` also counts those.
    """
    row = cuda.local.array(WORDS, np.uint64)
    points = cuda.local.array(SEATS, np.int64)
    turns, checksum, wins = ZERO, ZERO, ZERO
    match, over = cuda.grid(1), True
    while cuda.any_sync(EVERYONE, match < matches):  # here threads that run together wait for each other
        if match < matches:
            if over:
                deal_row(tables, row, first + to_word(match))
            turns += to_word(play_on(tables, row))
            over = to_move(tables, row) == OVER
            if over:
                scores(tables, row, points)
                checksum += sum_up(row, points, SEATS)
                wins += to_word(seat_0_wins(points, SEATS))
                match = cuda.gridsize(1) + to_int(cuda.atomic.add(totals, 3, ONE))
    add_up(totals, turns, checksum, wins)


def add_up(totals: Words, turns: np.uint64, checksum: np.uint64, wins: np.uint64) -> None:
    """Add the numbers of all threads to `totals`, first within a block: all threads would queue up for them."""
    sums = cuda.shared.array(3, np.uint64)
    thread = cuda.threadIdx.x
    if thread < 3:
        sums[thread] = ZERO
    cuda.syncthreads()
    cuda.atomic.add(sums, 0, turns)
    cuda.atomic.add(sums, 1, checksum)
    cuda.atomic.add(sums, 2, wins)
    cuda.syncthreads()
    if thread < 3:
        cuda.atomic.add(totals, thread, sums[thread])


def start_rows(tables: Tables, rows: Words, seeds: Words) -> None:
    """Deal every match by its seed."""
    match = cuda.grid(1)
    if match < rows.shape[0]:
        deal_row(tables, rows[match], seeds[match])


def choose_rows(tables: Tables, rows: Words, actions: Integers) -> None:
    """Choose a legal action in every match, each with the same chance.  ASSUME none is over."""
    match = cuda.grid(1)
    if match < rows.shape[0]:
        actions[match] = random_action(tables, rows[match])


def show_rows(tables: Tables, rows: Words, movers: Integers, observations: Floats, masks: Mask) -> None:
    """Write whose turn it is, what that seat sees and what it may do; as `show_many`."""
    match = cuda.grid(1)
    if match < rows.shape[0]:
        movers[match] = to_move(tables, rows[match])
        show_row(tables, rows[match], movers[match], observations[match], masks[match])


def advance_rows(
    tables: Tables,
    rows: Words,
    actions: Integers,
    movers: Integers,
    observations: Floats,
    masks: Mask,
    rewards: Floats,
    ended: Mask,
    removed: Mask,
    points: Integers,
) -> None:
    """Do one action in every match, deal again those that are over, and show the next decision; as `advance_many`."""
    match = cuda.grid(1)
    if match < rows.shape[0]:
        row = rows[match]
        clear_match(rewards[match], removed[match], ended[match])
        over = advance_row(tables, row, actions[match], masks[match], removed[match], points[match], rewards[match])
        ended[match] = 1 if over else 0
        if over:
            start(tables, row)
        movers[match] = to_move(tables, row)
        show_row(tables, row, movers[match], observations[match], masks[match])


# -- instructions ------------------------------------------------------------------------------


def count_bits(word: np.uint64) -> int:
    """How many bits are set."""
    return to_int(cuda.popc(word))


def highest_bit(word: np.uint64) -> int:
    """The number of the highest bit that is set; -1 if none is."""
    return 63 - to_int(cuda.clz(word))
