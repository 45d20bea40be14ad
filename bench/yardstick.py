"""What users would pick instead, measured in the same run: OpenSpiel's Python loop of random play."""

from __future__ import annotations

from random import Random
from typing import Literal

from bench.measure import Yardstick

__all__ = ["openspiel"]


def openspiel(name: str, unit: Literal["moves", "matches"] = "moves") -> Yardstick:
    """OpenSpiel playing a game of its own at random, driven by a plain Python loop."""
    import pyspiel

    game, rng = pyspiel.load_game(name), Random(1)

    def work() -> int:
        moves = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
        return moves if unit == "moves" else 1

    return Yardstick(f"OpenSpiel {name}, random play", f"{name} {unit}", work)
