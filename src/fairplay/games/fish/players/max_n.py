"""Tree search for three and four seats, each of which wants the most for itself: compiled like a kernel.

Every simulation goes down the tree by what the seat on turn can expect and by what was tried least (PUCT), adds all
children of the position where it ends, and takes the value of the best of them back to the root.  A node is such a
child; it begins with the value of its own position.  Values are shares of the win.  The arrays are those of `memory`,
and three more with an entry for every node: `tree`, `sums`, the values of a node for each seat, added up, and `priors`,
how promising it looked.
"""

from math import sqrt
from typing import Any

from fairplay.core.arithmetic import to_int
from fairplay.core.kernel import OVER, Row, Tables
from fairplay.games.fish.kernel import row as layout
from fairplay.games.fish.kernel.legal import legal
from fairplay.games.fish.kernel.turns import step
from fairplay.games.fish.players.memory import CONSIDERED, DEEPEST, FRAME, NODES, PLY, SURE
from fairplay.games.fish.players.shares import share_win
from fairplay.games.fish.players.solo import appraise
from fairplay.games.fish.players.territory import UNIT, worth_of

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


def plant_tree(
    tables: Tables,
    rows: Any,
    frames: Any,
    keys: Row,
    entries: Any,
    control: Any,
    worths: Any,
    tree: Any,
    sums: Any,
    priors: Any,
) -> None:  # fmt: skip - one array per line would be longer than the function
    """Begin with the position in the first row and its children."""
    tree[0, CHILDREN] = tree[0, VISITS] = 0
    control[PLY] = 1  # nodes of the tree
    for seat in range(layout.SEATS):
        sums[0, seat] = 0.0
    copy_root(rows)
    add_children(tables, rows, frames, keys, entries, control, worths, tree, sums, priors, 0)


def grow_tree(
    tables: Tables,
    rows: Any,
    frames: Any,
    keys: Row,
    entries: Any,
    control: Any,
    worths: Any,
    tree: Any,
    sums: Any,
    priors: Any,
    limit: int,
) -> int:  # fmt: skip - one array per line would be longer than the function
    """Simulate until about `limit` more nodes were made, or there is no room; return how many were made."""
    before = to_int(control[NODES])
    most = (frames.shape[1] - FRAME) // 2
    while control[NODES] - before < limit and control[PLY] + most <= tree.shape[0]:
        copy_root(rows)
        node, depth = 0, 0
        frames[0, 0] = 0
        while tree[node, CHILDREN] > 0 and depth < DEEPEST:
            node = select_child(tree, sums, priors, control, node, to_int(rows[1, layout.TURN]))
            step(tables, rows[1], to_int(tree[node, ACTION]))
            depth += 1
            frames[0, depth] = node
        leaf = node
        if to_int(rows[1, layout.TURN]) != OVER and depth < DEEPEST:
            leaf = add_children(tables, rows, frames, keys, entries, control, worths, tree, sums, priors, node)
        else:
            control[NODES] += 1
        take_back(frames, tree, sums, depth, leaf)
    return to_int(control[NODES]) - before


def copy_root(rows: Any) -> None:
    """Write the first position into the second row, where simulations play."""
    for word in range(layout.WORDS):
        rows[1, word] = rows[0, word]


def select_child(tree: Any, sums: Any, priors: Any, control: Any, node: int, seat: int) -> int:
    """The child to go to: good for the seat on turn, or tried too little for how promising it looks."""
    first, weight = to_int(tree[node, FIRST]), CURIOSITY * sqrt(float(tree[node, VISITS] + 1))
    if node == 0:
        for child in range(first, first + control[CONSIDERED]):
            if tree[child, VISITS] * FORCED * control[CONSIDERED] < tree[0, VISITS]:
                return child
    best, chosen = -1.0, first
    for child in range(first, first + tree[node, CHILDREN]):
        tried = float(tree[child, VISITS] + 1)
        value = (sums[child, seat] + weight * priors[child]) / tried
        if value > best:
            best, chosen = value, child
    return chosen


def take_back(frames: Any, tree: Any, sums: Any, depth: int, leaf: int) -> None:
    """Add the value of a leaf to all nodes that led to it."""
    tried = float(tree[leaf, VISITS] + 1)
    for seat in range(layout.SEATS):
        value = sums[leaf, seat] / tried
        for index in range(depth + 1):
            sums[frames[0, index], seat] += value
    for index in range(depth + 1):
        tree[frames[0, index], VISITS] += 1


def add_children(
    tables: Tables,
    rows: Any,
    frames: Any,
    keys: Row,
    entries: Any,
    control: Any,
    worths: Any,
    tree: Any,
    sums: Any,
    priors: Any,
    node: int,
) -> int:  # fmt: skip - one array per line would be longer than the function
    """Add all children of the position in the second row; return the best of them for the seat on turn."""
    seat, first = to_int(rows[1, layout.TURN]), to_int(control[PLY])
    moves = frames[1]
    count = to_int(frames[0, FRAME]) if node == 0 else legal(tables, rows[1], moves)
    best = first
    for index in range(count):
        child = first + index
        for word in range(layout.WORDS):
            rows[2, word] = rows[1, word]
        step(tables, rows[2], to_int(moves[index]))
        tree[child, ACTION], tree[child, CHILDREN], tree[child, VISITS] = moves[index], 0, 0
        appraise(tables, rows, frames, keys, entries, control, worths, 2)
        share_win(worths, to_int(rows[2, layout.OUT]), doubt_of(rows[2], control), sums[child])
        if sums[child, seat] > sums[best, seat]:
            best = child
    set_priors(sums, priors, first, count, seat, sums[best, seat])
    tree[node, FIRST], tree[node, CHILDREN] = first, count
    control[PLY] = first + count
    return best


def doubt_of(row: Row, control: Any) -> float:
    """How wrong the expected leads may be."""
    if control[SURE] != 0:
        return 0.0
    left = 0
    for word in range(layout.MASK_WORDS):
        left += worth_of(row, row[layout.FREE + word], word)
    return CAUTION * float(left) + float(UNIT)


def set_priors(sums: Any, priors: Any, first: int, count: int, seat: int, best: float) -> None:
    """Write how promising new children are; that adds up to 1."""
    total = 0.0
    for child in range(first, first + count):
        behind = 1.0 + (best - sums[child, seat]) / SHARPNESS
        priors[child] = 1.0 / (behind * behind)
        total += priors[child]
    for child in range(first, first + count):
        priors[child] /= total


def follow_tree(
    tables: Tables,
    rows: Any,
    frames: Any,
    keys: Row,
    entries: Any,
    control: Any,
    worths: Any,
    tree: Any,
    node: int,
    out: Any,
) -> int:  # fmt: skip - one array per line would be longer than the function
    """Write the actions that are expected, beginning with the child `node` of the root; return how many they are.

    Also writes what each seat can expect at the end of that line.
    """
    copy_root(rows)
    count = 0
    while True:
        out[count] = tree[node, ACTION]
        step(tables, rows[1], to_int(out[count]))
        count += 1
        if count == out.shape[0] or tree[node, CHILDREN] == 0:
            break
        first, last = to_int(tree[node, FIRST]), to_int(tree[node, FIRST] + tree[node, CHILDREN])
        node = first
        for child in range(first, last):
            if tree[child, VISITS] > tree[node, VISITS]:
                node = child
        if tree[node, VISITS] == 0:
            break
    appraise(tables, rows, frames, keys, entries, control, worths, 1)
    return count
