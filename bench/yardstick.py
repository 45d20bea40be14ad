"""What users would pick instead, measured in the same run: OpenSpiel's random play, in Python and in C++."""

from __future__ import annotations

from itertools import count
from random import Random
from typing import Literal

from bench.measure import Yardstick


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


def openspiel_compiled(name: str) -> Yardstick:
    """OpenSpiel playing a game of its own at random, driven by its own loop and bots in C++."""
    import pyspiel

    game, seeds = pyspiel.load_game(name), count()
    bots = [pyspiel.make_uniform_random_bot(player, player + 1) for player in range(game.num_players())]

    def work() -> int:
        moves = 0
        for _ in range(20):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, next(seeds))
            moves += state.move_number()
        return moves

    return Yardstick(f"OpenSpiel {name}, random play in C++", f"{name} moves in C++", work)
