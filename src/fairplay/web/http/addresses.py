"""The address of this site, as the visitor wrote it."""

from __future__ import annotations

import re
from typing import Final

from starlette.requests import HTTPConnection

__all__ = ["site_origin"]

HOST: Final = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
"""A host and maybe a port; SecurityMiddleware has refused hosts that are not ours."""


def site_origin(connection: HTTPConnection) -> str:
    """Scheme, host and port, such as ``https://play.example``; empty if the host is malformed."""
    host = connection.headers.get("host", "")
    scheme = "https" if connection.url.scheme in ("https", "wss") else "http"
    return f"{scheme}://{host}" if HOST.fullmatch(host) else ""
