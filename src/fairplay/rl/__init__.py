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

try:
    import gymnasium as _gymnasium  # noqa: F401 - to say in one sentence what is missing
    import pettingzoo as _pettingzoo  # noqa: F401 - as well
except ImportError as _error:
    raise ImportError(f"fairplay.rl needs {_error.name}: pip install 'fairplay[rl]'", name=_error.name) from None

from fairplay.rl.registration import register_games

__all__ = ["MatchEnv", "ParallelMatchEnv", "SeatEnv", "VectorMatches"]

_HOMES = {"MatchEnv": "aec", "ParallelMatchEnv": "aec", "SeatEnv": "seat_env", "VectorMatches": "vector"}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"fairplay.rl.{_HOMES[name]}"), name)
    return found


register_games()
