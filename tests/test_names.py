"""Names are counted: functions by verbs, classes by nouns of their own, folders that can be taken in at a glance.

A *bare participle* is a function named by a participle and nothing else: `found`, `told`, `listening`.  Nobody who
reads a call of it knows what comes back.
"""

from __future__ import annotations

import ast
import tomllib
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent / "src" / "fairplay"

MAX_PARTICIPLES = 0.02
MAX_SINGLE_WORDS = 0.35
MAX_MODULES = 12
"""In a folder, without its ``__init__.py``."""

WIDE = {"core": 24, "run": 14}
"""Folders that hold more: all values that every other folder knows, and all ways to run a player."""

MAX_LINES = 450

SHARED_CLASSES = {
    *("Board", "Move", "SeatJson", "Setup", "State", "StateJson", "View", "ViewJson"),
    *("Arrays", "Canvas", "FaultyPlayer", "PlayerForm", "SearchSpace", "StateForm"),
}
"""Classes that games define under the same name: the rest of the program knows them by it, or they are the same part of
each game, as their modules are."""


WORDS = {name: words.split() for name, words in tomllib.loads((TESTS / "participles.toml").read_text("utf-8")).items()}


def is_participle(word: str) -> bool:
    looks_like_one = "_" not in word and word.endswith(("ed", "ing")) and word not in WORDS["exempt"]
    return looks_like_one or word in WORDS["irregular"]


@cache
def parse_modules() -> dict[str, ast.Module]:
    """Every module of the package by its path."""
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in ROOT.rglob("*.py")}


@cache
def find_functions() -> list[tuple[str, str]]:
    """The functions of all modules, with the module; methods are judged with their class."""
    return [
        (path, node.name.strip("_"))
        for path, module in parse_modules().items()
        for node in module.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def worst(names: list[tuple[str, str]]) -> str:
    """Which modules to look at first."""
    by_module: defaultdict[str, list[str]] = defaultdict(list)
    for path, name in names:
        by_module[path].append(name)
    first = Counter({path: len(found) for path, found in by_module.items()}).most_common(8)
    return "\n".join(f"{path}: {', '.join(sorted(by_module[path]))}" for path, _ in first)


def test_the_words_are_told_apart() -> None:
    assert all(map(is_participle, ("found", "told", "kept", "laid", "planned", "listening", "torn")))
    assert not any(map(is_participle, ("find", "seed", "ending", "read", "string", "drawing", "legal", "step")))


def test_functions_are_not_named_by_a_bare_participle() -> None:
    bare = [(path, name) for path, name in find_functions() if is_participle(name)]
    share = len(bare) / len(find_functions())
    assert share < MAX_PARTICIPLES, f"{len(bare)} of {len(find_functions())} ({share:.1%})\n{worst(bare)}"


def test_most_functions_have_a_name_of_several_words() -> None:
    single = [(path, name) for path, name in find_functions() if "_" not in name]
    share = len(single) / len(find_functions())
    assert share < MAX_SINGLE_WORDS, f"{len(single)} of {len(find_functions())} ({share:.1%})\n{worst(single)}"


def test_a_class_has_its_name_to_itself() -> None:
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for path, module in parse_modules().items():
        for node in module.body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(path)
    double = {name: sorted(paths) for name, paths in homes.items() if len(paths) > 1}
    shared = {name: paths for name, paths in double.items() if name in SHARED_CLASSES}
    assert all(path.startswith("games/") for paths in shared.values() for path in paths), shared
    assert double.keys() == shared.keys(), double


def test_a_folder_can_be_taken_in_at_a_glance() -> None:
    counts = Counter(Path(path).parent.as_posix() for path in parse_modules() if Path(path).name != "__init__.py")
    large = {folder: count for folder, count in counts.items() if count > WIDE.get(folder, MAX_MODULES)}
    assert not large, large


def test_no_module_is_long() -> None:
    lengths = {path: len((ROOT / path).read_text("utf-8").splitlines()) for path in parse_modules()}
    assert {path: lines for path, lines in lengths.items() if lines > MAX_LINES} == {}
