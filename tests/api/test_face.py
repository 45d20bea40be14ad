"""What `import fairplay` offers, and what it costs."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module
from pkgutil import iter_modules

import pytest

import fairplay
from fairplay import api

PUBLIC = [
    *("Advice", "Befell", "Chance", "FairplayError", "Fault", "IllegalActionError", "LoadedGame", "MatchReview"),
    *("NotationError", "Outcome", "PlayedMatch", "PlayerSpec", "Position", "RecordError", "Removed", "ResultTable"),
    *("Seat", "SetupError", "StoreError", "Turn", "UsageError", "analyse", "hint", "load", "play", "replay"),
    "tournament",
]


def test_the_public_names_are_these() -> None:
    assert fairplay.__all__ == sorted(fairplay.__all__) == PUBLIC
    assert dir(fairplay) == sorted([*PUBLIC, "__version__"])
    for name in PUBLIC:
        assert getattr(fairplay, name).__doc__ or name == "PlayerSpec", name  # a union, which has none
    with pytest.raises(AttributeError, match="module 'fairplay' has no attribute 'nonsense'"):
        _ = fairplay.nonsense


def test_no_name_is_also_a_package() -> None:
    """An import of the package would take its place."""
    folders = {each.name for each in iter_modules(fairplay.__path__)}
    assert folders.isdisjoint(fairplay.__all__)


LOADED = "import sys; before = {*sys.modules}; import fairplay; print(*{*sys.modules} - before)"


def test_importing_it_loads_nothing_else() -> None:
    """Every process of a bot does it."""
    found = subprocess.run(
        [sys.executable, "-I", "-c", LOADED], capture_output=True, text=True, check=True, timeout=300
    )
    assert found.stdout.split() == ["fairplay"]


MODULES = ["fairplay", *(each.name for each in iter_modules(api.__path__, "fairplay.api."))]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_docstrings_run(module: str) -> None:
    found = doctest.testmod(import_module(module))
    assert not found.failed, module
