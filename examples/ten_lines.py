# examples/ten_lines.py: from fish to fish
from fairplay.games.fish.rules import legal_actions


def choose(view):
    def fish(action):
        tiles = [action.at] if view.state.placing else [action.start, action.target]
        return sum(view.fish_at(tile) for tile in tiles)

    return max(legal_actions(view), key=fish)
