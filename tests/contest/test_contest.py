"""Contests as data, what older definitions meant, and points of outcomes."""

from __future__ import annotations

import msgspec
import pytest

from contest.samples import contest
from fairplay.contest.contest import Contest, Entrant, faulted_players, half_points, places, split_batches, tiers
from fairplay.contest.schedule import number_matches, schedule_of
from fairplay.core import Fault, FaultKind, Outcome, Seat

OLD = (
    b'{"game":"fish","players":[["a","random"],["b","my_bot.py"]],"format":"round-robin","options":{"games":2},'
    b'"setup":{"rows":4,"columns":4},"seed":7,"patience":3.0,"stop":{"matches":null,"candidate":"","rival":"",'
    b'"margin":0.0,"indifference":0.0,"alpha":0.05,"beta":0.05}}'
)
"""A definition as it was kept before contests had a choice of deals."""


def test_an_older_definition_has_paired_deals_and_no_secret() -> None:
    old = msgspec.json.decode(OLD, type=Contest)
    assert (old.deals, old.secret, old.seed_chosen) == ("paired", "", False)
    assert old.is_paired
    assert old.entrants[1] == Entrant("b", "my_bot.py")


def test_a_definition_survives_being_kept() -> None:
    new = msgspec.structs.replace(
        msgspec.json.decode(OLD, type=Contest), deals="fresh", secret="0f" * 16, seed_chosen=True
    )
    assert msgspec.json.decode(msgspec.json.encode(new), type=Contest) == new


@pytest.mark.parametrize("wrong", [b'"deals":"twice"', b'"secret":"0f"', b'"secret":"%s"' % (b"zz" * 16), b'"other":1'])
def test_a_definition_that_makes_no_sense_is_refused(wrong: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(OLD[:-1] + b"," + wrong + b"}", type=Contest)


@pytest.mark.parametrize(("format", "paired"), [("round-robin", True), ("knock-out", False), ("series", False)])
def test_only_formats_that_rotate_the_seats_can_pair_deals(format: str, *, paired: bool) -> None:
    assert contest(format=format).is_paired == paired


def test_a_batch_says_that_the_seed_was_chosen() -> None:
    marked = msgspec.structs.replace(contest(), seed_chosen=True)
    matches = number_matches(marked, schedule_of(marked, range(2, 5)).next_round(), 0)
    assert {batch.seed_chosen for batch in split_batches(marked, matches, 3)} == {True}


GONE = Fault(FaultKind.GONE)


def outcome(*ranking: tuple[int, ...], faults: tuple[Fault | None, ...]) -> Outcome:
    return Outcome(tuple(tuple(map(Seat, tier)) for tier in ranking), (None,) * len(faults), faults, "over")


@pytest.mark.parametrize(
    ("ranking", "seats", "found", "points"),
    [
        (((1,), (0,)), 2, [(1,), (0,)], [0, 2]),
        (((0, 1),), 2, [(0, 1)], [1, 1]),
        (((2,), (0, 3)), 4, [(2,), (0, 3), (1,)], [3, 0, 6, 3]),
        (((), (1,)), 3, [(1,), (0, 2)], [1, 4, 1]),  # an empty first tier promotes nobody, but somebody is behind
        ((), 3, [(0, 1, 2)], [2, 2, 2]),
    ],
)
def test_points(
    ranking: tuple[tuple[int, ...], ...], seats: int, found: list[tuple[int, ...]], points: list[int]
) -> None:
    ended = outcome(*ranking, faults=(None,) * seats)
    assert tiers(ended) == found
    assert half_points(ended) == points
    assert sum(points) == seats * (seats - 1)
    assert all(seat in found[place] for seat, place in enumerate(places(ended)))


def test_the_removed_are_players_not_seats() -> None:
    assert faulted_players((7, 4, 9), outcome((0,), faults=(None, GONE, GONE))) == [4, 9]
