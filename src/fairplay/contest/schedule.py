"""The matches of a contest, round by round, and its bracket: the one place that drives a format."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

from msgspec import Struct

from fairplay.contest.contest import Contest, Fixture, Match
from fairplay.contest.formats.formats import expected_matches, start_format
from fairplay.contest.formats.rounds import Rounds
from fairplay.contest.sequential import candidate_test
from fairplay.core import AnyGame, Outcome, UsageError
from fairplay.core.chance import derived_seed
from fairplay.match.replay import deal_state


class Schedule:
    """Gives out one round after the other, and takes the outcomes of each before the next."""

    def __init__(self, rounds: Rounds, limit: int | None = None) -> None:
        """Cut the schedule off after `limit` fixtures."""
        self.winners: list[int] = []  # once the last round is over
        self.given = 0  # fixtures so far
        self._rounds, self._limit = rounds, limit
        self._outcomes: Sequence[Outcome] | None = None

    def next_round(self) -> list[Fixture]:
        """The fixtures of the next round; none once the last one is over."""
        if self._limit is not None and self.given >= self._limit:
            return []
        try:
            fixtures = next(self._rounds) if self._outcomes is None else self._rounds.send(self._outcomes)
        except StopIteration as done:
            self.winners = done.value
            return []
        if self._limit is not None:
            fixtures = fixtures[: self._limit - self.given]
        self.given += len(fixtures)
        return fixtures

    def report(self, outcomes: Sequence[Outcome]) -> None:
        """Say how the matches of the round ended, in its order."""
        self._outcomes = outcomes

    def next_matches(self, contest: Contest) -> list[Match]:
        """The next round as numbered matches of `contest`."""
        first = self.given
        return number_matches(contest, self.next_round(), first)


def number_matches(contest: Contest, fixtures: Iterable[Fixture], first: int = 0) -> list[Match]:
    """`fixtures` as matches of `contest`, numbered from `first`."""
    return [
        Match(
            number,
            match_seed(contest, fixture.deal),
            fixture.deal,
            fixture.line_up,
            tuple(contest.entrants[player] for player in fixture.line_up),
            tuple(_player_chance(contest, number, fixture.deal, seat) for seat in range(len(fixture.line_up))),
        )
        for number, fixture in enumerate(fixtures, first)
    ]


def schedule_of(contest: Contest, seats: range) -> Schedule:
    """The schedule of a contest in a game with these numbers of seats; raises UsageError."""
    return Schedule(start_format(contest, seats), contest.stop.matches)


def match_seed(contest: Contest, deal: int) -> int:
    """The seed of the matches that play this deal."""
    if contest.is_open:
        return deal
    if contest.format == "series":
        return contest.seed + deal
    return derived_seed(contest.seed, "deal", deal)


def _player_chance(contest: Contest, number: int, deal: int, seat: int) -> int:
    """The seed of the own chance of the player on `seat` in match `number`.

    With a secret it says nothing about any deal, nor about the chance of others: it is a keyed hash of the number.
    """
    if not contest.secret:
        return derived_seed(match_seed(contest, deal), "player", seat)
    key = bytes.fromhex(contest.secret)
    return int.from_bytes(blake2b(f"{number}/{seat}".encode(), digest_size=8, key=key).digest(), "big") >> 1


def check_contest(game: AnyGame, contest: Contest, setup: object) -> None:
    """See that the first round can be made and dealt; raises UsageError or SetupError."""
    candidate_test(contest, game.seats)
    first = schedule_of(contest, game.seats).next_round()
    if not first:
        raise UsageError(f"{len(contest.entrants)} players are too few for a {contest.format} of {game.name}")
    for size in {len(fixture.line_up) for fixture in first}:
        deal_state(game, setup, contest.seed, size)


def count_matches(contest: Contest, seats: range) -> int | None:
    """How many matches there will be at most; None if nobody can say."""
    if contest.is_open:
        return None
    expected = expected_matches(contest, seats)
    limits = [limit for limit in (expected, contest.stop.matches) if limit is not None]
    return min(limits, default=None)


# -- the bracket of a knock-out ----------------------------------------------------------------


class Pairing(Struct, frozen=True):
    """A match of a round: its number, its players in the order of their seats, and how it ended if it has."""

    number: int
    names: tuple[str, ...]
    winners: tuple[str, ...] = ()
    scores: tuple[int | None, ...] = ()  # by seat, the first number of each; empty before the match
    played: bool = False


class Bracket(NamedTuple):
    """The rounds of which it is certain who plays in them, and who won in the end."""

    rounds: tuple[tuple[Pairing, ...], ...]
    winners: tuple[str, ...]  # empty until the last round is over


def draw_bracket(contest: Contest, seats: range, known: Callable[[Sequence[int]], Mapping[int, Outcome]]) -> Bracket:
    """The bracket of a contest; ASSUME it has a format of few, short rounds."""
    schedule, drawn = schedule_of(contest, seats), list[tuple[Pairing, ...]]()
    while matches := schedule.next_matches(contest):
        found = known([match.number for match in matches])
        drawn.append(tuple(_describe_pairing(match, found.get(match.number)) for match in matches))
        if len(found) < len(matches):
            break
        schedule.report([found[match.number] for match in matches])
    return Bracket(tuple(drawn), tuple(contest.names[number] for number in schedule.winners))


def _describe_pairing(match: Match, outcome: Outcome | None) -> Pairing:
    """How `match` is drawn."""
    names = tuple(name for name, _ in match.entrants)
    if outcome is None:
        return Pairing(match.number, names)
    scores = tuple(None if score is None else score[0] for score in outcome.scores)
    return Pairing(match.number, names, tuple(names[seat] for seat in outcome.winners), scores, played=True)
