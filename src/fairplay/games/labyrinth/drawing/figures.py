"""Pawns, gates and goals of Labyrinth: every seat has a colour, a number and a figure of its own."""

from __future__ import annotations

from re import fullmatch
from typing import Final

from fairplay.core import Picture, Seat
from fairplay.games.labyrinth.state import COLORS

__all__ = [
    "GOLD",
    "PAINTS",
    "define_figures",
    "draw_gate",
    "draw_goal_sign",
    "draw_pawn",
    "draw_star",
    "draw_token",
    "gate_icon",
    "goal_icon",
    "letter_paint",
    "paint_for",
]

PAINTS: Final = {
    "purple": "#9a4fd0",
    "orange": "#f58220",
    "pink": "#f78fc4",
    "red": "#d92f38",
    "blue": "#2f7fe6",
    "green": "#2fa05a",
    "yellow": "#f6d02f",
    "white": "#fbfbf7",
    "black": "#3a3a46",
}

GOLD: Final = "#ffcf3f"

BODY: Final = "M-13 18C-12 9-8 5-6-4H6C8 5 12 9 13 18Q0 23-13 18z"
HEADS: Final = (
    "M-9-11A9 9 0 1 1 9-11A9 9 0 1 1-9-11z",  # a round head
    "M0-27L11-3H-11z",  # a pointed hat
    "M-11-3V-20L-5-13 0-23 5-13 11-20V-3z",  # a crown
    "M-9-21H9V-3H-9z",  # a square helmet
    "M-8-3Q-17-9-13-22Q-9-15 0-16Q9-15 13-22Q17-9 8-3z",  # horns
    "M-15-8H-8V-20H8V-8H15V-3H-15z",  # a hat with a brim
    "M0-25L11-13 0-2-11-13z",  # a diamond
    "M-11-12Q-11-22-4-17L0-24 4-17Q11-22 11-12Q9-3 0-3Q-9-3-11-12z",  # ears
    "M-4-3V-9H-11V-16H-4V-24H4V-16H11V-9H4V-3z",  # a cross
)
"""What tells pawns apart when colours do not."""

STAR: Final = "M0-26 6.2-9.6 23.6-8.5 10.1 2.6 14.6 19.6 0 10-14.6 19.6-10.1 2.6-23.6-8.5-6.2-9.6z"
TOWER: Final = "M-11 11V-11H-6V-7H-2.5V-11H2.5V-7H6V-11H11V11z"
BRACKETS: Final = (
    "M-32-14V-26Q-32-32-26-32H-14M14-32H26Q32-32 32-26V-14M32 14V26Q32 32 26 32H14M-14 32H-26Q-32 32-32 26V14"
)


def paint_for(color: str) -> str:
    """The CSS colour for a colour of Labyrinth 1.1; grey for any other string."""
    return PAINTS.get(color) or (f"#{color}" if fullmatch("[0-9A-F]{6}", color) else "#9aa7ab")


def letter_paint(paint: str) -> str:
    """A CSS colour that is readable on `paint`."""
    red, green, blue = (int(paint[start : start + 2], 16) for start in (1, 3, 5))
    return "#fff" if 299 * red + 587 * green + 114 * blue < 150_000 else "#17130c"


def pawn_art(seat: int) -> str:
    """The outline of a pawn, in the colour of the element around it."""
    edge = 'stroke="#17130c" stroke-width="1.8" stroke-linejoin="round"'
    return (
        f'<path d="{BODY}" {edge}/><path d="{HEADS[seat % len(HEADS)]}" {edge}/>'
        '<path d="M-8 14C-7 8-5 4-4-1" fill="none" stroke="#fff" stroke-opacity=".55" stroke-width="2"/>'
    )


def number_mark(seat: int, y: float, paint: str) -> str:
    """The number of a seat, as a text."""
    return (
        f'<text y="{y:g}" fill="{letter_paint(paint)}" font-family="system-ui,sans-serif" font-size="13"'
        f' font-weight="700" text-anchor="middle">{seat + 1}</text>'
    )


def define_figures(seats: int) -> str:
    """Define what all seats share, and the pawn of each."""
    pawns = (
        f'<g id="labyrinth-pawn-{seat}"><ellipse cx="2" cy="19" rx="15" ry="4.5" fill="#000" fill-opacity=".35"/>'
        f"{pawn_art(seat)}</g>"
        for seat in range(seats)
    )
    return (
        f'{"".join(pawns)}<path id="labyrinth-star" d="{STAR}"/><path id="labyrinth-brackets" d="{BRACKETS}"'
        f' fill="none" stroke-linecap="round"/><path id="labyrinth-tower" d="{TOWER}"/>'
    )


def draw_pawn(seat: int, paint: str, *, mine: bool = False) -> str:
    """Draw a pawn around (0, 0) with its number; the viewer's own stands in a ring.  ASSUME figures are defined."""
    ring = '<ellipse class="mine" cy="18" rx="21" ry="8"/>' if mine else ""
    return (
        f'<g transform="translate(0 1)scale(1.18)">{ring}<use href="#labyrinth-pawn-{seat}" fill="{paint}"/>'
        f"{number_mark(seat, 15, paint)}</g>"
    )


def draw_gate(seat: int, paint: str, depth: int = 0) -> str:
    """Draw a home around (0, 0), the middle of its tile: brackets and a tower; ASSUME figures are defined.

    depth: how many gates stand on this tile already.
    """
    size = f' transform="scale({1 - 0.2 * depth:g})"' if depth else ""
    return (
        f'<g{size} class="gate"><use class="under" href="#labyrinth-brackets"/>'
        f'<use href="#labyrinth-brackets" stroke="{paint}"/></g>'
        f'<g transform="translate({23 - 23 * depth} -23)"><use class="edge" href="#labyrinth-tower" fill="{paint}"/>'
        f"{number_mark(seat, 7.5, paint)}</g>"
    )


def draw_goal_sign(paint: str, seat: int | None = None) -> str:
    """Draw a large star in a halo around (0, 0); ASSUME figures are defined."""
    return f'<circle class="halo" r="30"/>{draw_star(paint, seat)}'


def draw_star(paint: str, seat: int | None = None) -> str:
    """Draw a star around (0, 0), with a number if those of several seats are shown; ASSUME it is defined."""
    number = "" if seat is None else number_mark(seat, 6, paint)
    return (
        f'<use class="under" href="#labyrinth-star"/><use class="edge" href="#labyrinth-star" fill="{paint}"/>{number}'
    )


# -- small pictures of their own ---------------------------------------------------------------


def build_icon(art: str, label: str = "") -> str:
    """Frame a figure of 56 units as a small picture."""
    told = f'role="img" aria-label="{label}"' if label else 'aria-hidden="true"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-28 -28 56 56" width="46" height="46" {told}>{art}</svg>'


def goal_icon() -> str:
    """The star that marks a goal."""
    return build_icon(f'<path d="{STAR}" fill="{GOLD}" stroke="#17130c" stroke-width="2" stroke-linejoin="round"/>')


def gate_icon(seat: int, paint: str) -> str:
    """The gate that marks a home."""
    return build_icon(
        f'<g transform="scale(2)"><path d="{TOWER}" fill="{paint}" stroke="#17130c" stroke-linejoin="round"/>'
        f"{number_mark(seat, 7.5, paint)}</g>"
    )


def seat_color(seat: Seat) -> str:
    """The colour that a seat has in a dealt match."""
    return paint_for(COLORS[seat % len(COLORS)])


def draw_token(seat: Seat) -> Picture:
    """Draw the pawn of a seat, in the colour it has in a dealt match, for lists of names."""
    paint = seat_color(seat)
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">'
        f'<g transform="translate(12 13.2)scale(.46)" fill="{paint}">{pawn_art(seat)}{number_mark(seat, 15, paint)}'
        "</g></svg>"
    )
