"""What is played at a table by name: a variant or the small game, and which of them go with a drawn board."""

from __future__ import annotations

from typing import Any, Final

from fairplay.core import AnyGame, Json, SetupError
from fairplay.parts.editor import usual_setup
from fairplay.play.record import deal

__all__ = ["QUICK", "named_setup", "on_drawing", "variants_on"]

QUICK: Final = "quick"
"""The name of the small game, beside those of the variants."""


def names_of(game: AnyGame) -> tuple[str, ...]:
    return (*game.variants, *(() if game.quick is None else (QUICK,)))


def named_setup(game: AnyGame, name: str | None) -> Any:
    """The setup of a variant, or the small game where there is one, or the standard one; raises SetupError."""
    if name == QUICK and game.quick is not None:
        return game.quick
    if name is None or name == QUICK:
        return next(iter(game.variants.values()))
    if name not in game.variants:
        raise SetupError(f"{game.name} has no variant '{name}'; it has {', '.join(game.variants)}")
    return game.variants[name]


def on_drawing(game: AnyGame, drawing: Json, name: str | None = None) -> Any:
    """The same on a drawing, without a name the first variant that goes with it; raises WireError or SetupError."""
    assert game.editor is not None, f"{game.name} has no drawings"
    if name is None:
        return usual_setup(game.editor, drawing, game.variants.values())
    return game.editor.setup(drawing, named_setup(game, name))


def variants_on(game: AnyGame, drawing: Json, seats: tuple[int, ...]) -> tuple[str, ...]:
    """What can be played on a drawing, however many of `seats` come; the usual variant first."""
    return tuple(name for name in names_of(game) if can_be_dealt(game, drawing, name, seats))


def can_be_dealt(game: AnyGame, drawing: Json, name: str, seats: tuple[int, ...]) -> bool:
    try:
        setup = on_drawing(game, drawing, name)
        for count in {seats[0], seats[-1]} if seats else ():
            deal(game, setup, 0, count)
    except SetupError:
        return False
    return True
