"""The scripts of the pages without a browser: their logic by ``node --test``, their types by TypeScript."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TSC = Path(sys.prefix) / "typescript" / "package" / "bin" / "tsc"


def find_node() -> str:
    """The program `node`; skips the test where it is missing."""
    node = shutil.which("node")
    if node is None:
        reason = "node is missing: no script was tried without a browser (Debian: apt-get install nodejs)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return node


def run(*command: str) -> None:
    """Run a program that must succeed; what it says is shown where it does not."""
    result = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_logic_of_the_scripts() -> None:
    run(find_node(), "--test", *sorted(str(path) for path in HERE.glob("*.test.mjs")))


def test_the_types_of_the_scripts() -> None:
    node = find_node()
    if not TSC.exists():
        pytest.skip("typescript is missing: no types were checked (make test fetches it where npm is there)")
    run(node, str(TSC), "--noEmit", "-p", str(HERE / "tsconfig.json"))
