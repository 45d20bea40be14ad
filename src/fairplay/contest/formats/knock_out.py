"""The knock-out of the rule books: winners go on, everyone else is out."""

from collections.abc import Sequence

from fairplay.contest.contest import Fixture
from fairplay.contest.formats.pairing import LineUp
from fairplay.contest.formats.rounds import Rounds, check_minimum
from fairplay.core import Outcome
from fairplay.core.chance import derived, shuffled


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
        fixtures = number_fixtures(allot_players(left, seats), deal)
        deal += len(fixtures)
        before, won = won, collect_winners(fixtures, (yield fixtures))
        if won == before:  # the same winners twice
            return won
        left = won
    if len(left) < seats[0]:
        return left
    final = number_fixtures([tuple(left)], deal)
    return collect_winners(final, (yield final))


def number_fixtures(line_ups: Sequence[LineUp], first: int) -> list[Fixture]:
    """Line-ups as fixtures, each with a deal of its own, counted from `first`."""
    return [Fixture(line_up, deal) for deal, line_up in enumerate(line_ups, first)]


def collect_winners(fixtures: Sequence[Fixture], outcomes: Sequence[Outcome]) -> list[int]:
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
