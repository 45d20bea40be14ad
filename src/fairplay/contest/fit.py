"""The strengths under which given results are most likely: Newton's method, solved by conjugate gradients.

Two kinds of results can be fitted: comparisons of pairs, and rankings (Plackett and Luce).

Why not Hunter's MM iteration, which is shorter: it converges so slowly that 50 players who all met take 500 times as
long, and a chain of unbeaten players is thousands of points off after 100,000 iterations.
"""

from collections.abc import Callable, Sequence
from math import exp, log, log1p
from operator import mul
from typing import NamedTuple, Protocol, TypeAlias

MAX_STEPS = 200
"""More than any fit takes: a limit, so that every fit ends."""

MAX_STEP_LENGTH = 3.0
"""Further away than this, the parabola that a step assumes is no longer like the likelihood."""

RIDGE = 1e-9
"""Curvature added for each comparison, so that the step is finite where the likelihood is flat."""

Vector: TypeAlias = Sequence[float]


class Parabola(NamedTuple):
    """What the likelihood looks like near some strengths: its slope, its curvature on the diagonal and as a product."""

    slope: list[float]
    diagonal: list[float]
    multiply: Callable[[Vector], list[float]]


class Likelihood(Protocol):
    """How likely results are under given strengths."""

    def log_likelihood(self, strengths: Vector) -> float: ...

    def approximate(self, strengths: Vector) -> Parabola: ...


class Comparisons(NamedTuple):
    """Pairs of players with what each of the two won, and what each player won and lost against strength zero."""

    pairs: Sequence[tuple[int, int]]
    won: Sequence[tuple[float, float]]
    prior: Sequence[tuple[float, float]]

    def log_likelihood(self, strengths: Vector) -> float:
        """The logarithm of the likelihood of the comparisons."""
        total = prior_likelihood(self.prior, strengths)
        for (one, other), (won, lost) in zip(self.pairs, self.won, strict=True):
            difference = strengths[one] - strengths[other]
            total -= won * softplus(-difference) + lost * softplus(difference)
        return total

    def approximate(self, strengths: Vector) -> Parabola:
        """The parabola that the likelihood looks like at `strengths`."""
        slope, diagonal = approximate_prior(self.prior, strengths)
        curvatures: list[float] = []
        for (one, other), (won, lost) in zip(self.pairs, self.won, strict=True):
            share = win_chance(strengths[one] - strengths[other])
            surprise = won - (won + lost) * share
            curvature = (won + lost) * (share * (1 - share) + RIDGE)
            slope[one] += surprise
            slope[other] -= surprise
            diagonal[one] += curvature
            diagonal[other] += curvature
            curvatures.append(curvature)

        def multiply(vector: Vector) -> list[float]:
            product = list(map(mul, diagonal, vector))
            for (one, other), curvature in zip(self.pairs, curvatures, strict=True):
                product[one] -= curvature * vector[other]
                product[other] -= curvature * vector[one]
            return product

        return Parabola(slope, diagonal, multiply)


class Choices(NamedTuple):
    """Rankings, as choices of the next best: how often a player was chosen, and out of each group how often one was.

    The chance of a player to be chosen out of a group is its share of the strengths in it.  A ranking of four players
    is three choices: out of all four, out of the three that are left, out of the last two.
    """

    groups: Sequence[tuple[int, ...]]
    counts: Sequence[float]  # by group
    chosen: Sequence[float]  # by player
    prior: Sequence[tuple[float, float]]  # as in `Comparisons`

    def log_likelihood(self, strengths: Vector) -> float:
        """The logarithm of the likelihood of the choices."""
        middle, powers = exponentials(strengths)
        total = prior_likelihood(self.prior, strengths) + dot_product(self.chosen, strengths)
        for group, count in zip(self.groups, self.counts, strict=True):
            total -= count * (middle + log(sum([powers[player] for player in group])))
        return total

    def approximate(self, strengths: Vector) -> Parabola:
        """The parabola that the likelihood looks like at `strengths`."""
        slope, diagonal = approximate_prior(self.prior, strengths)
        slope = [each + chosen for each, chosen in zip(slope, self.chosen, strict=True)]
        straight = list(diagonal)  # the part of the curvature that is a diagonal before the products are subtracted
        _, powers = exponentials(strengths)
        shares: list[list[float]] = []
        for group, count in zip(self.groups, self.counts, strict=True):
            scale = 1 / sum([powers[player] for player in group])
            shares.append([powers[player] * scale for player in group])
            for player, share in zip(group, shares[-1], strict=True):
                slope[player] -= count * share
                diagonal[player] += count * (share * (1 - share) + RIDGE)
                straight[player] += count * (share + RIDGE)

        def multiply(vector: Vector) -> list[float]:
            product = list(map(mul, straight, vector))
            for group, count, parts in zip(self.groups, self.counts, shares, strict=True):
                along = count * sum([part * vector[player] for player, part in zip(group, parts, strict=True)])
                for player, part in zip(group, parts, strict=True):
                    product[player] -= part * along
            return product

        return Parabola(slope, diagonal, multiply)


def fit_strengths(results: Likelihood, start: Vector, *, tolerance: float) -> list[float]:
    """The strengths, as logarithms, within about `tolerance`; ASSUME a prior, or that every player has won and lost."""
    strengths = list(start)
    for _ in range(MAX_STEPS):
        step = solve_step(results.approximate(strengths))
        if (longest := max(map(abs, step), default=0.0)) > MAX_STEP_LENGTH:
            step = [each * MAX_STEP_LENGTH / longest for each in step]
            longest = MAX_STEP_LENGTH
        while longest > 1 and is_worse(results, strengths, step):
            step = [each / 2 for each in step]
            longest /= 2
        strengths = [strength + each for strength, each in zip(strengths, step, strict=True)]
        if longest < tolerance:
            break
    return strengths


def is_worse(results: Likelihood, strengths: Vector, step: Vector) -> bool:
    """Is the likelihood lower after the step?"""
    after = [strength + each for strength, each in zip(strengths, step, strict=True)]
    return results.log_likelihood(after) < results.log_likelihood(strengths)


# -- parts of a likelihood ---------------------------------------------------------------------


def prior_likelihood(prior: Sequence[tuple[float, float]], strengths: Vector) -> float:
    """The logarithm of the likelihood of what was won and lost against strength zero."""
    parts = zip(strengths, prior, strict=True)
    return -sum((won * softplus(-strength) + lost * softplus(strength) for strength, (won, lost) in parts), 0.0)


def approximate_prior(prior: Sequence[tuple[float, float]], strengths: Vector) -> tuple[list[float], list[float]]:
    """Slope and curvature of the likelihood of what was won and lost against strength zero."""
    slope: list[float] = []
    curvature: list[float] = []
    for strength, (won, lost) in zip(strengths, prior, strict=True):
        share = win_chance(strength)
        slope.append(won - (won + lost) * share)
        curvature.append((won + lost) * (share * (1 - share) + RIDGE))
    return slope, curvature


def exponentials(strengths: Vector) -> tuple[float, list[float]]:
    """The middle of the strengths, and the powers of e by which each differs from it, without overflow."""
    middle = (max(strengths, default=0.0) + min(strengths, default=0.0)) / 2
    return middle, [exp(max(-600.0, min(600.0, strength - middle))) for strength in strengths]


def softplus(value: float) -> float:
    """log(1 + exp(value)), without overflow."""
    return value + log1p(exp(-value)) if value > 0 else log1p(exp(value))


def win_chance(difference: float) -> float:
    """The chance of a player who is stronger by `difference`."""
    return 1 / (1 + exp(-difference)) if difference > -700 else 0.0


def solve_step(parabola: Parabola) -> list[float]:
    """The step to the top of the parabola, to a millionth: the next step corrects the rest."""
    slope, diagonal, multiply = parabola
    step = [0.0] * len(slope)
    rest = list(slope)
    scale = [1 / max(each, 1e-12) for each in diagonal]
    direction = list(map(mul, scale, rest))
    size = first = dot_product(rest, direction)
    for _ in range(2 * len(slope) + 10):
        if size <= 1e-12 * first or not size:
            break
        bent = multiply(direction)
        if (along := dot_product(direction, bent)) <= 0:
            break
        length = size / along
        step = [each + length * way for each, way in zip(step, direction, strict=True)]
        rest = [each - length * way for each, way in zip(rest, bent, strict=True)]
        before, size = size, dot_product(rest, list(map(mul, scale, rest)))
        direction = [s * r + size / before * way for s, r, way in zip(scale, rest, direction, strict=True)]
    return step


def dot_product(one: Vector, other: Vector) -> float:
    """The sum of the products."""
    return sum((x * y for x, y in zip(one, other, strict=True)), 0.0)
