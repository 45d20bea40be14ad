"""Addresses and session keys of `fairplay join`; matches over a network are in test_serve_tcp.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from fairplay.cli.network.join import describe_end, parse_address, read_session, write_secret
from fairplay.core import UsageError


@pytest.mark.parametrize(
    ("server", "host", "port", "uri"),
    [
        ("127.0.0.1:45678", "127.0.0.1", 45678, None),
        ("[::1]:45678", "::1", 45678, None),
        ("example.org:1", "example.org", 1, None),
        ("ws://127.0.0.1:45678", "127.0.0.1", 45678, "ws://127.0.0.1:45678"),
        ("wss://example.org/play", "example.org", 443, "wss://example.org/play"),
    ],
)
def test_addresses(server: str, host: str, port: int, uri: str | None) -> None:
    address = parse_address(server, None, secured=False)
    assert (address.host, address.port, address.uri) == (host, port, uri)
    assert (address.tls is not None) == server.startswith("wss")


@pytest.mark.parametrize("server", ["127.0.0.1", ":45678", "host:", "host:70000", "host:-1", "ws://:x", "ws://"])
def test_what_is_not_an_address(server: str) -> None:
    with pytest.raises(UsageError, match="expected"):
        parse_address(server, None, secured=False)


def test_a_session_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "key"
    assert read_session(None) is None
    assert read_session(file) is None
    file.write_text("old")
    file.chmod(0o644)
    write_secret(file, "sesame")
    assert file.stat().st_mode & 0o777 == 0o600
    assert read_session(file) == "sesame"


@pytest.mark.parametrize(
    ("won", "shared", "words"),
    [
        (True, 0, "won"),
        (True, 1, "shared first place with 1 other"),
        (True, 3, "shared first place with 3 others"),
        (False, 0, "did not win"),
        (None, 0, "did not win"),
    ],
)
def test_a_tie_is_not_called_a_win(won: bool | None, shared: int, words: str) -> None:
    assert describe_end(won, shared) == words
