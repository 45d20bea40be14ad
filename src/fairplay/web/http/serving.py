"""The application on a socket, until it is told to stop."""

from __future__ import annotations

import signal
import socket
import sys
from pathlib import Path

import structlog
import uvicorn

from fairplay.store.store import Store
from fairplay.web.app import application
from fairplay.web.http.deflate import Sockets
from fairplay.web.http.timeouts import BoundedRequests
from fairplay.web.settings import Settings

__all__ = ["serve", "server"]


def server(settings: Settings, store: Store, cert: Path | None = None, key: Path | None = None) -> uvicorn.Server:
    """A server with our limits.  It logs no requests: what people ask for is nobody's business."""
    config = uvicorn.Config(
        application(settings, store),
        ssl_certfile=cert,
        ssl_keyfile=key,
        http=BoundedRequests,
        ws=Sockets,
        ws_max_size=4_096,  # a watcher has nothing to say
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


def serve(settings: Settings, store: Store, sock: socket.socket, cert: Path | None, key: Path | None) -> None:
    """Serve until a signal says to stop."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper("iso", utc=True),
            structlog.processors.format_exc_info,  # without the values of variables, which may be secret
            structlog.processors.JSONRenderer(),
        ],
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    serving = server(settings, store, cert, key)

    def stop(*_: object) -> None:
        serving.should_exit = True

    for one in (signal.SIGINT, signal.SIGTERM):
        signal.signal(one, stop)  # until the server takes them itself, and when it passes them on in the end
    serving.run(sockets=[sock])
