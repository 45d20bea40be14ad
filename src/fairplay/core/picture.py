"""A drawing as SVG text that shows itself in a notebook."""

from __future__ import annotations

__all__ = ["Picture"]


class Picture(str):
    """SVG text: write it to a file, put it into a page, or let a notebook show it."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)
