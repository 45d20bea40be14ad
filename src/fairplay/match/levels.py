"""How far a player is kept from everything else while it plays: what the record and the table say of each seat."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

__all__ = ["LEVELS", "Level", "worth_telling"]

Level: TypeAlias = Literal["house", "sandboxed", "process", "trusted", "connection", "person"]
"""
* house: one of the game's own strategies, in the referee's process
* sandboxed: a process of its own for each match, in bubblewrap with a filter of system calls
* process: a process of its own for each match, with limits on time and output only
* trusted: somebody's Python file in the referee's process
* connection: over a network
* person: somebody at a browser or a terminal
"""

LEVELS: Final[tuple[Level, ...]] = get_args(Level)


def worth_telling(levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """The levels of a match by seat, or nothing if all players are of the house."""
    return levels if {*levels} - {"house"} else ()
