"""Fish: penguins on melting hexagons (docs/rules/fish.md)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fairplay.games.fish.game import GAME as GAME

__all__ = ["GAME"]


def __getattr__(name: str) -> object:
    """The game itself, once it is asked for: a bot that needs the rules must not wait for pictures and protocols."""
    if name != "GAME":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from fairplay.games.fish.game import GAME

    return GAME
