"""Nim actions as short texts: `2x3` takes three matches from heap 2."""

from typing import Any

from fairplay.core import NotationError
from nim.rules import Take


def format_action(action: Take) -> str:
    return f"{action.heap}x{action.matches}"


def parse_action(text: str, shown: Any = None) -> Take:
    heap, _, matches = text.partition("x")
    if not (heap.isascii() and heap.isdigit() and matches.isascii() and matches.isdigit()):
        raise NotationError(text, "HEAPxMATCHES, such as 2x3")
    return Take(int(heap), int(matches))
