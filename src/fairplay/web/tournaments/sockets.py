"""Tournaments over WebSockets: what changes on the page, whenever it has changed."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from fairplay.core import AbsentError
from fairplay.web.http.endpoints import services_of
from fairplay.web.http.errors import as_sentence
from fairplay.web.http.sockets import Outbox, SocketLimit, open_socket, send_messages, wants_gzip
from fairplay.web.tournaments.cache import TournamentCache

__all__ = ["ROUTES"]

UPDATE_INTERVAL: Final = 1.0
"""Seconds between two looks at a tournament."""

NOT_FOUND: Final = 4404
"""How a socket is closed if there is no such tournament."""

LOG = structlog.get_logger("fairplay.web")


async def stream_tournament(socket: WebSocket) -> None:
    """`/api/tournaments/{id}/live`: updates until the tournament is finished."""
    services, id = services_of(socket), socket.path_params["id"]
    outbox = Outbox(gzipped=wants_gzip(socket))
    async with open_socket(services[SocketLimit], socket, outbox):
        following = asyncio.create_task(follow_tournament(services[TournamentCache], id, outbox))
        try:
            await send_messages(socket, outbox)
        finally:
            following.cancel()


async def follow_tournament(cache: TournamentCache, id: int, outbox: Outbox) -> None:
    """Offer an update whenever the page has changed, until the tournament is finished."""
    shown = ""
    try:
        while True:
            snapshot = await cache.get(id)
            if snapshot.html != shown:
                shown = snapshot.html
                outbox.offer(snapshot.message)
            if snapshot.details.status == "finished":
                break
            await asyncio.sleep(UPDATE_INTERVAL)
        outbox.end()
    except AbsentError as error:
        outbox.close_code, outbox.close_reason = NOT_FOUND, as_sentence(str(error))
        outbox.end()
    except Exception as error:
        LOG.error("a tournament cannot be shown", tournament=id, reason=str(error))
        outbox.drop()


ROUTES = [WebSocketRoute("/api/tournaments/{id:number}/live", stream_tournament)]
