"""The token of a seat: a small engine in its colour, with its letter."""

from __future__ import annotations

from functools import cache

from fairplay.core import Picture, Seat
from fairplay.games.trains.drawing.paint import INK, letter_paint, seat_letter, seat_paint

__all__ = ["draw_token"]


@cache
def draw_token(seat: Seat) -> Picture:
    """Draw a small engine: in lists of names it stands for a seat."""
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">'
        f'<g stroke="{INK}" stroke-width="1.2" stroke-linejoin="round" fill="{seat_paint(seat)}">'
        '<path d="M18.5 7V3.5h3V7M1.5 17V3h11v4h10v10z"/><path d="M21 17l2 3h-4z"/>'
        f'<g fill="{INK}"><circle cx="6" cy="18.5" r="3.5"/><circle cx="15" cy="18.5" r="3.5"/></g></g>'
        '<g fill="#fff"><circle cx="6" cy="18.5" r="1.2"/><circle cx="15" cy="18.5" r="1.2"/></g>'
        '<text x="7" y="13.5" font-size="10.5" font-weight="700" font-family="system-ui,sans-serif"'
        f' text-anchor="middle" fill="{letter_paint(seat)}">{seat_letter(seat)}</text></svg>'
    )
