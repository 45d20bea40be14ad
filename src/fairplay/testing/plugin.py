"""The plugin of pytest that tries the laws on games: ``pytest --laws-of GAME`` runs them beside tests of your own.

A law about an optional part is tried on the games that have it.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest

pytest.register_assert_rewrite("fairplay.testing.laws")

_LAWS = "fairplay.testing.laws."

_FIRST = ("rules", "writing", "secrecy")

_OPTIONAL = {
    "clickable": "shown.clicks",
    "chancy": "chance_rules",
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
        config.args += [path for path in _list_law_files() if path not in config.args]
        if not config.getoption("--hypothesis-profile", None):
            _load_profile()


def _list_law_files() -> list[str]:
    """The modules that hold the laws; what the first of them find is the cause of much else."""
    files = Path(__file__).with_name("laws").glob("[a-z]*.py")
    return [str(path) for path in sorted(files, key=lambda path: (path.stem not in _FIRST, path))]


def _load_profile() -> None:
    """Have hypothesis give the laws as long as they need, whatever machine they run on."""
    from hypothesis import HealthCheck, settings

    patient: dict[str, Any] = {"deadline": None, "suppress_health_check": [*HealthCheck]}
    settings.register_profile("fairplay-laws", max_examples=25, print_blob=False, report_multiple_bugs=False, **patient)
    settings.load_profile("fairplay-laws")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if is_law(metafunc):
        from fairplay.catalog import GAMES

        chosen = metafunc.config.getoption("--laws-of")
        parametrize_games(metafunc, chosen or [*GAMES], explain=bool(chosen))


def is_law(metafunc: pytest.Metafunc) -> bool:
    """Is it one of the laws of this package?"""
    return bool(metafunc.function.__module__.startswith(_LAWS))


def parametrize_games(metafunc: pytest.Metafunc, names: Sequence[str], *, explain: bool = False) -> None:
    """Try a law on these games, as far as they have what it is about.

    explain: skip it for a game that does not have it, and say so; otherwise there is no such test.
    """
    from fairplay.catalog import GAMES

    if "name" in metafunc.fixturenames:
        metafunc.parametrize("name", names)
    for fixture, part in _OPTIONAL.items():
        if fixture not in metafunc.fixturenames:
            continue
        having = [name for name in names if attrgetter(part)(GAMES[name]) is not None]
        cases: list[Any] = [*having]
        fixtures: tuple[str, ...] = (fixture,)
        if "variant" in metafunc.fixturenames:
            fixtures = (fixture, "variant")
            cases = [(name, variant) for name in having for variant in GAMES[name].variants]
        if explain:
            lacking = [name for name in names if name not in having]
            cases += [_skip_game(name, f"{name} has no {part}", len(fixtures)) for name in lacking]
        elif not having:
            cases = [_skip_game("none", f"no game here has {part}", len(fixtures))]
        metafunc.parametrize(fixtures if len(fixtures) > 1 else fixture, cases)


def _skip_game(name: str, reason: str, parameters: int) -> object:
    return pytest.param(*[name] * parameters, marks=pytest.mark.skip(reason))
