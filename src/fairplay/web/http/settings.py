"""What the person who runs the server decides."""

from pathlib import Path

from msgspec import Struct

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class Settings(Struct, frozen=True, kw_only=True):
    """The limits of the server, and who its owner is."""

    token: str = ""  # proves the owner; empty: there is none, and the owner needs a link
    hosts: tuple[str, ...] = LOOPBACK  # the names under which the server is reached; empty: any
    matches: int = 500  # running at once
    watchers: int = 5_000  # open sockets
    connections: int = 500  # open at once from one address
    patience: float = 60.0  # seconds that a person may be away before a house player takes over
    rate: float = 30.0  # requests a second from one address, in the long run
    burst: float = 200.0  # and at once
    tables: float = 30.0  # that one address may open in a minute
    thinkers: int = 0  # processes for long thoughts of house players; 0: all processors but one, two at least
    cpu: float = 30.0  # seconds of CPU time a minute for one address: house players at its tables, reviews, pictures
    edits: float = 8.0  # clicks a second in the editor from one address, in the long run
    key: Path | None = None  # the file with the key that signs matches; None: they are not signed
    seated: tuple[tuple[str, ...], ...] = ()  # tables of the owner's to open: the game, and who has each seat
    proxy: str = ""  # the address of a trusted proxy that says where requests come from; empty: none

    @property
    def is_local(self) -> bool:
        """Is the server reached from this machine alone?  Behind a proxy it is not, whatever name the proxy uses."""
        return not self.proxy and bool(self.hosts) and all(host in LOOPBACK for host in self.hosts)
