"""Every law is tried on every game of the catalog."""

from __future__ import annotations

import pytest

from fairplay.catalog import GAMES


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", list(GAMES))
