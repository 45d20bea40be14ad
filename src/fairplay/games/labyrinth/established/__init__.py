"""The protocol that existing implementations of Labyrinth speak (docs/protocols/labyrinth.md)."""

from fairplay.core.established import Established, Harness
from fairplay.games.labyrinth.established import signup, wire
from fairplay.games.labyrinth.established.client import LabyrinthClient
from fairplay.games.labyrinth.state import Action, View

__all__ = ["ESTABLISHED"]


def load_harness() -> Harness:
    """Load the test programs, which nothing else needs."""
    from fairplay.games.labyrinth.established import harness

    return harness


ESTABLISHED: Established[View, Action] = Established(wire, signup, LabyrinthClient, load_harness)
