"""Is A better than B by at least a margin?  A test that may be looked at after every observation and stops early.

An observation is a score between 0 and 1, where one half is even: the share of its opponents that the candidate left
behind (or only: whether it left its rival behind), averaged over a unit, or over a pass in which all players meet
each other, so that all observations have the same mean.  The question is whether that mean is at least
``0.5 + margin``.

The test bets.  A gambler stakes a part of a fortune of 1 on every observation being above the bar, at odds that are
fair if the mean lies on the bar.  As long as the mean is not above the bar, the fortune does not grow on average,
whatever else the observations look like, and so the chance that it *ever* reaches 1/alpha is at most alpha.
Another gambler bets on the opposite and has to reach 1/beta.

How much to stake.  With an indifference, it is known which difference has to be found: most of the fortune is staked
as is best for just that difference and for the variance of the observations so far.  Such a test needs at most 1.3
times the matches of a GSPRT (the test of chess engines), which takes the scores for a bell curve.  The rest of the
fortune, or all of it without an indifference, is spread over several stakes, from bold to careful, so that differences
of all sizes are found.  A stake depends on nothing but earlier observations, so the error rates hold however often one
looks and whenever one stops:

* "better" although the mean is below the bar: at most alpha.
* "not better" although the mean is at least the bar plus `indifference`: at most beta.

Without indifference, a mean near the bar may stay undecided for ever.  With it, every test ends: in between, both
answers are right.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import exp, fsum, log, log1p
from operator import mul
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from fairplay.contest.contest import Contest, Result, half_points, places
from fairplay.contest.formats.formats import pass_length
from fairplay.contest.statistics import UNKNOWN_SHARE, Estimate
from fairplay.core import Outcome, UsageError
from fairplay.core.names import list_known

Verdict: TypeAlias = Literal["better", "not better", "undecided"]

STAKES = tuple(0.99 / 2**halvings for halvings in range(9))
"""The parts of the fortune that are staked on each observation, from bold to careful."""

WEIGHTS = (0.06, 0.15, 0.25, 0.24, 0.14, 0.08, 0.04, 0.02, 0.02)
"""How the fortune is spread over the stakes: most where the usual differences are found."""

_AIMED = 0.9
"""The part of the fortune that is staked for the difference that has to be found, if that is known."""

_PRIOR_OBSERVATIONS = 4
_PRIOR_VARIANCE = 0.125
"""What the variance is taken for at first: that of two matches won and lost by the toss of a coin."""

TAIL = 0.025
"""The chance of an error at either end of the interval."""


class SequentialTest:
    """Takes observations one after the other; a verdict, once reached, is final."""

    def __init__(
        self, *, margin: float = 0.0, indifference: float = 0.0, alpha: float = 0.05, beta: float = 0.05
    ) -> None:
        if not -0.5 < margin <= margin + indifference < 0.5:
            raise UsageError("the margin, with the indifference above it, must lie between -0.5 and 0.5")
        if not (0 < alpha < 1 and 0 < beta < 1):
            raise UsageError("alpha and beta must lie between 0 and 1")
        self.bar, self.ceiling = 0.5 + margin, 0.5 + margin + indifference
        self.alpha, self.beta = alpha, beta
        self.verdict: Verdict = "undecided"
        self.decided_after: int | None = None
        self._for = Fortune(self.bar, indifference)
        self._against = Fortune(1 - self.ceiling, indifference)
        self._scores: Counter[Fraction] = Counter()
        self._observations = 0

    @property
    def observations(self) -> int:
        """How many there were."""
        return self._observations

    def add(self, score: Fraction) -> Verdict:
        """Add an observation; ASSUME 0 <= score <= 1."""
        self._observations += 1
        self._scores[score] += 1
        if self.decided_after is None:
            self._for.bet(float(score))
            self._against.bet(float(1 - score))
            self._decide()
        return self.verdict

    def _decide(self) -> None:
        if self._for.total >= 1 / self.alpha:
            self.verdict = "better"
        elif self._against.total >= 1 / self.beta:
            self.verdict = "not better"
        else:
            return
        self.decided_after = self._observations

    def estimate(self) -> Estimate:
        """The mean score, with a 95 % interval that holds at all times at once: the bars that are not refuted."""
        if not self._observations:
            return UNKNOWN_SHARE
        scores = [(float(score), count) for score, count in sorted(self._scores.items())]
        value = float(sum(score * count for score, count in self._scores.items()) / self._observations)
        mirrored = [(1 - score, count) for score, count in scores]
        return Estimate(value, _lower_bound(scores, value), 1 - _lower_bound(mirrored, 1 - value))


class Fortune:
    """What betting on scores above `bar` has made of 1; with a `lead`, most of it on a mean of `bar` + `lead`."""

    def __init__(self, bar: float, lead: float) -> None:
        self.bar, self.lead = bar, lead
        self._spread = [1.0] * len(STAKES)
        self._aimed = 1.0
        middle = bar + lead / 2
        self._count, self._sum = _PRIOR_OBSERVATIONS, _PRIOR_OBSERVATIONS * middle
        self._squares = _PRIOR_OBSERVATIONS * (_PRIOR_VARIANCE + middle * middle)

    @property
    def total(self) -> float:
        """The whole fortune."""
        spread = fsum(map(mul, WEIGHTS, self._spread))
        return _AIMED * self._aimed + (1 - _AIMED) * spread if self.lead else spread

    def bet(self, score: float) -> None:
        """Bet on an observation, at the stakes that were right before it."""
        gain = score / self.bar - 1
        self._spread = [fortune * (1 + stake * gain) for fortune, stake in zip(self._spread, STAKES, strict=True)]
        mean = self._sum / self._count
        variance = self._squares / self._count - mean * mean
        # What makes a fortune grow fastest if the mean is `bar + lead`, for small leads.
        stake = min(STAKES[0], self.bar * self.lead / (variance + self.lead**2)) if self.lead else 0.0
        self._aimed *= 1 + stake * gain
        self._count += 1
        self._sum += score
        self._squares += score * score


def _lower_bound(scores: Sequence[tuple[float, int]], mean: float) -> float:
    """The highest bar that is refuted: betting on more than it has paid off."""
    return turning_point(lambda bar: log_fortune(scores, bar) >= -log(TAIL), mean)


def turning_point(holds: Callable[[float], bool], top: float) -> float:
    """The number below `top` up to which something holds; 0 if it never does."""
    low, high = 0.0, top
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if middle and holds(middle) else (low, middle)
    return low


def log_fortune(scores: Sequence[tuple[float, int]], bar: float) -> float:
    """The logarithm of what betting against `bar` has made of 1, over all stakes; falls as the bar rises."""
    logs = [fsum(count * log1p(stake * (score / bar - 1)) for score, count in scores) for stake in STAKES]
    most = max(logs)
    return most + log(fsum(weight * exp(each - most) for weight, each in zip(WEIGHTS, logs, strict=True)))


class CandidateTest:
    """The sequential test of a candidate in a contest, against one rival or against all that it meets.

    `length` matches, counted from the first, make one observation: a unit if there is one line-up, else a pass.
    Matches may be added in any order; observations count in the order of their numbers, so the verdict is always
    the same.  Players that were removed must stay in the contest, or the passes would not be alike.
    """

    def __init__(self, test: SequentialTest, length: int, *, candidate: int = 0, rival: int | None = None) -> None:
        self.test = test
        self.length, self.candidate, self.rival = length, candidate, rival
        self._next = 0
        self._open: dict[int, tuple[int, int, Fraction]] = {}  # by observation: matches, those that count, their points

    def add(self, number: int, line_up: Sequence[int], outcome: Outcome) -> Verdict:
        """Add a match, by its number in the contest."""
        index = number // self.length
        matches, counting, points = self._open.get(index, (0, 0, Fraction()))
        score = self._score(line_up, outcome)
        if score is not None:
            counting, points = counting + 1, points + score
        self._open[index] = matches + 1, counting, points
        while self._open.get(self._next, (0,))[0] == self.length:
            _, counting, points = self._open.pop(self._next)
            self._next += 1
            if counting:
                self.test.add(points / counting)
        return self.test.verdict

    def _score(self, line_up: Sequence[int], outcome: Outcome) -> Fraction | None:
        if self.candidate not in line_up:
            return None
        seat = line_up.index(self.candidate)
        if self.rival is None:
            return Fraction(half_points(outcome)[seat], 2 * (len(line_up) - 1))
        if self.rival not in line_up:
            return None
        place = places(outcome)
        own, other = place[seat], place[line_up.index(self.rival)]
        return Fraction((own < other) + (own <= other), 2)


# -- the test of a contest ---------------------------------------------------------------------


def candidate_test(contest: Contest, seats: range) -> CandidateTest | None:
    """The test that a contest asks for, None if it asks for none; raises UsageError if it cannot be made."""
    stop = contest.stop
    if not stop.candidate:
        return None
    length = pass_length(contest, seats)
    if length is None or contest.options.get("removed", "stay") != "stay":
        raise UsageError("--stop-when works only with the formats round-robin and gauntlet, with removed=stay")
    for name in filter(None, (stop.candidate, stop.rival)):
        if name not in contest.names:
            raise UsageError(f"--stop-when: there is no player '{name}'; there are {list_known(name, contest.names)}")
    if stop.candidate == stop.rival:
        raise UsageError(f"--stop-when: '{stop.candidate}' cannot be compared with itself; name two players")
    test = SequentialTest(margin=stop.margin, indifference=stop.indifference, alpha=stop.alpha, beta=stop.beta)
    rival = contest.names.index(stop.rival) if stop.rival else None
    return CandidateTest(test, length, candidate=contest.names.index(stop.candidate), rival=rival)


def until_decided(trial: CandidateTest | None, results: Iterable[Result]) -> Iterator[Result]:
    """The results that count: all, or those up to the one that decides the test; ASSUME they come in order of number.

    After the decision nothing counts: how many more matches were played depends on the machine.
    EFFECT: adds them to the test.
    """
    for result in results:
        yield result
        if trial is not None and trial.add(result.number, result.line_up, result.outcome) != "undecided":
            break


class StatedVerdict(Struct, frozen=True):
    """What the test of --stop-when says, in figures and in words."""

    claim: str
    verdict: Verdict
    share: Annotated[Estimate, Meta(description="of points")]
    sentence: str


def verdict_of(contest: Contest, trial: CandidateTest | None) -> StatedVerdict | None:
    """What the test of a contest says; None if it has none."""
    if trial is None:
        return None
    stop, test = contest.stop, trial.test
    estimate = test.estimate()
    claim = f"{stop.candidate} > {stop.rival or 'all'}" + (f" by {stop.margin:g}" if stop.margin else "")
    figures = f"share of points {estimate:.3f}"
    errors = f"error rates {stop.alpha:g} and {stop.beta:g}"
    sentence = f"{claim}: {test.verdict} after {test.observations} observations; {figures}; {errors}."
    return StatedVerdict(claim, test.verdict, estimate, sentence)
