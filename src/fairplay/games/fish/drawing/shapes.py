"""The parts of a picture of Fish: ice, fish, and a penguin for each seat, each drawn once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from fairplay.games.fish.board import Layout

__all__ = ["DEFINITIONS", "SHAPES", "STYLE", "UNIT"]

UNIT: Final = 26.0  # s of Fish 1.8
THICKNESS: Final = 7.0  # of the ice


class Hexagon(NamedTuple):
    """A tile seen from its middle, its corners as multiples of the unit, clockwise from the top left one."""

    name: str
    corners: Sequence[tuple[float, float]]


SHAPES: Final = {
    Layout.STANDARD: Hexagon("flat", ((-0.5, -1), (0.5, -1), (1.5, 0), (0.5, 1), (-0.5, 1), (-1.5, 0))),  # Fish 1.8
    Layout.ORIGINAL: Hexagon("tall", ((-1.2, -0.7), (0, -1.4), (1.2, -0.7), (1.2, 0.7), (0, 1.4), (-1.2, 0.7))),
}

SCHOOLS: Final = {
    1: ((0, 0),),
    2: ((-10, -9), (10, 9)),
    3: ((0, -13), (-14, 8), (14, 8)),
    4: ((-14, -10), (14, -10), (-14, 10), (14, 10)),
    5: ((-14, -14), (14, -14), (0, 0), (-14, 14), (14, 14)),
}
"""Where the fish of a tile swim, seen from its middle."""

BODIES: Final = {"red": "#d8322f", "white": "#fffdf6", "brown": "#9a6338", "black": "#33343f"}

DRESS: Final = {
    "red": '<path fill="#fff" d="M-9-14Q0-30 9-14Q0-18-9-14z"/><circle fill="#fff" cy="-24" r="3"/>',
    "white": '<path fill="#2f7fb5" d="M-12-5Q0 2 12-5l1 4Q0 6-13-1zM9-2l7 10 4-3-7-9z"/>',
    "brown": '<path fill="#33343f" d="M-11-16h22v3h-22zM-7-28H7v12H-7z"/>',
    "black": '<path fill="#f2b63b" d="M0-1l-8-4v8zM0-1l8-4v8z"/>',
}
"""A bobble hat, a scarf, a top hat, a bow tie: penguins can be told apart without their colours."""


def hexagon_points(shape: Hexagon, *, down: float = 0) -> str:
    """The corners as SVG writes them, moved down by `down`."""
    return " ".join(f"{UNIT * x:g},{UNIT * y + down:g}" for x, y in shape.corners)


def define_ice(shape: Hexagon) -> str:
    """Define a slab of ice; its top takes the colour of the element that uses it."""
    side, top = hexagon_points(shape, down=THICKNESS), hexagon_points(shape)
    return (
        f'<g id="fish-tile-{shape.name}"><polygon fill="#7fb3d1" stroke="none" points="{side}"/>'
        f'<polygon points="{top}"/></g>'
        f'<polygon id="fish-hole-{shape.name}" points="{top}"/>'
    )


def define_school(count: int) -> str:
    """Define the fish of one tile."""
    fish = "".join(f'<use href="#fish-one" x="{x}" y="{y}"/>' for x, y in SCHOOLS[count])
    smaller = ' transform="scale(.84)"' if count > 3 else ""
    return f'<g id="fish-{count}"{smaller}>{fish}</g>'


def define_penguin(color: str) -> str:
    """Define a penguin: flippers, feet, body in its colour, belly with its letters, eyes, beak, dress."""
    return (
        f'<g id="fish-penguin-{color}" stroke="#12324a" stroke-width="1.4" stroke-linejoin="round">'
        '<ellipse fill="#12324a" opacity=".25" stroke="none" cy="21" rx="14" ry="4"/>'
        '<path fill="#f5a02c" d="M-11 22q2-6 9-4v4zM11 22q-2-6-9-4v4z"/>'
        f'<path fill="{BODIES[color]}" d="M-12 2q-7 4-6 13 5-1 7-7zM12 2q7 4 6 13-5-1-7-7z"/>'
        f'<path fill="{BODIES[color]}" d="M-13 6C-13-26 13-26 13 6C13 25-13 25-13 6z"/>'
        '<ellipse fill="#fffef8" cy="8.5" rx="9.5" ry="10"/>'
        '<path stroke-width="4" stroke-linecap="round" d="M-4.5-9h.1m8.8 0h.1"/>'
        '<path fill="#f5a02c" d="M-3.5-6h7l-3.5 5z"/>'
        f'{DRESS[color]}<text y="14" font-size="12" text-anchor="middle" fill="#12324a" stroke="none">'
        f"{color[:2].title()}</text></g>"
    )


DEFINITIONS: Final = "".join(
    [
        '<linearGradient id="fish-sea" x2="0" y2="1"><stop stop-color="#2a86b8"/>',
        '<stop offset="1" stop-color="#0f4f7c"/></linearGradient>',
        '<pattern id="fish-waves" width="88" height="44" patternUnits="userSpaceOnUse">',
        '<path fill="none" stroke="#fff" stroke-width="2" opacity=".1" d="M8 14q9-9 18 0t18 0M50 36q9-9 18 0t18 0"/>',
        "</pattern>",
        '<g id="fish-one" stroke="none"><path fill="#1f78b4" d="M-12 0q9-10 17 0q-8 10-17 0zM3 0l9-6q-2 6 0 12z"/>',
        '<circle fill="#fff" cx="-6.5" cy="-1.4" r="1.4"/></g>',
        *map(define_ice, SHAPES.values()),
        *map(define_school, SCHOOLS),
        *map(define_penguin, BODIES),
    ]
)

STYLE: Final = ".fish-board{font:700 15px system-ui,sans-serif;fill:#12324a}" + "".join(
    f".fish-board {rule}"
    for rule in (
        ".sea{fill:url(#fish-sea)}",
        ".waves{fill:url(#fish-waves)}",
        ".tile{fill:#f6fbfe;stroke:#b5d3e4;stroke-width:1.5}",
        ".hole{fill:#fff;fill-opacity:.07;stroke:#fff;stroke-opacity:.12}",
        ".left{fill:#ffd45e;fill-opacity:.35;stroke:#ffd45e;stroke-opacity:1;stroke-width:2;stroke-dasharray:5 4}",
        ".lit{cursor:pointer}",
        ".tile.lit{fill:#fff0b8;stroke:#d97a00;stroke-width:3;stroke-dasharray:7 4}",
        ".tile.lit:hover{fill:#ffe07a}",
        ".tile.chosen{fill:#ffd45e;stroke:#12324a;stroke-width:3.5}",
        ":focus:not(:focus-visible){outline:none}",
        ".tile:focus-visible{outline:none;stroke:#12324a;stroke-width:6;stroke-dasharray:none}",
        ".path{pointer-events:none;stroke:#ff9d1c;stroke-width:5;stroke-linecap:round;stroke-dasharray:1 10;fill:none}",
        ".count{font-size:19px;text-anchor:middle}",
        ".line{fill:#fff;opacity:.93}",
        ".turn{stroke:#ffb224;stroke-width:3}",
        ".name{font-size:16px}",
        ".small{font-weight:500}",
        ".sum{font-size:17px;text-anchor:end}",
        ".out .name{text-decoration:line-through;opacity:.6}",
    )
)
"""Every rule applies to pictures of Fish alone: a page may show other games too.

Definitions have their colours in attributes: rules with an ancestor do not apply inside a copy made by ``use``.
"""
