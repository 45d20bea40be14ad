"""The schedule of a contest: what cannot begin is refused, rounds come one after the other, a limit cuts them off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest

from contest.samples import FISH, SEATS, SETUP, contest
from fairplay.contest.contest import Contest, Entrant, Fixture, Match, Stop
from fairplay.contest.formats.formats import start_format
from fairplay.contest.schedule import Pairing, Schedule, check_contest, count_matches, draw_bracket, schedule_of
from fairplay.core import Outcome, Seat, SetupError, UsageError
from fairplay.core.chance import derived_seed


@pytest.mark.parametrize("format", ["knock-out", "round-robin", "swiss", "gauntlet", "ladder"])
def test_a_contest_that_can_be_played_is_not_refused(format: str) -> None:
    check_contest(FISH, contest(6, format), SETUP)


def test_too_few_players_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^1 players are too few for a knock-out of fish$"):
        check_contest(FISH, contest(1, "knock-out"), SETUP)
    with pytest.raises(UsageError, match="a match needs at least 2 players, not 1"):
        check_contest(FISH, contest(1), SETUP)


def test_a_setup_that_cannot_be_dealt_is_refused() -> None:
    tiny = msgspec.structs.replace(SETUP, rows=1, columns=1)
    with pytest.raises(SetupError):
        check_contest(FISH, contest(2), tiny)


def outcomes(fixtures: list[Fixture]) -> list[Outcome]:
    return [Outcome(((Seat(0),),), ((1,), (0,)), (None, None), "over") for _ in fixtures]


def played(most: int | None, **options: Any) -> list[int]:
    """The lengths of the rounds that are played with such a limit."""
    chosen = contest(4, "swiss", **options)
    rounds, lengths = Schedule(start_format(chosen, SEATS), most), list[int]()
    while fixtures := rounds.next_round():
        lengths.append(len(fixtures))
        rounds.report(outcomes(fixtures))
    return lengths


def test_a_limit_cuts_the_last_round_short() -> None:
    whole = played(None, rounds=3, games=1)
    assert len(whole) == 3
    assert played(sum(whole), rounds=3, games=1) == whole
    assert played(sum(whole) + 1, rounds=3, games=1) == whole
    assert played(whole[0] + 1, rounds=3, games=1) == [whole[0], 1]


def test_the_total_is_known_where_it_does_not_depend_on_who_wins() -> None:
    assert count_matches(contest(4, games=10), SEATS) == 6 * 2 * 10
    assert count_matches(contest(4, games=10, stop=Stop(matches=7)), SEATS) == 7
    assert count_matches(contest(4, "ladder"), SEATS) is None
    assert count_matches(contest(4, "ladder", Stop(matches=7)), SEATS) == 7


# -- chance ------------------------------------------------------------------------------------


def all_matches(of: Contest) -> list[Match]:
    schedule, found = schedule_of(of, SEATS), list[Match]()
    while matches := schedule.next_matches(of):
        found += matches
        schedule.report([Outcome(((Seat(0),),), ((1,), (0,)), (None, None), "over") for _ in matches])
    return found


def test_with_fresh_deals_no_two_matches_are_dealt_alike() -> None:
    fresh, paired = (
        all_matches(msgspec.structs.replace(contest(4, games=5), deals=deals)) for deals in ("fresh", "paired")
    )
    assert (
        len({match.seed for match in fresh}) == len(fresh) == len(paired) == 2 * len({match.seed for match in paired})
    )
    assert [match.line_up for match in fresh] == [match.line_up for match in paired]


def test_without_a_secret_chance_is_what_it_always_was() -> None:
    """Older contests are resumed, and house players with a chosen seed play the same matches on every machine."""
    for match in all_matches(contest(3, games=2)):
        assert match.seed == derived_seed(1, "deal", match.deal)
        assert match.chances == tuple(derived_seed(match.seed, "player", seat) for seat in range(2))


def test_with_a_secret_a_players_chance_does_not_depend_on_the_seed() -> None:
    """Whoever knows its own chance, and guesses the seed, cannot see whether the guess is right."""
    secret = msgspec.structs.replace(contest(3, games=2), secret="0f" * 16)
    one, other = (all_matches(msgspec.structs.replace(secret, seed=seed)) for seed in (1, 2))
    assert [match.chances for match in one] == [match.chances for match in other]
    assert not {match.seed for match in one} & {match.seed for match in other}
    another = all_matches(msgspec.structs.replace(secret, secret="10" * 16))
    chances = [chance for match in (*one, *another) for chance in match.chances]
    assert len(chances) == len(set(chances))


def knock_out(players: int) -> Contest:
    entrants = tuple(Entrant(f"p{number}", "random") for number in range(players))
    return Contest("fish", entrants, "knock-out", {}, msgspec.Raw(b"{}"), 1, 3.0)


class Kept:
    """Outcomes of the first matches: the second seat wins, the first was thrown out."""

    def __init__(self, count: int) -> None:
        self.count = count

    def known(self, numbers: Sequence[int]) -> dict[int, Outcome]:
        return {number: self.outcome() for number in numbers if number < self.count}

    def outcome(self) -> Outcome:
        return Outcome(((Seat(1),),), (None, (9, 1), (3, 3), (2, 2)), (None,) * 4, "over")


def test_before_the_first_match_only_the_first_round_is_certain() -> None:
    ((first,), winners) = draw_bracket(knock_out(16), SEATS, Kept(0).known)
    assert winners == ()
    assert [pairing.names for pairing in first] == [
        tuple(f"p{number}" for number in range(start, start + 4)) for start in (0, 4, 8, 12)
    ]
    assert first[0] == Pairing(0, ("p0", "p1", "p2", "p3"))
    assert not any(pairing.played for pairing in first)


def test_a_round_that_is_under_way_shows_who_goes_on() -> None:
    ((first,), _) = draw_bracket(knock_out(16), SEATS, Kept(3).known)
    assert [pairing.winners for pairing in first] == [("p1",), ("p5",), ("p9",), ()]
    assert [pairing.played for pairing in first] == [True, True, True, False]
    assert first[0].scores == (None, 9, 3, 2)


def test_the_next_round_follows_when_all_are_through() -> None:
    (first, final), winners = draw_bracket(knock_out(16), SEATS, Kept(4).known)
    assert winners == ()
    assert final == (Pairing(4, ("p1", "p5", "p9", "p13")),)
    assert all(pairing.played for pairing in first)


def test_a_finished_knock_out_is_whole() -> None:
    rounds, winners = draw_bracket(knock_out(16), SEATS, Kept(99).known)
    assert [len(pairings) for pairings in rounds] == [4, 1]
    assert rounds[-1][0].winners == winners == ("p5",)
