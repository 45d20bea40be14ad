"""Scores: segments, joined destinations, and the longest path, exactly (Trains 5).

Dead ends are cut off first, each leaving its length as the tail of the city it hung from.  Most networks are gone by
then; only what has rings is searched, path by path, with the tails at both ends.
"""

from fairplay.core.arithmetic import ONE, ZERO, count_bits, lowest_bit, to_int, to_word
from fairplay.core.kernel import Integers, Row, Tables
from fairplay.games.trains.kernel import row as layout
from fairplay.games.trains.scoring import DESTINATION_BONUS, PATH_BONUS

REMOVED = -30_000  # points of a seat that was removed: less than any other can have


def scores(tables: Tables, row: Row, out: Integers) -> None:
    """Write the points of each seat into `out`; removed seats have the least."""
    removed, longest = row[layout.STATUS] >> layout.OUT_AT, 1
    for seat in range(layout.SEATS):
        if not (removed >> to_word(seat)) & ONE:
            path = longest_path(tables, row, seat)
            out[seat] = path  # until all paths are known
            longest = max(longest, path)
    for seat in range(layout.SEATS):
        if (removed >> to_word(seat)) & ONE:
            out[seat] = REMOVED
        else:
            bonus = PATH_BONUS if out[seat] == longest else 0
            out[seat] = bonus + _segment_points(tables, row, seat) + _destination_points(tables, row, seat)


def _segment_points(tables: Tables, row: Row, seat: int) -> int:
    """One point for each segment (Trains 5.2): a connection has 5, less one for each of the lengths 4 and 3 it fits."""
    points = 0
    for index in range(layout.LINK_WORDS):
        word = row[layout.OWNED + seat * layout.LINK_WORDS + index]
        at = layout.BUILDABLE + layout.LINK_WORDS + index
        fours, threes = word & tables[at + layout.LINK_WORDS], word & tables[at]
        points += 5 * count_bits(word) - count_bits(threes) - count_bits(fours)
    return points


# -- destinations ------------------------------------------------------------------------------


def _destination_points(tables: Tables, row: Row, seat: int) -> int:
    """Points for each destination that is joined, the same off for each that is not (Trains 5.4)."""
    points = 0
    for nth in range(to_int(tables[layout.TABLE_KEPT])):
        code = layout.get_code(row, layout.KEPT_AT + seat * layout.KEPT_WORDS, nth)
        if code:
            points += DESTINATION_BONUS if _are_joined(tables, row, seat, code >> 8, code & 255) else -DESTINATION_BONUS
    return points


def _are_joined(tables: Tables, row: Row, seat: int, first: int, second: int) -> bool:
    """Do the connections of `seat` join these cities?"""
    if not _has_edges(tables, row, layout.OWNED + seat * layout.LINK_WORDS, second):
        return False
    for index in range(layout.LINK_WORDS):
        # Those that were not reached yet, and those that were, and whose other ends are still to be looked at.
        row[layout.EDGES + index] = row[layout.OWNED + seat * layout.LINK_WORDS + index]
        row[layout.TAILS + index] = ZERO
    _reach(tables, row, first)
    index = 0
    while index < layout.LINK_WORDS:
        if row[layout.TAILS + index] == ZERO:
            index += 1
            continue
        bit = lowest_bit(row[layout.TAILS + index])
        row[layout.TAILS + index] &= row[layout.TAILS + index] - ONE
        link = tables[layout.LINKS + 64 * index + bit]
        _reach(tables, row, to_int(link & layout.BYTE))
        _reach(tables, row, to_int((link >> layout.SECOND_AT) & layout.BYTE))
        index = 0
    return not _has_edges(tables, row, layout.EDGES, second)


def _has_edges(tables: Tables, row: Row, at: int, city: int) -> bool:
    """Has `city` connections in the mask that begins at this word?"""
    found = ZERO
    for index in range(layout.LINK_WORDS):
        found |= row[at + index] & tables[layout.ADJACENT + city * layout.LINK_WORDS + index]
    return bool(found != ZERO)


def _reach(tables: Tables, row: Row, city: int) -> None:
    """Move the connections at `city` from those not reached to those to be looked at."""
    for index in range(layout.LINK_WORDS):
        fresh = row[layout.EDGES + index] & tables[layout.ADJACENT + city * layout.LINK_WORDS + index]
        row[layout.EDGES + index] ^= fresh
        row[layout.TAILS + index] |= fresh


# -- the longest path --------------------------------------------------------------------------


def longest_path(tables: Tables, row: Row, seat: int) -> int:
    """The greatest total length of a path through the connections of `seat` that visits no city twice (Trains 5.3)."""
    for index in range(layout.LINK_WORDS):
        row[layout.EDGES + index] = row[layout.OWNED + seat * layout.LINK_WORDS + index]
    _drop_parallels(tables, row)
    for index in range(8 * layout.CITY_WORDS):
        row[layout.TAILS + index] = ZERO
    best = _cut_dead_ends(tables, row)
    rings = ZERO
    for index in range(layout.LINK_WORDS):
        rings |= row[layout.EDGES + index]
    return _search_rings(tables, row, best) if rings else best


def _drop_parallels(tables: Tables, row: Row) -> None:
    """Of parallel connections keep the last by Trains 8.2, which is the longest."""
    for index in range(layout.LINK_WORDS):
        word = row[layout.EDGES + index] & tables[layout.PARALLEL + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            for other in range(edge + 1, edge + 1 + to_int(tables[layout.LINKS + edge] >> layout.LATER_AT)):
                if (row[layout.EDGES + (other >> 6)] >> to_word(other & 63)) & ONE:
                    row[layout.EDGES + index] &= ~(ONE << to_word(edge & 63))


def _cut_dead_ends(tables: Tables, row: Row) -> int:
    """Take away connections to cities with no other, until only rings are left; return the longest path among them."""
    best = 0
    cut = True
    while cut:
        cut = False
        for index in range(layout.LINK_WORDS):
            word = row[layout.EDGES + index]
            while word != ZERO:
                bit = lowest_bit(word)
                word &= word - ONE
                link = tables[layout.LINKS + 64 * index + bit]
                end, other = to_int(link & layout.BYTE), to_int((link >> layout.SECOND_AT) & layout.BYTE)
                if _count_edges(tables, row, end) != 1:
                    end, other = other, end
                    if _count_edges(tables, row, end) != 1:
                        continue
                row[layout.EDGES + index] ^= ONE << to_word(bit)
                depth = _tail_of(row, end) + to_int((link >> layout.LENGTH_AT) & layout.BYTE)
                before = _tail_of(row, other)
                best = max(best, depth + before)
                if depth > before:
                    row[layout.TAILS + (other >> 3)] += to_word(depth - before) << to_word(8 * (other & 7))
                cut = True
    return best


def _count_edges(tables: Tables, row: Row, city: int) -> int:
    """How many connections at `city` are left."""
    count = 0
    for index in range(layout.LINK_WORDS):
        count += count_bits(row[layout.EDGES + index] & tables[layout.ADJACENT + city * layout.LINK_WORDS + index])
    return count


def _tail_of(row: Row, city: int) -> int:
    """The length of the longest dead end that was cut off at `city`."""
    return to_int((row[layout.TAILS + (city >> 3)] >> to_word(8 * (city & 7))) & layout.BYTE)


# -- rings -------------------------------------------------------------------------------------


def _search_rings(tables: Tables, row: Row, best: int) -> int:
    """The longest path from any city of the rings, if it is longer than `best`."""
    total, longest_tail = 0, 0
    for index in range(layout.LINK_WORDS):
        word = row[layout.EDGES + index]
        while word != ZERO:
            link = tables[layout.LINKS + 64 * index + lowest_bit(word)]
            word &= word - ONE
            total += to_int((link >> layout.LENGTH_AT) & layout.BYTE)
            longest_tail = max(longest_tail, _tail_of(row, to_int(link & layout.BYTE)))
            longest_tail = max(longest_tail, _tail_of(row, to_int((link >> layout.SECOND_AT) & layout.BYTE)))
    for index in range(layout.CITY_WORDS):
        row[layout.VISITED + index] = ZERO
    for index in range(layout.LINK_WORDS):
        word = row[layout.EDGES + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            city = to_int(tables[layout.LINKS + edge] & layout.BYTE)
            for _ in range(2):  # both ends
                if _next_edge(tables, row, city, 0) == edge:  # each city once
                    best = _search_from(tables, row, city, best, total, longest_tail)
                city = _other_end(tables, edge, city)
    return best


def _search_from(tables: Tables, row: Row, city: int, best: int, room: int, longest_tail: int) -> int:
    """The longest path that begins at `city`, if it is longer than `best`; `room` is the length of all edges.

    A path that leaves a city cannot use its other edges any more: what is left bounds what can still be gained.
    """
    depth, length, edge = 0, _tail_of(row, city), 0
    _mark_city(row, city)
    while True:
        edge = _next_edge(tables, row, city, edge)
        if edge >= 0:
            around = _length_around(tables, row, city)
            step_length = to_int((tables[layout.LINKS + edge] >> layout.LENGTH_AT) & layout.BYTE)
            other = _other_end(tables, edge, city)
            best = max(best, length + step_length + _tail_of(row, other))
            if length + step_length + room - around + longest_tail > best:
                _write_stack(row, depth, edge)
                depth, length, room, city, edge = depth + 1, length + step_length, room - around, other, 0
                _mark_city(row, city)
            else:
                edge += 1
        else:
            _mark_city(row, city)
            if depth == 0:
                return best
            depth -= 1
            edge = _read_stack(row, depth)
            city = _other_end(tables, edge, city)
            room += _length_around(tables, row, city)
            length -= to_int((tables[layout.LINKS + edge] >> layout.LENGTH_AT) & layout.BYTE)
            edge += 1


def _next_edge(tables: Tables, row: Row, city: int, lowest: int) -> int:
    """The first edge from `lowest` on that leads from `city` to one that is not on the path; -1: there is none."""
    for index in range(lowest >> 6, layout.LINK_WORDS):
        word = row[layout.EDGES + index] & tables[layout.ADJACENT + city * layout.LINK_WORDS + index]
        if index == lowest >> 6:
            word = (word >> to_word(lowest & 63)) << to_word(lowest & 63)
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            if not _is_marked(row, _other_end(tables, edge, city)):
                return edge
            word &= word - ONE
    return -1


def _length_around(tables: Tables, row: Row, city: int) -> int:
    """The length of all edges from `city` to cities that are not on the path."""
    total = 0
    for index in range(layout.LINK_WORDS):
        word = row[layout.EDGES + index] & tables[layout.ADJACENT + city * layout.LINK_WORDS + index]
        while word != ZERO:
            edge = 64 * index + lowest_bit(word)
            word &= word - ONE
            if not _is_marked(row, _other_end(tables, edge, city)):
                total += to_int((tables[layout.LINKS + edge] >> layout.LENGTH_AT) & layout.BYTE)
    return total


def _other_end(tables: Tables, edge: int, city: int) -> int:
    """The city at the other end of an edge."""
    link = tables[layout.LINKS + edge]
    return to_int(link & layout.BYTE) ^ to_int((link >> layout.SECOND_AT) & layout.BYTE) ^ city


def _mark_city(row: Row, city: int) -> None:
    """Put `city` on the path, or take it off."""
    row[layout.VISITED + (city >> 6)] ^= ONE << to_word(city & 63)


def _is_marked(row: Row, city: int) -> bool:
    """Is `city` on the path?"""
    return bool((row[layout.VISITED + (city >> 6)] >> to_word(city & 63)) & ONE)


def _write_stack(row: Row, depth: int, edge: int) -> None:
    """Remember the edge at this depth of the path."""
    shift = to_word(8 * (depth & 7))
    others = row[layout.STACK + (depth >> 3)] & ~(layout.BYTE << shift)
    row[layout.STACK + (depth >> 3)] = others | (to_word(edge) << shift)


def _read_stack(row: Row, depth: int) -> int:
    """The edge at this depth of the path."""
    return to_int((row[layout.STACK + (depth >> 3)] >> to_word(8 * (depth & 7))) & layout.BYTE)
