"""House players as people name them: by level, with a time to think; refused if they would take too long here.

If the setup of a match is known, the names of its players go through `resolve_player`.  From
then on a level is the strategy that stands for it, with its options, and that is what a record names.
"""

import re
from collections.abc import Sequence
from importlib.util import find_spec

from msgspec.structs import replace

from fairplay.contest.specs import HouseSpec, parse_spec
from fairplay.core import AnyGame, UsageError
from fairplay.core.game import Rung
from fairplay.core.names import list_known
from fairplay.kernels.code import has_compiler
from fairplay.match.players import WORK, describe_house, parse_house, thinks_by_time

LEVEL = re.compile("level-[0-9]{1,3}|beginner|easy|medium|hard|master", re.IGNORECASE)
"""What a level can be called.  A game may have a strategy of the same name, which is meant then."""

_MAX_INTERPRETED = 1000.0
"""Milliseconds a move without numba that people still wait for."""

# -- levels ------------------------------------------------------------------------------------


def levels_of_variant(game: AnyGame, setup: object) -> tuple[Rung, ...]:
    """The levels for matches with this setup, weakest first: those of its variant, whatever the board."""
    return game.players.ladder.get(getattr(setup, "variant", next(iter(game.variants))), ())


def name_level(rung: Rung) -> str:
    """What people call a level in commands."""
    return rung.name.lower() or f"level-{rung.level}"


def list_playable(game: AnyGame, setup: object) -> tuple[list[str], str]:
    """The levels that can be played here, weakest first, and why others cannot; raises UsageError if there are none.

    The reason is a sentence, and empty if all of them can be played.
    """
    rungs = levels_of_variant(game, setup)
    if not rungs:
        known = ", ".join(game.players.strategies)
        raise UsageError(f"{game.name} has no levels for this variant; its house players are {known}")
    missing = {name_level(rung): missing_packages(game, rungs, rung.spec) for rung in rungs}
    left_out = [name for name, packages in missing.items() if packages]
    reason = _explain_packages(", ".join(left_out), missing[left_out[-1]]) if left_out else ""
    return [name for name, packages in missing.items() if not packages], reason


def resolve_player(game: AnyGame, setup: object, text: str, think: float | None = None) -> str:
    """The spec with which a player sits down: a level becomes its strategy, `think` its time; raises UsageError.

    What is not a house player stays as it is.
    """
    house = parse_spec(text)
    if not isinstance(house, HouseSpec) or house.trust == "trusted":
        return text
    if LEVEL.fullmatch(house.bare) and house.name not in game.players.strategies:
        name, options = parse_house(_find_rung(game, setup, house.name).spec)
        house = replace(house, name=name, options=options)
    if house.name not in game.players.strategies:
        return text
    if think is not None and thinks_by_time(game, house.name) and "seconds" not in dict(house.options):
        house = replace(house, options=(*house.options, ("seconds", f"{think:g}")))
    if missing := explain_missing(game, levels_of_variant(game, setup), house.bare):
        raise UsageError(missing)
    return str(house)


def _find_rung(game: AnyGame, setup: object, name: str) -> Rung:
    """The level of this name; raises UsageError if there is none."""
    rungs = levels_of_variant(game, setup)
    for rung in rungs:
        if name.lower() in (f"level-{rung.level}", rung.name.lower()):
            return rung
    if not rungs:
        known = list_known(name, game.players.strategies)
        raise UsageError(f"{game.name} has no levels for this variant; its house players are {known}")
    levels = (f"level-{rung.level}{f' ({rung.name.lower()})' if rung.name else ''}" for rung in rungs)
    raise UsageError(f"{game.name} has no level '{name}' for this variant; it has {', '.join(levels)}")


# -- time to think -----------------------------------------------------------------------------


def parse_seconds(words: str) -> float:
    """The seconds in a text such as ``100ms``, ``2s`` or ``0.5``; raises UsageError."""
    found = _DURATION.fullmatch(words.strip())
    seconds = float(found[1]) * _UNITS[found[2] or "s"] if found else 0.0
    if not 0 < seconds <= MAX_SECONDS:
        raise UsageError(f"--think: expected a time of at most an hour, such as 100ms, 2s or 0.5, not '{words}'")
    return seconds


_DURATION = re.compile(r"([0-9]{1,7}(?:\.[0-9]{1,6})?) ?(ms|s)?")
_UNITS = {"ms": 0.001, "s": 1.0}
MAX_SECONDS = 3600


# -- what must be installed --------------------------------------------------------------------


def explain_missing(game: AnyGame, rungs: Sequence[Rung], spec: str) -> str:
    """Why a house player cannot play here, and what to install; empty if it can."""
    missing = missing_packages(game, rungs, spec)
    return _explain_packages(spec, missing) if missing else ""


def _explain_packages(what: str, packages: Sequence[str]) -> str:
    """What somebody needs, and how to install it."""
    verb = "need" if "," in what and ":" not in what else "needs"
    return f"{what} {verb} {' and '.join(packages)}: pip install {' '.join(packages)}"


def missing_packages(game: AnyGame, rungs: Sequence[Rung], spec: str) -> tuple[str, ...]:
    """What must be installed for a house player to answer within a second.

    rungs: those of the variant; what was measured of them says which budgets take too long without numba.
    """
    if not thinks_by_time(game, parse_house(spec)[0]) or game.parts.kernel is None:
        return ()
    if find_spec("numpy") is None:
        return "numpy", "numba"
    if has_compiler() or describe_house(game, spec, 0).budget is not None:
        return ()
    times = (rung.interpreted for rung in rungs if _has_less_work(game, rung.spec, spec))
    return ("numba",) if max(filter(None, times), default=0.0) > _MAX_INTERPRETED else ()


def _has_less_work(game: AnyGame, spec: str, other: str) -> bool:
    """Does a player search as `other` does, and no more than it?"""
    if parse_house(spec)[0] != parse_house(other)[0]:
        return False
    options, others = (describe_house(game, each, 0).options for each in (spec, other))
    return all(float(options[name]) <= float(others[name]) for name in WORK if name in options)
