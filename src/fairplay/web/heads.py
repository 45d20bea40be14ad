"""HTTP from people who may never come to the point: the head of a request has so many bytes and so many seconds."""

from __future__ import annotations

import asyncio
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

__all__ = ["LONGEST", "SLOWEST", "BoundedHeads"]

LONGEST: Final = 65_536
"""Bytes of a request's line and headers."""

SLOWEST: Final = 20.0
"""Seconds from the first of them, or from the opening of the connection, to the last."""


class BoundedHeads(HttpToolsProtocol):
    """A connection that is closed when a head takes too long, or is too long."""

    _timer: asyncio.TimerHandle | None = None  # runs while a head is awaited
    _length = 0  # of what there is of it

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
        self._stop_waiting()
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._timer is not None:
            self._length += len(data)
            if self._length > LONGEST:
                self.send_400_response("The head of the request is too long.")

    def _await_head(self) -> None:
        self._stop_waiting()
        self._length = 0
        self._timer = self.loop.call_later(SLOWEST, self.transport.close)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
