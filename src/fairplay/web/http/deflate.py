"""WebSockets whose messages are compressed once for everybody who is sent the same one."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.base import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import CTRL_OPCODES, Frame
from websockets.typing import ExtensionParameter

__all__ = ["Sockets"]

LEVEL: Final = 1
"""Quick: a message with a drawing shrinks to a fifth or sixth."""

RECENT: Final = 64
"""Messages whose short form is remembered; all watchers of a match are sent a new one at the same time."""

TAIL: Final = b"\x00\x00\xff\xff"
"""Where a compressed message ends; it is not sent (RFC 7692, 7.2.1)."""


class Recent:
    """The short forms of the messages sent last.  Comparing is quicker than a hash: different ones differ early."""

    def __init__(self) -> None:
        self._known: deque[tuple[bytes, int, bytes]] = deque(maxlen=RECENT)

    def deflated(self, data: bytes, bits: int) -> bytes:
        for known, with_bits, short in self._known:
            if known == data and with_bits == bits:
                return short
        short = deflated(data, bits)
        self._known.appendleft((data, bits, short))
        return short


def deflated(data: bytes, bits: int) -> bytes:
    """A message on its own, so that its short form is the same on every connection."""
    packer = zlib.compressobj(LEVEL, wbits=-bits)
    return (packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)).removesuffix(TAIL)


class SharedDeflate(PerMessageDeflate):
    """The extension of one connection; messages go out whole."""

    recent = Recent()

    def encode(self, frame: Frame) -> Frame:
        if frame.opcode in CTRL_OPCODES:
            return frame
        return Frame(frame.opcode, self.recent.deflated(bytes(frame.data), self.local_max_window_bits), rsv1=True)


class SharedDeflateFactory(ServerPerMessageDeflateFactory):
    """Agrees with a client on how to compress: no message refers to the ones before, in either direction."""

    def __init__(self) -> None:
        super().__init__(server_no_context_takeover=True, client_no_context_takeover=True)

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        agreed, usual = super().process_request_params(params, accepted_extensions)
        return agreed, SharedDeflate(True, True, usual.remote_max_window_bits, usual.local_max_window_bits)


class Sockets(WebSocketsSansIOProtocol):
    """A WebSocket connection of our server."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.conn.available_extensions = [SharedDeflateFactory()]

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self.handshake_initiated:  # it begins with what is no handshake, and would never be one
            self.transport.close()
