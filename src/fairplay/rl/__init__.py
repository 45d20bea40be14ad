"""Environments for programs that learn: PettingZoo, Gymnasium, many matches at once, and OpenSpiel.

    >>> import fairplay.rl
    >>> env = fairplay.rl.MatchEnv("fish")  # PettingZoo, seat by seat
    >>> env = fairplay.rl.ParallelMatchEnv("trains", seats=3)  # PettingZoo, all seats at once
    >>> env = fairplay.rl.SeatEnv("labyrinth", opponents=["euclid"])  # Gymnasium, one seat against others
    >>> env = fairplay.rl.VectorMatches("trains", 256)  # many matches at once, compiled

Importing this package registers ``fairplay/fish_v0`` and so on with Gymnasium and PettingZoo; what follows the name of
a game is the version of its numbers.  `fairplay.rl.openspiel` has the games for OpenSpiel.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairplay.rl.aec import MatchEnv, ParallelMatchEnv
    from fairplay.rl.seat_env import SeatEnv
    from fairplay.rl.vector import VectorMatches

__all__ = ["MatchEnv", "ParallelMatchEnv", "SeatEnv", "VectorMatches"]

_HOMES = {"MatchEnv": "aec", "ParallelMatchEnv": "aec", "SeatEnv": "seat_env", "VectorMatches": "vector"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    try:
        found = globals()[name] = getattr(import_module(f"fairplay.rl.{_HOMES[name]}"), name)
    except ModuleNotFoundError as error:
        raise ImportError(f"{name} needs {error.name}: pip install gymnasium pettingzoo", name=error.name) from None
    return found


def _register_games() -> None:
    """EFFECT: registers every game with numbers, as ``fairplay/fish_v0`` and so on; a second time does nothing.

    Without Gymnasium or PettingZoo there is nothing to register with; whoever asks for a name is told.
    """
    try:
        import gymnasium
        import pettingzoo
    except ModuleNotFoundError:
        return
    from fairplay.catalog import GAMES

    for name, game in GAMES.items():
        if game.parts.numbers is None:
            continue
        known, given = f"fairplay/{game.parts.numbers.VERSION}", {"game": name}
        if known not in gymnasium.registry:
            gymnasium.register(known, entry_point="fairplay.rl.seat_env:SeatEnv", kwargs=given)
        if not hasattr(pettingzoo, "register"):  # versions before 1.27 have no registry
            continue
        if known not in pettingzoo.aec_registry:
            pettingzoo.register("aec", known, "fairplay.rl.aec:MatchEnv", kwargs=given)
        if known not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", known, "fairplay.rl.aec:ParallelMatchEnv", kwargs=given)


_register_games()
