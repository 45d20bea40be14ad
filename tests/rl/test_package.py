"""The package itself: what it offers, what it costs, and what it says where something is missing."""

from __future__ import annotations

import doctest
import subprocess
import sys
from importlib import import_module

import pytest

pytest.importorskip("gymnasium", reason="needs the extra `rl`")

import fairplay.rl


def run_python(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=120)
    return done.stdout.strip()


def test_everything_that_is_offered_is_there() -> None:
    assert {name: getattr(fairplay.rl, name).__name__ for name in fairplay.rl.__all__} == {
        name: name for name in fairplay.rl.__all__
    }
    with pytest.raises(AttributeError, match="has no attribute 'Teacher'"):
        _ = fairplay.rl.Teacher


@pytest.mark.parametrize("module", ["core.match", "rl.aec", "rl.openspiel", "rl.seat_env", "rl.vector"])
def test_the_examples_in_the_code_are_true(module: str) -> None:
    if module == "rl.openspiel":
        pytest.importorskip("pyspiel", reason="needs the extra `openspiel`")
    done = doctest.testmod(import_module(f"fairplay.{module}"))
    assert done.attempted and not done.failed


def test_importing_fairplay_loads_nothing_of_this() -> None:
    heavy = ("gymnasium", "numpy", "pettingzoo")
    code = f"import sys, fairplay, fairplay.cli; print([name for name in {heavy} if name in sys.modules])"
    assert run_python(code) == "[]"


@pytest.mark.parametrize("missing", ["gymnasium", "pettingzoo"])
def test_who_asks_for_an_environment_is_told_what_is_missing(missing: str) -> None:
    code = f"""
import sys
sys.modules[{missing!r}] = None
import fairplay.rl
try:
    fairplay.rl.MatchEnv
except ImportError as error:
    print(error)
"""
    assert run_python(code) == f"MatchEnv needs {missing}: pip install gymnasium pettingzoo"
