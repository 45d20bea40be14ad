"""The colours and styles of pictures of Trains, and the badge of a seat."""

from functools import cache

from fairplay.core import Picture, Seat
from fairplay.games.trains.map import LENGTHS
from fairplay.games.trains.words import seat_name

CARD_PAINTS = {"red": "#d7392b", "blue": "#2356ae", "green": "#5fb23c", "white": "#ffffff"}
"""The colours of connections and cards; they differ in brightness too."""

SEAT_PAINTS = ("#f0a31c", "#0d8784", "#7b45b4", "#d8508c", "#7f8f1a", "#85552e", "#1f3a8c", "#5f6672")

INK = "#2b2a26"
LAND = "#f2ecd6"
_SEA = "#a8d0dc"

_PIECES = (
    f'<g id="trains-wagon" stroke="{INK}"><rect x="-11.5" y="-5.5" width="23" height="11" rx="2.5"/>'
    '<path d="M-8-3h16M-8 3h16" stroke="#fff" stroke-width="1.6" stroke-dasharray="2.8 3.8" opacity=".85"/></g>'
    f'<g id="trains-engine" stroke="{INK}"><path d="M-11.5-5.5H3q8.5.5 8.5 5.5T3 5.5h-14.5z"/>'
    '<path d="M-8-3v6M4-2v4" stroke="#fff" stroke-width="2.4" opacity=".85"/></g>'
    f'<g id="trains-side" stroke="{INK}"><path d="M8-5v-4h4v4M-13 6V-9H0v4h13V6z"/><circle cx="-7" cy="7" r="3"/>'
    '<circle cx="5" cy="7" r="3"/></g>'
    '<path id="trains-tree" d="M0-9 5-1H3L7 5H1v3h-2V5h-6l4-6h-2z"/>'
    '<path id="trains-hill" d="M-13 6-5-6l3 4 4-6L13 6z"/>'
    '<path id="trains-wave" d="M-9 0q3-4 6 0t6 0 6 0"/>'
    f'<g id="trains-back" stroke="{INK}" stroke-width="1.5"><rect x="7" y="-5" width="58" height="82" rx="7"'
    ' fill="#5d6b72"/><rect x="3.5" y="-2" width="58" height="82" rx="7" fill="#4b5960"/>'
    '<rect y="1" width="58" height="82" rx="7" fill="#37454c"/><path d="M10 73h38M10 66h38M16 61v17M29 61v17M42 61v17"'
    ' stroke="#c7ab63" stroke-width="2.5" stroke-linecap="round"/></g>'
)
WAGON = 25.0  # from wagon to wagon


def wagon_kinds(length: int) -> list[str]:
    """What a train consists of, from left to right."""
    return ["wagon"] * (length - 1) + ["engine"]


def wagon_middles(length: int) -> list[float]:
    """Where these are, seen from the middle of the train."""
    return [WAGON * (number - (length - 1) / 2) for number in range(length)]


def _define_train(length: int) -> str:
    """Define a train of this length; it goes to the right."""
    wagons = zip(wagon_kinds(length), wagon_middles(length), strict=True)
    uses = "".join(f'<use href="#trains-{kind}" x="{x:g}"/>' for kind, x in wagons)
    return f'<g id="trains-train{length}">{uses}</g>'


STYLE = f".trains-board{{font:600 15px system-ui,sans-serif;fill:{INK}}}" + "".join(
    f".trains-board {rule}"
    for rule in (
        # the landscape
        f".sea{{fill:{_SEA}}}",
        ".coast{fill:none;stroke-linecap:round;stroke-linejoin:round}",
        ".tree{fill:#a9bf82}",
        ".hill{fill:#d8c9a0;stroke:#b9a77a;stroke-linejoin:round}",
        ".wave{fill:none;stroke:#fff;stroke-width:1.6;stroke-linecap:round;opacity:.7}",
        ".edge{fill:none;stroke:#4d3f2b;stroke-width:6}",
        # the map
        ".ties{fill:none;stroke:#7b6a50;stroke-width:11;stroke-dasharray:2 4.5;opacity:.5}",
        ".bed,.trains-board line{fill:none;stroke:#000;stroke-width:16;stroke-opacity:0}",
        *(
            f".{color}{{fill:{paint};fill-rule:evenodd;stroke:{INK};stroke-linejoin:round}}"
            for color, paint in CARD_PAINTS.items()
        ),
        f".city{{fill:#fffdf6;stroke:{INK};stroke-width:2.5}}",
        ".name{font-weight:700;text-anchor:middle}",
        f".name{{paint-order:stroke;stroke:{LAND};stroke-width:3.5px;stroke-linejoin:round;stroke-opacity:.9}}",
        ".ground{fill:#e6dbb9}",
        ".rails{fill:none;stroke:#6b6660;stroke-width:1.6}",
        ".stop{stroke:#d7392b;stroke-width:5;stroke-linecap:round}",
        ".note{font-size:13px}",
        # owned connections, and the marks of a viewer
        ".taken{pointer-events:none}",
        *(f".s{seat}{{fill:{paint}}}" for seat, paint in enumerate(SEAT_PAINTS)),
        ".last{fill:none;stroke:#fff8c9;stroke-width:21;stroke-linecap:round;opacity:.9}",
        f".aim{{fill:{INK};stroke:#ffd34d;stroke-width:2.5}}",
        ".aim.done{fill:#1f7a3d;stroke:#d9ffd0}",
        ".mark{fill:#fff;font-size:13px;font-weight:700;text-anchor:middle}",
        ".mark.two{font-size:10px}",
        # what can be clicked, was clicked, is pointed at, or is hinted at
        ".lit{cursor:pointer}",
        ".lit .bed,.trains-board .lit line{stroke:#ffe23d;stroke-opacity:.85}",
        ".hint .bed,.trains-board .hint line{stroke:#16c3d6;stroke-opacity:.9}",
        ".near .bed,.trains-board .near line{stroke:#fff;stroke-opacity:1;stroke-width:19}",
        f".chosen .bed,.trains-board .chosen line{{stroke:{INK};stroke-opacity:1;stroke-width:19}}",
        ".hint .city{fill:#16c3d6;stroke-width:4}",
        ".near .city{stroke-width:4}",
        ":focus:not(:focus-visible){outline:none}",
        "[data-connection]:focus-visible{outline:none}",
        "[data-connection]:focus-visible>:first-child{stroke:#000;stroke-opacity:1;stroke-width:21}",
        # below the map
        ".paper{fill:#3b3328}",
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


def _seat_letter(seat: int) -> str:
    """The first letter of a seat's name; a number if there are more seats than names."""
    return seat_name(Seat(seat))[0].upper() if seat < len(SEAT_PAINTS) else str(seat)


def _letter_paint(seat: int) -> str:
    """The colour of a letter on the colour of a seat: dark on light amber, white on the others."""
    return INK if seat % len(SEAT_PAINTS) == 0 else "#fff"


def draw_letter(seat: int, x: float, y: float) -> str:
    """Draw the letter of a seat on its colour; by attributes, as styles do not reach what is used again."""
    font = 'font-size="11" font-weight="700" text-anchor="middle"'
    return f'<text x="{x:.0f}" y="{y:.0f}" {font} fill="{_letter_paint(seat)}">{_seat_letter(seat)}</text>'


def draw_badge(seat: int, x: float, y: float) -> str:
    """Draw the badge of a seat: its colour and the first letter of its name."""
    if seat < len(SEAT_PAINTS):
        return f'<use href="#trains-badge{seat}" x="{x:.0f}" y="{y:.0f}"/>'
    return f'<g transform="translate({x:.0f} {y:.0f})">{_outline_badge(seat)}</g>'


def _outline_badge(seat: int) -> str:
    """Draw the badge of a seat around the origin."""
    return f'<circle r="9" stroke="#fff" stroke-width="1.5" fill="{seat_paint(seat)}"/>{draw_letter(seat, 0, 4)}'


DEFINITIONS = "".join(
    [
        _PIECES,
        *map(_define_train, LENGTHS),
        *(f'<g id="trains-badge{seat}">{_outline_badge(seat)}</g>' for seat in range(len(SEAT_PAINTS))),
    ]
)
"""What pictures use more than once."""


# -- tokens ------------------------------------------------------------------------------------


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
        f' text-anchor="middle" fill="{_letter_paint(seat)}">{_seat_letter(seat)}</text></svg>'
    )
