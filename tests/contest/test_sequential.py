"""The sequential test keeps its promises, however often one looks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import exp, log
from operator import mul
from random import Random
from typing import Any

import msgspec
import pytest

from contest.samples import DUEL, SEATS, contest, interval, width
from fairplay.contest.contest import Contest, Entrant, Fixture, Stop
from fairplay.contest.formats.formats import gauntlet, pass_length, round_robin
from fairplay.contest.sequential import (
    STAKES,
    WEIGHTS,
    CandidateTest,
    SequentialTest,
    Verdict,
    candidate_test,
    log_fortune,
    verdict_of,
)
from fairplay.contest.statistics import UNKNOWN_SHARE
from fairplay.core import Fault, FaultKind, Outcome, Seat, UsageError

Draw = Callable[[Random], Fraction]
HALF, ONE = Fraction(1, 2), Fraction(1)


def pair(mean: float) -> Draw:
    """A deal played twice, each match won with this chance."""
    scores = [Fraction(0), HALF, ONE]
    weights = [(1 - mean) ** 2, 2 * mean * (1 - mean), mean**2]
    return lambda rng: rng.choices(scores, weights)[0]


def rare(mean: float) -> Draw:
    """Mostly a bit under the bar, now and then far above: the scores that mislead tests made for bell curves."""
    low = Fraction(int(1_000 * mean) - 50, 1_000)
    often = float((1 - Fraction(mean)) / (1 - low))
    return lambda rng: low if rng.random() < often else ONE


def simulated(draw: Draw, tests: int, longest: int, **options: float) -> tuple[Counter[Verdict], float]:
    """How many tests ended in which way, and after how many observations on average."""
    rng = Random(11)
    verdicts: Counter[Verdict] = Counter()
    looked = 0
    for _ in range(tests):
        test = SequentialTest(**options)
        for _ in range(longest):
            if test.add(draw(rng)) != "undecided":
                break
        verdicts[test.verdict] += 1
        looked += test.observations
    return verdicts, looked / tests


@pytest.mark.no_cover  # other tests run the same lines
@pytest.mark.parametrize(
    ("draw", "options"),
    [
        (pair(0.5), {}),  # the boundary of the null: exactly as good
        (pair(0.45), {}),
        (rare(0.5), {}),
        (pair(0.6), {"margin": 0.1}),  # the boundary: better, but not by more than asked
        (pair(0.5), {"indifference": 0.1, "alpha": 0.1}),
    ],
)
def test_it_says_better_wrongly_no_more_often_than_stated(draw: Draw, options: dict[str, float]) -> None:
    verdicts, _ = simulated(draw, 400, 200, **options)
    assert verdicts["better"] <= 400 * options.get("alpha", 0.05)


@pytest.mark.no_cover  # other tests run the same lines
@pytest.mark.parametrize(
    ("draw", "options"),
    [(pair(0.5), {}), (rare(0.5), {"beta": 0.1}), (pair(0.6), {"indifference": 0.1}), (pair(0.65), {"margin": 0.1})],
)
def test_it_says_not_better_wrongly_no_more_often_than_stated(draw: Draw, options: dict[str, float]) -> None:
    verdicts, _ = simulated(draw, 400, 200, **options)
    assert verdicts["not better"] <= 400 * options.get("beta", 0.05)


def test_a_clear_difference_is_found_early() -> None:
    verdicts, looked = simulated(pair(0.7), 200, 400)
    assert verdicts["better"] >= 198
    assert looked < 60
    verdicts, looked = simulated(pair(0.3), 200, 400)
    assert verdicts["not better"] >= 198
    assert looked < 60


def test_with_indifference_every_test_ends() -> None:
    equal, _ = simulated(pair(0.5), 100, 4_000, indifference=0.06)
    better, _ = simulated(pair(0.56), 100, 4_000, indifference=0.06)
    assert equal["undecided"] == better["undecided"] == 0
    assert equal["not better"] >= 93
    assert better["better"] >= 93


def gsprt(draw: Draw, tests: int, indifference: float) -> float:
    """How many observations a GSPRT takes on average, at error rates of 5 %."""
    rng, looked = Random(11), 0
    for _ in range(tests):
        # A few made-up observations, so that the first real ones do not look certain.
        count, total, squares = 4.0, 4 * (middle := 0.5 + indifference / 2), 4 * (middle * middle + 0.125)
        ratio = 0.0
        while abs(ratio) < log(19):
            score = float(draw(rng))
            count, total, squares = count + 1, total + score, squares + score * score
            ratio = indifference * (total - count * middle) / (squares / count - (total / count) ** 2)
            looked += 1
    return looked / tests


@pytest.mark.no_cover  # other tests run the same lines
@pytest.mark.parametrize(("mean", "indifference"), [(0.5, 0.1), (0.55, 0.1), (0.6, 0.1), (0.5, 0.05), (0.55, 0.05)])
def test_it_costs_less_than_1_3_times_a_gsprt(mean: float, indifference: float) -> None:
    _, looked = simulated(pair(mean), 150, 20_000, indifference=indifference)
    assert looked < 1.3 * gsprt(pair(mean), 150, indifference)


@pytest.mark.no_cover  # other tests run the same lines
@pytest.mark.parametrize("mean", [0.5, 0.7])
def test_it_may_be_looked_at_for_ever(mean: float) -> None:
    """The bar itself, with an indifference above: whatever the scores look like, "better" is as rare as stated."""
    margin, most = mean - 0.5, 400 * 0.05 + 3 * (400 * 0.05 * 0.95) ** 0.5  # as stated, and the luck of 400 tests
    for draw in (pair(mean), rare(mean)):
        verdicts, _ = simulated(draw, 400, 2_000, margin=margin, indifference=0.1)
        assert verdicts["better"] <= most
        verdicts, _ = simulated(draw, 400, 2_000, margin=margin - 0.1, indifference=0.1)
        assert verdicts["not better"] <= most


def test_a_verdict_stands() -> None:
    test = SequentialTest()
    while test.add(ONE) == "undecided":
        pass
    decided = test.decided_after
    for _ in range(200):
        assert test.add(Fraction(0)) == "better"
    assert test.decided_after == decided == test.observations - 200
    assert interval(test.estimate())[1] < 0.5


def test_nothing_is_known_at_first() -> None:
    test = SequentialTest()
    assert (test.verdict, test.decided_after, test.observations) == ("undecided", None, 0)
    assert test.estimate() == UNKNOWN_SHARE


def test_the_interval_holds_the_mean_at_all_times_at_once() -> None:
    rng, missed = Random(13), 0
    for _ in range(60):
        test = SequentialTest()
        for number in range(1, 121):
            test.add(pair(0.6)(rng))
            if number % 8 == 0:
                low, high = interval(test.estimate())
                assert 0 <= low <= test.estimate().value <= high <= 1
                if not low <= 0.6 <= high:
                    missed += 1
                    break
    assert missed <= 5


def test_the_interval_does_not_depend_on_the_order_and_closes() -> None:
    scores = [Fraction(number % 5, 4) for number in range(400)]
    one, other, few = SequentialTest(), SequentialTest(), SequentialTest()
    for score in scores:
        one.add(score)
    for score in sorted(scores):
        other.add(score)
    for score in scores[:20]:
        few.add(score)
    assert one.estimate() == other.estimate()
    assert one.estimate().value == 0.5
    assert width(one.estimate()) < 0.3 < width(few.estimate())


@pytest.mark.parametrize("score", [Fraction(0), ONE])
def test_extreme_scores_have_an_interval(score: Fraction) -> None:
    test = SequentialTest()
    for _ in range(30):
        test.add(score)
    assert test.estimate().value == float(score)
    assert 0.1 < width(test.estimate()) < 0.4


def test_the_interval_and_the_test_agree() -> None:
    """The bar of a one-sided test at 2.5 % is refuted just when the interval lies above it."""
    test = SequentialTest(alpha=0.025)
    while test.add(Fraction(3, 4)) == "undecided":
        assert interval(test.estimate())[0] < 0.5
    assert interval(test.estimate())[0] >= 0.5 - 1e-9


def test_the_two_gamblers_are_each_others_mirror() -> None:
    rng = Random(17)
    for _ in range(20):
        one, other = SequentialTest(alpha=0.02, beta=0.3), SequentialTest(alpha=0.3, beta=0.02)
        while one.verdict == "undecided":
            score = pair(0.6)(rng)
            one.add(score)
            other.add(1 - score)
        assert one.decided_after == other.decided_after
        assert {one.verdict, other.verdict} == {"better", "not better"}


def test_the_fortune_falls_as_the_bar_rises() -> None:
    scores = [(0.0, 3), (0.5, 4), (1.0, 9)]
    fortunes = [log_fortune(scores, bar / 20) for bar in range(1, 20)]
    assert fortunes == sorted(fortunes, reverse=True)
    fair = [(1 - stake) ** 3 * (1 + stake) ** 9 for stake in STAKES]  # at even odds a half is neither won nor lost
    assert sum(WEIGHTS) == pytest.approx(1)
    assert exp(log_fortune(scores, 0.5)) == pytest.approx(sum(map(mul, WEIGHTS, fair)))


@pytest.mark.parametrize(
    "options",
    [
        {"margin": 0.5},
        {"margin": -0.5},
        {"indifference": -0.1},
        {"margin": 0.3, "indifference": 0.2},
        {"alpha": 0.0},
        {"beta": 1.0},
    ],
)
def test_a_question_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="must lie between"):
        SequentialTest(**options)


# -- matches into observations -----------------------------------------------------------------


def ended(*tiers: Sequence[int], seats: int) -> Outcome:
    placed = {seat for tier in tiers for seat in tier}
    faults = tuple(None if seat in placed else Fault(FaultKind.GONE) for seat in range(seats))
    return Outcome(tuple(tuple(map(Seat, tier)) for tier in tiers), ((0,),) * seats, faults, "over")


class Heard(SequentialTest):
    """Remembers what it was told."""

    def __init__(self) -> None:
        super().__init__()
        self.scores: list[Fraction] = []

    def add(self, score: Fraction) -> Verdict:
        self.scores.append(score)
        return super().add(score)


def test_a_unit_is_one_observation_in_the_order_of_numbers() -> None:
    heard = Heard()
    trial = CandidateTest(heard, 2)
    trial.add(3, (1, 0), ended([1], [0], seats=2))
    trial.add(2, (0, 1), ended([0], [1], seats=2))
    trial.add(1, (1, 0), ended([0, 1], seats=2))
    assert heard.scores == []
    trial.add(0, (0, 1), ended([1], [0], seats=2))
    assert heard.scores == [Fraction(1, 4), 1]
    assert not trial._open


def test_a_candidate_among_many_gets_its_share_of_those_behind() -> None:
    heard = Heard()
    trial = CandidateTest(heard, 1, candidate=2)
    trial.add(0, (0, 2, 1), ended([0], [1], seats=3))
    trial.add(1, (0, 2, 1), ended([0], [1, 2], seats=3))
    trial.add(2, (0, 1, 3), ended([0], [1, 2], seats=3))  # tells nothing about it
    trial.add(3, (0, 2, 1), ended([0, 2], seats=3))
    assert heard.scores == [HALF, Fraction(1, 4), 0]


def test_against_a_rival_only_their_order_counts() -> None:
    heard = Heard()
    trial = CandidateTest(heard, 3, candidate=2, rival=0)
    trial.add(0, (0, 2, 1), ended([2], [1], [0], seats=3))
    trial.add(1, (2, 1, 0), ended([1], [0, 2], seats=3))
    trial.add(2, (2, 1, 3), ended([1], [0, 2], seats=3))
    for number in range(3, 6):
        trial.add(number, (1, 3), ended([0], [1], seats=2))
    assert heard.scores == [Fraction(3, 4)]
    trial.add(6, (2, 0), ended([1], [0], seats=2))
    trial.add(7, (2, 1), ended([1], [0], seats=2))
    trial.add(8, (0, 1), ended([1], [0], seats=2))
    assert heard.scores == [Fraction(3, 4), 0]


@pytest.mark.parametrize("maker", [round_robin, gauntlet])
def test_a_trial_of_a_whole_tournament_does_not_depend_on_the_order_of_a_round(maker: Any) -> None:
    """The first player wins two matches of three and its share of the rest."""
    name = "round-robin" if maker is round_robin else "gauntlet"
    contest = Contest(
        "nim", tuple(Entrant(name, "x") for name in "abcd"), name, {"size": 3}, msgspec.Raw(b"{}"), 1, 1.0
    )
    length = pass_length(contest, range(2, 5))
    assert length is not None
    rounds = maker(4, range(2, 5), size=3, games=60)
    fixtures: list[Fixture] = next(rounds)
    rng = Random(1)
    found = []
    for number, fixture in enumerate(fixtures):
        best = fixture.line_up.index(0) if 0 in fixture.line_up and rng.random() < 2 / 3 else rng.randrange(3)
        others = [seat for seat in range(3) if seat != best]
        found.append((number, fixture.line_up, ended([best], others, seats=3)))
    verdicts = []
    for order in (found, found[::-1], sorted(found, key=lambda match: match[0] * 7 % 13)):
        trial = CandidateTest(SequentialTest(), length)
        for match in order:
            trial.add(*match)
        verdicts.append((trial.test.verdict, trial.test.decided_after, trial.test.estimate()))
    assert verdicts[0] == verdicts[1] == verdicts[2]
    assert verdicts[0][0] == "better"
    assert trial.test.observations == 60


# -- the test of a contest ---------------------------------------------------------------------


def test_a_test_needs_a_format_that_comes_round_and_players_that_are_there() -> None:
    assert candidate_test(contest(), SEATS) is None
    assert candidate_test(contest(stop=DUEL), SEATS) is not None
    for wrong in (contest(4, "swiss", DUEL), contest(4, stop=DUEL, removed="leave")):
        with pytest.raises(UsageError, match="works only with the formats round-robin and gauntlet, with removed=stay"):
            candidate_test(wrong, SEATS)
    with pytest.raises(UsageError, match="there is no player 'x'; there are player 0, player 1"):
        candidate_test(contest(stop=Stop(candidate="player 0", rival="x")), SEATS)
    with pytest.raises(UsageError, match="'player 0' cannot be compared with itself; name two players"):
        candidate_test(contest(stop=Stop(candidate="player 0", rival="player 0")), SEATS)


def test_a_verdict_names_its_margin_and_everybody() -> None:
    against = contest(3, stop=Stop(candidate="player 0", margin=0.05))
    trial = candidate_test(against, SEATS)
    stated = verdict_of(against, trial)
    assert stated is not None
    assert (stated.claim, stated.verdict) == ("player 0 > all by 0.05", "undecided")
