"""A drawing as SVG text that shows itself in a notebook.

A game's ``picture(shown, last=None, *, open=False, seats=True, lit=(), chosen=())`` draws a state as everyone may see
it, with `open` everything in it, or a view as its owner may see it.  Without `seats` the list of seats is left out, for
pages that show it in their own way.  `lit` are the keys of elements that can be clicked (see parts/clicks.py), `chosen`
those of elements that have been.  Every CSS rule begins with the class of the game's pictures, and every id with the
name of the game, so that several pictures can share a page.
"""

from __future__ import annotations

__all__ = ["Picture"]


class Picture(str):
    """SVG text: write it to a file, put it into a page, or let a notebook show it."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)
