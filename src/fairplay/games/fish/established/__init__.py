"""The protocol that existing implementations of Fish speak (docs/protocols/fish.md)."""

from fairplay.core.established import Established, Harness
from fairplay.games.fish.established import signup, wire
from fairplay.games.fish.established.client import FishClient
from fairplay.games.fish.state import Action, View

__all__ = ["ESTABLISHED"]


def load_harness() -> Harness:
    """Load the test programs, which nothing else needs."""
    from fairplay.games.fish.established import harness

    return harness


ESTABLISHED: Established[View, Action] = Established(wire, signup, FishClient, load_harness)
