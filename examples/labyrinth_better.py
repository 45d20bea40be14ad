# examples/labyrinth_better.py: think of the next turn, my own and that of my rivals
from collections import Counter

from fairplay.games.labyrinth.board import cells, slide_board, slide_options, squared_distance
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Move, Pass

HARM = 1.5  # what it is worth to me that a rival cannot go anywhere
NEAR = 0.004  # what it is worth to be nearer, if all else is equal


def choose(view):
    """The move of the greatest value; a pass if there is no move."""
    values = {}
    for option in slide_options(view.board, view.at, view.last):  # each slide, the spare tile turned in each way
        values.update(weigh_option(view, option))
    return max(values, key=values.get, default=Pass())


def weigh_option(view, option):
    """The moves with one slide, each with its value: first whether it arrives, then how good the next turn looks."""
    shift, degree = option.shift, option.degrees[0]
    board = slide_board(view.board, shift, degree)
    target = locate_target(board, view.target)  # None: its tile is the spare one, in the original game
    rivals = [shift.carry.get(view.avatars[seat], view.avatars[seat]) for seat in view.seats[1:]]
    harm = HARM * sum(openness(board, rival) for rival in rivals)
    ways = ways_to(board, target)
    values = {}
    for cell in cells(option.ends):
        to = board.grid.positions[cell]
        chance = openness(board, to) if to == target else 1 - 0.5 ** ways[to]
        away = squared_distance(to, target) if target else 0
        move = Move(shift.slide.index, shift.slide.direction, degree, to)
        values[move] = (to == target, chance - harm - NEAR * away)
    return values


def ways_to(board, spot):
    """For each position: how many slides would join it with `spot`."""
    joined = {}
    for option in slide_options(board, spot, None) if spot else ():
        shift = option.shift
        joined[shift] = joined.get(shift, 0) | shift.cells_before(option.ends)
    return Counter(board.grid.positions[cell] for mask in joined.values() for cell in cells(mask))


def openness(board, spot):
    """The share of the board that can be reached from `spot` after some slide."""
    reachable = 0
    for option in slide_options(board, spot, None):
        reachable |= option.ends
    return reachable.bit_count() / (board.grid.rows * board.grid.columns)
