"""The line below the map on which engines travel: how many rails each seat has laid, until the last round begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from fairplay.games.trains.drawing.canvas import Canvas
from fairplay.games.trains.drawing.maps.layout import MapLayout
from fairplay.games.trains.drawing.paint import SEAT_PAINTS, draw_letter

__all__ = ["GAUGE_HEIGHT", "draw_engines", "draw_gauge"]

GAUGE_HEIGHT: Final = 46.0
LEFT: Final = 106.0  # where engines start
RIGHT: Final = 112.0  # how far from the right edge they arrive
SPREAD: Final = 16.0  # from the highest engine to the lowest


def draw_gauge(layout: MapLayout) -> str:
    """Draw the empty line."""
    start, end, y = LEFT, layout.width - RIGHT, layout.height + GAUGE_HEIGHT / 2
    return (
        f'<path class="ground" d="M3 {layout.height:g}H{layout.width - 3:g}V{layout.height + GAUGE_HEIGHT - 3:g}H3z"/>'
        f'<path class="ties" d="M{start:g} {y:g}H{end:g}"/>'
        f'<path class="rails" d="M{start:g} {y - 3:g}H{end:g}m0 6H{start:g}"/>'
        f'<path class="stop" d="M{end + 6:g} {y - 11:g}v22"/>'
        f'<text class="note end" x="{start - 22:g}" y="{y + 4.5:g}">rails laid</text>'
        f'<text class="note" x="{end + 18:g}" y="{y + 4.5:g}">last round</text>'
    )


def draw_engines(canvas: Canvas, layout: MapLayout) -> Iterator[str]:
    """Draw the engine of every seat that is still in; those that are level stand behind each other."""
    count, way = len(canvas.rails), layout.width - RIGHT - LEFT
    for seat, rails in enumerate(canvas.rails):
        if seat not in canvas.out:
            part = 1 - rails / canvas.most_rails if canvas.most_rails else 1.0
            y = layout.height + GAUGE_HEIGHT / 2 + SPREAD * (seat / max(1, count - 1) - 0.5)
            yield (
                f'<g class="s{seat % len(SEAT_PAINTS)}" data-key="engine-{seat}" data-leave="fade"'
                f' transform="translate({LEFT + way * part:.0f} {y:.0f})"><use href="#trains-side"/>'
                f"{draw_letter(seat, -6, 4)}</g>"
            )
