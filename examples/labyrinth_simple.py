# examples/labyrinth_simple.py: go to the target, or as near to it as possible
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.rules import legal_actions
from fairplay.games.labyrinth.state import Move


def choose(view):
    row, column = locate_target(view.board, view.target) or view.home

    def distance(move):
        return abs(move.to[0] - row) + abs(move.to[1] - column)

    moves = [action for action in legal_actions(view) if isinstance(action, Move)]
    return min(moves, key=distance) if moves else legal_actions(view)[0]
