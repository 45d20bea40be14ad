"""The scripts of the pages without a browser: their logic by ``node --test``, their types by TypeScript."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairplay.web.rendering.static_files import STATIC_FOLDER, remove_comments

HERE = Path(__file__).parent
TSC = Path(sys.prefix) / "typescript" / "package" / "bin" / "tsc"
NO_TSC = "typescript is missing: no types were checked (make test fetches it where npm is there)"


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
        pytest.skip(NO_TSC)
    run(node, str(TSC), "--noEmit", "-p", str(HERE / "tsconfig.json"))


def test_what_is_sent_of_a_script_does_the_same(tmp_path: Path) -> None:
    """TypeScript, which can read scripts, makes the same of each with and without its comments."""
    node = find_node()
    if not TSC.exists():
        pytest.skip(NO_TSC)
    for path in STATIC_FOLDER.rglob("*.js"):
        sent = tmp_path / "sent" / path.relative_to(STATIC_FOLDER)
        sent.parent.mkdir(parents=True, exist_ok=True)
        sent.write_text(remove_comments(path.read_text("utf-8")), "utf-8")
    read: list[dict[str, str]] = []
    for number, folder in enumerate((STATIC_FOLDER, tmp_path / "sent")):
        scripts = [str(path) for path in folder.rglob("*.js")]
        out = tmp_path / str(number)
        plain = ("--allowJs", "--removeComments", "--target", "esnext", "--module", "esnext")
        run(node, str(TSC), *plain, "--rootDir", str(folder), "--outDir", str(out), *scripts)
        read.append({str(path.relative_to(out)): path.read_text("utf-8") for path in out.rglob("*.js")})
    assert read[0] and read[0] == read[1]
