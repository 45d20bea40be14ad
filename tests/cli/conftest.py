"""A command line in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fairplay.cli import root


@pytest.fixture
def fairplay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Run `fairplay` with these arguments in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments: str, given: str | bytes | None = None) -> Result:
        result = CliRunner().invoke(root, arguments, input=given)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return invoke
