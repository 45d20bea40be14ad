"""A small contest with its matches, and results out of it for any number."""

from __future__ import annotations

from functools import cache

import msgspec

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant, Fixture, Match, Result
from fairplay.contest.schedule import number_matches
from fairplay.core import Fault, FaultKind, House, Outcome, Seat
from fairplay.core.chance import derived
from fairplay.match.packing import packed
from fairplay.match.players import house_strategy
from fairplay.match.replay import record_match
from fairplay.run.inline import play_inline

FISH = GAMES["fish"]
SETUP = msgspec.convert({"rows": 4, "columns": 4}, FISH.setup)

CONTEST = Contest(
    game="fish",
    entrants=(Entrant("first", "random"), Entrant("second", "greedy"), Entrant("third", "minimax:depth=1")),
    format="round-robin",
    options={"deals": 2},
    setup=msgspec.Raw(msgspec.json.encode(SETUP)),
    seed=7,
    patience=3.0,
)

FIXTURES = [Fixture(line_up, deal) for deal in range(2) for line_up in ((0, 1), (1, 0), (1, 2), (2, 1), (0, 2), (2, 0))]


def played(match: Match) -> Result:
    """`match` of CONTEST, played and packed as a worker does."""
    lines: list[bytes] = []
    specs = tuple(CONTEST.entrants[player][1] for player in match.line_up)
    players = [
        House(house_strategy(FISH, spec, derived(match.seed, "player", seat))) for seat, spec in enumerate(specs)
    ]
    outcome = play_inline(record_match(FISH, SETUP, match.seed, specs, lines.append), players)
    return Result(match.number, match.line_up, match.deal, outcome, packed(lines), 0.125 * match.number)


@cache
def sample_results() -> tuple[Result, ...]:
    """All matches of CONTEST."""
    return tuple(played(match) for match in number_matches(CONTEST, FIXTURES, 0))


def result(number: int) -> Result:
    """A result under another number, for tests that need many."""
    return msgspec.structs.replace(sample_results()[number % len(FIXTURES)], number=number)


def results(numbers: range) -> list[Result]:
    return [result(number) for number in numbers]


def faulty(number: int, detail: str = "no answer") -> Result:
    """A match in which the second seat was thrown out."""
    outcome = Outcome(((Seat(0),),), ((9,), None), (None, Fault(FaultKind.CRASHED, detail)), "nobody can move")
    return Result(number, (0, 2), number, outcome, b"", 0.5)


def tied(number: int) -> Result:
    outcome = Outcome(((Seat(0), Seat(1)),), ((9,), (9,)), (None, None), "nobody can move")
    return Result(number, (1, 2), number, outcome, b"", 0.25)
