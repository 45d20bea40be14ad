"""`python -m tools.icons`: the icons of the page as PNG and ICO, made from icon.svg."""

from __future__ import annotations

import io
import re
from pathlib import Path

import resvg_py
from PIL import Image

STATIC = Path(__file__).parent.parent / "src" / "fairplay" / "web" / "static"

GREEN = "#0f766e"
SAFE_SHARE = 0.72
"""How much of a maskable icon the sign fills: a device may cut off everything outside a circle of 80 %."""


def build_icons() -> dict[str, bytes]:
    """All icons by their paths within the folder of static files."""
    source = (STATIC / "icon.svg").read_text("utf-8")
    return {
        "icons/icon-192.png": draw_png(source, 192),
        "icons/icon-512.png": draw_png(source, 512),
        "icons/maskable-512.png": draw_png(fill_square(source), 512),
        "root/favicon.ico": draw_ico(source),
    }


def draw_png(svg: str, size: int) -> bytes:
    """A square PNG with few colours."""
    image = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=size, height=size))))
    file = io.BytesIO()
    image.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()


def fill_square(svg: str) -> str:
    """The icon on a ground that fills the whole square."""
    inner = re.sub(r"^<svg[^>]*>|</svg>\s*$", "", svg)
    edge = 16 * (1 - SAFE_SHARE)
    place = f'transform="translate({edge:g} {edge:g}) scale({SAFE_SHARE})"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="{GREEN}" d="M0 0h32v32H0z"/>'
        f"<g {place}>{inner}</g></svg>"
    )


def draw_ico(svg: str) -> bytes:
    """The icon for browsers that look for favicon.ico."""
    image = Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, width=64, height=64))))
    file = io.BytesIO()
    image.save(file, "ICO", sizes=[(16, 16), (32, 32)])
    return file.getvalue()


if __name__ == "__main__":
    for path, content in build_icons().items():
        (STATIC / path).write_bytes(content)
