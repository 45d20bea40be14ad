"""Live matches over WebSockets: one match, or the newest ones side by side."""

import asyncio

from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from fairplay.core import FairplayError
from fairplay.web.http.endpoints import services_of
from fairplay.web.http.errors import RequestError
from fairplay.web.http.sockets import SocketLimit, open_socket, refuse_socket, send_messages, wants_gzip
from fairplay.web.matches.access import find_access
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.watching.feed import Watcher

FEATURED = 4
"""Matches that the home page shows side by side."""

FEATURED_INTERVAL = 1.0
"""Seconds until new matches appear there."""

NOT_ALLOWED = 4403
NOT_FOUND = 4404
"""How a socket is closed that cannot be served."""


async def stream_match(socket: WebSocket) -> None:
    """`/api/matches/{id}/live`: every moment of a match from now on, and every change of presence."""
    services, id = services_of(socket), socket.path_params["id"]
    try:
        access = await find_access(services, socket, id)
    except FairplayError:
        access = None
    match = None if access is None else access.live or services[MatchRegistry].find_ended(id)
    if access is None or match is None:
        await refuse_socket(socket, NOT_FOUND, "There is no such running match.")
        return
    try:
        viewer = access.choose_viewer(socket.query_params.get("as"))
    except RequestError as refused:
        await refuse_socket(socket, NOT_ALLOWED, str(refused))
        return
    watcher = Watcher(viewer, gzipped=wants_gzip(socket), at_table=access.me is not None)
    async with open_socket(services[SocketLimit], socket, watcher):
        match.add_watcher(watcher, access.me, parse_moment(socket.query_params.get("after", "")))
        try:
            await send_messages(socket, watcher)
        finally:
            match.remove_watcher(watcher, access.me)


def parse_moment(text: str) -> int | None:
    """The newest moment that a client has seen; None if it does not say."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else None


async def stream_newest(socket: WebSocket) -> None:
    """`/api/live`: the newest running matches, as the public sees them."""
    services = services_of(socket)
    watcher = Watcher(None, gzipped=wants_gzip(socket), many_matches=True)
    async with open_socket(services[SocketLimit], socket, watcher):
        following = asyncio.create_task(follow_newest(services[MatchRegistry], watcher, parse_seen(socket)))
        try:
            await send_messages(socket, watcher)
        finally:
            following.cancel()
            for match in services[MatchRegistry].running.values():
                match.remove_watcher(watcher)


def parse_seen(socket: WebSocket) -> dict[str, int | None]:
    """The newest moment that a client has seen of each match: `?seen=ID:NUMBER`, repeated."""
    pairs = [text.partition(":") for text in socket.query_params.getlist("seen")[:FEATURED]]
    return {id: parse_moment(number) for id, _, number in pairs}


async def follow_newest(registry: MatchRegistry, watcher: Watcher, seen: dict[str, int | None]) -> None:
    """Watch the newest matches as they begin, and no longer those that are not among them any more."""
    watched: set[str] = set()
    while True:
        newest = featured_ids(registry)
        for id in watched - newest:
            if id in registry.running:
                registry.running[id].remove_watcher(watcher)
        for id in newest - watched:
            registry.running[id].add_watcher(watcher, known=seen.pop(id, None))
        watched = newest
        await asyncio.sleep(FEATURED_INTERVAL)


def featured_ids(registry: MatchRegistry) -> set[str]:
    """The newest running matches."""
    return set([*registry.running][-FEATURED:])


ROUTES = [WebSocketRoute("/api/matches/{id}/live", stream_match), WebSocketRoute("/api/live", stream_newest)]
