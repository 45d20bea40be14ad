"""Self-play of Fish between two seats, one match for each thread or call; compiled with the kernel."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.games.fish.kernel.rows import FREE, PLANES
from fairplay.games.fish.kernel.sliding import ORIGINAL, neighbours
from fairplay.games.fish.kernel.turns import start
from fairplay.games.fish.players.nets.features import FEATURES, bucket_of, count_fish, write_features
from fairplay.games.fish.players.nets.net import NET_UNIT, apply_net
from fairplay.games.fish.players.territory import reach
from fairplay.parts.arithmetic import ONE, ZERO, count_bits, lowest_bit, next_random, random_below, to_int, to_word
from fairplay.parts.kernel import RANDOM

__all__ = ["play_match"]

LARGE = 1 << 50
TWO = np.uint64(2)


def value_of(me: Any, rival: Any, free: Any, lead: int, waiting: int, row: Any, net: Any, features: Any) -> int:
    ones, twos, fours = row[PLANES], row[PLANES + 1], row[PLANES + 2]
    if waiting == 0:
        around = neighbours(free)
        if me & around == ZERO:
            if rival & around == ZERO:
                if ORIGINAL:
                    lead += count_fish(me, ones, twos, fours) - count_fish(rival, ones, twos, fours)
                return lead * NET_UNIT
            return -judge(rival, me, free, -lead, 0, row, net, features)
    return judge(me, rival, free, lead, waiting, row, net, features)


def judge(me: Any, rival: Any, free: Any, lead: int, waiting: int, row: Any, net: Any, features: Any) -> int:
    write_features(me, rival, free, row[PLANES], row[PLANES + 1], row[PLANES + 2], features)
    return lead * NET_UNIT + apply_net(net, bucket_of(free, waiting), features)


def fish_on(row: Any, cell: Any) -> int:
    return count_fish(cell, row[PLANES], row[PLANES + 1], row[PLANES + 2])


def search_1(me: Any, rival: Any, free: Any, lead: int, row: Any, net: Any, features: Any, beta: int) -> int:
    """The value for `me`, on turn, one move ahead."""
    around = neighbours(free)
    if me & around == ZERO:
        if rival & around == ZERO:
            return value_of(me, rival, free, lead, 0, row, net, features)
        return -value_of(rival, me, free, -lead, 0, row, net, features)
    best = -LARGE
    starts = me & around
    while starts != ZERO:
        begin = starts & (ZERO - starts)
        starts ^= begin
        gained = lead + fish_on(row, begin)
        targets = reach(begin, free)
        while targets != ZERO:
            end = targets & (ZERO - targets)
            targets ^= end
            value = -value_of(rival, me ^ begin ^ end, free ^ end, -gained, 0, row, net, features)
            if value > best:
                best = value
                if best >= beta:
                    return best
    return best


def search_2(me: Any, rival: Any, free: Any, lead: int, row: Any, net: Any, features: Any, beta: int) -> int:
    """The value for `me`, on turn, two moves ahead."""
    around = neighbours(free)
    if me & around == ZERO:
        if rival & around == ZERO:
            return value_of(me, rival, free, lead, 0, row, net, features)
        return -search_1(rival, me, free, -lead, row, net, features, LARGE)
    best = -LARGE
    starts = me & around
    while starts != ZERO:
        begin = starts & (ZERO - starts)
        starts ^= begin
        gained = lead + fish_on(row, begin)
        targets = reach(begin, free)
        while targets != ZERO:
            end = targets & (ZERO - targets)
            targets ^= end
            value = -search_1(rival, me ^ begin ^ end, free ^ end, -gained, row, net, features, -best)
            if value > best:
                best = value
                if best >= beta:
                    return best
    return best


def noise_of(row: Any, noise: int) -> int:
    """A random number of about a bell curve, `noise` fish wide."""
    if noise == 0:
        return 0
    total = 0
    for _ in range(3):
        total += random_below(row, 2048) - 1024
    return total * noise * (NET_UNIT >> 10)


def best_placement(me: Any, rival: Any, free: Any, waiting: int, row: Any, net: Any, features: Any, noise: int) -> Any:
    tiles = free
    if ORIGINAL:
        tiles &= row[PLANES] & ~row[PLANES + 1]
    best, chosen = -LARGE, ZERO
    while tiles != ZERO:
        end = tiles & (ZERO - tiles)
        tiles ^= end
        value = noise_of(row, noise) - value_of(rival, me | end, free ^ end, 0, waiting - 1, row, net, features)
        if value > best:
            best, chosen = value, end
    return chosen


def best_move(
    me: Any, rival: Any, free: Any, lead: int, row: Any, net: Any, features: Any, depth: int, noise: int
) -> Any:
    """The mask of start and target of the best move."""
    best, chosen = -LARGE, ZERO
    starts = me & neighbours(free)
    while starts != ZERO:
        begin = starts & (ZERO - starts)
        starts ^= begin
        gained = lead + fish_on(row, begin)
        targets = reach(begin, free)
        while targets != ZERO:
            end = targets & (ZERO - targets)
            targets ^= end
            extra = noise_of(row, noise)
            # the rival's value counts only if it is below extra - best
            if depth == 1:
                value = -value_of(rival, me ^ begin ^ end, free ^ end, -gained, 0, row, net, features)
            elif depth == 2:
                value = -search_1(rival, me ^ begin ^ end, free ^ end, -gained, row, net, features, extra - best)
            else:
                value = -search_2(rival, me ^ begin ^ end, free ^ end, -gained, row, net, features, extra - best)
            if value + extra > best:
                best, chosen = value + extra, begin | end
    return chosen


def random_bit(row: Any, cells: Any) -> Any:
    rank = random_below(row, count_bits(cells))
    for _ in range(rank):
        cells &= cells - ONE
    return cells & (ZERO - cells)


def play_match(
    tables: Any,
    row: Any,
    nets: Any,
    first: int,
    second: int,
    depth: int,
    noise: int,
    slip: int,
    penguins: int,
    features: Any,
    match: int,
    shown: Any,
    buckets: Any,
    leads: Any,
    result: Any,
) -> int:
    """Play a match; net `first` moves first.  Returns the margin of the seat that did.

    slip: the chance of a random action, in 1/1024.  shown[turn, feature, match], buckets[turn, match] (-1: nothing),
    leads[turn, match]; result[match]: the margin of the seat that begins.  A bucket of an odd turn has 64 added where
    the second seat is on turn.
    """
    start(tables, row)
    me, rival, free, lead, waiting, seat, turn = ZERO, ZERO, row[FREE], 0, 2 * penguins, 0, 0
    steps = shown.shape[0]
    while True:
        if waiting == 0:
            around = neighbours(free)
            if me & around == ZERO:
                if rival & around == ZERO:
                    break
                me, rival, lead, seat = rival, me, -lead, 1 - seat
        if turn > 0 and turn <= steps:
            write_features(me, rival, free, row[PLANES], row[PLANES + 1], row[PLANES + 2], features)
            for place in range(FEATURES):
                shown[turn - 1, place, match] = features[place]
            buckets[turn - 1, match] = bucket_of(free, waiting) + 64 * seat
            leads[turn - 1, match] = lead
        slips = slip > 0 and random_below(row, 1024) < slip
        net = nets[first if seat == 0 else second]
        if waiting > 0:
            if slips:
                tiles = free
                if ORIGINAL:
                    tiles &= row[PLANES] & ~row[PLANES + 1]
                chosen = random_bit(row, tiles)
            else:
                chosen = best_placement(me, rival, free, waiting, row, net, features, noise)
            me |= chosen
            free ^= chosen
            waiting -= 1
        else:
            if slips:
                begin = random_bit(row, me & neighbours(free))
                chosen = begin | random_bit(row, reach(begin, free))
            else:
                chosen = best_move(me, rival, free, lead, row, net, features, depth, noise)
            lead += fish_on(row, chosen & me)
            free ^= chosen & free
            me ^= chosen
        me, rival, lead, seat = rival, me, -lead, 1 - seat
        turn += 1
    while turn <= steps:
        if turn > 0:
            buckets[turn - 1, match] = -1
        turn += 1
    if ORIGINAL:
        lead += count_fish(me, row[PLANES], row[PLANES + 1], row[PLANES + 2])
        lead -= count_fish(rival, row[PLANES], row[PLANES + 1], row[PLANES + 2])
    margin = lead if seat == 0 else -lead
    result[match] = margin
    return margin
