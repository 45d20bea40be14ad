"""Pictures for links in chats and social networks: a board with a title above it, 1200 by 630 pixels."""

from __future__ import annotations

import re
from html import escape
from typing import Final

from fairplay.web.sharing.raster import size_of

__all__ = ["CARD_HEIGHT", "CARD_WIDTH", "draw_card"]

CARD_WIDTH: Final = 1200
CARD_HEIGHT: Final = 630

BOARD: Final = (60, 140, 1080, 460)
"""Where the board is: left, top, width, height."""

MAX_TITLE: Final = 34
MAX_LINE: Final = 62
"""Letters that fit into the width."""

FONT: Final = "font-family=\"'DejaVu Sans',Verdana,sans-serif\""
ICON: Final = (
    '<g transform="translate(60 20) scale(2.5)"><path fill="#fff" d="M16 1.5 28.6 8.75v14.5L16 30.5 3.4 23.25V8.75z"/>'
    '<path fill="none" stroke="#0f766e" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" '
    'd="M16 8v15M9 11h14M9 11l-3 7h6zM23 11l-3 7h6zM11.5 23.5h9"/></g>'
)


def draw_card(board: str, title: str, line: str) -> str:
    """A board with a title and a line above it, as SVG."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}" width="{CARD_WIDTH}" '
        f'height="{CARD_HEIGHT}"><path fill="#f6f7f5" d="M0 0h{CARD_WIDTH}v{CARD_HEIGHT}H0z"/>'
        f'<path fill="#0f766e" d="M0 0h{CARD_WIDTH}v120H0z"/>{ICON}'
        f'<text x="160" y="64" {FONT} font-size="42" font-weight="700" fill="#fff">{cut(title, MAX_TITLE)}</text>'
        f'<text x="160" y="100" {FONT} font-size="25" fill="#d9efec">{cut(line, MAX_LINE)}</text>'
        f"{place_board(board)}</svg>"
    )


def place_board(board: str) -> str:
    """The board as large as fits, in the middle of its place."""
    left, top, wide, high = BOARD
    width, height = size_of(board)
    scale = min(wide / width, high / height)
    x, y = left + (wide - scale * width) / 2, top + (high - scale * height) / 2
    place = f' x="{x:.1f}" y="{y:.1f}" width="{scale * width:.1f}" height="{scale * height:.1f}"'
    return re.sub(r' width="[^"]*" height="[^"]*"', place, board, count=1)


def cut(text: str, most: int) -> str:
    """As much of a text as fits, safe within SVG."""
    return escape(text if len(text) <= most else f"{text[: most - 1]}…")
