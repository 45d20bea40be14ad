"""The games of ``tests/faulty_toys`` or ``tests/chance_toys`` beside the others, for as long as a test wants them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant
from fairplay.core import AnyGame
from fairplay.match.replay import deal_state

TOYS = Path(__file__).parent / "toys"
FAULTY_TOYS = Path(__file__).parent / "faulty_toys"

CHANCE_TOYS = Path(__file__).parent / "chance_toys"

PATHS = os.pathsep.join([str(TOYS), str(FAULTY_TOYS)])
CHANCE_PATHS = os.pathsep.join([str(TOYS), str(CHANCE_TOYS), str(CHANCE_TOYS / "installed")])
"""The variable PYTHONPATH of a process that is to find them."""

UNLUCKY_SEED, LUCKY_SEED = 2, 1
"""Seeds with which `faulty_apply` and its like fail between players at random, and do not."""


def fails_with_first(seed: int) -> bool:
    """Does a match dealt from this seed fail whose first player takes one match?"""
    nim = GAMES["nim"]
    heaps: tuple[int, ...] = deal_state(nim, nim.variants["standard"], seed, 2).heaps
    return sum(heaps) % 2 == 0


@contextmanager
def installed(folder: Path = FAULTY_TOYS, paths: str = PATHS) -> Iterator[None]:
    """They are in the catalog, also in processes that are started meanwhile."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(folder))
        patch.setenv("PYTHONPATH", paths)
        known = vars(GAMES).pop("installed", None)
        try:
            yield
        finally:
            vars(GAMES).pop("installed", None)
            if known is not None:
                GAMES.installed = known


def series(game: AnyGame, *specs: str, games: int = 4, seed: int = 1) -> Contest:
    """Some matches of one line-up; match i is dealt from seed + i."""
    entrants = tuple(Entrant(f"player {number}", spec) for number, spec in enumerate(specs))
    setup: Any = next(iter(game.variants.values()))
    encoded = msgspec.Raw(msgspec.json.encode(setup))
    return Contest(game.name, entrants, "series", {"games": games}, encoded, seed, game.patience, matched=True)
