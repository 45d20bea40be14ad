"""What the person who runs the server decides."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from fairplay.web.matches.live import PATIENCE

__all__ = ["LOOPBACK", "Settings"]

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


class Settings(Struct, frozen=True):
    """How the server treats people."""

    token: str = ""  # what proves the owner; empty: on the own machine everybody is, elsewhere nobody
    hosts: tuple[str, ...] = LOOPBACK  # the names under which the server is reached; empty: any
    matches: int = 500  # that run at once
    watchers: int = 5_000  # sockets at once
    patience: float = PATIENCE  # seconds that a person may be away before the house plays on
    rate: float = 30.0  # requests a second from one address, in the long run
    burst: float = 200.0  # and at once
    tables: float = 30.0  # that one address may open in a minute
    edits: float = 8.0  # clicks in the editor a second from one address, in the long run
    proxy: str = ""  # the address of a proxy that says who really asks; empty: there is none

    @property
    def at_home(self) -> bool:
        """Is the server reached from its own machine alone?  Behind a proxy it is not, whatever name the proxy uses."""
        return not self.proxy and bool(self.hosts) and all(host in LOOPBACK for host in self.hosts)
