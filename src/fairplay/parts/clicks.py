"""A person at the table: what can be clicked in a picture, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from fairplay.core.faults import UsageError
from fairplay.core.picture import Picture

__all__ = ["Choice", "Complete", "Wish", "followed"]

A = TypeVar("A")
H = TypeVar("H")  # what a game makes of the clicks so far


class Choice(Struct, frozen=True):
    """Something that may be clicked next.

    `key` is an attribute of the picture without its ``data-``: ``at=2,3`` stands for every element with
    ``data-at="2,3"``.  Where the picture has no such element, a button with the label takes its place.
    """

    key: str
    label: str


class Wish(Struct, frozen=True):
    """What a person has clicked so far, drawn, and what may be clicked next."""

    prompt: str
    choices: tuple[Choice, ...]
    picture: Picture


class Complete(Struct, Generic[A], frozen=True):
    """The clicks are an action."""

    action: A


def followed(clicks: Sequence[str], so_far: H, step: Callable[[H, str, str], H | Complete[A]]) -> H | Complete[A]:
    """What the clicks come to, one after the other; `step` gets what they came to before, a name and a value."""
    for number, click in enumerate(clicks, 1):
        name, _, value = click.partition("=")
        after = step(so_far, name, value)
        if isinstance(after, Complete):
            if number < len(clicks):
                raise UsageError("the turn is complete; there is nothing left to click")
            return after
        so_far = after
    return so_far
