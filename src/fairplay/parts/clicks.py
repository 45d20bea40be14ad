"""Playing by clicks: what a person can click in a picture, and what the clicks mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from fairplay.core.faults import UsageError
from fairplay.core.picture import Picture

__all__ = ["Choice", "CompleteMove", "PartialMove", "follow_clicks", "parse_click"]

A = TypeVar("A")
P = TypeVar("P")  # what a game makes of the clicks so far


class Choice(Struct, frozen=True):
    """Something that can be clicked next.

    `key` is an attribute of the picture without its ``data-``: ``at=2,3`` stands for every element with
    ``data-at="2,3"``.  Where the picture has no such element, the page shows a button with the label instead.
    """

    key: str
    label: str


class PartialMove(Struct, frozen=True):
    """What a person has clicked so far, drawn, and what can be clicked next."""

    prompt: str
    choices: tuple[Choice, ...]
    picture: Picture


class CompleteMove(Struct, Generic[A], frozen=True):
    """The clicks make up an action."""

    action: A


def parse_click(click: str) -> tuple[str, str]:
    """Split the key of a clicked element into name and value: ``at=2,3`` is ``at`` and ``2,3``."""
    name, _, value = click.partition("=")
    return name, value


def follow_clicks(
    clicks: Sequence[str], start: P, step: Callable[[P, str, str], P | CompleteMove[A]]
) -> P | CompleteMove[A]:
    """Apply `step` to each click in turn, beginning with `start`; raises UsageError for a click after the last one.

    `step` takes what the clicks before came to and the name and value of the next one.
    """
    so_far = start
    for number, click in enumerate(clicks, 1):
        after = step(so_far, *parse_click(click))
        if isinstance(after, CompleteMove):
            if number < len(clicks):
                raise UsageError("the turn is complete; there is nothing left to click")
            return after
        so_far = after
    return so_far
