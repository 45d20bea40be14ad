"""Games that are one file, taken for as long as a test wants them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fairplay import game_files
from fairplay.run.engines import worker

TAKEAWAY = Path(__file__).parent / "one_file" / "takeaway.py"


def describe_value(value: object) -> tuple[str, str, str]:
    """What another process has been given; it is found there by the name of its type."""
    return type(value).__module__, sys.modules[type(value).__module__].__file__ or "", repr(value)


@contextmanager
def undo_taking() -> Iterator[None]:
    """Files that are taken in the block are forgotten at its end, as if this were another process."""
    before = {*game_files.taken_files()}
    try:
        yield
    finally:
        for name in {*game_files.taken_files()} - before:
            game_files.forget_file(game_files.taken_files()[name])
        worker._game_and_setup.cache_clear()
        worker.cached_seating.cache_clear()


def put_takeaway(folder: Path, changed: dict[str, str] | None = None) -> Path:
    """The file of a game in `folder`, some words of it replaced by others."""
    folder.mkdir(parents=True, exist_ok=True)
    text = TAKEAWAY.read_text("utf-8")
    for old, new in (changed or {}).items():
        assert old in text
        text = text.replace(old, new)
    path = folder / "takeaway.py"
    path.write_text(text, "utf-8")
    return path
