"""How far a player is kept from everything else while it plays: what the record and the table say of each seat."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

Level: TypeAlias = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9][A-Za-z0-9 ._+:/()-]{0,39}$",
        description="house, sandboxed, process, trusted, connection or person; later versions may have more",
    ),
]
"""
A short text, so that records of levels that came later can be read.  Those of this version:

* house: one of the game's own strategies, in the referee's process
* sandboxed: a process of its own for each match, in bubblewrap with a filter of system calls
* process: a process of its own for each match, with limits on time and output only
* trusted: somebody's Python file in the referee's process
* connection: over a network
* person: somebody at a browser or a terminal
"""


def worth_telling(levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """The levels of a match by seat, or nothing if all players are of the house."""
    return levels if {*levels} - {"house"} else ()
