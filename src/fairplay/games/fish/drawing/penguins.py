"""A penguin for each seat: by its colours, its figure and its dress it can be told from the others at a glance."""

from typing import NamedTuple

from fairplay.core import Picture, Seat
from fairplay.games.fish.state import COLORS

INK = "#14283d"
ORANGE = "#f59a23"
SIZE = 1.2  # on the board


class PenguinFigure(NamedTuple):
    """How the penguin of a seat differs from the others."""

    coat: str
    shade: str
    belly: str
    wings: str
    dress: str
    build: str = ""  # how its body is stretched


WINGS = "M-12-9Q-21-1-19 9q6-2 8-9zM12-9Q21-1 19 9q-6-2-8-9z"
WAVING = "M-12-9Q-21-1-19 9q6-2 8-9zM10-10Q17-14 18-22q6-3 7 3-1 13-13 18z"
AKIMBO = "M-12-10Q-23-4-20 4q3 4 9 2l-2-4zM12-10Q23-4 20 4q-3 4-9 2l2-4z"

FIGURES = {
    "red": PenguinFigure(  # a striped bobble hat
        coat="#d93a32",
        shade="#a8231f",
        belly="#fffdf7",
        wings=WINGS,
        dress='<path fill="#fff" d="M-11-22Q-11-37 0-37T11-22Q0-27-11-22z"/>'
        '<path fill="#d93a32" stroke="none" d="M-8.5-31.5Q0-36.5 8.5-31.5L10-28Q0-33-10-28z"/>'
        '<path fill="#fff" d="M-12-21.5Q0-28 12-21.5L11.5-18Q0-24.5-11.5-18z"/>'
        '<circle fill="#fff" cy="-39" r="4"/>',
    ),
    "white": PenguinFigure(  # a long dotted scarf, and it waves
        coat="#f7f3e9",
        shade="#c9c4b6",
        belly="#ffffff",
        build="scale(.92 1.07)",
        wings=WAVING,
        dress='<path fill="#2467b0" d="M-12.5-13Q0-7 12.5-13L13-8Q0-1-13-8z"/>'
        '<path fill="#2467b0" d="M4-6l6-2 4 15-7 2z"/>'
        '<path stroke="#fff" stroke-width="2.2" stroke-linecap="round" d="M-8-9h0m8 2h0m8-2h0m0 8h0m2 6h0"/>'
        '<path fill="none" stroke="#2467b0" stroke-width="2.2" d="M-11-24Q0-38 11-24"/>'
        '<path fill="#2467b0" d="M-13-26q5 0 4 8-6 1-6-4zM13-26q-5 0-4 8 6 1 6-4z"/>',
    ),
    "brown": PenguinFigure(  # stout, in a top hat
        coat="#96603a",
        shade="#6d4224",
        belly="#ffeccb",
        build="translate(0 1)scale(1.14 .95)",
        wings=AKIMBO,
        dress='<path fill="#2f2a33" d="M-8.5-26l-1.5-15Q0-44 10-41l-1.5 15z"/>'
        '<path fill="#f3b73c" stroke="none" d="M-8.9-30Q0-27 8.9-30l-.4 4.5h-16z"/>'
        '<path fill="#2f2a33" d="M-15-26Q0-20 15-26q1 4-4 4.5-11 2.5-22 0-5-.5-4-4.5z"/>'
        '<circle fill="none" stroke="#f3b73c" stroke-width="1.7" cx="4.5" cy="-17.5" r="4.2"/>'
        '<path fill="none" stroke="#f3b73c" stroke-width="1.2" d="M8-15q4 6 2 12"/>',
    ),
    "black": PenguinFigure(  # a golden crest and a bow tie
        coat="#343945",
        shade="#191c24",
        belly="#f6f8fb",
        wings=WINGS,
        dress='<path fill="#f6c445" d="M-2-26Q-14-27-19-37q8 4 11 4-3-4-4-8 8 4 10 8 0-4 2-7'
        ' 2 3 2 7 2-4 10-8-1 4-4 8 3 0 11-4-5 10-17 11z"/>'
        '<path fill="#f6c445" d="M0-7l-9-4.5v9zM0-7l9-4.5v9z"/><circle fill="#f6c445" cy="-7" r="2"/>'
        '<path fill="#f6c445" stroke="none" d="M-12-19q-1 7 3 9-1-5 0-9zM12-19q1 7-3 9 1-5 0-9z"/>',
    ),
}

BODY = "M0-31C9-31 12.5-24 13-15 16-7 17 2 14.5 8 12 14 6 15 0 15S-12 14-14.5 8C-17 2-16-7-13-15-12.5-24-9-31 0-31z"
SHADE = "M3-30.5C9.5-29 12.5-24 13-15 16-7 17 2 14.5 8 12 14 6 15 0 15 12 9 13-12 3-30.5z"
BELLY = "M0-9C6-10 9.5-3 9.5 4 9.5 10.5 5 13.5 0 13.5S-9.5 10.5-9.5 4C-9.5-3-6-10 0-9z"
FACE = "M0-23.5Q4-28 8-24 11-18 7-13 3-9.5 0-9.5T-7-13Q-11-18-8-24-4-28 0-23.5z"


def define_penguin(color: str) -> str:
    """Define the penguin of a colour; it stands on the origin."""
    return f'<g id="fish-penguin-{color}" transform="scale({SIZE})">{draw_figure(FIGURES[color])}</g>'


def draw_figure(figure: PenguinFigure) -> str:
    """Draw a penguin: its shadow, feet, body, face and dress."""
    build = f' transform="{figure.build}"' if figure.build else ""
    return (
        f'<g stroke="{INK}" stroke-width="1.3" stroke-linejoin="round">'
        f'<ellipse fill="{INK}" opacity=".25" stroke="none" cx="2" cy="14.5" rx="18" ry="5"/>'
        f'<path fill="{ORANGE}" d="M-13 16q1-6 7-6 5 1 4 6-5 2-11 0zM13 16q-1-6-7-6-5 1-4 6 5 2 11 0z"/>'
        f"<g{build}>{draw_body(figure)}{draw_face()}</g>{figure.dress}</g>"
    )


def draw_body(figure: PenguinFigure) -> str:
    """Draw wings, coat and belly; light comes from the left."""
    return (
        f'<path fill="{figure.shade}" d="{figure.wings}"/><path fill="{figure.coat}" d="{BODY}"/>'
        f'<g stroke="none"><path fill="{figure.shade}" d="{SHADE}"/><path fill="{figure.belly}" d="{BELLY}{FACE}"/>'
        f'<path fill="{INK}" opacity=".09" d="M2 13.5C9 12 10-2 5-8 9-6 9.5-3 9.5 4 9.5 10 7 13 2 13.5z"/></g>'
    )


def draw_face() -> str:
    """Draw cheeks, eyes and beak."""
    eyes = "".join(
        f'<circle fill="#ff8d7a" opacity=".55" cx="{1.6 * x:g}" cy="-13.5" r="2"/>'
        f'<circle fill="{INK}" cx="{x}" cy="-18" r="2.3"/><circle fill="#fff" cx="{x - 0.7:g}" cy="-18.8" r=".8"/>'
        for x in (-4.3, 4.3)
    )
    beak = f'<path fill="{ORANGE}" stroke-width="1" d="M-4-14.5Q0-18 4-14.5 1.5-10.5 0-10.5T-4-14.5z"/>'
    return f'<g stroke="none">{eyes}</g>{beak}'


PENGUINS = "".join(map(define_penguin, COLORS))


def seat_color(seat: Seat) -> str:
    """The colour of a seat's penguins."""
    return FIGURES[COLORS[seat]].coat


def draw_token(seat: Seat) -> Picture:
    """Draw head and shoulders of a seat's penguin on ice, for lists of names."""
    color = COLORS[seat]
    ice = '<circle fill="#d9eff8" stroke="#8fc3dc" cx="12" cy="12" r="11.5"/>'
    body = f'{ice}<g transform="translate(12 21.5) scale(.46)">{draw_figure(FIGURES[color])}</g>'
    return Picture.build("fish-token", 24, 24, f"{color} penguin", "", body)
