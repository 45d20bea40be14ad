"""Lines of the native protocol as text messages of a WebSocket, one a message; the library does the rest."""

from collections.abc import Sequence
from logging import CRITICAL, Logger

from websockets.client import ClientProtocol
from websockets.exceptions import PayloadTooBig
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import OPEN
from websockets.server import ServerProtocol
from websockets.typing import Origin
from websockets.uri import parse_uri

from fairplay.core import WireError
from fairplay.net.framing import TooLarge

MESSAGES = (Opcode.TEXT, Opcode.CONT)

SILENT = Logger("fairplay.websocket", CRITICAL + 1)
"""Left to itself the library writes messages, and so tokens, into whatever log somebody turns on."""


class WebSocket:
    """One end of a WebSocket, without sockets: bytes in, bytes out.  Nothing is compressed."""

    def __init__(self, protocol: ServerProtocol | ClientProtocol, longest: int) -> None:
        self.protocol, self.longest = protocol, longest
        self.held = bytearray()  # of a message that comes in pieces
        self.waiting = b""  # lines to send once the handshake is done
        self.over = False

    def unwrap(self, data: bytes) -> bytes:
        """The messages in `data`, as lines; raises WireError."""
        self.protocol.receive_data(data)
        lines = b""
        for event in self.protocol.events_received():
            if isinstance(event, Frame):
                lines += self.read_frame(event)
            else:
                self.finish_handshake(event)
        self.check_handshake()
        failure = self.protocol.parser_exc
        if isinstance(failure, PayloadTooBig):
            raise TooLarge(f"a line of more than {self.longest} bytes")
        if failure is not None:
            raise WireError(f"not the WebSocket protocol: {failure}")
        return lines

    def read_frame(self, frame: Frame) -> bytes:
        """The line that `frame` completes."""
        if frame.opcode is Opcode.BINARY:
            self.protocol.fail(CloseCode.UNSUPPORTED_DATA)
            raise WireError("expected text messages, got a binary one")
        self.over = self.over or frame.opcode is Opcode.CLOSE
        if frame.opcode not in MESSAGES:
            return b""
        self.held += frame.data
        if not frame.fin:
            return b""
        line, self.held = bytes(self.held), bytearray()
        return line.removesuffix(b"\n") + b"\n"

    def finish_handshake(self, event: Request | Response) -> None:
        """Do the part of the handshake that is ours; raises WireError if it fails."""
        if isinstance(self.protocol, ServerProtocol) and isinstance(event, Request):
            self.protocol.send_response(self.protocol.accept(event))
        self.check_handshake()
        lines, self.waiting = self.waiting, b""
        self.send_lines(lines)

    def check_handshake(self) -> None:
        if self.protocol.handshake_exc is not None:
            raise WireError(f"no WebSocket: {self.protocol.handshake_exc}")

    def wrap(self, lines: bytes) -> bytes:
        """`lines` as messages."""
        if self.protocol.state is OPEN:
            self.send_lines(lines)
        else:
            self.waiting += lines
        return self.take_output()

    def send_lines(self, lines: bytes) -> None:
        for line in lines.split(b"\n")[:-1]:
            self.protocol.send_text(line)

    def take_output(self) -> bytes:
        """What is to be sent by now: the handshake, messages, pongs."""
        return b"".join(self.protocol.data_to_send())

    def close_output(self) -> bytes:
        """The closing frame, if there is to be one."""
        if self.protocol.state is OPEN:
            self.protocol.send_close(CloseCode.NORMAL_CLOSURE)
        return self.take_output()


def server_side(origins: Sequence[str], longest: int) -> WebSocket:
    """The server's end.  A client that names its origin, as browsers do, must name one of `origins`."""
    allowed = [None, *map(Origin, origins)]
    return WebSocket(ServerProtocol(origins=allowed, max_size=longest, logger=SILENT), longest)


def client_side(uri: str, longest: int) -> WebSocket:
    """The client's end; raises InvalidURI."""
    protocol = ClientProtocol(parse_uri(uri), max_size=longest, logger=SILENT)
    protocol.send_request(protocol.connect())
    return WebSocket(protocol, longest)
