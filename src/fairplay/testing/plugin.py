"""The plugin of pytest that tries the laws on games: ``pytest --laws-of GAME`` runs them beside tests of your own.

A law about an optional part is tried on the games that have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path

import pytest

pytest.register_assert_rewrite("fairplay.testing.laws")

_LAWS = "fairplay.testing.laws."

_OPTIONAL = {
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


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("fairplay", "laws of board games")
    group.addoption("--laws-of", action="append", metavar="GAME", help="Try the laws of Fairplay on this game, too.")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--laws-of"):
        config.args += [path for path in list_law_files() if path not in config.args]


def list_law_files() -> list[str]:
    """The modules that hold the laws."""
    return sorted(str(path) for path in Path(__file__).with_name("laws").glob("[a-z]*.py"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if is_law(metafunc):
        from fairplay.catalog import GAMES

        parametrize_games(metafunc, metafunc.config.getoption("--laws-of") or [*GAMES])


def is_law(metafunc: pytest.Metafunc) -> bool:
    """Is it one of the laws of this package?"""
    return bool(metafunc.function.__module__.startswith(_LAWS))


def parametrize_games(metafunc: pytest.Metafunc, names: Sequence[str]) -> None:
    """Try a law on these games, as far as they have what it is about."""
    from fairplay.catalog import GAMES

    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", names)
    if {"compiled", "variant"} <= {*metafunc.fixturenames}:
        kernels = [name for name in names if GAMES[name].parts.kernel is not None]
        metafunc.parametrize(
            ("compiled", "variant"), [(name, each) for name in kernels for each in GAMES[name].variants]
        )
        return
    for fixture, part in _OPTIONAL.items():
        if fixture in metafunc.fixturenames:
            having = attrgetter(part)
            metafunc.parametrize(fixture, [name for name in names if having(GAMES[name]) is not None])
