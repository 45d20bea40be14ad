"""What is played: a variant or the quick game, perhaps on a board of the game or on a saved one."""

import asyncio
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from fairplay.core import AnyGame, Json, SetupError, UsageError
from fairplay.core.editor import setup_for_board
from fairplay.match.replay import deal_state
from fairplay.store.store import Store

QUICK = "quick"
"""The name of the quick game among the variants."""


class SetupRequest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What should be played."""

    game: Annotated[str, Meta(max_length=40)]
    variant: Annotated[str, Meta(max_length=40)] | None = None
    board: Annotated[str, Meta(max_length=40)] | None = None  # a board of the game by name, or a saved one by id
    quick: bool = False  # a small game, over in two minutes


async def choose_setup(store: Store, game: AnyGame, request: SetupRequest) -> Any:
    """The setup that is asked for; raises FairplayError if there is no such thing."""
    variant = QUICK if request.quick else request.variant
    if request.board is None:
        return find_setup(game, variant)
    if game.parts.editor is not None and request.board in game.parts.editor.BOARDS:
        return setup_on_board(game, request.board, variant)
    board = await asyncio.to_thread(store.boards.get, request.board)
    if board.game != game.name or game.parts.editor is None:
        raise UsageError(f"'{board.name}' is a board of {board.game}, not of {game.name}")
    return setup_on_board(game, msgspec.json.decode(board.drawing), variant)


def find_setup(game: AnyGame, variant: str | None) -> Any:
    """The setup of a variant, by default the first one; raises SetupError.

    ``quick`` is the quick game, or the first variant if there is none.
    """
    if variant == QUICK and game.quick is not None:
        return game.quick
    if variant is None or variant == QUICK:
        return next(iter(game.variants.values()))
    if variant not in game.variants:
        raise SetupError(f"{game.name} has no variant '{variant}'; it has {', '.join(game.variants)}")
    return game.variants[variant]


def setup_on_board(game: AnyGame, board: Json, variant: str | None = None) -> Any:
    """A variant on a board, by default the first variant that fits it; raises FairplayError.

    `board` is a drawing, or the name of a board that comes with the game.
    """
    assert game.parts.editor is not None, f"{game.name} has no boards"
    if variant is None:
        return setup_for_board(game.parts.editor, board, game.variants.values())
    return game.parts.editor.setup_on(board, find_setup(game, variant))


def playable_variants(game: AnyGame, drawing: Json, seats: tuple[int, ...]) -> tuple[str, ...]:
    """The variants that fit a drawn board with any number of players out of `seats`; the default one first."""
    names = (*game.variants, *(() if game.quick is None else (QUICK,)))
    return tuple(name for name in names if can_be_dealt(game, drawing, name, seats))


def can_be_dealt(game: AnyGame, drawing: Json, variant: str, seats: tuple[int, ...]) -> bool:
    """Does a variant fit a drawn board with the fewest and with the most players?"""
    try:
        setup = setup_on_board(game, drawing, variant)
        for count in {seats[0], seats[-1]} if seats else ():
            deal_state(game, setup, 0, count)
    except SetupError:
        return False
    return True
