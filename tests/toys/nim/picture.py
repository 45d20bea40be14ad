"""Nim as a drawing."""

from collections.abc import Collection

from fairplay.core import Picture, Turn
from nim.rules import Heaps, Take, View

STYLE = ".nim-board rect{fill:#8a5a33}.nim-board .lit{stroke:#1a66c2;stroke-width:1;cursor:pointer}"


def picture(
    shown: Heaps | View,
    last: Turn[Heaps, Take] | None = None,
    *,
    open: bool = False,
    seats: bool = True,
    lit: Collection[str] = (),
    chosen: Collection[str] = (),
) -> Picture:
    """Nothing is hidden, no seats are drawn, and one click is a turn: only what is lit makes a difference."""
    state = shown.state if isinstance(shown, View) else shown
    bars = "".join(
        f'<rect class="{"lit" if f"match={heap},{match}" in lit else ""}" data-match="{heap},{match}"'
        f' x="{2 + 8 * match}" y="{2 + 20 * heap}" width="3" height="16"/>'
        for heap, size in enumerate(state.heaps)
        for match in range(size)
    )
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" class="nim-board" viewBox="0 0 60 100" role="img"'
        f' aria-label="heaps of {", ".join(map(str, state.heaps))}"><style>{STYLE}</style>{bars}</svg>'
    )
