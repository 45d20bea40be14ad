"""Lines in a WebSocket, both ends of ours against each other and against what a stranger may send."""

from __future__ import annotations

import logging

import pytest
from hypothesis import given, strategies as st
from websockets.exceptions import InvalidURI

from fairplay.core import WireError
from fairplay.net.framing import TooLarge
from fairplay.net.websocket import WebSocket, client_side, server_side

LINE = st.text(max_size=30).map(lambda text: text.replace("\n", "").encode())


def ends(*, longest: int = 1_000) -> tuple[WebSocket, WebSocket]:
    """A server and a client after their handshake."""
    server, client = server_side((), longest), client_side("ws://localhost:1/", longest)
    assert server.unwrap(client.take_output()) == b""
    assert client.unwrap(server.take_output()) == b""
    return server, client


@given(st.lists(LINE, max_size=5), st.integers(1, 50))
def test_lines_arrive_as_they_were_said_however_they_are_cut(lines: list[bytes], size: int) -> None:
    server, client = ends()
    said = b"".join(line + b"\n" for line in lines)
    for speaker, listener in ((server, client), (client, server)):
        sent = speaker.wrap(said)
        pieces = [sent[start : start + size] for start in range(0, len(sent), size)]
        assert b"".join(listener.unwrap(piece) for piece in pieces) == said


def test_what_is_said_before_the_handshake_waits_for_it() -> None:
    server, client = server_side((), 100), client_side("ws://localhost:1", 100)
    request = client.take_output()
    assert client.wrap(b"one\ntwo\n") == b""
    server.unwrap(request)
    client.unwrap(server.take_output())
    assert server.unwrap(client.take_output()) == b"one\ntwo\n"


def test_a_line_feed_at_the_end_of_a_message_is_no_second_line() -> None:
    server, client = ends()
    client.protocol.send_text(b"one\n")
    client.protocol.send_text(b"two", fin=False)
    client.protocol.send_continuation(b"", fin=False)
    client.protocol.send_continuation(b"three\n", fin=True)
    assert server.unwrap(client.take_output()) == b"one\ntwothree\n"


def test_pings_are_answered_and_are_no_lines() -> None:
    server, client = ends()
    client.protocol.send_ping(b"there?")
    assert server.unwrap(client.take_output()) == b""
    assert client.unwrap(server.take_output()) == b""


def test_a_message_too_long_is_too_large() -> None:
    server, client = ends(longest=10)
    with pytest.raises(TooLarge, match="more than 10 bytes"):
        server.unwrap(client.wrap(b"x" * 11 + b"\n"))
    assert b"\x03\xf1" in server.take_output()  # 1009


def test_many_pieces_of_one_message_are_too_large_together() -> None:
    server, client = ends(longest=10)
    client.protocol.send_text(b"x" * 6, fin=False)
    client.protocol.send_continuation(b"x" * 6, fin=False)
    with pytest.raises(TooLarge):
        server.unwrap(client.take_output())


def test_a_binary_message_is_refused() -> None:
    server, client = ends()
    client.protocol.send_binary(b"one")
    with pytest.raises(WireError, match="binary"):
        server.unwrap(client.take_output())
    assert b"\x03\xeb" in server.take_output()  # 1003


@pytest.mark.parametrize("frame", [b"\x81\x01x", b"\xf1\x80mask", b"\x83\x80mask", b"\x80\x80mask", b"\x09\x80mask"])
def test_frames_against_the_protocol_are_refused(frame: bytes) -> None:
    server, _ = ends()
    with pytest.raises(WireError, match="not the WebSocket protocol"):
        server.unwrap(frame)


def test_a_parting_is_heard() -> None:
    server, client = ends()
    assert not client.over
    client.unwrap(server.close_output())
    assert client.over
    server.unwrap(client.take_output())
    assert server.over
    assert server.close_output() == b""


@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_an_origin_that_is_not_allowed_is_forbidden(origin: str) -> None:
    for allowed, answer in (((), b"403"), ((origin,), b"101")):
        server, client = server_side(allowed, 100), client_side("ws://localhost:1", 100)
        request = client.take_output().replace(b"\r\nUpgrade", b"\r\nOrigin: " + origin.encode() + b"\r\nUpgrade")
        if allowed:
            server.unwrap(request)
        else:
            with pytest.raises(WireError, match="no WebSocket: invalid Origin"):
                server.unwrap(request)
        assert server.take_output().startswith(b"HTTP/1.1 " + answer)


@pytest.mark.parametrize("request_", [b"GET / HTTP/1.1\r\n\r\n", b"G\r\n", b"GET /" + b"x" * 9_000 + b"\r\n"])
def test_other_requests_are_refused(request_: bytes) -> None:
    server = server_side((), 100)
    with pytest.raises(WireError, match="no WebSocket"):
        server.unwrap(request_)
    with pytest.raises(WireError):
        server.unwrap(b"more")


def test_a_client_does_not_take_any_answer_for_a_handshake() -> None:
    client = client_side("ws://localhost:1", 100)
    with pytest.raises(WireError, match="no WebSocket"):
        client.unwrap(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")


def test_what_is_no_address_is_none() -> None:
    with pytest.raises(InvalidURI):
        client_side("http://localhost", 100)


def test_nothing_said_is_ever_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        server, client = ends()
        server.unwrap(client.wrap(b'{"token":"sesame"}\n'))
        with pytest.raises(WireError):
            server.unwrap(b"\xff\xff")
    assert not caplog.records
