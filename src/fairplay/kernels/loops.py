"""What is done to many matches at once: one source for every game, run in the same three ways as the kernels.

`tables` are those of the kernel; every other array has one entry for each match on its first axis, so that parts of
the matches can be given to several threads.  `rows` are of 64-bit words, numbers of actions, seats, turns and points
are 64-bit integers, observations 32-bit floats, and masks and flags 8-bit integers.
"""

import numpy as np

from fairplay.core.arithmetic import GOLDEN, ONE, ZERO, scramble, to_word
from fairplay.core.kernel import OVER, RANDOM, Integers, Row, Tables, Words
from fairplay.core.numbers import Floats, Mask
from fairplay.kernels.specialise import Compiled

LOOPS = (
    "advance_many",
    "choose_many",
    "decide_many",
    "imagine_many",
    "legal_mask_many",
    "observe_many",
    "play_seeds",
    "playout_many",
    "remove_many",
    "score_many",
    "show_decisions_many",
    "show_many",
    "start_many",
    "step_many",
    "to_move_many",
)
"""What is compiled for whoever holds many rows."""

WORDS = 1
"""The length of a row; like all the names that follow, replaced by those of the kernel."""

start: Compiled = None
to_move: Compiled = None
legal_mask: Compiled = None
step: Compiled = None
remove: Compiled = None
scores: Compiled = None
observe: Compiled = None
imagine: Compiled = None
random_action: Compiled = None
playout: Compiled = None

LAST_SHIFT = np.uint64(31)


# -- one match ---------------------------------------------------------------------------------


def mix(word: np.uint64) -> np.uint64:
    """A word that depends on every bit of `word` (splitmix64)."""
    word = scramble(word + GOLDEN)
    return word ^ (word >> LAST_SHIFT)


def seed_row(row: Row, seed: np.uint64) -> None:
    """Let the random numbers of `row` follow from `seed`."""
    word = mix(seed)
    row[RANDOM] = word if word != ZERO else ONE


def deal_row(tables: Tables, row: Row, seed: np.uint64) -> None:
    """Deal the match of `seed`, whatever the row held before, even if a kernel scribbles."""
    for word in range(WORDS):
        row[word] = ZERO
    seed_row(row, seed)
    start(tables, row)


def sum_up(row: Row, points: Integers, seats: int) -> np.uint64:
    """A word that depends on all of a row and on the points of every seat."""
    total = ZERO
    for word in range(WORDS):
        total = mix(total ^ row[word])
    for seat in range(seats):
        total = mix(total ^ to_word(points[seat]))
    return total


def play_row(tables: Tables, row: Row, points: Integers, seed: np.uint64) -> int:
    """Deal the match of `seed`, play it at random to the end and score it; return the number of turns."""
    deal_row(tables, row, seed)
    turns: int = playout(tables, row)
    scores(tables, row, points)
    return turns


def show_row(tables: Tables, row: Row, seat: int, observation: Floats, mask: Mask) -> None:
    """Write what `seat`, whose turn it is, sees and may do."""
    observe(tables, row, seat, observation)
    legal_mask(tables, row, mask)


def reward_seats(points: Integers, removed: Mask, rewards: Floats) -> None:
    """Turn points into rewards: the share of the other seats that a seat beats, less the share that beat it.

    A removed seat has -1.  So rewards are between -1 and 1, and add up to 0 if at most one seat was removed.
    """
    seats = points.shape[0]
    for seat in range(seats):
        balance = 0
        for other in range(seats):
            if points[seat] > points[other]:
                balance += 1
            elif points[seat] < points[other]:
                balance -= 1
        rewards[seat] = -1.0 if removed[seat] else balance / max(1, seats - 1)


def advance_row(
    tables: Tables, row: Row, action: int, mask: Mask, removed: Mask, points: Integers, rewards: Floats
) -> bool:
    """Do one action, or remove the seat whose turn it is if `mask` forbids it; was it the last of the match?

    After the last one `points` and `rewards` are written.
    """
    if 0 <= action < mask.shape[0] and mask[action]:
        step(tables, row, action)
    else:
        seat = to_move(tables, row)
        removed[seat] = 1
        remove(tables, row, seat)
    if to_move(tables, row) != OVER:
        return False
    scores(tables, row, points)
    reward_seats(points, removed, rewards)
    return True


# -- many matches ------------------------------------------------------------------------------


def start_many(tables: Tables, rows: Words, seeds: Words) -> None:
    """Deal every match by its seed, a 64-bit word."""
    for match in range(rows.shape[0]):
        deal_row(tables, rows[match], seeds[match])


def to_move_many(tables: Tables, rows: Words, movers: Integers) -> None:
    """Write whose decision is awaited; OVER if the match is over."""
    for match in range(rows.shape[0]):
        movers[match] = to_move(tables, rows[match])


def legal_mask_many(tables: Tables, rows: Words, masks: Mask) -> None:
    """Set 1 at the numbers of the legal actions, and 0 elsewhere."""
    for match in range(rows.shape[0]):
        legal_mask(tables, rows[match], masks[match])


def observe_many(tables: Tables, rows: Words, seats: Integers, observations: Floats) -> None:
    """Write what one seat of each match sees."""
    for match in range(rows.shape[0]):
        observe(tables, rows[match], seats[match], observations[match])


def step_many(tables: Tables, rows: Words, actions: Integers) -> None:
    """Do one action in every match.  ASSUME each is legal."""
    for match in range(rows.shape[0]):
        step(tables, rows[match], actions[match])


def remove_many(tables: Tables, rows: Words, seats: Integers) -> None:
    """Throw one seat out of every match; a negative number stands for nobody."""
    for match in range(rows.shape[0]):
        if seats[match] >= 0:
            remove(tables, rows[match], seats[match])


def imagine_many(tables: Tables, rows: Words, seats: Integers) -> None:
    """Replace what one seat of each match may not know by something that it could be."""
    for match in range(rows.shape[0]):
        imagine(tables, rows[match], seats[match])


def choose_many(tables: Tables, rows: Words, actions: Integers) -> None:
    """Choose a legal action in every match, each with the same chance; -1 if it is over."""
    for match in range(rows.shape[0]):
        over = to_move(tables, rows[match]) == OVER
        actions[match] = -1 if over else random_action(tables, rows[match])


def score_many(tables: Tables, rows: Words, points: Integers) -> None:
    """Write one number for each seat of each match, which ranks as the rule book's scores do."""
    for match in range(rows.shape[0]):
        scores(tables, rows[match], points[match])


def playout_many(tables: Tables, rows: Words, turns: Integers, points: Integers) -> None:
    """Play every match at random to its end; write the number of turns, and the points of each seat."""
    for match in range(rows.shape[0]):
        turns[match] = playout(tables, rows[match])
        scores(tables, rows[match], points[match])


def play_seeds(tables: Tables, row: Row, points: Integers, first: np.uint64, matches: int, totals: Words) -> None:
    """Play whole matches at random, of the seeds from `first` on, one after the other in the same row.

    Adds the turns, the checksums of the final rows and points, and the matches that seat 0 wins alone or with others
    to `totals`.
    """
    seats = points.shape[0]
    for match in range(matches):
        totals[0] += to_word(play_row(tables, row, points, first + to_word(match)))
        totals[1] += sum_up(row, points, seats)
        totals[2] += to_word(seat_0_wins(points, seats))


def seat_0_wins(points: Integers, seats: int) -> int:
    """1 if no seat has more points than seat 0, and 0 otherwise."""
    for seat in range(1, seats):
        if points[seat] > points[0]:
            return 0
    return 1


# -- for learners ------------------------------------------------------------------------------


def show_many(tables: Tables, rows: Words, movers: Integers, observations: Floats, masks: Mask) -> None:
    """Write for every match whose turn it is, what that seat sees, and what it may do.  ASSUME none is over."""
    for match in range(rows.shape[0]):
        movers[match] = to_move(tables, rows[match])
        show_row(tables, rows[match], movers[match], observations[match], masks[match])


def advance_many(
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
    """Do one action in every match, deal again those that are over, and show the next decision: all in one pass.

    actions: one for each match, legal or not.  A seat whose action its match's mask forbids is removed, and the others
        play on; so hand in the arrays as `show_many` or the last call of this function left them.
    movers: whose decision is awaited next.
    observations, masks: what that seat sees, and what it may do.
    rewards: for each seat.  0 until the match ends, then as `reward_seats` says; also for seats that left earlier.
    ended: 1 if the match ended and a new one was dealt: `movers`, `observations` and `masks` belong to the new one;
        `rewards`, `points` and `removed` still tell of the old one.
    removed: for each seat, 1 if it was removed.  Cleared by the call that follows the end of a match.
    points: for each seat; written when a match ends.
    """
    for match in range(rows.shape[0]):
        row = rows[match]
        clear_match(rewards[match], removed[match], ended[match])
        over = advance_row(tables, row, actions[match], masks[match], removed[match], points[match], rewards[match])
        ended[match] = 1 if over else 0
        if over:
            start(tables, row)
        movers[match] = to_move(tables, row)
        show_row(tables, row, movers[match], observations[match], masks[match])


def clear_match(rewards: Floats, removed: Mask, ended: int) -> None:
    """Forget the rewards of the last call, and the removed seats of a match that ended in it."""
    for seat in range(rewards.shape[0]):
        rewards[seat] = 0.0
        if ended:
            removed[seat] = 0


# -- for learners that make an action in two decisions -------------------------------------------


def decide_many(
    tables: Tables,
    rows: Words,
    decisions: Integers,
    movers: Integers,
    observations: Floats,
    masks: Mask,
    rewards: Floats,
    ended: Mask,
    removed: Mask,
    points: Integers,
    firsts: Mask,
    choices: Mask,
) -> None:
    """As `advance_many`, with an action in two decisions (see `FactoredEncoding`); most calls do half an action.

    decisions: one for each match, legal or not.
    firsts: one-hot, the first decision if the second one is awaited; `choices`: 1 for each legal decision.
    """
    for match in range(rows.shape[0]):
        row, mask = rows[match], masks[match]
        first, count = find_first(firsts[match]), firsts.shape[1]
        decision, cells = decisions[match], (masks.shape[1] - 1) // (count - 1)
        legal = 0 <= decision < choices.shape[1] and choices[match, decision]
        clear_match(rewards[match], removed[match], ended[match])
        ended[match] = 0
        if legal and first == 0 and decision > 0:
            firsts[match, decision] = 1
        else:
            firsts[match, first] = 0
            action = 1 + (first - 1) * cells + decision if first > 0 else decision
            over = advance_row(
                tables, row, action if legal else -1, mask, removed[match], points[match], rewards[match]
            )
            if over:
                ended[match] = 1
                start(tables, row)
            movers[match] = to_move(tables, row)
            show_row(tables, row, movers[match], observations[match], mask)
        show_choices(find_first(firsts[match]), count, cells, mask, choices[match])


def show_decisions_many(tables: Tables, rows: Words, masks: Mask, firsts: Mask, choices: Mask) -> None:
    """Forget all first decisions, and write which are legal."""
    for match in range(rows.shape[0]):
        for first in range(firsts.shape[1]):
            firsts[match, first] = 0
        show_choices(0, firsts.shape[1], (masks.shape[1] - 1) // (firsts.shape[1] - 1), masks[match], choices[match])


def find_first(firsts: Mask) -> int:
    """The first decision that was made; 0 if none was."""
    for first in range(1, firsts.shape[0]):
        if firsts[first]:
            return first
    return 0


def show_choices(first: int, firsts: int, cells: int, mask: Mask, choices: Mask) -> None:
    """Set 1 for each decision that leads to an action which is legal by `mask`, and 0 elsewhere."""
    for choice in range(choices.shape[0]):
        choices[choice] = 0
    if first > 0:
        for cell in range(cells):
            choices[cell] = mask[1 + (first - 1) * cells + cell]
        return
    choices[0] = mask[0]
    for other in range(1, firsts):
        legal = 0
        for cell in range(cells):
            legal |= mask[1 + (other - 1) * cells + cell]
        choices[other] = legal
