"""Actions in short forms: a text in the notation of the game, or a number where the game has numbers."""

from __future__ import annotations

from typing import Any

from fairplay.core import AnyGame

__all__ = ["read_short_form"]


def read_short_form(game: AnyGame, short: str | int, view: Any) -> Any:
    """The action that a text or a number stands for; raises NotationError or NumberError.

    The view completes what a text leaves out.  ASSUME the game has numbers where `short` is one.
    """
    if isinstance(short, str):
        return game.notation.parse_action(short, view)
    assert game.numbers is not None
    return game.numbers.encoding_of(view).action(short, view)
