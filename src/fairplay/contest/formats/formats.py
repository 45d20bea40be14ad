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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from math import comb
from types import MappingProxyType
from typing import Any, TypeAlias

import msgspec

from fairplay.contest.contest import LOST_PAIRING, Contest, Fixture
from fairplay.contest.formats.pairing import LineUp
from fairplay.contest.formats.rounds import Dealer, Field, Removal, Rounds, check_minimum, limit_rounds
from fairplay.contest.formats.swiss import ladder, swiss, swiss_rounds
from fairplay.core import Outcome, UsageError
from fairplay.core.chance import derived, shuffled
from fairplay.core.names import list_known

# -- the knock-out -----------------------------------------------------------------------------


def knock_out(
    players: int,
    seats: range,
    *,
    fewest: int | None = None,
    most: int | None = None,
    shuffle: bool = False,
    seed: int = 0,
) -> Rounds:
    """The knock-out of the rule books (Fish 9, Trains 9, Labyrinth 9), in matches of `fewest` to `most` seats.

    With `shuffle`, lots are drawn from the seed once, before the first round; else the order of entry counts.
    """
    fewest, most = seats[0] if fewest is None else fewest, seats[-1] if most is None else most
    check_minimum(2, fewest=fewest)
    check_minimum(2 * fewest - 1, most=most)  # so that any number of players can be seated
    seats = range(fewest, most + 1)
    left = shuffled(derived(seed, "lots"), range(players)) if shuffle else list(range(players))
    won: list[int] | None = None
    deal = 0
    while len(left) > seats[-1]:
        fixtures = _number_fixtures(allot_players(left, seats), deal)
        deal += len(fixtures)
        before, won = won, _collect_winners(fixtures, (yield fixtures))
        if won == before:  # the same winners twice
            return won
        left = won
    if len(left) < seats[0]:
        return left
    final = _number_fixtures([tuple(left)], deal)
    return _collect_winners(final, (yield final))


def _number_fixtures(line_ups: Sequence[LineUp], first: int) -> list[Fixture]:
    """Line-ups as fixtures, each with a deal of its own, counted from `first`."""
    return [Fixture(line_up, deal) for deal, line_up in enumerate(line_ups, first)]


def _collect_winners(fixtures: Sequence[Fixture], outcomes: Sequence[Outcome]) -> list[int]:
    """The first tiers of all matches, in the order in which they entered the round."""
    pairs = zip(fixtures, outcomes, strict=True)
    return [fixture.line_up[seat] for fixture, outcome in pairs for seat in sorted(outcome.winners)]


def allot_players(players: Sequence[int], seats: range) -> list[LineUp]:
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


# -- fixed line-ups ----------------------------------------------------------------------------


def round_robin(
    players: int,
    seats: range,
    *,
    size: int | None = None,
    games: int = 10,
    removed: Removal = "stay",
    paired: bool = False,
) -> Rounds:
    """All line-ups of `size` players, each `games` times in all rotations."""
    field = Field(players, seats, size, removed)
    check_minimum(1, games=games)
    return _play_passes(field, lambda playing: combinations(playing, field.size), games, Dealer(paired=paired))


def gauntlet(
    players: int,
    seats: range,
    *,
    size: int | None = None,
    games: int = 10,
    removed: Removal = "stay",
    paired: bool = False,
) -> Rounds:
    """The first player, the candidate, with all line-ups of the others, each `games` times in all rotations."""
    field = Field(players, seats, size, removed)
    check_minimum(1, games=games)

    def line_ups(playing: Sequence[int]) -> Iterable[LineUp]:
        if playing[:1] == [0]:  # without the candidate there is nothing to find out
            yield from ((0, *others) for others in combinations(playing[1:], field.size - 1))

    return _play_passes(field, line_ups, games, Dealer(paired=paired))


def _play_passes(
    field: Field, line_ups: Callable[[Sequence[int]], Iterable[LineUp]], games: int, dealer: Dealer
) -> Rounds:
    """All line-ups once, then again with new deals.  If players leave, a pass ends a round; else rounds are full."""

    def units(game: int) -> Iterator[list[Fixture]]:
        for line_up in line_ups(field.playing):
            if field.out.isdisjoint(line_up):
                # The other way round every second time, so that nobody always sits behind the same neighbour.
                yield dealer.rotate_line_up(line_up[::-1] if game % 2 else line_up)

    every = map(units, range(games))
    for part in every if field.leaving else [chain.from_iterable(every)]:
        for fixtures in limit_rounds(part):
            field.take(fixtures, (yield fixtures))
    return field.leaders()


def series(players: int, seats: range, *, games: int = 1) -> Rounds:
    """All players in the order of entry, again and again, each time with the next deal."""
    field = Field(players, seats, players, "stay")
    check_minimum(1, games=games)
    return _repeat_line_up(field, games)


def _repeat_line_up(field: Field, games: int) -> Rounds:
    """All players of `field` in one line-up, each time with the next deal."""
    line_up = tuple(field.playing)
    for fixtures in limit_rounds([Fixture(line_up, deal)] for deal in range(games)):
        field.take(fixtures, (yield fixtures))
    return field.leaders()


# -- by name -----------------------------------------------------------------------------------

_FormatMaker: TypeAlias = Callable[..., Rounds]
"""Takes the number of players, the numbers of seats that the game allows, and options by keyword."""

FORMATS: Mapping[str, _FormatMaker] = MappingProxyType(
    {
        "knock-out": knock_out,
        "round-robin": round_robin,
        "swiss": swiss,
        "gauntlet": gauntlet,
        "ladder": ladder,
        "series": series,
    }
)


def option_types(format: str) -> dict[str, object]:
    """The options of a format by name, with their types; raises UsageError."""
    if format not in FORMATS:
        raise UsageError(f"there is no format '{format}'; there are {list_known(format, FORMATS)}")
    parameters = inspect.signature(FORMATS[format], eval_str=True).parameters.values()
    return {
        each.name: each.annotation
        for each in parameters
        if each.kind is each.KEYWORD_ONLY and each.name not in _OF_CONTEST
    }


_OF_CONTEST = ("seed", "paired")
"""What a format takes from the contest; these are not options of its own."""


def check_options(format: str, given: Mapping[str, object]) -> dict[str, object]:
    """Options for a format, also from words of a command line, each of the right type; raises UsageError."""
    types = option_types(format)
    chosen: dict[str, object] = {}
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
    options.update({name: fixed[name] for name in _OF_CONTEST if name in taken})
    return FORMATS[contest.format](len(contest.entrants), seats, **options)


def has_fixed_rounds(contest: Contest) -> bool:
    """Are all matches known beforehand, however the earlier ones end?"""
    return contest.format in _FIXED_FORMATS and _all_options(contest).get("removed", "stay") == "stay"


_FIXED_FORMATS = ("round-robin", "gauntlet", "series")


def pass_length(contest: Contest, seats: range) -> int | None:
    """Matches after which all line-ups have met equally often, counted from the first; None if there is none."""
    players, size = len(contest.entrants), _all_options(contest).get("size") or seats[0]
    match contest.format:
        case "round-robin":
            return comb(players, size) * size
        case "gauntlet":
            return comb(players - 1, size - 1) * size
    return None


def expected_matches(contest: Contest, seats: range) -> int | None:
    """How many matches there will be if nobody leaves; None if that depends on who wins, or has no end."""
    options, players = _all_options(contest), len(contest.entrants)
    if (length := pass_length(contest, seats)) is not None:
        return length * int(options["games"])
    if contest.format == "series":
        return int(options["games"])
    if contest.format == "swiss":
        size, rounds = options["size"] or seats[0], options["rounds"] or swiss_rounds(players)
        return int(rounds * (players // size) * size * options["games"])
    return None


def _all_options(contest: Contest) -> dict[str, Any]:
    """All options of a contest's format, also those that were left to their defaults; raises UsageError."""
    names = option_types(contest.format)
    parameters = inspect.signature(FORMATS[contest.format]).parameters
    defaults = {name: parameters[name].default for name in names}
    return {**defaults, **check_options(contest.format, contest.options)}
