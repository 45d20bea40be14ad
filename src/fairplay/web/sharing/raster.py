"""Drawings as PNG and GIF, with the packages of the extra `pictures`."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from fairplay.web.http.errors import RequestError
from fairplay.web.sharing.drawings import draw_record

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["animate_gif", "can_make_pictures", "render_png", "require_pictures"]

MAX_FRAMES: Final = 100
MAX_GIF_BYTES: Final = 4 << 20
"""Of an animation that is larger, every second frame is left out."""

GIF_SIZE: Final = 480
PNG_SIZE: Final = 1200
"""Pixels of the longer side."""

FRAME_MS: Final = 600
LAST_FRAME_MS: Final = 3_000
"""How long a frame is shown."""

FONTS: Final = {
    "Noto Sans": "NotoSans-Regular",
    "DejaVu Sans": "DejaVuSans",
    "Liberation Sans": "LiberationSans-Regular",
    "Open Sans": "OpenSans-Regular",
    "Arial": "Arial",
}
"""Families, each with the name of its file; the first that is there is used."""

FONT_FOLDERS: Final = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts")

COLORS: Final = 255
BACKGROUND: Final = "#ffffff"


def can_make_pictures() -> bool:
    """Is the extra `pictures` installed?"""
    return find_spec("resvg_py") is not None and find_spec("PIL") is not None


def require_pictures() -> None:
    """Raises RequestError if the extra `pictures` is not installed."""
    if not can_make_pictures():
        raise RequestError(501, "This server cannot make pictures: it lacks the extra 'pictures' (resvg_py, pillow).")


def render_png(svg: str, longest: int = PNG_SIZE) -> bytes:
    """A drawing as PNG, its longer side `longest` pixels long."""
    import resvg_py

    width, height = size_of(svg)
    font = find_font()
    pixels = resvg_py.svg_to_bytes(
        svg_string=svg,
        background=BACKGROUND,
        width=longest if width >= height else None,
        height=None if width >= height else longest,
        font_family=font,
        sans_serif_family=font,
    )
    return bytes(pixels)


@cache
def find_font() -> str | None:
    """A font without serifs that this machine has; drawings ask for any, but resvg knows only names."""
    files = {path.stem for folder in FONT_FOLDERS for path in folder.rglob("*.[ot]tf")}
    return next((name for name, file in FONTS.items() if file in files), None)


def size_of(svg: str) -> tuple[float, float]:
    """The width and the height of a drawing; a square if it does not say them, which all of ours do."""
    found = re.search(r'viewBox="[-0-9.]+ [-0-9.]+ ([0-9.]+) ([0-9.]+)"', svg)
    return (1.0, 1.0) if found is None else (float(found[1]), float(found[2]))


def animate_gif(record: bytes, open: bool) -> bytes:
    """A recorded match as a GIF that moves; raises RecordError."""
    _, pictures = draw_record(record, MAX_FRAMES, open=open)
    frames = [read_frame(render_png(picture, GIF_SIZE)) for picture in pictures]
    made = write_gif(frames)
    while len(made) > MAX_GIF_BYTES and len(frames) > 2:
        frames = [*frames[:-1:2], frames[-1]]
        made = write_gif(frames)
    return made


def read_frame(png: bytes) -> Image:
    """A picture without its transparency."""
    from PIL import Image

    return Image.open(io.BytesIO(png)).convert("RGB")


def write_gif(frames: Sequence[Image]) -> bytes:
    """A GIF of frames of one size; all have the colours of the last one, so that nothing flickers."""
    from PIL import Image

    palette = frames[-1].quantize(COLORS)
    fitted = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    times = [FRAME_MS] * (len(fitted) - 1) + [LAST_FRAME_MS]
    file = io.BytesIO()
    fitted[0].save(file, "GIF", save_all=True, append_images=fitted[1:], duration=times, loop=0)
    return file.getvalue()
