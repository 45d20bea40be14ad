"""The conversation over TCP in docs/protocols/native.md is one that was really held.

After a change that is meant to alter it: ``FAIRPLAY_GOLDEN=write python -m pytest tests/net/test_native_document.py``.
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

import pytest

from fairplay.games.fish.state import Setup
from fairplay.net.admission import NativeTerms

from .native import AnyPeer, Native, hello, reached
from .tables import FISH, kinds

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "protocols" / "native.md"
BLOCK = re.compile(r"(<!-- spoken: over TCP -->\n```text\n)(.*?)(```\n)", re.DOTALL)
SESSION = "kq3vX0Zb9mTn5cR2wYd8Lh1uGf4sEj7o"


async def spoken() -> list[str]:
    """A tournament of two on a small board; ann's connection breaks once, after her first question."""
    server = Native(FISH, 2, setup=Setup(rows=3, columns=3, fish=1), terms=NativeTerms(token="swordfish"), patience=3.0)
    lines: list[str] = []

    async def said(peer: AnyPeer, line: bytes) -> None:
        lines.append(f"> {line.decode()}")
        await peer.send(line)

    async def heard(peer: AnyPeer) -> bytes:
        line = await peer.hear()
        lines.append(f"< {line.decode()}" if line else "  (the server hangs up)")
        return line

    peer = await reached(server.port, "tcp")
    await said(peer, hello("ann", token="swordfish"))
    await heard(peer)
    other = await server.visitor("bob", token="swordfish")
    speaker, broken = server.speaker("ann"), False
    while line := await heard(peer):
        if b'"ask"' in line and not broken:
            broken = True
            await peer.hang_up()
            lines.append("  (the connection breaks, and another is made)")
            peer = await reached(server.port, "tcp")
            await said(peer, hello("ann", session=SESSION))
            continue
        if reply := speaker.reply(line).rstrip(b"\n"):
            await said(peer, reply)
    await peer.hang_up()
    assert kinds(await server.ended(other)) == [None, None]
    return lines


def test_the_conversation_is_as_it_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fairplay.net.admission.secrets.token_urlsafe", lambda size: SESSION)
    text = DOCUMENT.read_text("utf-8")
    lines = "".join(f"{line}\n" for line in asyncio.run(spoken()))
    if os.environ.get("FAIRPLAY_GOLDEN") == "write":
        DOCUMENT.write_text(BLOCK.sub(lambda found: found[1] + lines + found[3], text), "utf-8")
        pytest.skip("written anew")
    found = BLOCK.search(text)
    assert found is not None
    assert found[2] == lines
