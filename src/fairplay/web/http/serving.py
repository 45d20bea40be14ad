"""An ASGI application on a socket, until a signal stops it."""

from __future__ import annotations

import signal
import socket
import sys
from pathlib import Path
from types import FrameType
from typing import Final

import structlog
import uvicorn
from starlette.types import ASGIApp

from fairplay.web.http.limits import ConnectionLimit
from fairplay.web.http.settings import Settings
from fairplay.web.http.timeouts import limited_protocols

__all__ = ["StopSignals", "build_server", "serve"]


class StopSignals:
    """Remembers that Ctrl-C or SIGTERM came while a server was being set up.

    Python raises KeyboardInterrupt wherever it happens to be, and drops it in a callback of the garbage collector.  The
    server would then start all the same, and run until it is told a second time.
    """

    def __init__(self) -> None:
        """EFFECT: from now on, this is what handles the signals of the process."""
        self.came = False
        for number in NUMBERS:
            signal.signal(number, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        raise KeyboardInterrupt(number)


NUMBERS: Final = (signal.SIGINT, signal.SIGTERM)


def build_server(app: ASGIApp, settings: Settings, cert: Path | None = None, key: Path | None = None) -> uvicorn.Server:
    """A server with our limits.  It does not log requests: they are nobody else's business."""
    http, websocket = limited_protocols(ConnectionLimit(settings.connections, exempt=settings.proxy))
    config = uvicorn.Config(
        app,
        ssl_certfile=cert,
        ssl_keyfile=key,
        http=http,
        ws=websocket,
        ws_max_size=4_096,  # clients have nothing to say
        ws_per_message_deflate=False,  # it would compress for each client; see http/sockets.py
        ws_ping_interval=20,
        ws_ping_timeout=20,
        limit_concurrency=settings.watchers + 1_000,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=3,
        proxy_headers=bool(settings.proxy),
        forwarded_allow_ips=settings.proxy or None,
        server_header=False,
        access_log=False,
        log_level="warning",
    )
    return uvicorn.Server(config)


def serve(
    app: ASGIApp, settings: Settings, sock: socket.socket, cert: Path | None, key: Path | None, stopped: StopSignals
) -> None:
    """Serve until a signal says to stop; not at all if one has."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("iso", utc=True),
            structlog.processors.format_exc_info,  # without the values of variables, which may be secret
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    server = build_server(app, settings, cert, key)

    def stop(*_: object) -> None:
        server.should_exit = True

    for number in NUMBERS:
        signal.signal(number, stop)  # until the server handles them itself, and when it raises them again at the end
    if not stopped.came:
        server.run(sockets=[sock])
