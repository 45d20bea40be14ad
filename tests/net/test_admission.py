"""Who is let in, and under which conditions, without the waiting around it."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from fairplay.core import Fault, FaultKind
from fairplay.net.admission import EstablishedAdmission, NativeAdmission, NativeTerms, SignedUp
from fairplay.net.connection import PeerConnection, read_buffer
from fairplay.net.established import EstablishedPlayer
from fairplay.net.framing import LONGEST
from fairplay.net.native import NativePlayer
from fairplay.net.strangers import hash_secret

from .native import hello
from .tables import FISH


class Door:
    """A reception with real sockets in front of it."""

    def __init__(self, reception: Any) -> None:
        self.reception, self.sockets = reception, list[socket.socket]()

    async def met(self, said: Any, *, open: bool = True) -> tuple[SignedUp | None, Any]:
        """The guest that says this, and the first thing that it is told."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        connection: PeerConnection = self.reception.connection(read_buffer(), 65_536)
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: connection, ours)
        self.sockets.append(theirs)
        guest = self.reception.admit(len(self.sockets), "here", connection, said, open=open)
        connection.finish()
        return guest, json.loads(await loop.sock_recv(theirs, 10_000) or b"null")


def at(reception: Any, visit: Callable[[Door], Awaitable[None]]) -> None:
    async def visiting() -> None:
        door = Door(reception)
        await visit(door)
        await asyncio.sleep(0)
        for sock in door.sockets:
            sock.close()

    asyncio.run(visiting())


def test_in_the_established_protocols_a_name_is_enough_and_nothing_is_said() -> None:
    reception = EstablishedAdmission("[a-z]+")

    async def visit(door: Door) -> None:
        guest, told = await door.met("ann")
        assert guest is not None
        assert (guest.name, told) == ("ann", None)
        assert guest.connection.framer.longest == LONGEST
        assert isinstance(reception.player(FISH, guest, 1.0), EstablishedPlayer)
        assert not reception.is_lost(guest)
        for wrong in ("Ann", None, 7, ["ann"], Fault(FaultKind.GONE)):
            assert await door.met(wrong) == (None, None)
        assert await door.met("ann", open=False) == (None, None)

    at(reception, visit)


def test_a_hello_is_answered_with_a_session_of_its_own() -> None:
    reception = NativeAdmission(FISH, NativeTerms(grace=3.0))

    async def visit(door: Door) -> None:
        guest, told = await door.met(hello("ann"))
        other, too = await door.met(hello("bob"))
        assert guest is not None and other is not None
        assert (told["type"], told["grace"]) == ("joined", 3.0)
        assert guest.connection.secret == hash_secret(told["session"])  # the key itself is not kept
        assert told["session"] != too["session"]
        assert isinstance(reception.player(FISH, guest, 1.0), NativePlayer)

    at(reception, visit)


@pytest.mark.parametrize(
    ("said", "open", "reason"),
    [
        (None, True, "no hello in time"),
        (Fault(FaultKind.EXCEEDED, "a line of more than 65536 bytes"), True, "a line of more than 65536 bytes"),
        (hello(token="guess"), True, "the token is missing or wrong"),
        (hello(), True, "the token is missing or wrong"),
        (hello(token="t", games=["go", "chess"]), True, "fish is played here, not go, chess"),
        (hello(token="t", variants={"fish": ["original"]}), True, "standard fish is played here, not original"),
        (hello(token="t"), False, "sign-up is over"),
        (hello("ann", token="t"), True, "the name 'ann' is taken; to come back, send the session key you were given"),
        (hello("ann", session="guess"), True, "there is no such session of this name"),
        (hello("eve", session="guess"), True, "there is no such session of this name"),
    ],
)
def test_whoever_is_refused_learns_why(said: Any, *, open: bool, reason: str) -> None:
    async def visit(door: Door) -> None:
        assert (await door.met(hello("ann", token="t")))[0] is not None
        assert await door.met(said, open=open) == (None, {"type": "refused", "reason": reason})

    at(NativeAdmission(FISH, NativeTerms(token="t")), visit)


def test_with_its_session_somebody_comes_back_without_the_token_and_after_sign_up() -> None:
    async def visit(door: Door) -> None:
        guest, told = await door.met(hello("ann", token="t"))
        again, same = await door.met(hello("ann", session=told["session"]), open=False)
        assert again is guest
        assert same == told
        assert (await door.met(hello("bob", session=told["session"])))[0] is None  # it belongs to ann

    at(NativeAdmission(FISH, NativeTerms(token="t")), visit)
