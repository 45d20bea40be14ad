"""QR codes of addresses on this site."""

from __future__ import annotations

import io
from typing import Final
from urllib.parse import urlsplit

import segno

from fairplay.web.http.errors import RequestError

__all__ = ["MAX_TEXT", "check_own_address", "draw_qr"]

MAX_TEXT: Final = 500
"""Characters of an address; more would not be read by a phone."""


def check_own_address(text: str, origin: str) -> None:
    """Raises RequestError unless `text` is an address on the site at `origin`: nobody's advertisement is drawn here."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    is_plain = text.isascii() and text.isprintable() and " " not in text
    if not origin or not is_plain or f"{parts.scheme}://{parts.netloc}" != origin:
        raise RequestError(422, "A QR code can be made of an address on this site only.")


def draw_qr(text: str) -> str:
    """A QR code as SVG, dark on white with the margin that readers need."""
    file = io.BytesIO()
    code = segno.make_qr(text, error="m")
    code.save(file, kind="svg", scale=4, border=4, light="#fff", xmldecl=False, svgclass=None, lineclass=None, nl=False)
    return file.getvalue().decode()
