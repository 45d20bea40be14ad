"""Chance that falls the same on every machine and Python version: all of it over `getrandbits`."""

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T")


class Chance(Struct, frozen=True):
    """What may befall next in a match, and how likely each outcome is beside the others.

    Weights are whole numbers, so that every machine draws the same; outcomes are values that can be written as JSON.
    Raises ValueError if it says nothing that can be drawn.

    >>> Chance((1, 5), ("six", "another")).draw(Random(1))
    'another'
    """

    weights: tuple[int, ...]
    outcomes: tuple[Any, ...]

    def __post_init__(self) -> None:
        if not self.outcomes or len(self.weights) != len(self.outcomes):
            raise ValueError(f"chance has {len(self.weights)} weights for {len(self.outcomes)} outcomes")
        if wrong := [each for each in self.weights if type(each) is not int or each < 1]:
            raise ValueError(f"the weights of chance are whole numbers from 1, not {wrong[0]!r}")

    def draw(self, rng: Random) -> Any:
        """One of the outcomes, each as likely as its weight says."""
        drawn = below(rng, sum(self.weights))
        return self.outcomes[bisect(tuple(accumulate(self.weights)), drawn)]

    def draw_event(self, seed: int, number: int) -> Any:
        """What the seed of a match draws if this is the event of that number, counted from 0."""
        return self.draw(derived(seed, "chance", number))


def below(rng: Random, bound: int) -> int:
    """A uniform integer in ``range(bound)``; ASSUME bound >= 1."""
    bits = (bound - 1).bit_length()
    getrandbits = rng.getrandbits
    while (drawn := getrandbits(bits)) >= bound:
        pass
    return drawn


def choice(rng: Random, items: Sequence[T]) -> T:
    """One of `items`, each as likely as the others; raises IndexError if there is none."""
    count = len(items)
    if not count:
        raise IndexError("there is nothing to choose from: the sequence is empty")
    bits, getrandbits = (count - 1).bit_length(), rng.getrandbits
    while (drawn := getrandbits(bits)) >= count:  # `below`, without the call: random players live here
        pass
    return items[drawn]


def shuffled(rng: Random, items: Iterable[T]) -> list[T]:
    """`items` in a uniformly random order."""
    deck = list(items)
    for last in range(len(deck) - 1, 0, -1):
        other = below(rng, last + 1)
        deck[last], deck[other] = deck[other], deck[last]
    return deck


def derived_seed(seed: int, *path: str | int) -> int:
    """A seed of its own for each purpose named by `path`, all fixed by `seed`."""
    from hashlib import blake2b  # here: it loads OpenSSL, which a bot that deals nothing does not need

    name = "/".join([str(seed), *(f"{type(part).__name__}:{part}" for part in path)])
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big") >> 1


def derived(seed: int, *path: str | int) -> Random:
    """A generator of its own for each purpose named by `path`, all fixed by `seed`."""
    return Random(derived_seed(seed, *path))
