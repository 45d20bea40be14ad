"""Every law is tried on every game of the catalog; those of numbers and kernels on every game that has them."""

from __future__ import annotations

import pytest

from fairplay.catalog import GAMES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", list(GAMES))
    if "numbered" in metafunc.fixturenames:
        metafunc.parametrize("numbered", [name for name, game in GAMES.items() if game.numbers is not None])
    if "variant" in metafunc.fixturenames:
        kernels = [(name, game) for name, game in GAMES.items() if game.kernel is not None]
        metafunc.parametrize(
            ("compiled", "variant"), [(name, each) for name, game in kernels for each in game.variants]
        )
    elif "compiled" in metafunc.fixturenames:
        metafunc.parametrize("compiled", [name for name, game in GAMES.items() if game.kernel is not None])
