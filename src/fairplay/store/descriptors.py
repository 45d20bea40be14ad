"""Connections that a forked child must let go of: held by the child, they would outlive a parent that is killed."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet

__all__ = ["forget_in_children"]


class Connection(Protocol):
    """What has a socket of its own."""

    def fileno(self) -> int: ...


OPEN: WeakSet[Connection] = WeakSet()


def forget_in_children(connection: Connection) -> None:
    """Let no process that is forked from now on keep the socket of `connection` open."""
    OPEN.add(connection)


def let_go() -> None:
    """Put nothing in the place of each socket.  Closing the connections would say goodbye in the parent's name."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for connection in OPEN:
        try:
            os.dup2(nothing, connection.fileno())
        except Exception:  # it was closed already
            continue
    os.close(nothing)


os.register_at_fork(after_in_child=let_go)
