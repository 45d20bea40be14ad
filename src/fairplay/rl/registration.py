"""The ids of the games in the registries of Gymnasium and PettingZoo."""

import gymnasium
import pettingzoo

from fairplay.catalog import GAMES

_NAMESPACE = "fairplay"


def register_games() -> None:
    """EFFECT: registers every game with numbers, as ``fairplay/fish_v0`` and so on; a second time does nothing."""
    for name, game in GAMES.items():
        if game.parts.numbers is None:
            continue
        known = f"{_NAMESPACE}/{game.parts.numbers.VERSION}"
        if known not in gymnasium.registry:
            gymnasium.register(known, entry_point="fairplay.rl.seat_env:SeatEnv", kwargs={"game": name})
        _register_pettingzoo(known, name)


def _register_pettingzoo(known: str, game: str) -> None:
    """EFFECT: registers a game in both forms; versions of PettingZoo before 1.27 have no registry."""
    if not hasattr(pettingzoo, "register"):
        return
    if known not in pettingzoo.aec_registry:
        pettingzoo.register("aec", known, "fairplay.rl.aec:MatchEnv", kwargs={"game": game})
    if known not in pettingzoo.parallel_registry:
        pettingzoo.register("parallel", known, "fairplay.rl.aec:ParallelMatchEnv", kwargs={"game": game})
