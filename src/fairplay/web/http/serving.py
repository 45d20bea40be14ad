"""Serving an application on a socket, with limits that uvicorn has not: for slow heads and bodies, and by address."""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import structlog
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from fairplay.web.http.limits import ConnectionLimit, Settings

_MAX_HEAD = 65_536
"""Bytes of a request's line and headers."""

HEAD_TIMEOUT = 20.0
"""Seconds from the opening of the connection, or from the first byte of a request, to the end of its head."""

BODY_TIMEOUT = 30.0
"""Seconds from there to the end of the body, whether or not the application waits for it."""

_TOO_SLOW = b'{"error":"The request took too long."}'
_TOO_MANY = b'{"error":"Your address has too many connections open. Close some and try again."}'


class TimedHttpProtocol(HttpToolsProtocol):
    """Closes the connection when a request takes too long, its head is too long, or an address has too many."""

    limit: ConnectionLimit  # of the server; a subclass has it
    _refused = False  # it was one connection too many
    _timer: asyncio.TimerHandle | None = None  # runs while a request is awaited or being received
    _head_bytes: int | None = 0  # received so far; None: the head is complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its parent does
        """A connection is open; a request should follow."""
        if not self.limit.enter(transport, _peer_address(transport)):
            self._refused = True
            transport.write(_json_reply(429, _TOO_MANY))
            transport.close()
            return
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._refused:
            self.limit.leave(self.transport)
            self._stop_timer()
            super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """The first byte of a request is there."""
        self._await_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """The head of a request is there."""
        self._head_bytes = None
        self._start_timer(BODY_TIMEOUT, self._refuse_slow_body)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The whole request is there."""
        self._stop_timer()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        super().data_received(data)
        if self._head_bytes is not None:
            self._head_bytes += len(data)
            if self._head_bytes > _MAX_HEAD:
                self.send_400_response("The head of the request is too long.")
        elif self._timer is None and self.cycle is not None and self.cycle.response_complete and self._is_http:
            self._await_head()  # bytes that do not begin a request, such as an empty line

    @property
    def _is_http(self) -> bool:
        """Has the connection not become a WebSocket?"""
        return self.transport.get_protocol() is self

    def _await_head(self) -> None:
        self._head_bytes = 0
        self._start_timer(HEAD_TIMEOUT, self.transport.close)

    def _refuse_slow_body(self) -> None:
        """Close the connection, with a response if none was sent yet."""
        if self.cycle is not None and not self.cycle.response_started and not self.pipeline:
            self.transport.write(_json_reply(408, _TOO_SLOW))
        self.transport.close()

    def _start_timer(self, seconds: float, give_up: Callable[[], object]) -> None:
        self._stop_timer()
        self._timer = self.loop.call_later(seconds, give_up)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class TimedWebSocketProtocol(WebSocketsSansIOProtocol):
    """Closes a connection whose handshake cannot be understood; uvicorn would wait for the rest of it for ever."""

    limit: ConnectionLimit  # of the server; a subclass has it

    def connection_lost(self, exc: Exception | None) -> None:
        self.limit.leave(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes are there, first of all the whole handshake."""
        super().data_received(data)
        if not self.handshake_initiated:
            self.transport.close()


def _limited_protocols(limit: ConnectionLimit) -> tuple[type[TimedHttpProtocol], type[TimedWebSocketProtocol]]:
    """The protocols of one server, whose connections count towards `limit`."""
    http = type("HttpProtocol", (TimedHttpProtocol,), {"limit": limit})
    websocket = type("WebSocketProtocol", (TimedWebSocketProtocol,), {"limit": limit})
    return http, websocket


def _peer_address(transport: asyncio.Transport) -> str:
    """The network address at the other end of a connection."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""


def _json_reply(status: int, body: bytes) -> bytes:
    """A whole response, after which the connection is closed."""
    head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(body)
    return STATUS_LINE[status] + head + body


class StopSignals:
    """Remembers that Ctrl-C or SIGTERM came while a server was being set up.

    Python raises KeyboardInterrupt wherever it happens to be, and drops it in a callback of the garbage collector.  The
    server would then start all the same, and run until it is told a second time.
    """

    def __init__(self) -> None:
        """EFFECT: from now on, this is what handles the signals of the process."""
        self.came = False
        for number in _NUMBERS:
            signal.signal(number, self._interrupt)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        self.came = True
        raise KeyboardInterrupt(number)


_NUMBERS = (signal.SIGINT, signal.SIGTERM)


def build_server(app: ASGIApp, settings: Settings, cert: Path | None = None, key: Path | None = None) -> uvicorn.Server:
    """A server with our limits.  It does not log requests: they are nobody else's business."""
    http, websocket = _limited_protocols(ConnectionLimit(settings.connections, exempt=settings.proxy))
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

    for number in _NUMBERS:
        signal.signal(number, stop)  # until the server handles them itself, and when it raises them again at the end
    if not stopped.came:
        server.run(sockets=[sock])
