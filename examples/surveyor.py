# examples/surveyor.py: count the fish that are mine already, and those that will be
from fairplay.games.fish.board import bits
from fairplay.games.fish.rules import apply, legal_actions


def choose(view):
    """The action after which I am furthest ahead of my best rival."""

    def lead(action):
        fish = surveyed(apply(view.state, action))
        return fish.pop(view.me) - max(fish)

    return max(legal_actions(view), key=lead)


def surveyed(state):
    """Per seat: the fish it has, and those on tiles that it reaches in fewer moves than anybody else."""
    fish, reachable = state.board.fish, state.board.geometry.reachable
    worth, free, fronts = list(state.fish), state.free, state.penguins
    while any(fronts):
        reached = [0] * len(fronts)  # per seat, the tiles one move further
        for seat, cells in enumerate(fronts):
            for cell in cells:
                reached[seat] |= reachable(cell, free)
        claimed = [tiles & ~union(reached[:seat] + reached[seat + 1 :]) for seat, tiles in enumerate(reached)]
        for seat, tiles in enumerate(claimed):
            worth[seat] += sum(fish[cell] for cell in bits(tiles))
        free &= ~union(reached)
        fronts = [tuple(bits(tiles)) for tiles in claimed]
    return worth


def union(masks):
    """All tiles of these masks."""
    tiles = 0
    for mask in masks:
        tiles |= mask
    return tiles
