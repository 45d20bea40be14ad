"""What all pages and endpoints share."""

from __future__ import annotations

from msgspec import Struct
from starlette.requests import HTTPConnection

from fairplay.store.store import Store
from fairplay.web.editor.drawing_queue import Easel
from fairplay.web.http.owner import Owners
from fairplay.web.http.security import Meter
from fairplay.web.matches.registry import Hall
from fairplay.web.settings import Settings
from fairplay.web.tournaments.cache import Looks
from fairplay.web.tournaments.runner import Contests

__all__ = ["Server", "server_of"]


class Server(Struct, frozen=True):
    """The parts of a running web server."""

    settings: Settings
    store: Store
    hall: Hall
    owners: Owners
    tables: Meter  # how many tables an address may open
    contests: Contests
    looks: Looks
    easel: Easel


def server_of(connection: HTTPConnection) -> Server:
    server: Server = connection.app.state.server
    return server
