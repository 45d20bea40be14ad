"""The house players of Nim."""

from functools import reduce
from operator import xor
from random import Random

from fairplay.core import Strategy
from fairplay.core.chance import choice
from nim.rules import Take, View, legal_actions
from nim.search import search


def random(rng: Random) -> Strategy[View, Take]:
    """Any legal action."""
    return lambda view: choice(rng, legal_actions(view))


def perfect(rng: Random) -> Strategy[View, Take]:
    """Leave heaps whose sizes cancel, where that can be done (two seats)."""

    def choose(view: View) -> Take:
        balance = reduce(xor, view.state.heaps)
        for heap, size in enumerate(view.state.heaps):
            if size ^ balance < size:
                return Take(heap, size - (size ^ balance))
        return legal_actions(view)[0]

    return choose


STRATEGIES = {"random": random, "perfect": perfect, "search": search}
