"""The house players of Fish: random, greedy, the search of Fish 8, and one that searches further."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import TypeAlias

from fairplay.core import Strategy
from fairplay.core.chance import choice
from fairplay.core.immutable import bits
from fairplay.games.fish.players.minimax import best_move
from fairplay.games.fish.players.search import net, search
from fairplay.games.fish.rules import legal_actions, placeable_tiles
from fairplay.games.fish.state import Action, Move, Place, State, View

FishStrategy: TypeAlias = Strategy[View, Action]


def random(rng: Random) -> FishStrategy:
    """Any legal action, all equally likely."""
    return lambda view: choice(rng, legal_actions(view))


def greedy(rng: Random) -> FishStrategy:
    """The most fish now, then on the target tile, then the most room to move on."""

    def choose(view: View) -> Action:
        state = view.state
        geometry, fish = state.board.geometry, state.board.fish

        def gain(action: Action) -> tuple[int, int, int]:
            target = geometry.cell(action.at if isinstance(action, Place) else action.target)
            left = geometry.cell(action.start) if isinstance(action, Move) else None
            assert target is not None
            room = geometry.reachable(target, state.free).bit_count()
            return (0 if left is None else fish[left], fish[target], room)

        return max(legal_actions(view), key=gain)

    return choose


def minimax(rng: Random, *, depth: int = 2) -> FishStrategy:
    """Zig-zag placement, then the search of Fish 8.3, `depth` own moves ahead."""
    if depth < 0:
        raise ValueError("depth must be 0 or more")

    def choose(view: View) -> Action:
        if view.state.placing:
            return zig_zag(view.state)
        move = best_move(view.state, view.me, depth)
        assert move is not None, "a seat that cannot move is not asked"
        return move

    return choose


def zig_zag(state: State) -> Place:
    """Place on the first free tile, row by row (Fish 8.1, 13.7)."""
    return Place(state.board.geometry.positions[next(bits(placeable_tiles(state)))])


STRATEGIES: Mapping[str, Callable[..., FishStrategy]] = {
    "random": random,
    "greedy": greedy,
    "minimax": minimax,
    "net": net,
    "search": search,
}
