"""Rollouts of a light planner, paired: each world is played once for every candidate, by the same chance.

The light planner plans as `planner` does, but keeps its plan until somebody gets in its way.  The two cannot be one:
over arrays it looks at two orders of its destinations, not at all of them, and at one way through a ring; if it did
otherwise, both players would choose otherwise.  What they know of the game stands once, in `planner`.

Its plan, the connections it still wants, stands in `masks`, one mask for each seat; AGES in `notes` says how many
decisions ago it was made.
"""

import numpy as np

from fairplay.core.arithmetic import GOLDEN, MIX_A, ONE, ZERO, count_bits, lowest_bit, next_random, to_int, to_word
from fairplay.core.kernel import OVER, RANDOM, Integers, Row
from fairplay.games.trains.deal import FEW_RAILS
from fairplay.games.trains.kernel import row as layout
from fairplay.games.trains.kernel.legal import takeable
from fairplay.games.trains.kernel.scoring import REMOVED, scores
from fairplay.games.trains.kernel.turns import step, to_move
from fairplay.games.trains.players import routes
from fairplay.games.trains.players.belief import deal_again, measure_map, pick_cheapest, weigh_destinations
from fairplay.games.trains.players.planner import FULL_HAND
from fairplay.games.trains.players.routes import Arrays
from fairplay.games.trains.scoring import DESTINATION_BONUS, PATH_BONUS

SHARE = 840  # a whole win: every number of winners divides it
LINE = 16  # actions of a rollout that are noted
_SHIFT = np.uint64(29)
_LEAD_LIMIT = 60  # points
_LEAD_WEIGHT = 12  # of a point, where a win has SHARE
_MAX_AGE = 6  # decisions after which a plan is made again
_LONG = 50  # turns, if nobody else is left


# -- worlds ------------------------------------------------------------------------------------


def prepare_belief(arrays: Arrays, seat: int) -> None:
    """Measure what the connections of a seat tell of its destinations; with the number after the last seat, the map."""
    if seat == layout.SEATS:
        measure_map(arrays)
    else:
        weigh_destinations(arrays, arrays.root, seat)


def choose_lightly(arrays: Arrays) -> int:
    """The light planner's own action for the seat to move; its plan is made again."""
    if not layout.is_picking(arrays.root):
        make_plan(arrays, arrays.root, to_move(arrays.tables, arrays.root))
    return _light_action(arrays, arrays.root)


def _light_action(arrays: Arrays, row: Row) -> int:
    """What the light planner does with the seat to move."""
    tables = arrays.tables
    if layout.is_picking(row):
        picked = to_word(pick_cheapest(arrays, row))
        pick = 0
        while tables[layout.PICK_MASKS + pick] != picked:
            pick += 1
        return 1 + to_int(tables[layout.TABLE_CONNECTIONS]) + pick
    return _light_turn(arrays, row, to_move(tables, row))


def play_worlds(arrays: Arrays, candidates: Integers, gains: Integers, totals: Integers, first: int, last: int) -> None:
    """Deal the worlds from `first` to before `last`, and play each once for every candidate.

    gains: what I gain by each candidate in each world.
    totals: for each candidate, the sums of all shares of the win, and of all points.
    """
    tables, row, masks = arrays.tables, arrays.row, arrays.masks
    me, planless = to_move(tables, arrays.root), layout.is_picking(arrays.root)
    for number in range(first, last):
        _make_world(arrays, number)
        for nth in range(len(candidates)):
            for at in range(layout.WORDS):
                row[at] = arrays.world[at]
            for at in range(layout.SEATS * layout.LINK_WORDS):
                masks[at] = masks[(layout.SEATS + routes.SAVED) * layout.LINK_WORDS + at]
            for seat in range(layout.SEATS):
                arrays.notes[routes.AGES + seat] = 0
            step(tables, row, candidates[nth])
            _roll_out(arrays, row, planless)
            scores(tables, row, arrays.points)
            gains[nth, number - first] = _rate(arrays.points, totals, nth, me)


def _make_world(arrays: Arrays, number: int) -> None:
    """Deal what I cannot see, and make the plans of all seats."""
    root, world, masks = arrays.root, arrays.world, arrays.masks
    for at in range(layout.WORDS):
        world[at] = root[at]
    seed = (root[RANDOM] + to_word(number) * GOLDEN) * MIX_A
    world[RANDOM] = (seed ^ seed >> _SHIFT) | ONE
    next_random(world)
    deal_again(arrays, world, to_move(arrays.tables, root))
    if not layout.is_picking(root):
        for seat in range(layout.SEATS):
            make_plan(arrays, world, seat)
    for at in range(layout.SEATS * layout.LINK_WORDS):
        masks[(layout.SEATS + routes.SAVED) * layout.LINK_WORDS + at] = masks[at]


def _roll_out(arrays: Arrays, row: Row, planless: bool) -> None:
    """Let the light planner play all seats until the match is over, noting the first actions; -1 follows the last.

    planless: destinations were being picked, so there are no plans yet.
    """
    tables, line = arrays.tables, arrays.line
    turns = 0
    while to_move(tables, row) != OVER:
        if planless and not layout.is_picking(row):
            planless = False
            for seat in range(layout.SEATS):
                make_plan(arrays, row, seat)
        action = _light_action(arrays, row)
        if turns < LINE:
            line[turns] = action
            turns += 1
        step(tables, row, action)
    if turns < LINE:
        line[turns] = -1


def _rate(points: Integers, totals: Integers, nth: int, me: int) -> int:
    """Add the shares of the win and the points to the totals; return what I gain: my share and a bit of my lead."""
    most, winners, rival = -(1 << 40), 0, -(1 << 40)
    for seat in range(layout.SEATS):
        if points[seat] > most:
            most, winners = points[seat], 0
        if points[seat] == most:
            winners += 1
        if seat != me and points[seat] > rival:
            rival = points[seat]
    for seat in range(layout.SEATS):
        if points[seat] != REMOVED:
            totals[nth, layout.SEATS + seat] += points[seat]
        if points[seat] == most:
            totals[nth, seat] += SHARE // winners
    lead = min(max(to_int(points[me] - rival), -_LEAD_LIMIT), _LEAD_LIMIT)
    return (SHARE // winners if points[me] == most else 0) + _LEAD_WEIGHT * lead


# -- the light planner -------------------------------------------------------------------------


def _light_turn(arrays: Arrays, row: Row, seat: int) -> int:
    """Choose an action for `seat`, which is to move: take what the plan needs or what is spare, or draw."""
    tables = arrays.tables
    affordable = ZERO
    for index in range(layout.LINK_WORDS):
        word = takeable(tables, row, row[layout.HANDS + seat], index)
        row[layout.EDGES + index] = word
        affordable |= word
    if affordable == ZERO:
        return 0
    turns = _count_turns(row, seat)
    if turns <= 1 or to_int(tables[layout.TABLE_DECK_SIZE]) <= layout.drawn_of(row):
        return 1 + _best_at_the_end(arrays, row, seat)
    if not _is_plan_good(arrays, row, seat):
        make_plan(arrays, row, seat)
    edge = _longest_ready(arrays, row, seat)
    if edge >= 0:
        return 1 + edge
    if _keep_spare(arrays, row, seat, turns):
        return 0
    return 1 + _best_extension(arrays, row, seat)


def _count_turns(row: Row, seat: int) -> int:
    """How many turns `seat` has left, roughly, this one included, before somebody runs out of rails."""
    if layout.closer_of(row) != layout.NOBODY:
        return 1
    turns = _LONG
    for other in range(layout.SEATS):
        if other != seat and not layout.is_out(row, other):
            turns = min(turns, max(0, 2 * (layout.rails_of(row[layout.HANDS + other]) - FEW_RAILS) // 3))
    return 1 + turns


# -- plans -------------------------------------------------------------------------------------


def _is_plan_good(arrays: Arrays, row: Row, seat: int) -> bool:
    """Is there a plan, not too old, whose connections are still free or mine?"""
    masks, notes = arrays.masks, arrays.notes
    notes[routes.AGES + seat] += 1
    if notes[routes.AGES + seat] > _MAX_AGE:
        return False
    lost = ZERO
    for index in range(layout.LINK_WORDS):
        mine = row[layout.FREE + index] | row[layout.OWNED + seat * layout.LINK_WORDS + index]
        lost |= masks[seat * layout.LINK_WORDS + index] & ~mine
    return bool(lost == ZERO)


def make_plan(arrays: Arrays, row: Row, seat: int) -> None:
    """Plan the cheapest routes for as many of the open destinations as the rails allow."""
    masks, notes = arrays.masks, arrays.notes
    notes[routes.AGES + seat] = 0
    wanted = _list_wanted(arrays, row, seat)
    rails = layout.rails_of(row[layout.HANDS + seat])
    plan = seat * layout.LINK_WORDS
    while wanted > 0:
        cheapest, chosen = routes.FAR, 0
        for trial in range(min(wanted, 2)):
            price = _try_order(arrays, row, seat, wanted, trial, rails)
            if price < cheapest:
                cheapest, chosen = price, trial
        if cheapest < routes.FAR:
            for index in range(layout.LINK_WORDS):
                masks[plan + index] = masks[(layout.SEATS + routes.TRIAL + chosen) * layout.LINK_WORDS + index]
            return
        _drop_dearest(arrays, row, seat, wanted)
        wanted -= 1
    for index in range(layout.LINK_WORDS):
        masks[plan + index] = ZERO


def _list_wanted(arrays: Arrays, row: Row, seat: int) -> int:
    """Note the destinations of `seat` that are not joined yet; return how many there are."""
    tables, notes = arrays.tables, arrays.notes
    routes.measure_network(arrays, row, seat)
    wanted = 0
    for nth in range(to_int(tables[layout.TABLE_KEPT])):
        code = layout.get_code(row, layout.KEPT_AT + seat * layout.KEPT_WORDS, nth)
        if code and not _is_joined(notes, code, -1, -1):
            notes[routes.WANTED + wanted] = code
            wanted += 1
    return wanted


def _is_joined(notes: Integers, code: int, part: int, other: int) -> bool:
    """Is a destination joined by the network that was measured, if these two parts of it become one?"""
    first, second = notes[routes.PART + (code >> 8)], notes[routes.PART + (code & 255)]
    if first < 0:
        first = -2 - (code >> 8)  # a part of its own
    if second < 0:
        second = -2 - (code & 255)
    return bool(first == second or (first == part and second == other) or (first == other and second == part))


def _open_all(arrays: Arrays, row: Row, seat: int, trial: int) -> None:
    """Let routes use what is free or owned by `seat`, and begin a trial."""
    masks = arrays.masks
    for index in range(layout.LINK_WORDS):
        mine = row[layout.OWNED + seat * layout.LINK_WORDS + index]
        masks[(layout.SEATS + routes.OPEN) * layout.LINK_WORDS + index] = row[layout.FREE + index] | mine
        masks[(layout.SEATS + routes.BUILT) * layout.LINK_WORDS + index] = mine
        masks[(layout.SEATS + routes.TRIAL + trial) * layout.LINK_WORDS + index] = ZERO


def _try_order(arrays: Arrays, row: Row, seat: int, wanted: int, trial: int, rails: int) -> int:
    """The price of routes for all that is wanted, in this order or the other; FAR if it cannot be, or has no rails."""
    notes = arrays.notes
    _open_all(arrays, row, seat, trial)
    price, length = 0, 0
    for nth in range(wanted):
        code = to_int(notes[routes.WANTED + (wanted - 1 - nth if trial else nth)])
        more = routes.find_route(arrays, row, seat, code)
        if more >= routes.FAR:
            return routes.FAR
        price += more
        length += routes.mark_route(arrays, code, trial)
        if length > rails:
            return routes.FAR
    return price


def _drop_dearest(arrays: Arrays, row: Row, seat: int, wanted: int) -> None:
    """Move what is dearest of all that is wanted to its end."""
    notes = arrays.notes
    if wanted < 2:
        return
    _open_all(arrays, row, seat, 0)
    most, dearest = -1, 0
    for nth in range(wanted):
        price = routes.find_route(arrays, row, seat, to_int(notes[routes.WANTED + nth]))
        if price > most:
            most, dearest = price, nth
    code = notes[routes.WANTED + dearest]
    notes[routes.WANTED + dearest] = notes[routes.WANTED + wanted - 1]
    notes[routes.WANTED + wanted - 1] = code


# -- what to take; EDGES holds what can be paid ------------------------------------------------


def _longest_ready(arrays: Arrays, row: Row, seat: int) -> int:
    """The longest connection of the plan that can be taken now; -1: none."""
    tables, masks = arrays.tables, arrays.masks
    best, chosen = 0, -1
    for index in range(layout.LINK_WORDS):
        word = row[layout.EDGES + index] & masks[seat * layout.LINK_WORDS + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            length = layout.length_of(tables[layout.LINKS + edge])
            if length > best:
                best, chosen = length, edge
    return chosen


def _keep_spare(arrays: Arrays, row: Row, seat: int, turns: int) -> bool:
    """Leave only spare connections in EDGES, whose cards and rails the plan does not need; is it better to wait?"""
    tables, masks = arrays.tables, arrays.masks
    hand = row[layout.HANDS + seat]
    reserved, missing, count = ZERO, 0, 0
    for index in range(layout.LINK_WORDS):
        word = masks[seat * layout.LINK_WORDS + index] & row[layout.FREE + index]
        count += count_bits(word)
        while word != ZERO:
            link = tables[layout.LINKS + 64 * index + lowest_bit(word)]
            word &= word - ONE
            length = (link >> layout.LENGTH_AT) & layout.BYTE
            reserved += (length << to_word(12 * layout.color_of_link(link))) + (length << layout.RAILS_AT)
    if count == 0:
        return False
    spare = to_word(max(0, layout.rails_of(hand) - layout.rails_of(reserved))) << layout.RAILS_AT
    for color in range(4):
        cards = layout.count_color(hand, color) - layout.count_color(reserved, color)
        if cards < 0:
            missing -= cards
        else:
            spare += to_word(cards) << to_word(12 * color)
    left = ZERO
    for index in range(layout.LINK_WORDS):
        row[layout.EDGES + index] = word = takeable(tables, row, spare, index)
        left |= word
    if left == ZERO:
        return True
    draws = to_int(tables[layout.TABLE_PER_DRAW])
    hopeless = draws * count + missing > 2 * turns * draws
    return not hopeless and layout.count_cards(hand) <= FULL_HAND


def _best_extension(arrays: Arrays, row: Row, seat: int) -> int:
    """The connection of those in EDGES that does most for the longest path and the points."""
    tables, notes = arrays.tables, arrays.notes
    before = routes.measure_network(arrays, row, seat)
    best, chosen = -1, 0
    for index in range(layout.LINK_WORDS):
        word = row[layout.EDGES + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            link = tables[layout.LINKS + edge]
            value = _path_with(notes, link, before) + layout.length_of(link)
            if value > best:
                best, chosen = value, edge
    return chosen


def _path_with(notes: Integers, link: np.uint64, before: int) -> int:
    """The longest path of the network that was measured, with one more connection."""
    first, second = layout.first_city(link), layout.second_city(link)
    if notes[routes.PART + first] == notes[routes.PART + second] and notes[routes.PART + first] >= 0:
        return before
    return max(before, to_int(notes[routes.REACH + first] + notes[routes.REACH + second]) + layout.length_of(link))


def _best_at_the_end(arrays: Arrays, row: Row, seat: int) -> int:
    """The connection of those in EDGES that brings most points if the match ends now."""
    tables, notes = arrays.tables, arrays.notes
    rival = 0
    for other in range(layout.SEATS):
        if other != seat:
            rival = max(rival, routes.measure_network(arrays, row, other))
    before = routes.measure_network(arrays, row, seat)
    best, chosen = -1, 0
    for index in range(layout.LINK_WORDS):
        word = row[layout.EDGES + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            link = tables[layout.LINKS + edge]
            after = _path_with(notes, link, before)
            value = 2 * layout.length_of(link) + after - before
            if before < rival <= after:
                value += 2 * PATH_BONUS
            value += 4 * DESTINATION_BONUS * _count_joined(arrays, row, seat, link)
            if value > best:
                best, chosen = value, edge
    return chosen


def _count_joined(arrays: Arrays, row: Row, seat: int, link: np.uint64) -> int:
    """How many destinations of `seat` a connection would join that are not joined yet."""
    tables, notes = arrays.tables, arrays.notes
    first, second = layout.first_city(link), layout.second_city(link)
    part = to_int(notes[routes.PART + first]) if notes[routes.PART + first] >= 0 else -2 - first
    other = to_int(notes[routes.PART + second]) if notes[routes.PART + second] >= 0 else -2 - second
    joined = 0
    for nth in range(to_int(tables[layout.TABLE_KEPT])):
        code = layout.get_code(row, layout.KEPT_AT + seat * layout.KEPT_WORDS, nth)
        if code and not _is_joined(notes, code, -1, -1) and _is_joined(notes, code, part, other):
            joined += 1
    return joined
