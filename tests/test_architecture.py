"""The shape of the tree, as far as the import contracts in ``pyproject.toml`` cannot say it."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

from tools.layers import draw_layers

from generated_blocks import compare_blocks

SOURCE = Path(__file__).parent.parent / "src" / "fairplay"
MODULES = sorted(SOURCE.rglob("*.py"))


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def test_every_module_says_its_purpose() -> None:
    assert [path for path in MODULES if not ast.get_docstring(parse(path))] == []


def test_make_quick_tries_every_folder() -> None:
    root = SOURCE.parent.parent
    named = re.findall(r"tests/[\w/.]*\w", (root / "Makefile").read_text("utf-8"))
    assert [name for name in named if not (root / name).exists()] == []
    tried = {Path(name).parts[1].removeprefix("test_").removesuffix(".py") for name in named}
    assert {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in MODULES} - {"__init__"} <= tried


def test_the_drawings_of_the_layers_are_those_of_the_contracts() -> None:
    compare_blocks(SOURCE.parent.parent / "docs" / "about" / "walk.md", draw_layers())


READS = """
import importlib, pkgutil, sys

def note(event, arguments):
    if event == "open" and "fairplay" in str(arguments[0]) and not str(arguments[0]).endswith((".py", ".pyc")):
        print(arguments[0])

sys.addaudithook(note)
for part in ("core", "kernels", "match", "contest", "games"):
    for module in pkgutil.walk_packages(importlib.import_module(f"fairplay.{part}").__path__, f"fairplay.{part}."):
        importlib.import_module(module.name)
"""


def test_nothing_below_the_store_reads_files_when_it_is_imported() -> None:
    ran = subprocess.run([sys.executable, "-c", READS], capture_output=True, text=True, check=True)
    assert [
        line for line in ran.stdout.splitlines() if "/players/nets/" not in line and "__pycache__" not in line
    ] == []


BY_NAME = {
    SOURCE / "catalog.py",
    SOURCE / "run" / "entrants.py",
    SOURCE / "run" / "isolation" / "bot_process.py",
    SOURCE / "testing" / "kit.py",
}
"""Games are found by name, with the kit beside them, and so are kinds of entrant that upper layers add, and what the
process of a bot is told."""


def test_only_games_and_kinds_of_entrant_are_imported_by_name() -> None:
    """The import contracts cannot see such an import.  Yet a package may load modules of its own by name."""
    assert set(MODULES) >= BY_NAME
    for path in MODULES:
        package = ".".join(path.relative_to(SOURCE.parent).parent.parts)
        for node in ast.walk(parse(path)):
            if path not in BY_NAME and isinstance(node, ast.Call) and called(node) in IMPORTERS:
                assert fixed_part(node.args[0]).startswith(f"{package}.") or isinstance(node.args[0], ast.Constant), (
                    f"{path}, line {node.lineno}: import by a fixed name, or ask fairplay.catalog for a game"
                )


IMPORTERS = {"import_module", "__import__", "resolve_name"}


def called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def fixed_part(node: ast.expr) -> str:
    """What an f-string begins with, whatever is put into it."""
    first = node.values[0] if isinstance(node, ast.JoinedStr) and node.values else None
    return str(first.value) if isinstance(first, ast.Constant) else ""


def test_no_global_chance() -> None:
    """Only `Random` may come out of the standard module: its functions share one hidden generator.

    Bots may use that generator all the same, so it is seeded where they are loaded.
    """
    for path in MODULES:
        if path.match("run/bots.py"):
            continue
        for node in ast.walk(parse(path)):
            if isinstance(node, ast.ImportFrom) and node.module == "random":
                assert {alias.name for alias in node.names} == {"Random"}, path
            if isinstance(node, ast.Import):
                assert all(alias.name != "random" for alias in node.names), path


SILENCED = re.compile(r"# (?:type: ignore\[[\w, -]+\]|noqa: [A-Z0-9]+|pragma: no cover)(.*)")


def test_every_check_that_is_silenced_says_why() -> None:
    """Beside it, after a dash or a hash."""
    root = SOURCE.parent.parent
    for path in [path for part in ("bench", "examples", "src", "tests") for path in (root / part).rglob("*.py")]:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            if (found := SILENCED.search(line)) and "SILENCED" not in line:
                assert re.match(r"  # \w|,? - \w", found[1]), f"{path}, line {number}: why?"
            assert "# type: ignore\n" not in f"{line}\n", f"{path}, line {number}: ignore what?"
