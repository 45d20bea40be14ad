"""Every law is tried on every game of the catalog; those of optional parts on every game that has them."""

from __future__ import annotations

from operator import attrgetter

import pytest

from fairplay.catalog import GAMES

OPTIONAL = {
    "clickable": "shown.clicks",
    "drawn": "parts.editor",
    "spoken": "parts.established",
    "numbered": "parts.numbers",
    "compiled": "parts.kernel",
    "explained": "shown.score_lines",
    "counted": "shown.progress",
    "taught": "shown.teaching",
    "pawned": "shown.token",
}
"""Fixtures of games that have a certain part."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", list(GAMES))
    for fixture, part in OPTIONAL.items():
        if fixture in metafunc.fixturenames and not (fixture == "compiled" and "variant" in metafunc.fixturenames):
            metafunc.parametrize(fixture, [name for name, game in GAMES.items() if attrgetter(part)(game) is not None])
    if "variant" in metafunc.fixturenames:
        kernels = [(name, game) for name, game in GAMES.items() if game.parts.kernel is not None]
        metafunc.parametrize(
            ("compiled", "variant"), [(name, each) for name, game in kernels for each in game.variants]
        )
