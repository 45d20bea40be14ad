"""A tournament as data: who plays what, each match with a number of its own, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from itertools import islice
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from fairplay.core import Outcome, RuleBookError, RuleBookFailure
from fairplay.match.record import Isolation

Deals: TypeAlias = Literal["fresh", "paired"]
"""Fresh: every match has a deal of its own.  Paired: a line-up plays each deal in all rotations of the seats."""

Secret: TypeAlias = Annotated[str, Meta(pattern="^([0-9a-f]{32})?$")]
"""A key of 16 bytes, or nothing."""

UNROTATED_FORMATS = ("knock-out", "series")
"""Formats that do not rotate the seats, so that every match has a deal of its own anyway."""

OPEN_FORMATS = ("table",)
"""Kinds of contest that nobody plans: what is played at the tables of a page."""

_MATCHED_FORMATS = ("swiss", "ladder")
"""Formats that earlier versions paired in another way."""

LOST_PAIRING = "an earlier version paired its rounds in a way that is gone"
"""Why a contest with such rounds cannot be resumed."""

Requirement: TypeAlias = Literal["", "sandboxed"]
"""The least level at which bot files and programs may play; empty: the best that the machine has."""


class Entrant(NamedTuple):
    """Who takes part: a name, and a spec as text (see specs.py)."""

    name: str
    spec: str


class Fixture(Struct, frozen=True):
    """A match that a format wants: players by number, in seat order, and the number of the deal they play."""

    line_up: tuple[int, ...]
    deal: int


class Stop(Struct, frozen=True, forbid_unknown_fields=True):
    """When to stop before the format does: after N matches, or when one player is shown to be better or not."""

    matches: int | None = None
    candidate: str = ""  # empty: nobody is tested
    rival: str = ""  # empty: everybody the candidate meets
    margin: float = 0.0
    indifference: float = 0.0
    alpha: float = 0.05
    beta: float = 0.05


class Contest(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that fixes a tournament: played again, it ends with the same table."""

    game: str
    entrants: tuple[Entrant, ...] = msgspec.field(name="players")  # with different names
    format: str
    options: dict[str, Any]  # of the format
    setup: msgspec.Raw  # as JSON
    seed: int
    patience: float  # seconds that a bot file has for an answer
    stop: Stop = Stop()
    deals: Deals = "paired"  # as they all were before there was a choice
    secret: Secret = ""  # fixes the players' own chance, which so tells nothing about a deal; empty: the seed fixes it
    seed_chosen: bool = False  # by a person, though players are seated who might guess it
    require: Requirement = ""  # a level below which no bot file and no program may play
    matched: bool = False  # Swiss rounds and ladders are paired as they are now; else in a way that is gone
    ponder: bool = False  # programs may think while others are awaited

    @property
    def is_open(self) -> bool:
        """Do its entrants and matches come over time, each deal numbered by its seed?"""
        return self.format in OPEN_FORMATS

    @property
    def is_paired(self) -> bool:
        """Do all rotations of a line-up share a deal?"""
        return self.deals == "paired" and self.format not in UNROTATED_FORMATS

    @property
    def has_lost_pairing(self) -> bool:
        """Are its rounds paired in a way that is gone, so that nobody can play the rest of them?"""
        return self.format in _MATCHED_FORMATS and not self.matched

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.entrants)


class Match(Struct, frozen=True):
    """A fixture of a contest, numbered in the order in which its format gave it."""

    number: int
    seed: int
    deal: int
    line_up: tuple[int, ...]
    entrants: tuple[Entrant, ...]  # by seat
    chances: tuple[int, ...]  # by seat, the seed of the player's own chance


class Hidden(Struct, frozen=True):
    """What lies on the machine of a contest and is shown to no player: paths, absolute but for those of entrants."""

    files: tuple[str, ...] = ()  # stores, keys and what is written; with them FILE-*, which a database keeps beside it
    folders: tuple[str, ...] = ()  # what appears there while matches are played
    entrants: tuple[str, ...] = ()  # the files of all entrants, each of whom sees its own, see run/entrants.py


class Kinds(Struct, frozen=True):
    """Kinds of entrant that upper layers bring: the maker of each as ``package.module:function``.

    They travel with the matches, so that every worker finds the makers too (`run/entrants.py`).
    """

    makers: dict[str, str] = {}


class Batch(Struct, frozen=True):
    """Some matches with all that a worker needs to play them, however large the contest is."""

    game: str
    setup: msgspec.Raw
    patience: float
    matches: tuple[Match, ...]
    kinds: Kinds = Kinds()
    seed_chosen: bool = False
    hidden: Hidden = Hidden()
    require: Requirement = ""
    logs: str = ""  # a folder for what the programs print, see run/engines/worker.py
    ponder: bool = False


class Effort(Struct, frozen=True):
    """What the answers of a player took in some matches.  It differs from run to run, so that no record holds it."""

    answers: int
    seconds: float
    clock: Literal["cpu", "wall"] = "cpu"  # wall: over a network, the way there and back included
    start: float = 0.0  # seconds of CPU time that its processes took before they were asked anything

    def __add__(self, other: Effort) -> Effort:
        return Effort(self.answers + other.answers, self.seconds + other.seconds, self.clock, self.start + other.start)


class Result(Struct, frozen=True):
    """A match that was played: its number, how it ended, its record, and the seconds it took; or one that broke off."""

    number: int
    line_up: tuple[int, ...]
    deal: int
    outcome: Outcome
    record: bytes  # packed (see packing.py); empty if it was not kept
    seconds: float
    levels: tuple[Isolation, ...] = ()  # by seat; empty if all are house players, or if it is not known
    efforts: tuple[Effort | None, ...] = ()  # by seat, as far as they were measured; empty: in another run
    failure: RuleBookFailure | None = None  # of the rule book, which broke the match off: then it has no result to keep


def add_efforts(efforts: MutableMapping[str, Effort], contest: Contest, result: Result) -> None:
    """EFFECT: adds what a match took to the sums of its players, by name."""
    for player, effort in zip(result.line_up, result.efforts, strict=False):
        name = contest.names[player]
        if effort is not None:
            efforts[name] = efforts[name] + effort if name in efforts else effort


def broken_outcome(seats: int) -> Outcome:
    """How a match that was broken off ended, for those who must be told something: nobody has a place or points."""
    return Outcome((), (None,) * seats, (None,) * seats, "broken off")


def broken_result(match: Match, error: RuleBookError) -> Result:
    """What comes of a match that `error` ended."""
    names = ", ".join(name for name, _ in match.entrants)
    (failure,) = error.locate(match=f"{match.number} ({names})", seed=match.seed).failures
    outcome = broken_outcome(len(match.line_up))
    return Result(match.number, match.line_up, match.deal, outcome, b"", 0.0, failure=failure)


def split_batches(
    contest: Contest,
    matches: Iterable[Match],
    size: int,
    kinds: Kinds = Kinds(),
    hidden: Hidden = Hidden(),
    logs: str = "",
) -> Iterator[Batch]:
    """`matches` in batches of `size`, taken when asked for."""
    source = iter(matches)
    while some := tuple(islice(source, size)):
        yield Batch(
            game=contest.game,
            setup=contest.setup,
            patience=contest.patience,
            matches=some,
            kinds=kinds,
            seed_chosen=contest.seed_chosen,
            hidden=hidden,
            require=contest.require,
            logs=logs,
            ponder=contest.ponder,
        )


def number_names(names: Sequence[str]) -> list[str]:
    """Distinct names: the k-th bearer of a name is shown as name-k (Trains 11.2), or as the next free one."""
    bearers: Counter[str] = Counter()
    taken, shown = set(names), list[str]()
    for name in names:
        bearers[name] += 1
        different = name
        while bearers[name] > 1 and (different := f"{name}-{bearers[name]}") in taken:
            bearers[name] += 1
        taken.add(different)
        shown.append(different)
    return shown


# -- points of an outcome ----------------------------------------------------------------------

# How many of the other seats a seat left behind, in half points, so that they stay whole numbers: two for each seat
# behind, one for each seat level with it.  Seats without a place in the ranking (removed, or eliminated by the rules)
# are level with each other, behind all others.  A seat that is as good as the others wins half of what can be won,
# whatever the number of seats.


def tiers(outcome: Outcome) -> list[tuple[int, ...]]:
    """All seats in groups of equals, best first; those without a place come last."""
    placed = {seat for tier in outcome.ranking for seat in tier}
    rest = tuple(seat for seat in range(len(outcome.faults)) if seat not in placed)
    return [tier for tier in (*outcome.ranking, rest) if tier]


def places(outcome: Outcome) -> list[int]:
    """The number of each seat's tier, from 0."""
    place_of = [0] * len(outcome.faults)
    for place, tier in enumerate(tiers(outcome)):
        for seat in tier:
            place_of[seat] = place
    return place_of


def half_points(outcome: Outcome) -> list[int]:
    """What each seat won, out of ``2 * (seats - 1)``."""
    points = [0] * len(outcome.faults)
    behind = len(points)
    for tier in tiers(outcome):
        behind -= len(tier)
        for seat in tier:
            points[seat] = 2 * behind + len(tier) - 1
    return points


def faulted_players(line_up: Sequence[int], outcome: Outcome) -> list[int]:
    """The players of `line_up` that were removed for a fault."""
    return [player for player, fault in zip(line_up, outcome.faults, strict=True) if fault is not None]
