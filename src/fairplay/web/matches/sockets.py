"""Live by WebSocket: one match, or the newest ones side by side.  Nobody who reads slowly is waited for."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic
from typing import Final

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from fairplay.web.context import Server, server_of
from fairplay.web.http.endpoints import RequestError
from fairplay.web.matches.api import sight
from fairplay.web.matches.feed import Watcher
from fairplay.web.matches.registry import Hall

__all__ = ["FEATURED", "ROUTES", "featured"]

SLOW: Final = 10.0
"""Seconds that one message may take to be sent."""

ENDED: Final = 1000
NOT_TEXT: Final = 1003
TOO_MUCH: Final = 1008
TRY_AGAIN: Final = 1013
"""How a socket is closed: there is no more to come; it said what it must not; there is more for those who keep up."""

MOST_SAID: Final = 30
SAID_WITHIN: Final = 20.0
"""So many messages of a watcher are let fall within so many seconds; one more ends it."""

FEATURED: Final = 4
"""Matches that the home page shows side by side."""

LOOK_AGAIN: Final = 1.0
"""Seconds after which new matches appear there."""


async def watch(socket: WebSocket) -> None:
    """`/api/matches/{id}/live`: every moment of a match from now on."""
    server, id = server_of(socket), socket.path_params["id"]
    if id not in server.hall.live:
        await turn_away(socket, 4404, "no such match is running")
        return
    seen = await sight(server, socket, id)
    try:
        watcher = Watcher(seen.looker(socket.query_params.get("as")))
        known = known_moment(socket.query_params.get("after", ""))
    except RequestError as refused:
        await turn_away(socket, 4403, str(refused))
        return
    assert seen.live is not None
    async with following(server, socket, watcher):
        seen.live.watch(watcher, seen.me, known)
        try:
            await pass_on(socket, watcher)
        finally:
            seen.live.leave(watcher, seen.me)


def known_moment(text: str) -> int | None:
    """The newest moment that somebody who comes back has seen; None where it says none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


async def turn_away(socket: WebSocket, code: int, reason: str) -> None:
    """Say why not.  Only a socket that was accepted can carry a reason."""
    await socket.accept()
    await socket.close(code, reason)


async def watch_newest(socket: WebSocket) -> None:
    """`/api/live`: the newest running matches, as everybody may see them."""
    server, watcher = server_of(socket), Watcher(None, lasting=True)
    async with following(server, socket, watcher):
        looking = asyncio.create_task(keep_up(server.hall, watcher))
        try:
            await pass_on(socket, watcher)
        finally:
            looking.cancel()
            for match in server.hall.live.values():
                match.leave(watcher)


async def keep_up(hall: Hall, watcher: Watcher) -> None:
    """Join the newest matches as they begin, and leave those that are not among them any more."""
    watched: set[str] = set()
    while True:
        newest = featured(hall)
        for id in watched - newest:
            if id in hall.live:
                hall.live[id].leave(watcher)
        for id in newest - watched:
            hall.live[id].watch(watcher)
        watched = newest
        await asyncio.sleep(LOOK_AGAIN)


def featured(hall: Hall) -> set[str]:
    return set([*hall.live][-FEATURED:])


@asynccontextmanager
async def following(server: Server, socket: WebSocket, watcher: Watcher) -> AsyncIterator[None]:
    """Accept a socket and notice when it goes away."""
    if server.hall.watchers >= server.settings.watchers:
        await turn_away(socket, TRY_AGAIN, "too many people are watching; try again later")
        watcher.drop()
        yield
        return
    await socket.accept()
    server.hall.watchers += 1
    listening = asyncio.create_task(until_gone(socket, watcher))
    try:
        yield
    finally:
        server.hall.watchers -= 1
        listening.cancel()


async def until_gone(socket: WebSocket, watcher: Watcher) -> None:
    """A watcher has nothing to say; what it says is let fall, as long as it is text and not much of it."""
    said: deque[float] = deque(maxlen=MOST_SAID)  # when it spoke
    while watcher.code is None and (message := await socket.receive())["type"] != "websocket.disconnect":
        if message.get("text") is None:
            watcher.code = NOT_TEXT
        elif len(said) == MOST_SAID and monotonic() - said[0] < SAID_WITHIN:
            watcher.code = TOO_MUCH
        said.append(monotonic())
    watcher.drop()


async def pass_on(socket: WebSocket, watcher: Watcher) -> None:
    """Send what comes, until there is no more or it cannot be sent in time."""
    try:
        while (message := await watcher.next()) is not None:
            async with asyncio.timeout(SLOW):
                await socket.send_text(message)
        async with asyncio.timeout(SLOW):
            await socket.close(watcher.code or (TRY_AGAIN if watcher.dropped else ENDED))
    except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
        return


ROUTES = [WebSocketRoute("/api/matches/{id}/live", watch), WebSocketRoute("/api/live", watch_newest)]
