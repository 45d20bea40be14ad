"""The player of the rollouts: it plans as `planner` does, but keeps its plan until somebody gets in its way.

Its plan, the connections it still wants, stands in `masks`, one mask for each seat; AGES in `notes` says how many
decisions ago it was made.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fairplay.core.arithmetic import ONE, ZERO, count_bits, lowest_bit, to_int, to_word
from fairplay.core.kernel import Row, Tables
from fairplay.games.trains.deal import FEW_RAILS
from fairplay.games.trains.kernel.legal import takeable
from fairplay.games.trains.kernel.row import (
    BYTE,
    EDGES,
    FREE,
    HANDS,
    KEPT_AT,
    KEPT_WORDS,
    LENGTH_AT,
    LINK_WORDS,
    LINKS,
    NOBODY,
    OWNED,
    RAILS_AT,
    SEATS,
    TABLE_DECK_SIZE,
    TABLE_KEPT,
    TABLE_PER_DRAW,
    closer_of,
    color_of_link,
    count_cards,
    count_color,
    drawn_of,
    first_city,
    get_code,
    is_out,
    length_of,
    rails_of,
    second_city,
)
from fairplay.games.trains.players.planner import FULL_HAND
from fairplay.games.trains.players.routes import (
    AGES,
    BUILT,
    FAR,
    OPEN,
    PART,
    REACH,
    TRIAL,
    WANTED,
    find_route,
    mark_route,
    measure_network,
)
from fairplay.games.trains.scoring import DESTINATION_BONUS, PATH_BONUS

__all__ = ["light_turn", "make_plan"]

MAX_AGE = 6  # decisions after which a plan is made again
LONG = 50  # turns, if nobody else is left


def light_turn(tables: Tables, row: Row, masks: Any, notes: Any, seat: int) -> int:
    """Choose an action for `seat`, which is to move: take what the plan needs or what is spare, or draw."""
    affordable = ZERO
    for index in range(LINK_WORDS):
        word = takeable(tables, row, row[HANDS + seat], index)
        row[EDGES + index] = word
        affordable |= word
    if affordable == ZERO:
        return 0
    turns = count_turns(row, seat)
    if turns <= 1 or to_int(tables[TABLE_DECK_SIZE]) <= drawn_of(row):
        return 1 + best_at_the_end(tables, row, notes, seat)
    if not is_plan_good(row, masks, notes, seat):
        make_plan(tables, row, masks, notes, seat)
    edge = longest_ready(tables, row, masks, seat)
    if edge >= 0:
        return 1 + edge
    if keep_spare(tables, row, masks, seat, turns):
        return 0
    edge = best_extension(tables, row, notes, seat)
    return 1 + edge


def count_turns(row: Row, seat: int) -> int:
    """How many turns `seat` has left, roughly, this one included, before somebody runs out of rails."""
    if closer_of(row) != NOBODY:
        return 1
    turns = LONG
    for other in range(SEATS):
        if other != seat and not is_out(row, other):
            turns = min(turns, max(0, 2 * (rails_of(row[HANDS + other]) - FEW_RAILS) // 3))
    return 1 + turns


# -- plans -------------------------------------------------------------------------------------


def is_plan_good(row: Row, masks: Any, notes: Any, seat: int) -> bool:
    """Is there a plan, not too old, whose connections are still free or mine?"""
    notes[AGES + seat] += 1
    if notes[AGES + seat] > MAX_AGE:
        return False
    lost = ZERO
    for index in range(LINK_WORDS):
        mine = row[FREE + index] | row[OWNED + seat * LINK_WORDS + index]
        lost |= masks[seat * LINK_WORDS + index] & ~mine
    return bool(lost == ZERO)


def make_plan(tables: Tables, row: Row, masks: Any, notes: Any, seat: int) -> None:
    """Plan the cheapest routes for as many of the open destinations as the rails allow."""
    notes[AGES + seat] = 0
    wanted = list_wanted(tables, row, notes, seat)
    rails = rails_of(row[HANDS + seat])
    plan = seat * LINK_WORDS
    while wanted > 0:
        cheapest, chosen = FAR, 0
        for trial in range(min(wanted, 2)):
            price = try_order(tables, row, masks, notes, seat, wanted, trial, rails)
            if price < cheapest:
                cheapest, chosen = price, trial
        if cheapest < FAR:
            for index in range(LINK_WORDS):
                masks[plan + index] = masks[(SEATS + TRIAL + chosen) * LINK_WORDS + index]
            return
        drop_dearest(tables, row, masks, notes, seat, wanted)
        wanted -= 1
    for index in range(LINK_WORDS):
        masks[plan + index] = ZERO


def list_wanted(tables: Tables, row: Row, notes: Any, seat: int) -> int:
    """Note the destinations of `seat` that are not joined yet; return how many there are."""
    measure_network(tables, row, notes, seat)
    wanted = 0
    for nth in range(to_int(tables[TABLE_KEPT])):
        code = get_code(row, KEPT_AT + seat * KEPT_WORDS, nth)
        if code and not is_joined(notes, code, -1, -1):
            notes[WANTED + wanted] = code
            wanted += 1
    return wanted


def is_joined(notes: Any, code: int, part: int, other: int) -> bool:
    """Is a destination joined by the network that was measured, if these two parts of it become one?"""
    first, second = notes[PART + (code >> 8)], notes[PART + (code & 255)]
    if first < 0:
        first = -2 - (code >> 8)  # a part of its own
    if second < 0:
        second = -2 - (code & 255)
    return bool(first == second or (first == part and second == other) or (first == other and second == part))


def open_all(row: Row, masks: Any, seat: int, trial: int) -> None:
    """Let routes use what is free or owned by `seat`, and begin a trial."""
    for index in range(LINK_WORDS):
        mine = row[OWNED + seat * LINK_WORDS + index]
        masks[(SEATS + OPEN) * LINK_WORDS + index] = row[FREE + index] | mine
        masks[(SEATS + BUILT) * LINK_WORDS + index] = mine
        masks[(SEATS + TRIAL + trial) * LINK_WORDS + index] = ZERO


def try_order(tables: Tables, row: Row, masks: Any, notes: Any, seat: int, wanted: int, trial: int, rails: int) -> int:
    """The price of routes for all that is wanted, in this order or the other; FAR if it cannot be, or has no rails."""
    open_all(row, masks, seat, trial)
    price, length = 0, 0
    for nth in range(wanted):
        code = to_int(notes[WANTED + (wanted - 1 - nth if trial else nth)])
        more = find_route(tables, row, masks, notes, seat, code)
        if more >= FAR:
            return FAR
        price += more
        length += mark_route(tables, masks, notes, code, trial)
        if length > rails:
            return FAR
    return price


def drop_dearest(tables: Tables, row: Row, masks: Any, notes: Any, seat: int, wanted: int) -> None:
    """Move what is dearest of all that is wanted to its end."""
    if wanted < 2:
        return
    open_all(row, masks, seat, 0)
    most, dearest = -1, 0
    for nth in range(wanted):
        price = find_route(tables, row, masks, notes, seat, to_int(notes[WANTED + nth]))
        if price > most:
            most, dearest = price, nth
    code = notes[WANTED + dearest]
    notes[WANTED + dearest] = notes[WANTED + wanted - 1]
    notes[WANTED + wanted - 1] = code


# -- what to take; EDGES holds what can be paid ------------------------------------------------


def longest_ready(tables: Tables, row: Row, masks: Any, seat: int) -> int:
    """The longest connection of the plan that can be taken now; -1: none."""
    best, chosen = 0, -1
    for index in range(LINK_WORDS):
        word = row[EDGES + index] & masks[seat * LINK_WORDS + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            length = length_of(tables[LINKS + edge])
            if length > best:
                best, chosen = length, edge
    return chosen


def keep_spare(tables: Tables, row: Row, masks: Any, seat: int, turns: int) -> bool:
    """Leave only spare connections in EDGES, whose cards and rails the plan does not need; is it better to wait?"""
    hand = row[HANDS + seat]
    reserved, missing, count = ZERO, 0, 0
    for index in range(LINK_WORDS):
        word = masks[seat * LINK_WORDS + index] & row[FREE + index]
        count += count_bits(word)
        while word != ZERO:
            link = tables[LINKS + 64 * index + lowest_bit(word)]
            word &= word - ONE
            length = (link >> LENGTH_AT) & BYTE
            reserved += (length << to_word(12 * color_of_link(link))) + (length << RAILS_AT)
    if count == 0:
        return False
    spare = to_word(max(0, rails_of(hand) - rails_of(reserved))) << RAILS_AT
    for color in range(4):
        cards = count_color(hand, color) - count_color(reserved, color)
        if cards < 0:
            missing -= cards
        else:
            spare += to_word(cards) << to_word(12 * color)
    left = ZERO
    for index in range(LINK_WORDS):
        row[EDGES + index] = word = takeable(tables, row, spare, index)
        left |= word
    if left == ZERO:
        return True
    draws = to_int(tables[TABLE_PER_DRAW])
    hopeless = draws * count + missing > 2 * turns * draws
    return not hopeless and count_cards(hand) <= FULL_HAND


def best_extension(tables: Tables, row: Row, notes: Any, seat: int) -> int:
    """The connection of those in EDGES that does most for the longest path and the points."""
    before = measure_network(tables, row, notes, seat)
    best, chosen = -1, 0
    for index in range(LINK_WORDS):
        word = row[EDGES + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            link = tables[LINKS + edge]
            value = path_with(notes, link, before) + length_of(link)
            if value > best:
                best, chosen = value, edge
    return chosen


def path_with(notes: Any, link: np.uint64, before: int) -> int:
    """The longest path of the network that was measured, with one more connection."""
    first, second = first_city(link), second_city(link)
    if notes[PART + first] == notes[PART + second] and notes[PART + first] >= 0:
        return before
    return max(before, to_int(notes[REACH + first] + notes[REACH + second]) + length_of(link))


def best_at_the_end(tables: Tables, row: Row, notes: Any, seat: int) -> int:
    """The connection of those in EDGES that brings most points if the match ends now."""
    rival = 0
    for other in range(SEATS):
        if other != seat:
            rival = max(rival, measure_network(tables, row, notes, other))
    before = measure_network(tables, row, notes, seat)
    best, chosen = -1, 0
    for index in range(LINK_WORDS):
        word = row[EDGES + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            link = tables[LINKS + edge]
            after = path_with(notes, link, before)
            value = 2 * length_of(link) + after - before
            if before < rival <= after:
                value += 2 * PATH_BONUS
            value += 4 * DESTINATION_BONUS * count_joined(tables, row, notes, seat, link)
            if value > best:
                best, chosen = value, edge
    return chosen


def count_joined(tables: Tables, row: Row, notes: Any, seat: int, link: np.uint64) -> int:
    """How many destinations of `seat` a connection would join that are not joined yet."""
    first, second = first_city(link), second_city(link)
    part = to_int(notes[PART + first]) if notes[PART + first] >= 0 else -2 - first
    other = to_int(notes[PART + second]) if notes[PART + second] >= 0 else -2 - second
    joined = 0
    for nth in range(to_int(tables[TABLE_KEPT])):
        code = get_code(row, KEPT_AT + seat * KEPT_WORDS, nth)
        if code and not is_joined(notes, code, -1, -1) and is_joined(notes, code, part, other):
            joined += 1
    return joined
