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


try:
    from fairplay.rl.registration import register_games
except ModuleNotFoundError:
    pass  # without Gymnasium or PettingZoo there is nothing to register with; whoever asks for a name is told
else:
    register_games()
