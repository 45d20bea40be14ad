"""What the tests of all parts share: where things lie, and the kits of Fairplay's own games."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, TypeVar

import pytest

from fairplay.catalog import GAMES, built_in_games
from fairplay.match.record import SIGNED
from fairplay.testing import Kit as Kit, Perft as Perft, Table as Table
from fairplay.testing.kit import look_elsewhere
from fairplay.testing.walks import Walk as Walk, kit as kit, walk as walk

TESTS = Path(__file__).parent
SHARED = TESTS.parent.parent / "shared"
"""Rule books and cases that are not part of the project; tests that need them are skipped without."""

needs_shared = pytest.mark.skipif(
    not (SHARED / "cases").exists(), reason="needs the agreed cases in ../shared, which are not part of the project"
)

T = TypeVar("T")


def without_signature(record: Path) -> list[bytes]:
    """The lines of a record that say what was played; the last one, which says who keeps it, is always there."""
    *played, last = record.read_bytes().splitlines(keepends=True)
    assert last.startswith(SIGNED)
    return played


def spy(function: Callable[..., T], tell: Callable[..., None]) -> Callable[..., T]:
    """The same function, of whose arguments `tell` is told first."""

    def told(*given: Any, **named: Any) -> T:
        tell(*given, **named)
        return function(*given, **named)

    return told


def find_ours(name: str) -> Kit | None:
    """The kit in ``tests/games/<game>/kit.py``; one of Fairplay's own games that has none fails here, by name."""
    place = TESTS / "games" / name / "kit.py"
    if name in GAMES and name not in built_in_games() and not place.exists():
        return None  # it lies beside the game
    hint = f"write tests/games/{name}/kit.py (see docs/guides/adding-a-game.md)"
    assert place.exists(), f"the game {name} has no kit: {hint}"
    spec = spec_from_file_location(f"kit_of_{name}", place)
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    found: Kit = module.KIT
    return found


look_elsewhere(find_ours)
