"""Nim as a drawing."""

from fairplay.games.nim.rules import Heaps, Take, View

from fairplay.core import Picture, Turn


def picture(shown: Heaps | View, last: Turn[Heaps, Take] | None = None) -> Picture:
    state = shown.state if isinstance(shown, View) else shown
    bars = "".join(
        f'<rect data-heap="{heap}" x="{8 * match}" y="{20 * heap}" width="3" height="16"/>'
        for heap, size in enumerate(state.heaps)
        for match in range(size)
    )
    return Picture(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 100">{bars}</svg>')
