"""HTTP from people who may never come to the point: the head and the body of a request have so many seconds each."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

__all__ = ["LONGEST", "SLOWEST_BODY", "SLOWEST_HEAD", "BoundedRequests"]

LONGEST: Final = 65_536
"""Bytes of a request's line and headers."""

SLOWEST_HEAD: Final = 20.0
"""Seconds from the first of them, or from the opening of the connection, to the last."""

SLOWEST_BODY: Final = 30.0
"""Seconds from there to the last byte of the body, whoever waits for it."""

TOO_SLOW: Final = b'{"error":"the request took too long"}'


class BoundedRequests(HttpToolsProtocol):
    """A connection that is closed when a request takes too long, or its head is too long."""

    _timer: asyncio.TimerHandle | None = None  # runs while a request is awaited or comes in
    _length: int | None = 0  # of what there is of a head; None: it has ended

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as its parent does
        super().connection_made(transport)
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        self._await_head()
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._length = None
        self._wait(SLOWEST_BODY, self._body_is_late)
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        self._stop_waiting()
        super().on_message_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._length is not None:
            self._length += len(data)
            if self._length > LONGEST:
                self.send_400_response("The head of the request is too long.")
        elif self._timer is None and self.cycle is not None and self.cycle.response_complete and self._in_charge:
            self._await_head()  # something came that does not begin a request, such as an empty line

    @property
    def _in_charge(self) -> bool:
        """Is this still HTTP, and no WebSocket?"""
        return self.transport.get_protocol() is self

    def _await_head(self) -> None:
        self._length = 0
        self._wait(SLOWEST_HEAD, self.transport.close)

    def _body_is_late(self) -> None:
        """Say so where nothing else was said yet."""
        if self.cycle is not None and not self.cycle.response_started and not self.pipeline:
            head = b"content-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n" % len(TOO_SLOW)
            self.transport.write(STATUS_LINE[408] + head + TOO_SLOW)
        self.transport.close()

    def _wait(self, seconds: float, give_up: Callable[[], object]) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, give_up)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
