"""A person at the table: what can be clicked in a picture, and what it means."""

from __future__ import annotations

from msgspec import Struct

from fairplay.core.picture import Picture

__all__ = ["Choice", "Wish"]


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
