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
    *("FairplayError", "Fault", "IllegalActionError", "LoadedGame", "NotationError", "Outcome", "PlayedMatch"),
    *("PlayerSpec", "Position", "RecordError", "Removed", "ResultTable", "Seat", "SetupError", "StoreError", "Turn"),
    *("UsageError", "load", "play", "replay", "tournament"),
]


def test_the_public_names_are_these() -> None:
    assert fairplay.__all__ == sorted(fairplay.__all__) == PUBLIC
    assert dir(fairplay) == sorted([*PUBLIC, "__version__"])
    for name in PUBLIC:
        assert getattr(fairplay, name).__doc__ or name == "PlayerSpec", name  # a union, which has none
    with pytest.raises(AttributeError, match="module 'fairplay' has no attribute 'nonsense'"):
        _ = fairplay.nonsense


def test_play_is_the_function_though_a_package_has_that_name() -> None:
    loaded = import_module("fairplay.play.record")
    assert fairplay.play.__name__ == "play"
    assert import_module("fairplay.play").record is loaded


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
