"""The bracket of a knock-out shows what is certain, and no more."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fairplay.contest.bracket import Pairing, draw_bracket
from fairplay.contest.contest import Contest, Entrant
from fairplay.core import Outcome, Seat

SEATS = range(2, 5)


def contest(players: int) -> Contest:
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
    ((first,), winners) = draw_bracket(contest(16), SEATS, Kept(0).known)
    assert winners == ()
    assert [pairing.names for pairing in first] == [
        tuple(f"p{number}" for number in range(start, start + 4)) for start in (0, 4, 8, 12)
    ]
    assert first[0] == Pairing(0, ("p0", "p1", "p2", "p3"))
    assert not any(pairing.played for pairing in first)


def test_a_round_that_is_under_way_shows_who_goes_on() -> None:
    ((first,), _) = draw_bracket(contest(16), SEATS, Kept(3).known)
    assert [pairing.winners for pairing in first] == [("p1",), ("p5",), ("p9",), ()]
    assert [pairing.played for pairing in first] == [True, True, True, False]
    assert first[0].scores == (None, 9, 3, 2)


def test_the_next_round_follows_when_all_are_through() -> None:
    (first, final), winners = draw_bracket(contest(16), SEATS, Kept(4).known)
    assert winners == ()
    assert final == (Pairing(4, ("p1", "p5", "p9", "p13")),)
    assert all(pairing.played for pairing in first)


def test_a_finished_knock_out_is_whole() -> None:
    rounds, winners = draw_bracket(contest(16), SEATS, Kept(99).known)
    assert [len(pairings) for pairings in rounds] == [4, 1]
    assert rounds[-1][0].winners == winners == ("p5",)
