"""Figures of the tree beside those of other packages: `python -m tools.figures [--details] [PACKAGE ...]`.

What each row counts is said below the table.  Without names, the anchors are measured; those that are not installed are
left out, and named.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import networkx
from msgspec import Struct
from rich.console import Console
from rich.table import Table

ANCHORS = ("chess", "httpx", "starlette", "websockets", "textual", "pgx", "pettingzoo")

DEFINITIONS = {
    "lines": "of all Python files, blank ones and comments too",
    "modules": "Python files of more than two lines",
    "imports": "lines of import statements, wherever they stand, per 100 lines",
    "one importer": "modules (outside games) that exactly one other module imports, at any place and for any purpose",
    "cycles": "groups of neighbours in a folder, one of them a folder itself, that import one another in a circle; "
    "all imports count, those inside functions and those for types too",
    "Any": "the word, per 1,000 lines",
    "casts": "calls of cast",
    "ignores": "comments with type: ignore",
    "private": "functions of modules that begin with an underscore, per 100",
    "__all__": "assignments of __all__ outside the faces of packages",
}

AIMS = {
    "lines": "< 65,003",
    "modules": "<= 400",
    "imports": "<= 6.5",
    "one importer": "<= 30",
    "cycles": "0",
    "Any": "<= 12",
    "casts": "<= 4",
    "ignores": "<= 31",
}
"""What the tree is to keep; see docs/about/decisions.md."""


class Module(Struct, frozen=True):
    """A Python file of a package."""

    name: str
    text: str
    is_face: bool  # an __init__.py
    tree: ast.Module


def read_package(folder: Path) -> dict[str, Module]:
    """The modules of the package in `folder`, by their dotted names."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        is_face = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_face else parts)
        text = path.read_text("utf-8")
        found[name] = Module(name, text, is_face, ast.parse(text))
    return found


def list_imports(module: Module) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import statement of a module."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node


def find_imported(module: Module, modules: dict[str, Module]) -> set[str]:
    """The other modules of the package that a module imports."""
    names: set[str] = set()
    for node in list_imports(module):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
            continue
        base = node.module or ""
        if node.level:
            above = module.name.split(".")
            above = above[: len(above) - node.level + module.is_face]
            base = ".".join([*above, *filter(None, [node.module])])
        inner = {f"{base}.{alias.name}" for alias in node.names}
        names |= inner & modules.keys() or {base}
    return (names & modules.keys()) - {module.name}


def find_cycles(imported: dict[str, set[str]], folders: set[str]) -> list[list[str]]:
    """Groups of neighbours in a folder that import one another in a circle, with at least one folder among them."""
    graphs: defaultdict[str, networkx.DiGraph[str]] = defaultdict(networkx.DiGraph)
    for name, others in imported.items():
        for other in others:
            here, there = name.split("."), other.split(".")
            depth = 0
            while depth < min(len(here), len(there)) and here[depth] == there[depth]:
                depth += 1
            if depth < min(len(here), len(there)):  # else one of them is the face of a folder that holds the other
                ends = [".".join(parts[: depth + 1]) for parts in (here, there)]
                graphs[".".join(here[:depth])].add_edge(*ends)
    cycles = [sorted(group) for graph in graphs.values() for group in networkx.strongly_connected_components(graph)]
    return [group for group in cycles if len(group) > 1 and folders & {*group}]


def measure(folder: Path) -> tuple[dict[str, str], list[str]]:
    """The figures of a package by column, and what is behind them in words."""
    modules = read_package(folder)
    text = "\n".join(module.text for module in modules.values())
    lines = sum(module.text.count("\n") for module in modules.values())
    rooms = {name for name, module in modules.items() if module.text.count("\n") > 2}
    import_lines = sum(
        (node.end_lineno or 0) - node.lineno + 1 for module in modules.values() for node in list_imports(module)
    )
    imported = {name: find_imported(module, modules) for name, module in modules.items()}
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for name, others in imported.items():
        for other in others:
            importers[other].add(name)
    single = [name for name in rooms if len(importers[name]) == 1 and ".games." not in name]
    cycles = find_cycles(imported, {name for name, module in modules.items() if module.is_face})
    functions = [
        node.name
        for module in modules.values()
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    private = sum(name.startswith("_") and not name.startswith("__") for name in functions)
    lists = sum(
        len(re.findall(r"^__all__\b", module.text, re.MULTILINE)) for module in modules.values() if not module.is_face
    )
    any_count = len(re.findall(r"\bAny\b", text))
    casts = len(re.findall(r"\bcast\(", text))
    figures = {
        "lines": f"{lines:,}",
        "modules": str(len(rooms)),
        "imports": f"{100 * import_lines / lines:.1f}",
        "one importer": str(len(single)),
        "cycles": str(len(cycles)),
        "Any": f"{1_000 * any_count / lines:.1f}",
        "casts": str(casts),
        "ignores": str(text.count("type: ignore")),
        "private": f"{100 * private / max(1, len(functions)):.0f}",
        "__all__": str(lists),
    }
    details = [f"one importer: {name} < {next(iter(importers[name]))}" for name in sorted(single)]
    details += [f"cycle: {', '.join(group)}" for group in cycles]
    return figures, details


def find_folder(package: str) -> Path | None:
    """Where an installed package lies, which is not imported; None if it is not installed."""
    spec = find_spec(package)
    return None if spec is None or not spec.submodule_search_locations else Path(spec.submodule_search_locations[0])


def main(words: list[str]) -> None:
    """Print the table.  With `--details`, what is behind the figures of Fairplay."""
    ours = Path(__file__).parents[1] / "src" / "fairplay"
    figures, details = measure(ours)
    columns, missing = {"fairplay": figures}, []
    for package in [word for word in words if not word.startswith("-")] or ANCHORS:
        if (folder := find_folder(package)) is None:
            missing.append(package)
        else:
            columns[package] = measure(folder)[0]
    table = Table("", "aim", *columns, box=None)
    for row in DEFINITIONS:
        table.add_row(row, AIMS.get(row, ""), *(column[row] for column in columns.values()))
    console = Console()
    console.print(table)
    for row, meaning in DEFINITIONS.items():
        console.print(f"  [bold]{row}[/]: {meaning}", highlight=False)
    if missing:
        console.print(f"not installed: {', '.join(missing)}")
    if "--details" in words:
        console.print("\n".join(details), highlight=False)


if __name__ == "__main__":
    main(sys.argv[1:])
