"""The laws that are still here, and what Fairplay does with any game, are tried on every game of the catalog."""

from __future__ import annotations

import pytest

from fairplay.catalog import GAMES
from fairplay.testing.plugin import is_law, parametrize_games


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if not is_law(metafunc):
        parametrize_games(metafunc, [*GAMES])
