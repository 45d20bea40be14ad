"""Tournament formats: generators of rounds that are sent outcomes.  They play nothing themselves.

A format yields a round, which is fixtures that may be played in any order or at once, and is sent their outcomes in the
same order.  It returns the winners.  Players are numbers in the order of entry, which the rule books call age order.

| format      | who meets                                                   | a player that was removed |
| ---         | ---                                                         | ---                       |
| knock-out   | by the rule books; each match has a deal of its own         | has lost, so it is out    |
| round-robin | all line-ups of a size                                      | stays                     |
| gauntlet    | the first player and all line-ups of the others             | stays                     |
| swiss       | neighbours by points, few pairs meet twice                   | stays                     |
| ladder      | neighbours by rating, until it is stopped                   | stays                     |
| series      | everyone in one match, again and again                      | stays                     |

Outside the knock-out and the series a line-up plays in all rotations of the seats.  Every match has a deal of its own;
in a contest with paired deals, all rotations of a line-up share one.  No two line-ups play the same deal.
The option ``removed="leave"`` makes a player that was removed leave after the round.
"""

import inspect
from collections.abc import Callable, Mapping
from math import comb
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from fairplay.contest.contest import LOST_PAIRING, Contest
from fairplay.contest.formats.knock_out import knock_out
from fairplay.contest.formats.round_robin import gauntlet, round_robin, series
from fairplay.contest.formats.rounds import Removal, Rounds
from fairplay.contest.formats.swiss import ladder, swiss, swiss_rounds
from fairplay.core import UsageError
from fairplay.core.names import list_known

FormatMaker: TypeAlias = Callable[..., Rounds]
"""Takes the number of players, the numbers of seats that the game allows, and options by keyword."""

FORMATS: Mapping[str, FormatMaker] = MappingProxyType(
    {
        "knock-out": knock_out,
        "round-robin": round_robin,
        "swiss": swiss,
        "gauntlet": gauntlet,
        "ladder": ladder,
        "series": series,
    }
)


def option_types(format: str) -> dict[str, Any]:
    """The options of a format by name, with their types; raises UsageError."""
    if format not in FORMATS:
        raise UsageError(f"there is no format '{format}'; there are {list_known(format, FORMATS)}")
    parameters = inspect.signature(FORMATS[format], eval_str=True).parameters.values()
    return {
        each.name: each.annotation
        for each in parameters
        if each.kind is each.KEYWORD_ONLY and each.name not in OF_CONTEST
    }


OF_CONTEST = ("seed", "paired")
"""What a format takes from the contest; these are not options of its own."""


def check_options(format: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options for a format, also from words of a command line, each of the right type; raises UsageError."""
    types = option_types(format)
    chosen: dict[str, Any] = {}
    for name, value in given.items():
        if name not in types:
            raise UsageError(f"the format {format} has no option '{name}'; it has {list_known(name, types)}")
        try:
            chosen[name] = msgspec.convert(value, types[name], strict=False)
        except msgspec.ValidationError:
            wanted = WANTED.get(types[name], "a whole number")
            raise UsageError(f"{name} of the format {format} must be {wanted}, not '{value}'") from None
    return chosen


WANTED: Mapping[Any, str] = {Removal: "leave or stay", bool: "true or false"}


def start_format(contest: Contest, seats: range) -> Rounds:
    """The rounds of a contest in a game for these numbers of `seats`; raises UsageError."""
    if contest.has_lost_pairing:
        raise UsageError(f"the contest cannot be resumed: {LOST_PAIRING}")
    options = check_options(contest.format, contest.options)
    fixed = {"seed": contest.seed, "paired": contest.is_paired}
    taken = inspect.signature(FORMATS[contest.format]).parameters
    options.update({name: fixed[name] for name in OF_CONTEST if name in taken})
    return FORMATS[contest.format](len(contest.entrants), seats, **options)


def has_fixed_rounds(contest: Contest) -> bool:
    """Are all matches known beforehand, however the earlier ones end?"""
    return contest.format in FIXED_FORMATS and all_options(contest).get("removed", "stay") == "stay"


FIXED_FORMATS = ("round-robin", "gauntlet", "series")


def pass_length(contest: Contest, seats: range) -> int | None:
    """Matches after which all line-ups have met equally often, counted from the first; None if there is none."""
    players, size = len(contest.entrants), all_options(contest).get("size") or seats[0]
    match contest.format:
        case "round-robin":
            return comb(players, size) * size
        case "gauntlet":
            return comb(players - 1, size - 1) * size
    return None


def expected_matches(contest: Contest, seats: range) -> int | None:
    """How many matches there will be if nobody leaves; None if that depends on who wins, or has no end."""
    options, players = all_options(contest), len(contest.entrants)
    if (length := pass_length(contest, seats)) is not None:
        return length * int(options["games"])
    if contest.format == "series":
        return int(options["games"])
    if contest.format == "swiss":
        size, rounds = options["size"] or seats[0], options["rounds"] or swiss_rounds(players)
        return int(rounds * (players // size) * size * options["games"])
    return None


def all_options(contest: Contest) -> dict[str, Any]:
    """All options of a contest's format, also those that were left to their defaults; raises UsageError."""
    names = option_types(contest.format)
    parameters = inspect.signature(FORMATS[contest.format]).parameters
    defaults = {name: parameters[name].default for name in names}
    return {**defaults, **check_options(contest.format, contest.options)}
