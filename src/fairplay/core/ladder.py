"""The ladder of a game: its house players in order of strength, from one that a child can beat to the strongest."""

from collections.abc import Mapping
from functools import partial
from pkgutil import get_data

import msgspec
from msgspec import Struct

from fairplay.core.immutable import DeferredMapping


class Rung(Struct, frozen=True):
    """A house player at one level of strength; what is measured of it is written by ``python -m bench.ladder``."""

    level: int  # counted from 1, the weakest
    spec: str  # the house player, with its options
    name: str = ""  # Beginner, Easy, Medium, Hard or Master, on five of them
    rating: float | None = None  # None: it was not measured yet
    low: float | None = None  # the 95 % interval of the rating
    high: float | None = None
    milliseconds: float | None = None  # of CPU time a move
    interpreted: float | None = None  # milliseconds of CPU time a move without numba


def read_ladder(package: str) -> Mapping[str, tuple[Rung, ...]]:
    """The rungs by variant, as they are in `ladder.json` in a package; none if there is no such file."""
    return DeferredMapping(partial(_load_ladder, package))


def _load_ladder(package: str) -> dict[str, tuple[Rung, ...]]:
    try:
        content = get_data(package, "ladder.json")
    except FileNotFoundError:
        return {}
    assert content is not None, "the package can be read"
    return msgspec.json.decode(content, type=dict[str, tuple[Rung, ...]])
