"""Tournament formats: generators of rounds that are sent outcomes.  They play nothing themselves.

A format yields a round, which is fixtures that may be played in any order or at once, and is sent their outcomes in the
same order.  It returns the winners.  Players are numbers in the order of entry, which the rule books call age order.

| format      | who meets                                                   | a player that was removed |
| ---         | ---                                                         | ---                       |
| knock-out   | by the rule books; each match has a deal of its own         | has lost, so it is out    |
| round-robin | all line-ups of a size                                      | stays                     |
| gauntlet    | the first player and all line-ups of the others             | stays                     |
| swiss       | neighbours by points, no line-up twice where avoidable      | stays                     |
| ladder      | neighbours by rating, until it is stopped                   | stays                     |
| series      | everyone in one match, in the order of entry, again and again | stays                   |

Outside the knock-out a line-up plays every deal in all rotations, no two line-ups the same deal, and the option
``removed="leave"`` makes a player that was removed leave after the round: it plays in no later one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, count
from math import comb
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import msgspec

from fairplay.contest.contest import Contest, Fixture
from fairplay.contest.formats.rounds import Field, LineUp, Removal, Rounds, at_least, bounded, rotations
from fairplay.contest.formats.swiss import ladder, swiss, swiss_rounds
from fairplay.core import Outcome, UsageError

__all__ = [
    "FORMATS",
    "Maker",
    "allotment",
    "chosen_options",
    "expected_matches",
    "gauntlet",
    "knock_out",
    "option_types",
    "pass_length",
    "round_robin",
    "schedule",
]

Maker: TypeAlias = Callable[..., Rounds]
"""Takes the number of players, the numbers of seats that the game allows, and options by keyword."""

# -- knock-out ---------------------------------------------------------------------------------


def knock_out(players: int, seats: range, *, fewest: int | None = None, most: int | None = None) -> Rounds:
    """The knock-out of the rule books (Fish 9, Trains 9, Labyrinth 9), in matches of `fewest` to `most` seats."""
    fewest, most = seats[0] if fewest is None else fewest, seats[-1] if most is None else most
    at_least(2, fewest=fewest)
    at_least(fewest, most=most)
    seats = range(fewest, most + 1)
    left = list(range(players))
    won: list[int] | None = None
    deal = 0
    while len(left) > seats[-1]:
        fixtures = numbered(allotment(left, seats), deal)
        deal += len(fixtures)
        before, won = won, winners(fixtures, (yield fixtures))
        if won == before:  # the same winners twice
            return won
        left = won
    if len(left) < seats[0]:
        return left
    final = numbered([tuple(left)], deal)
    return winners(final, (yield final))


def numbered(line_ups: Sequence[LineUp], first: int) -> list[Fixture]:
    return [Fixture(line_up, deal) for deal, line_up in enumerate(line_ups, first)]


def winners(fixtures: Sequence[Fixture], outcomes: Sequence[Outcome]) -> list[int]:
    """The first tiers of all matches, in age order: an allotment keeps it."""
    pairs = zip(fixtures, outcomes, strict=True)
    return [fixture.line_up[seat] for fixture, outcome in pairs for seat in sorted(outcome.winners)]


def allotment(players: Sequence[int], seats: range) -> list[LineUp]:
    """The matches of one round: full ones in age order, the last one or two smaller (Fish 9.5, Trains 9.7, 13.3)."""
    fewest, most = seats[0], seats[-1]
    full, rest = divmod(len(players), most)
    lengths = [most] * full + ([rest] if rest else [])
    if full and 0 < rest < fewest:
        lengths[-2:] = [most - (fewest - rest), fewest]
    line_ups, start = list[LineUp](), 0
    for length in lengths:
        line_ups.append(tuple(players[start : start + length]))
        start += length
    return line_ups


# -- one line-up -------------------------------------------------------------------------------


def series(players: int, seats: range, *, games: int = 1) -> Rounds:
    """All players in the order of entry, again and again, each time with the next deal."""
    field = Field(players, seats, players, "stay")
    at_least(1, games=games)
    return repeated_line_up(field, games)


def repeated_line_up(field: Field, games: int) -> Rounds:
    line_up = tuple(field.playing)
    for fixtures in bounded([Fixture(line_up, deal)] for deal in range(games)):
        field.take(fixtures, (yield fixtures))
    return field.leaders()


# -- everybody against everybody ---------------------------------------------------------------


def round_robin(
    players: int, seats: range, *, size: int | None = None, games: int = 10, removed: Removal = "stay"
) -> Rounds:
    """All line-ups of `size` players, each with `games` deals in all rotations."""
    field = Field(players, seats, size, removed)
    at_least(1, games=games)
    return passes(field, lambda playing: combinations(playing, field.size), games)


def gauntlet(
    players: int, seats: range, *, size: int | None = None, games: int = 10, removed: Removal = "stay"
) -> Rounds:
    """The first player, the candidate, with all line-ups of the others, each with `games` deals in all rotations."""
    field = Field(players, seats, size, removed)
    at_least(1, games=games)

    def line_ups(playing: Sequence[int]) -> Iterable[LineUp]:
        if playing[:1] == [0]:  # without the candidate there is nothing to find out
            yield from ((0, *others) for others in combinations(playing[1:], field.size - 1))

    return passes(field, line_ups, games)


def passes(field: Field, line_ups: Callable[[Sequence[int]], Iterable[LineUp]], games: int) -> Rounds:
    """All line-ups once, then again with new deals.  Where players leave, a pass ends a round; else rounds are full."""
    deals = count()

    def units(game: int) -> Iterator[list[Fixture]]:
        for line_up in line_ups(field.playing):
            if field.out.isdisjoint(line_up):
                # The other way round every second time, so that nobody always sits behind the same neighbour.
                yield rotations(line_up[::-1] if game % 2 else line_up, next(deals))

    every = map(units, range(games))
    for part in every if field.leaving else [chain.from_iterable(every)]:
        for fixtures in bounded(part):
            field.take(fixtures, (yield fixtures))
    return field.leaders()


# -- by name -----------------------------------------------------------------------------------


FORMATS: Final[Mapping[str, Maker]] = MappingProxyType(
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
        raise UsageError(f"there is no format '{format}'; there are {', '.join(FORMATS)}")
    parameters = inspect.signature(FORMATS[format], eval_str=True).parameters.values()
    return {each.name: each.annotation for each in parameters if each.kind is each.KEYWORD_ONLY and each.name != SEED}


SEED: Final = "seed"  # of the contest, not an option of its own


def chosen_options(format: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Options for a format, also from words of a command line, each of the right type; raises UsageError."""
    types = option_types(format)
    chosen: dict[str, Any] = {}
    for name, value in given.items():
        if name not in types:
            known = f"it has {', '.join(types)}" if types else "it has none"
            raise UsageError(f"{name} is no option of the format {format}; {known}")
        try:
            chosen[name] = msgspec.convert(value, types[name], strict=False)
        except msgspec.ValidationError:
            wanted = "leave or stay" if types[name] is Removal else "a whole number"
            raise UsageError(f"{name} of the format {format} must be {wanted}, not '{value}'") from None
    return chosen


def schedule(contest: Contest, seats: range) -> Rounds:
    """The rounds of a contest in a game for so many `seats`; raises UsageError."""
    options = chosen_options(contest.format, contest.options)
    if SEED in inspect.signature(FORMATS[contest.format]).parameters:
        options[SEED] = contest.seed
    return FORMATS[contest.format](len(contest.entrants), seats, **options)


def pass_length(contest: Contest, seats: range) -> int | None:
    """Matches after which all line-ups have met equally often, counted from the first; None where there is no such."""
    players, size = len(contest.entrants), settled(contest).get("size") or seats[0]
    match contest.format:
        case "round-robin":
            return comb(players, size) * size
        case "gauntlet":
            return comb(players - 1, size - 1) * size
    return None


def expected_matches(contest: Contest, seats: range) -> int | None:
    """How many matches there will be if nobody leaves; None where that depends on who wins, or has no end."""
    options, players = settled(contest), len(contest.entrants)
    if (length := pass_length(contest, seats)) is not None:
        return length * int(options["games"])
    if contest.format == "series":
        return int(options["games"])
    if contest.format == "swiss":
        size, rounds = options["size"] or seats[0], options["rounds"] or swiss_rounds(players)
        return int(rounds * (players // size) * size * options["games"])
    return None


def settled(contest: Contest) -> dict[str, Any]:
    """All options of a contest's format, also those that were left to their defaults; raises UsageError."""
    names = option_types(contest.format)
    parameters = inspect.signature(FORMATS[contest.format]).parameters
    defaults = {name: parameters[name].default for name in names}
    return {**defaults, **chosen_options(contest.format, contest.options)}
