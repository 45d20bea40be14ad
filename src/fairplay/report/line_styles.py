"""How the line of a seat looks in graphs: in the colour of its pieces, and dashed in its own way."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from fairplay.core import AnyGame, Seat

__all__ = ["LineStyle", "style_lines"]

DARKEST: Final = 0.16
LIGHTEST: Final = 0.27
"""The luminance of lines: a contrast of 3 to 1 on pages that are nearly white, and on those that are nearly black."""

PALETTE: Final = ("#d55e00", "#2f7fb5", "#009e73", "#c2649a")
"""For games that do not say what colours their pieces have."""

DASHES: Final = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")
"""By seat, so that whoever does not see the colours can tell the lines apart."""


class LineStyle(Struct, frozen=True):
    """The line of a seat, as attributes of SVG have it."""

    color: str
    dashes: str  # empty: it is whole


def style_lines(game: AnyGame, seats: int) -> list[LineStyle]:
    """The lines of all seats of a match."""
    return [LineStyle(find_color(game, Seat(seat)), DASHES[seat % len(DASHES)]) for seat in range(seats)]


def find_color(game: AnyGame, seat: Seat) -> str:
    """The colour of a seat's pieces, darker or lighter if it could not be seen on every page."""
    color = PALETTE[seat % len(PALETTE)] if game.seat_color is None else game.seat_color(seat)
    red, green, blue = (to_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    if luminance > LIGHTEST:
        mixed = [part * LIGHTEST / luminance for part in (red, green, blue)]
    else:
        white = max(0.0, (DARKEST - luminance) / (1 - luminance))
        mixed = [part + (1 - part) * white for part in (red, green, blue)]
    return "#" + "".join(f"{round(255 * from_linear(part)):02x}" for part in mixed)


def to_linear(part: float) -> float:
    """What a part of an sRGB colour contributes to the light."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def from_linear(part: float) -> float:
    """The inverse of to_linear."""
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055
