"""Messages on WebSockets: compressed once for everybody, readable for every client."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from websockets.client import ClientProtocol
from websockets.exceptions import PayloadTooBig
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from fairplay.web.http import deflate
from fairplay.web.http.deflate import SharedDeflateFactory
from web.people import lay
from web.servers import Inside

TEXT = json.dumps({"picture": "<circle/>" * 500, "name": "Ökonomin"}, ensure_ascii=False).encode()


def connected(**offered: Any) -> tuple[ServerProtocol, ClientProtocol]:
    """The two ends of a connection that has been agreed on, without a network."""
    server = ServerProtocol(extensions=[SharedDeflateFactory()], max_size=4_096)
    client = ClientProtocol(parse_uri("ws://localhost/"), extensions=[ClientPerMessageDeflateFactory(**offered)])
    client.send_request(client.connect())
    server.receive_data(b"".join(client.data_to_send()))
    server.send_response(server.accept(server.events_received()[0]))
    client.receive_data(b"".join(server.data_to_send()))
    assert client.handshake_exc is None
    client.events_received()
    return server, client


def heard(server: ServerProtocol, client: ClientProtocol, text: bytes) -> tuple[int, bytes]:
    """Send a message to the client: how many bytes that takes, and what the client makes of them."""
    server.send_text(text)
    sent = b"".join(server.data_to_send())
    client.receive_data(sent)
    (frame,) = client.events_received()
    assert isinstance(frame, Frame) and frame.opcode is Opcode.TEXT
    return len(sent), bytes(frame.data)


@pytest.mark.parametrize("offered", [{}, {"server_max_window_bits": 9}, {"client_max_window_bits": True}])
def test_clients_read_what_is_sent(offered: dict[str, Any]) -> None:
    server, client = connected(**offered)
    for text in (TEXT, b"short", TEXT, b""):
        size, found = heard(server, client, text)
        assert found == text
        assert size < len(text) / 4 or len(text) < 10


def test_a_message_is_compressed_once_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[bytes] = []
    pack = deflate.deflated
    monkeypatch.setattr(deflate, "deflated", lambda data, bits: packed.append(data) or pack(data, bits))
    text = TEXT + b"for all"
    for _ in range(20):
        assert heard(*connected(), text)[1] == text
    assert packed == [text]
    assert heard(*connected(server_max_window_bits=9), text)[1] == text
    assert packed == [text, text]


def test_only_the_last_messages_are_remembered() -> None:
    recent = deflate.Recent()
    first = recent.deflated(b"message 0", 15)
    assert recent.deflated(b" ".join([b"message", b"0"]), 15) is first
    for number in range(1, deflate.RECENT):
        recent.deflated(b"message %d" % number, 15)
    assert recent.deflated(b"message 0", 15) is first
    recent.deflated(b"one more", 15)
    assert recent.deflated(b"message 0", 15) is not first


def test_a_small_frame_that_grows_large_is_refused() -> None:
    server, client = connected()
    client.send_text(b"a" * 100_000)
    bomb = b"".join(client.data_to_send())
    assert len(bomb) < 4_096
    server.receive_data(bomb)
    assert isinstance(server.parser_exc, PayloadTooBig)


def test_a_live_match_is_read_with_compression_and_without(site: Inside, client: httpx.Client) -> None:
    id = lay(client, "trains", "random", "random", pace=60)["id"]
    with (
        site.socket(f"/api/matches/{id}/live") as usual,
        site.socket(f"/api/matches/{id}/live", compression=None) as plain,
    ):
        assert usual.protocol.extensions and not plain.protocol.extensions
        assert json.loads(usual.recv(10)) == json.loads(plain.recv(10))
