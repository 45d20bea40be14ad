"""`python -m bench.deals [DEALS]`: how many matches fresh deals cost, beside paired ones that tell as much.

Two house players play every deal from both seats.  What a deal in both rotations tells is its mean score, and the
variance of that over deals is what paired deals leave.  With fresh deals the two matches are independent, so the
variance is a quarter of the sum of those of the seats.  The ratio of the two is the factor by which fresh deals need
more matches for an interval of the same width; its own interval is a jackknife over deals.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import sqrt

import msgspec

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Entrant, half_points
from fairplay.contest.schedule import schedule_of
from fairplay.run.engines.pool import Inline

PAIRS = (
    ("fish", "standard", "minimax:depth=1", "minimax:depth=2"),
    ("fish", "standard", "minimax:depth=1", "random"),
    ("trains", "standard", "buy-now", "hold-10"),
    ("trains", "standard", "buy-now", "random"),
    ("labyrinth", "plain", "euclid", "riemann"),
    ("labyrinth", "plain", "lookahead", "euclid"),
    ("labyrinth", "multi-goal", "euclid", "riemann"),
    ("labyrinth", "multi-goal", "lookahead", "euclid"),
)


def play_pairs(game: str, variant: str, specs: tuple[str, str], deals: int) -> list[tuple[float, float]]:
    """What the first player won of each deal, from the first seat and from the second."""
    entrants = tuple(Entrant(f"{number}: {spec}", spec) for number, spec in enumerate(specs))
    setup = msgspec.Raw(msgspec.json.encode(GAMES[game].variants[variant]))
    contest = Contest(game, entrants, "round-robin", {"games": deals}, setup, 1, 60.0, deals="paired")
    schedule, won = schedule_of(contest, GAMES[game].seats), dict[int, dict[int, float]]()
    while matches := schedule.next_matches(contest):
        results = sorted(Inline().results(contest, matches), key=lambda result: result.number)
        for result in results:
            seat = result.line_up.index(0)
            won.setdefault(result.deal, {})[seat] = half_points(result.outcome)[seat] / 2
        schedule.report([result.outcome for result in results])
    return [(scores[0], scores[1]) for scores in won.values()]


def cost_of_fresh_deals(scores: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The factor, and its standard error."""
    count = len(scores)
    sums = [sum(column) for column in zip(*map(moments, scores), strict=True)]
    left_out = [factor([whole - part for whole, part in zip(sums, moments(each), strict=True)]) for each in scores]
    mean = sum(left_out) / count
    return factor(sums), sqrt((count - 1) / count * sum((each - mean) ** 2 for each in left_out))


def moments(scores: tuple[float, float]) -> tuple[float, ...]:
    """What a deal adds to the sums."""
    first, second = scores
    both = (first + second) / 2
    return 1.0, first, first**2, second, second**2, both, both**2


def factor(sums: Sequence[float]) -> float:
    """The variance with fresh deals by that with paired ones."""
    count, *rest = sums
    pairs = zip(rest[::2], rest[1::2], strict=True)
    first, second, both = (square / count - (total / count) ** 2 for total, square in pairs)
    return (first + second) / 4 / both


def main(deals: int = 500) -> None:
    """Print a line for each pair of players."""
    print(f"{deals} deals, each from both seats; matches with fresh deals for one with paired deals")
    for game, variant, *specs in PAIRS:
        scores = play_pairs(game, variant, (specs[0], specs[1]), deals)
        mean = sum(map(sum, scores)) / 2 / len(scores)
        cost, error = cost_of_fresh_deals(scores)
        who = f"{game} {variant}: {specs[0]} against {specs[1]}"
        print(f"{who:60} {mean:5.1%} of the points; factor {cost:.2f} ± {1.96 * error:.2f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
