"""The strengths under which given comparisons are most likely: Newton's method, solved by conjugate gradients."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log1p
from operator import mul
from typing import NamedTuple

__all__ = ["Comparisons", "fitted"]

STEPS = 200
"""More than any fit should take: a bound, so that every fit ends."""

LONGEST_STEP = 3.0
"""Further than this the likelihood does not look like the parabola that it looks like here."""

RIDGE = 1e-9
"""Curvature of each comparison that is taken for granted, so that the step is finite where the likelihood is flat."""


class Comparisons(NamedTuple):
    """Pairs of players with what each of the two won, and what each player won and lost against strength zero."""

    pairs: Sequence[tuple[int, int]]
    won: Sequence[tuple[float, float]]
    prior: Sequence[tuple[float, float]]


def fitted(comparisons: Comparisons, start: Sequence[float], *, tolerance: float) -> list[float]:
    """Strengths (logarithms), each within about `tolerance`; ASSUME a prior, or that everybody won and lost."""
    strengths = list(start)
    for _ in range(STEPS):
        step = newton_step(comparisons, strengths)
        if (longest := max(map(abs, step), default=0.0)) > LONGEST_STEP:
            step = [each * LONGEST_STEP / longest for each in step]
            longest = LONGEST_STEP
        while longest > 1 and worse(comparisons, strengths, step):
            step = [each / 2 for each in step]
            longest /= 2
        strengths = [strength + each for strength, each in zip(strengths, step, strict=True)]
        if longest < tolerance:
            break
    return strengths


def worse(comparisons: Comparisons, strengths: Sequence[float], step: Sequence[float]) -> bool:
    after = [strength + each for strength, each in zip(strengths, step, strict=True)]
    return likelihood(comparisons, after) < likelihood(comparisons, strengths)


def likelihood(comparisons: Comparisons, strengths: Sequence[float]) -> float:
    """The logarithm of the likelihood."""
    total = 0.0
    for (one, other), (won, lost) in zip(comparisons.pairs, comparisons.won, strict=True):
        difference = strengths[one] - strengths[other]
        total -= won * softplus(-difference) + lost * softplus(difference)
    for strength, (won, lost) in zip(strengths, comparisons.prior, strict=True):
        total -= won * softplus(-strength) + lost * softplus(strength)
    return total


def softplus(value: float) -> float:
    return value + log1p(exp(-value)) if value > 0 else log1p(exp(value))


def chance(difference: float) -> float:
    return 1 / (1 + exp(-difference)) if difference > -700 else 0.0


def newton_step(comparisons: Comparisons, strengths: Sequence[float]) -> list[float]:
    """Where the likelihood would be greatest if it were the parabola that it looks like here."""
    slope = [0.0] * len(strengths)
    diagonal = [0.0] * len(strengths)
    curvatures: list[float] = []
    for (one, other), (won, lost) in zip(comparisons.pairs, comparisons.won, strict=True):
        share = chance(strengths[one] - strengths[other])
        surprise = won - (won + lost) * share
        curvature = (won + lost) * (share * (1 - share) + RIDGE)
        slope[one] += surprise
        slope[other] -= surprise
        diagonal[one] += curvature
        diagonal[other] += curvature
        curvatures.append(curvature)
    for player, (won, lost) in enumerate(comparisons.prior):
        share = chance(strengths[player])
        slope[player] += won - (won + lost) * share
        diagonal[player] += (won + lost) * (share * (1 - share) + RIDGE)
    return solved(comparisons.pairs, curvatures, diagonal, slope)


def solved(
    pairs: Sequence[tuple[int, int]], curvatures: Sequence[float], diagonal: Sequence[float], slope: Sequence[float]
) -> list[float]:
    """The step whose product with the curvature is `slope`, to a millionth: the next step mends the rest."""
    step = [0.0] * len(slope)
    rest = list(slope)
    scale = [1 / max(each, 1e-12) for each in diagonal]
    direction = list(map(mul, scale, rest))
    size = first = dot(rest, direction)
    for _ in range(2 * len(slope) + 10):
        if size <= 1e-12 * first or not size:
            break
        bent = list(map(mul, diagonal, direction))
        for (one, other), curvature in zip(pairs, curvatures, strict=True):
            bent[one] -= curvature * direction[other]
            bent[other] -= curvature * direction[one]
        if (along := dot(direction, bent)) <= 0:
            break
        length = size / along
        step = [each + length * way for each, way in zip(step, direction, strict=True)]
        rest = [each - length * way for each, way in zip(rest, bent, strict=True)]
        before, size = size, dot(rest, list(map(mul, scale, rest)))
        direction = [s * r + size / before * way for s, r, way in zip(scale, rest, direction, strict=True)]
    return step


def dot(one: Sequence[float], other: Sequence[float]) -> float:
    return sum((x * y for x, y in zip(one, other, strict=True)), 0.0)
