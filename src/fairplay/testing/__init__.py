"""For authors of games: the laws that every game keeps, and the kit that tells them what they cannot find out.

What is here needs nothing but Fairplay itself, so that a kit may lie in the very file of a game.  The laws need more:
the extra `laws` brings it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairplay.testing.kit import Kit, Perft, Table

__all__ = ["Kit", "Perft", "Table"]


def __getattr__(name: str) -> object:
    """What a kit is made of, once it is asked for: each run of pytest loads the plugin that lies beside it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairplay.testing import kit

    return getattr(kit, name)
