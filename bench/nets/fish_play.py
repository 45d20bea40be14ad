"""Self-play of Fish between two seats with four penguins each; compiled with the kernel.

A position is masks of one word: the penguins of the seat on turn, those of its rival, and the free tiles; and by how
many fish the seat on turn leads.  Values are in the unit of nets.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, random_below
from fairplay.core.kernel import Row, Tables
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.board import neighbours
from fairplay.games.fish.kernel.deal import start
from fairplay.games.fish.players.nets.features import FEATURES, bucket_of, count_fish, write_features
from fairplay.games.fish.players.nets.net import NET_UNIT, apply_net
from fairplay.games.fish.players.territory import reach

LARGE = 1 << 50
SECOND = 64
"""Added to a bucket where the second seat is on turn."""


def first_cell(cells: np.uint64) -> np.uint64:
    """One of the cells."""
    return cells & (ZERO - cells)


def fish_on(row: Row, cells: np.uint64) -> int:
    """The fish on some tiles."""
    return count_fish(cells, row[layout.PLANES], row[layout.PLANES + 1], row[layout.PLANES + 2])


# -- values ------------------------------------------------------------------------------------------


def value_of(
    me: np.uint64, rival: np.uint64, free: np.uint64, lead: int, waiting: int, row: Row, net: Any, features: Any
) -> int:
    """The lead that `me` can expect in the end; it is on turn, unless it cannot move."""
    around = neighbours(free)
    if waiting == 0 and me & around == ZERO:
        if rival & around == ZERO:
            return NET_UNIT * final_lead(me, rival, lead, row)
        return -judge(rival, me, free, -lead, 0, row, net, features)
    return judge(me, rival, free, lead, waiting, row, net, features)


def final_lead(me: np.uint64, rival: np.uint64, lead: int, row: Row) -> int:
    """The lead when nobody can move; in the original game tiles under penguins count."""
    return lead + fish_on(row, me) - fish_on(row, rival) if layout.ORIGINAL else lead


def judge(
    me: np.uint64, rival: np.uint64, free: np.uint64, lead: int, waiting: int, row: Row, net: Any, features: Any
) -> int:
    """What the net says."""
    write_features(me, rival, free, row[layout.PLANES], row[layout.PLANES + 1], row[layout.PLANES + 2], features)
    return lead * NET_UNIT + apply_net(net, bucket_of(free, waiting), features)


def search_1(
    me: np.uint64, rival: np.uint64, free: np.uint64, lead: int, row: Row, net: Any, features: Any, beta: int
) -> int:
    """The value for `me`, on turn, one move ahead; from `beta` on it may be too low."""
    around, best = neighbours(free), -LARGE
    starts = me & around
    if starts == ZERO:
        return value_of(me, rival, free, lead, 0, row, net, features)
    while starts != ZERO and best < beta:
        begin = first_cell(starts)
        starts ^= begin
        gained, targets = lead + fish_on(row, begin), reach(begin, free)
        while targets != ZERO and best < beta:
            end = first_cell(targets)
            targets ^= end
            best = max(best, -value_of(rival, me ^ begin ^ end, free ^ end, -gained, 0, row, net, features))
    return best


def search_2(
    me: np.uint64, rival: np.uint64, free: np.uint64, lead: int, row: Row, net: Any, features: Any, beta: int
) -> int:
    """The same, two moves ahead."""
    around, best = neighbours(free), -LARGE
    starts = me & around
    if starts == ZERO:
        if rival & around == ZERO:
            return value_of(me, rival, free, lead, 0, row, net, features)
        return -search_1(rival, me, free, -lead, row, net, features, LARGE)
    while starts != ZERO and best < beta:
        begin = first_cell(starts)
        starts ^= begin
        gained, targets = lead + fish_on(row, begin), reach(begin, free)
        while targets != ZERO and best < beta:
            end = first_cell(targets)
            targets ^= end
            best = max(best, -search_1(rival, me ^ begin ^ end, free ^ end, -gained, row, net, features, -best))
    return best


# -- choices -----------------------------------------------------------------------------------------


def noise_of(row: Row, noise: int) -> int:
    """A random number on about a bell curve, `noise` fish wide."""
    if noise == 0:
        return 0
    total = 0
    for _ in range(3):
        total += random_below(row, 2048) - 1024
    return total * noise * (NET_UNIT >> 10)


def random_cell(row: Row, cells: np.uint64) -> np.uint64:
    """Any of the cells."""
    for _ in range(random_below(row, count_bits(cells))):
        cells &= cells - ONE
    return first_cell(cells)


def best_placement(
    me: np.uint64, rival: np.uint64, free: np.uint64, waiting: int, row: Row, net: Any, features: Any, noise: int
) -> np.uint64:
    """The best tile for the next penguin."""
    tiles, best, chosen = layout.placeable_word(row, 0) & free, -LARGE, ZERO
    while tiles != ZERO:
        end = first_cell(tiles)
        tiles ^= end
        value = -value_of(rival, me | end, free ^ end, 0, waiting - 1, row, net, features) + noise_of(row, noise)
        if value > best:
            best, chosen = value, end
    return chosen


def best_move(
    me: np.uint64,
    rival: np.uint64,
    free: np.uint64,
    lead: int,
    row: Row,
    net: Any,
    features: Any,
    depth: int,
    noise: int,
) -> np.uint64:
    """The start and the target of the best move, one to three moves ahead."""
    best, chosen, starts = -LARGE, ZERO, me & neighbours(free)
    while starts != ZERO:
        begin = first_cell(starts)
        starts ^= begin
        gained, targets = lead + fish_on(row, begin), reach(begin, free)
        while targets != ZERO:
            end = first_cell(targets)
            targets ^= end
            extra, mine, left = noise_of(row, noise), me ^ begin ^ end, free ^ end
            if depth == 1:
                value = extra - value_of(rival, mine, left, -gained, 0, row, net, features)
            elif depth == 2:
                value = extra - search_1(rival, mine, left, -gained, row, net, features, extra - best)
            else:
                value = extra - search_2(rival, mine, left, -gained, row, net, features, extra - best)
            if value > best:
                best, chosen = value, begin | end
    return chosen


def choose_cells(
    me: np.uint64,
    rival: np.uint64,
    free: np.uint64,
    lead: int,
    waiting: int,
    row: Row,
    net: Any,
    features: Any,
    depth: int,
    noise: int,
    slip: int,
) -> np.uint64:
    """The tile of a placement, or the start and the target of a move."""
    slips = slip > 0 and random_below(row, 1024) < slip
    if waiting > 0:
        if slips:
            return random_cell(row, layout.placeable_word(row, 0) & free)
        return best_placement(me, rival, free, waiting, row, net, features, noise)
    if slips:
        begin = random_cell(row, me & neighbours(free))
        return begin | random_cell(row, reach(begin, free))
    return best_move(me, rival, free, lead, row, net, features, depth, noise)


# -- a match -----------------------------------------------------------------------------------------


def play_match(
    tables: Tables,
    row: Row,
    nets: Any,
    first: int,
    second: int,
    depth: int,
    noise: int,
    slip: int,
    features: Any,
    match: int,
    shown: Any,
    buckets: Any,
    leads: Any,
    result: Any,
) -> None:
    """Deal and play a match by the row's random numbers; the seat with the net `first` begins.

    slip: the chance of a random action, in 1/1024.
    shown[turn, feature, match], buckets[turn, match], leads[turn, match]: the positions after each turn, as the seat on
    turn sees them; the bucket is -1 after the end.  result[match]: the lead in the end of the seat that began.
    """
    start(tables, row)
    me, rival, free, lead, waiting, seat, turn = ZERO, ZERO, row[layout.FREE], 0, 2 * layout.LANES, 0, 0
    for place in range(buckets.shape[0]):
        buckets[place, match] = -1
    while waiting > 0 or (me | rival) & neighbours(free) != ZERO:
        if waiting == 0 and me & neighbours(free) == ZERO:
            me, rival, lead, seat = rival, me, -lead, 1 - seat
        if 0 < turn <= shown.shape[0]:
            write_features(
                me, rival, free, row[layout.PLANES], row[layout.PLANES + 1], row[layout.PLANES + 2], features
            )
            for place in range(FEATURES):
                shown[turn - 1, place, match] = features[place]
            buckets[turn - 1, match] = bucket_of(free, waiting) + SECOND * seat
            leads[turn - 1, match] = lead
        net = nets[first if seat == 0 else second]
        cells = choose_cells(me, rival, free, lead, waiting, row, net, features, depth, noise, slip)
        lead += fish_on(row, cells & me)
        me ^= cells
        free &= ~cells
        waiting = max(waiting - 1, 0)
        me, rival, lead, seat, turn = rival, me, -lead, 1 - seat, turn + 1
    lead = final_lead(me, rival, lead, row)
    result[match] = lead if seat == 0 else -lead
