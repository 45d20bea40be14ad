"""A match as text, as a drawing, or as pixels."""

from importlib.util import find_spec
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairplay.core import AnyGame, AnyTurn, UsageError

RENDER_MODES = ("ansi", "svg", "rgb_array")

FRAMES_PER_SECOND = 2
"""Of films that others make of a match: time to see a turn."""

_WIDTH = 600
"""Pixels of a picture from side to side."""


def check_mode(mode: str | None) -> str | None:
    """`mode` if it can be rendered; raises UsageError.

    ``"human"`` is allowed and shows nothing by itself, because environments here open no windows.
    """
    if mode not in (None, "human", *RENDER_MODES):
        raise UsageError(f"render_mode: expected one of {', '.join(RENDER_MODES)}, not {mode!r}")
    if mode == "rgb_array" and not (find_spec("resvg_py") and find_spec("PIL")):
        raise UsageError("render_mode 'rgb_array' turns drawings into pixels: pip install pillow resvg_py")
    return mode


def render_match(game: AnyGame, shown: object, last: AnyTurn | None, mode: str | None, *, open: bool = False) -> Any:
    """A state, with `open` everything in it, or a view: as a text, as SVG, or as pixels."""
    if mode == "ansi":
        return game.words.board(shown)
    if mode not in RENDER_MODES:
        return None
    drawing = str(game.shown.picture(shown, last, open=open))
    return drawing if mode == "svg" else _rasterise_svg(drawing)


def _rasterise_svg(drawing: str) -> NDArray[np.uint8]:
    """The pixels of a drawing on white, as an array of height, width and red, green and blue."""
    import resvg_py
    from PIL import Image

    png = bytes(resvg_py.svg_to_bytes(svg_string=drawing, width=_WIDTH, background="white"))
    with Image.open(BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
