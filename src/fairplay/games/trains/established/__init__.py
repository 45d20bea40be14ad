"""The protocol that existing implementations of Trains speak (docs/protocols/trains.md)."""

from fairplay.core.established import Established, Harness
from fairplay.games.trains.established import signup, wire
from fairplay.games.trains.established.client import TrainsClient
from fairplay.games.trains.state import Action, View

__all__ = ["ESTABLISHED"]


def load_harness() -> Harness:
    """Load the test programs, which nothing else needs."""
    from fairplay.games.trains.established import harness

    return harness


ESTABLISHED: Established[View, Action] = Established(wire, signup, TrainsClient, load_harness)
