"""The strengths under which given comparisons are most likely: Newton's method, solved by conjugate gradients.

Why not Hunter's MM iteration, which is shorter: it converges so slowly that 50 players who all met take 500 times as
long, and a chain of unbeaten players is thousands of points off after 100,000 iterations.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log1p
from operator import mul
from typing import NamedTuple

__all__ = ["Comparisons", "fit_strengths"]

MAX_STEPS = 200
"""More than any fit takes: a limit, so that every fit ends."""

MAX_STEP_LENGTH = 3.0
"""Further away than this, the parabola that a step assumes is no longer like the likelihood."""

RIDGE = 1e-9
"""Curvature added for each comparison, so that the step is finite where the likelihood is flat."""


class Comparisons(NamedTuple):
    """Pairs of players with what each of the two won, and what each player won and lost against strength zero."""

    pairs: Sequence[tuple[int, int]]
    won: Sequence[tuple[float, float]]
    prior: Sequence[tuple[float, float]]


def fit_strengths(comparisons: Comparisons, start: Sequence[float], *, tolerance: float) -> list[float]:
    """The strengths, as logarithms, within about `tolerance`; ASSUME a prior, or that every player has won and lost."""
    strengths = list(start)
    for _ in range(MAX_STEPS):
        step = newton_step(comparisons, strengths)
        if (longest := max(map(abs, step), default=0.0)) > MAX_STEP_LENGTH:
            step = [each * MAX_STEP_LENGTH / longest for each in step]
            longest = MAX_STEP_LENGTH
        while longest > 1 and is_worse(comparisons, strengths, step):
            step = [each / 2 for each in step]
            longest /= 2
        strengths = [strength + each for strength, each in zip(strengths, step, strict=True)]
        if longest < tolerance:
            break
    return strengths


def is_worse(comparisons: Comparisons, strengths: Sequence[float], step: Sequence[float]) -> bool:
    """Is the likelihood lower after the step?"""
    after = [strength + each for strength, each in zip(strengths, step, strict=True)]
    return log_likelihood(comparisons, after) < log_likelihood(comparisons, strengths)


def log_likelihood(comparisons: Comparisons, strengths: Sequence[float]) -> float:
    """The logarithm of the likelihood of the comparisons."""
    total = 0.0
    for (one, other), (won, lost) in zip(comparisons.pairs, comparisons.won, strict=True):
        difference = strengths[one] - strengths[other]
        total -= won * softplus(-difference) + lost * softplus(difference)
    for strength, (won, lost) in zip(strengths, comparisons.prior, strict=True):
        total -= won * softplus(-strength) + lost * softplus(strength)
    return total


def softplus(value: float) -> float:
    """log(1 + exp(value)), without overflow."""
    return value + log1p(exp(-value)) if value > 0 else log1p(exp(value))


def win_chance(difference: float) -> float:
    """The chance of a player who is stronger by `difference`."""
    return 1 / (1 + exp(-difference)) if difference > -700 else 0.0


def newton_step(comparisons: Comparisons, strengths: Sequence[float]) -> list[float]:
    """The step to where the likelihood would be greatest if it were the parabola that it looks like here."""
    slope = [0.0] * len(strengths)
    diagonal = [0.0] * len(strengths)
    curvatures: list[float] = []
    for (one, other), (won, lost) in zip(comparisons.pairs, comparisons.won, strict=True):
        share = win_chance(strengths[one] - strengths[other])
        surprise = won - (won + lost) * share
        curvature = (won + lost) * (share * (1 - share) + RIDGE)
        slope[one] += surprise
        slope[other] -= surprise
        diagonal[one] += curvature
        diagonal[other] += curvature
        curvatures.append(curvature)
    for player, (won, lost) in enumerate(comparisons.prior):
        share = win_chance(strengths[player])
        slope[player] += won - (won + lost) * share
        diagonal[player] += (won + lost) * (share * (1 - share) + RIDGE)
    return solve_step(comparisons.pairs, curvatures, diagonal, slope)


def solve_step(
    pairs: Sequence[tuple[int, int]], curvatures: Sequence[float], diagonal: Sequence[float], slope: Sequence[float]
) -> list[float]:
    """The step whose product with the curvature is `slope`, to a millionth: the next step corrects the rest."""
    step = [0.0] * len(slope)
    rest = list(slope)
    scale = [1 / max(each, 1e-12) for each in diagonal]
    direction = list(map(mul, scale, rest))
    size = first = dot_product(rest, direction)
    for _ in range(2 * len(slope) + 10):
        if size <= 1e-12 * first or not size:
            break
        bent = list(map(mul, diagonal, direction))
        for (one, other), curvature in zip(pairs, curvatures, strict=True):
            bent[one] -= curvature * direction[other]
            bent[other] -= curvature * direction[one]
        if (along := dot_product(direction, bent)) <= 0:
            break
        length = size / along
        step = [each + length * way for each, way in zip(step, direction, strict=True)]
        rest = [each - length * way for each, way in zip(rest, bent, strict=True)]
        before, size = size, dot_product(rest, list(map(mul, scale, rest)))
        direction = [s * r + size / before * way for s, r, way in zip(scale, rest, direction, strict=True)]
    return step


def dot_product(one: Sequence[float], other: Sequence[float]) -> float:
    """The sum of the products."""
    return sum((x * y for x, y in zip(one, other, strict=True)), 0.0)
