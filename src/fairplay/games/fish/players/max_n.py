"""Tree search for three and four seats, each of which wants the most for itself: compiled like a kernel.

Every simulation goes down the tree by what the seat on turn can expect and by what was tried least (PUCT), adds all
children of the position where it ends, and takes the value of the best of them back to the root.  A node is such a
child; it begins with the value of its own position.  Values are shares of the win.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairplay.core.arithmetic import to_int
from fairplay.core.kernel import OVER, Doubles, Integers, Row, Words
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.legal import legal
from fairplay.games.fish.kernel.turns import step
from fairplay.games.fish.players.memory import CONSIDERED, DEEPEST, FRAME, NODES, PLY, SURE, Arrays
from fairplay.games.fish.players.solo import appraise
from fairplay.games.fish.players.territory import UNIT, worth_of


class Tree(NamedTuple):
    """The tree of a search; each array has an entry for every node."""

    nodes: NDArray[np.int32]
    sums: Doubles  # the values of a node for each seat, added up
    priors: Doubles  # how promising it looked


# -- in a node of the tree ---------------------------------------------------------------------------

FIRST = 0  # its children lie together: the number of the first
CHILDREN = 1  # how many
ACTION = 2  # that led here
VISITS = 3
NODE = 4

CURIOSITY = 0.7
"""How much what was tried least counts against what is expected."""

SHARPNESS = 0.02
"""How far behind the best a move is when it looks a quarter as promising."""

CAUTION = 0.3
"""What DOUBT is in the tree, where a small lead should not hide a better move."""

FORCED = 16
"""At least one simulation in this many goes to the moves that must be considered."""


# -- growing -------------------------------------------------------------------------------------------


def plant_tree(arrays: Arrays, tree: Tree) -> None:
    """Begin with the position in the first row and its children."""
    nodes = tree.nodes
    nodes[0, CHILDREN] = nodes[0, VISITS] = 0
    arrays.control[PLY] = 1  # nodes of the tree
    for seat in range(layout.SEATS):
        tree.sums[0, seat] = 0.0
    copy_root(arrays.rows)
    add_children(arrays, tree, 0)


def grow_tree(arrays: Arrays, tree: Tree, limit: int) -> int:
    """Simulate until about `limit` more nodes were made, or there is no room; return how many were made."""
    rows, frames, control = arrays.rows, arrays.frames, arrays.control
    nodes = tree.nodes
    before = to_int(control[NODES])
    most = (frames.shape[1] - FRAME) // 2
    while control[NODES] - before < limit and control[PLY] + most <= nodes.shape[0]:
        copy_root(rows)
        node, depth = 0, 0
        frames[0, 0] = 0
        while nodes[node, CHILDREN] > 0 and depth < DEEPEST:
            node = select_child(arrays, tree, node, to_int(rows[1, layout.TURN]))
            step(arrays.tables, rows[1], to_int(nodes[node, ACTION]))
            depth += 1
            frames[0, depth] = node
        leaf = node
        if to_int(rows[1, layout.TURN]) != OVER and depth < DEEPEST:
            leaf = add_children(arrays, tree, node)
        else:
            control[NODES] += 1
        take_back(frames, tree, depth, leaf)
    return to_int(control[NODES]) - before


def copy_root(rows: Words) -> None:
    """Write the first position into the second row, where simulations play."""
    for word in range(layout.WORDS):
        rows[1, word] = rows[0, word]


def select_child(arrays: Arrays, tree: Tree, node: int, seat: int) -> int:
    """The child to go to: good for the seat on turn, or tried too little for how promising it looks."""
    control, nodes = arrays.control, tree.nodes
    first, weight = to_int(nodes[node, FIRST]), CURIOSITY * sqrt(float(nodes[node, VISITS] + 1))
    if node == 0:
        for child in range(first, first + control[CONSIDERED]):
            if nodes[child, VISITS] * FORCED * control[CONSIDERED] < nodes[0, VISITS]:
                return child
    best, chosen = -1.0, first
    for child in range(first, first + nodes[node, CHILDREN]):
        tried = float(nodes[child, VISITS] + 1)
        value = (tree.sums[child, seat] + weight * tree.priors[child]) / tried
        if value > best:
            best, chosen = value, child
    return chosen


def take_back(frames: Integers, tree: Tree, depth: int, leaf: int) -> None:
    """Add the value of a leaf to all nodes that led to it."""
    tried = float(tree.nodes[leaf, VISITS] + 1)
    for seat in range(layout.SEATS):
        value = tree.sums[leaf, seat] / tried
        for index in range(depth + 1):
            tree.sums[frames[0, index], seat] += value
    for index in range(depth + 1):
        tree.nodes[frames[0, index], VISITS] += 1


def add_children(arrays: Arrays, tree: Tree, node: int) -> int:
    """Add all children of the position in the second row; return the best of them for the seat on turn."""
    tables, rows, frames, control = arrays.tables, arrays.rows, arrays.frames, arrays.control
    nodes, sums = tree.nodes, tree.sums
    seat, first = to_int(rows[1, layout.TURN]), to_int(control[PLY])
    moves = frames[1]
    count = to_int(frames[0, FRAME]) if node == 0 else legal(tables, rows[1], moves)
    best = first
    for index in range(count):
        child = first + index
        for word in range(layout.WORDS):
            rows[2, word] = rows[1, word]
        step(tables, rows[2], to_int(moves[index]))
        nodes[child, ACTION], nodes[child, CHILDREN], nodes[child, VISITS] = moves[index], 0, 0
        appraise(arrays, 2)
        share_win(arrays.worths, to_int(rows[2, layout.OUT]), doubt_of(rows[2], control), sums[child])
        if sums[child, seat] > sums[best, seat]:
            best = child
    set_priors(tree, first, count, seat, sums[best, seat])
    nodes[node, FIRST], nodes[node, CHILDREN] = first, count
    control[PLY] = first + count
    return best


def doubt_of(row: Row, control: Integers) -> float:
    """How wrong the expected leads may be."""
    if control[SURE] != 0:
        return 0.0
    left = 0
    for word in range(layout.MASK_WORDS):
        left += worth_of(row, row[layout.FREE + word], word)
    return CAUTION * float(left) + float(UNIT)


def set_priors(tree: Tree, first: int, count: int, seat: int, best: float) -> None:
    """Write how promising new children are; that adds up to 1."""
    total = 0.0
    for child in range(first, first + count):
        behind = 1.0 + (best - tree.sums[child, seat]) / SHARPNESS
        tree.priors[child] = 1.0 / (behind * behind)
        total += tree.priors[child]
    for child in range(first, first + count):
        tree.priors[child] /= total


def follow_tree(arrays: Arrays, tree: Tree, node: int, out: Integers) -> int:
    """Write the actions that are expected, beginning with the child `node` of the root; return how many they are.

    Also writes what each seat can expect at the end of that line.
    """
    rows, nodes = arrays.rows, tree.nodes
    copy_root(rows)
    count = 0
    while True:
        out[count] = nodes[node, ACTION]
        step(arrays.tables, rows[1], to_int(out[count]))
        count += 1
        if count == out.shape[0] or nodes[node, CHILDREN] == 0:
            break
        first, last = to_int(nodes[node, FIRST]), to_int(nodes[node, FIRST] + nodes[node, CHILDREN])
        node = first
        for child in range(first, last):
            if nodes[child, VISITS] > nodes[node, VISITS]:
                node = child
        if nodes[node, VISITS] == 0:
            break
    appraise(arrays, 1)
    return count


# -- from the worths that seats can expect to their shares of the win ------------------------------------

DOUBT = 0.1
"""How wrong an expected lead may be, for each fish that is still to be collected."""


def share_win(worths: Integers | Doubles, out: int, doubt: float, shares: Doubles) -> None:
    """Write the share of the win that each seat can expect; they add up to 1.

    Of two seats the one that is `lead` ahead gets (1 + lead / (|lead| + doubt)) / 2; with more seats this is multiplied
    over all rivals, and made to add up to 1.  With no doubt the first wins, and equals share.
    out: mask of the seats that were removed; they get nothing.
    """
    total = 0.0
    for seat in range(worths.shape[0]):
        chance = 0.0 if out >> seat & 1 else 1.0
        for other in range(worths.shape[0]):
            if other != seat and not out >> other & 1:
                lead = float(worths[seat] - worths[other])
                chance *= 0.5 if lead == 0.0 else (1.0 + lead / (abs(lead) + doubt)) / 2.0
        shares[seat] = chance
        total += chance
    for seat in range(worths.shape[0]):
        shares[seat] /= total
