"""Bots as programs, in a sandbox and with limits alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from .programs import Bots, confine


@pytest.fixture
def bots(tmp_path: Path) -> Bots:
    return Bots(tmp_path)


@pytest.fixture(params=["sandbox", "limits"])
def confined(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to run a program; the name of the one at work."""
    kind: str = request.param
    confine(kind, monkeypatch)
    return kind
