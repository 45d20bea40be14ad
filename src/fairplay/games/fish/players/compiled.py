"""All compiled functions of the search of Fish, so that what they share is compiled once."""

from fairplay.games.fish.players.alpha_beta import advance, begin, trace_line
from fairplay.games.fish.players.max_n import follow_tree, grow_tree, plant_tree
from fairplay.games.fish.players.solo import solve_alone, solve_child

__all__ = ["advance", "begin", "follow_tree", "grow_tree", "plant_tree", "solve_alone", "solve_child", "trace_line"]
