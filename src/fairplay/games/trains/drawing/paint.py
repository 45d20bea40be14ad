"""The colours and styles of pictures of Trains, and the badge of a seat."""

from __future__ import annotations

from typing import Final

from fairplay.core import Seat
from fairplay.games.trains.words import seat_name

__all__ = ["CARD_PAINTS", "DEFINITIONS", "SEAT_PAINTS", "STYLE", "draw_badge", "seat_paint"]

CARD_PAINTS: Final = {"red": "#dc3f2e", "blue": "#2356ae", "green": "#69b946", "white": "#ffffff"}
"""The colours of connections and cards; they differ in brightness too."""

SEAT_PAINTS: Final = ("#f0a31c", "#0d8784", "#7b45b4", "#d8508c", "#7f8f1a", "#85552e", "#1f3a8c", "#5f6672")

DEFINITIONS: Final = (
    '<linearGradient id="trains-land" x2="1" y2="1"><stop stop-color="#f7f1de"/>'
    '<stop offset="1" stop-color="#e9e0c4"/></linearGradient>'
    '<pattern id="trains-grid" width="64" height="64" patternUnits="userSpaceOnUse">'
    '<path d="M64 0H0V64" fill="none" stroke="#a58f5c" stroke-opacity=".16"/></pattern>'
    '<g id="trains-back" stroke="#2b2a26" stroke-width="1.5"><rect x="7" y="-5" width="58" height="82" rx="7"'
    ' fill="#5d6b72"/><rect x="3.5" y="-2" width="58" height="82" rx="7" fill="#4b5960"/>'
    '<rect y="1" width="58" height="82" rx="7" fill="#37454c"/><path d="M10 73h38M10 66h38M16 61v17M29 61v17M42 61v17"'
    ' stroke="#c7ab63" stroke-width="2.5" stroke-linecap="round"/></g>'
)

STYLE: Final = ".trains-board{font:600 15px system-ui,sans-serif;fill:#2b2a26}" + "".join(
    f".trains-board {rule}"
    for rule in (
        ".paper{fill:#3b3328}",
        ".sheet{fill:url(#trains-land)}",
        ".grid{fill:url(#trains-grid)}",
        ".name{font-weight:700;text-anchor:middle}",
        ".name{paint-order:stroke;stroke:#f3ecd8;stroke-width:4px;stroke-linejoin:round}",
        ".city{fill:#fffdf6;stroke:#2b2a26;stroke-width:2.5}",
        ".aim{fill:#2b2a26;stroke:#fffdf6;stroke-width:1.5}",
        ".aimed{fill:#ffd34d}",
        ".mark{fill:#fff;font-size:13px;font-weight:700;text-anchor:middle}",
        ".segment{stroke:#37332a;stroke-width:1.1;stroke-linejoin:round}",
        *(f".{color}{{fill:{paint}}}" for color, paint in CARD_PAINTS.items()),
        ".bed{fill:none;stroke:#37332a;stroke-width:3}",
        ".last{stroke:#37332a;stroke-width:19;stroke-linecap:round;opacity:.3}",
        ".lit{cursor:pointer}",
        ".halo{stroke:#5c4300;stroke-width:19;stroke-linecap:round}",
        ".light{stroke:#fff04a;stroke-width:15;stroke-linecap:round}",
        ".chosen .halo{stroke:#000;stroke-width:25}",
        ":focus:not(:focus-visible){outline:none}",
        ".free:focus-visible{outline:none}",
        ".free:focus-visible .halo{stroke:#000;stroke-width:27}",
        ".badge{stroke:#fff;stroke-width:1.5}",
        ".letter{fill:#fff;font-size:11px;font-weight:700;text-anchor:middle}",
        ".line{fill:#fffaf0}",
        ".turn{stroke:#ffc933;stroke-width:3}",
        ".out{opacity:.55}",
        ".holds{font-size:14px;font-weight:500}",
        ".end{text-anchor:end}",
        ".card{stroke:#37332a;stroke-width:1.5}",
        ".count{font-size:26px;font-weight:700;text-anchor:middle}",
        ".under{font-size:13px;text-anchor:middle}",
        ".pale{fill:#fff}",
        ".none{opacity:.4}",
        ".aims{font-size:18px}",
        ".row{fill:#fffaf0}",
        ".lit .row{stroke:#e0a800;stroke-width:3;stroke-dasharray:8 4}",
        ".chosen .row{fill:#ffe9a8;stroke:#e0a800;stroke-dasharray:none}",
        ".deck .glow{fill:none}",
        ".deck.lit .glow{stroke:#fff04a;stroke-width:4;stroke-dasharray:9 5}",
    )
)
"""Every rule applies to pictures of Trains alone: a page may show other games too."""


def seat_paint(seat: int) -> str:
    """The colour of a seat in pictures."""
    return SEAT_PAINTS[seat % len(SEAT_PAINTS)]


def draw_badge(seat: int, x: float, y: float) -> str:
    """Draw the badge of a seat: its colour and the first letter of its name."""
    letter = seat_name(Seat(seat))[0].upper() if seat < len(SEAT_PAINTS) else str(seat)
    return (
        f'<circle class="badge" cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{seat_paint(seat)}"/>'
        f'<text class="letter" x="{x:.1f}" y="{y + 4:.1f}">{letter}</text>'
    )
