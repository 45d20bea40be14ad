"""What speaks for an action, in words."""

from __future__ import annotations

from fairplay.games.trains.map import COLORS, bits
from fairplay.games.trains.paths import are_joined, longest_path
from fairplay.games.trains.players.planner import best_plan
from fairplay.games.trains.state import Acquire, Action, DrawCards, View

__all__ = ["explain"]


def explain(view: View, action: Action) -> str:
    """Say what an action of the owner of `view` is good for; nothing if there is little to say."""
    if isinstance(action, Acquire):
        return explain_purchase(view, view.network.index[action.connection])
    return explain_draw(view) if isinstance(action, DrawCards) else ""


def explain_purchase(view: View, index: int) -> str:
    """A destination that is joined, a step towards one, or a longer path."""
    network, mine = view.network, view.owned[view.me]
    joined = [
        " - ".join(pair)
        for pair in view.destinations
        if not are_joined(network, mine, pair) and are_joined(network, mine | 1 << index, pair)
    ]
    if joined:
        return f"joins {' and '.join(joined)}"
    if best_plan(view).routes >> index & 1:
        return "is needed for its destinations"
    before, after = longest_path(network, mine), longest_path(network, mine | 1 << index)
    return f"lengthens its longest path from {before} to {after}" if after > before else ""


def explain_draw(view: View) -> str:
    """The cards that its routes still need."""
    needed = [0] * len(COLORS)
    for index in bits(best_plan(view).routes):
        needed[view.network.colors[index]] += view.network.lengths[index]
    short = [
        f"{need - have} {color}" for color, need, have in zip(COLORS, needed, view.cards, strict=True) if need > have
    ]
    if not short:
        return ""
    return f"still needs {' and '.join([', '.join(short[:-1]), short[-1]] if short[1:] else short)} for its routes"
