# ruff: noqa: A005  (a module of this package, never imported as `statistics`)
"""`python -m bench.statistics coverage|swiss|sequential`: what the figures of docs/guides/contests.md are.

No game is played: players are strengths, and a match is drawn by Plackett and Luce's model.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, log
from random import Random
from time import process_time

import msgspec

from fairplay.contest.contest import Contest, Entrant, Fixture, Result
from fairplay.contest.rating import rate_strengths
from fairplay.contest.schedule import Schedule, schedule_of
from fairplay.contest.scoreboard import Scoreboard
from fairplay.contest.sequential import SequentialTest
from fairplay.core import Outcome, Seat


def simulated_contest(format: str, players: int, seed: int, **options: object) -> Contest:
    """A contest among players that are strengths."""
    entrants = tuple(Entrant(f"player {number}", "random") for number in range(players))
    return Contest("fish", entrants, format, options, msgspec.Raw(b"{}"), seed, 1.0, matched=True)


def draw_outcome(strengths: Sequence[float], line_up: Sequence[int], rng: Random) -> Outcome:
    """How a match ends: the chance to finish first is a player's share of the strengths, and so on for the rest."""
    form = [strengths[player] - log(-log(rng.random())) for player in line_up]
    order = sorted(range(len(line_up)), key=form.__getitem__, reverse=True)
    return Outcome(tuple((Seat(seat),) for seat in order), ((0,),) * len(order), (None,) * len(order), "over")


def play_out(
    schedule: Schedule, strengths: Sequence[float], rng: Random, matches: int
) -> list[tuple[Fixture, Outcome]]:
    """The fixtures of a schedule with their outcomes, up to the round that reaches so many `matches`."""
    played: list[tuple[Fixture, Outcome]] = []
    while len(played) < matches and (fixtures := schedule.next_round()):
        outcomes = [draw_outcome(strengths, fixture.line_up, rng) for fixture in fixtures]
        schedule.report(outcomes)
        played += zip(fixtures, outcomes, strict=True)
    return played


# -- intervals ---------------------------------------------------------------------------------


def interval_coverage(format: str, players: int, seats: int, matches: int, contests: int) -> tuple[float, float]:
    """How often a 95 % interval of a rating holds the truth; and the spread that is shown, as a share of the true one.

    The strongest player is 400 points above the weakest.
    """
    strengths = [log(10) * player / (players - 1) for player in range(players)]
    truth = rate_strengths(strengths)
    held, shown = 0, 0.0
    for seed in range(contests):
        contest = simulated_contest(format, players, seed, size=seats)
        board = Scoreboard(contest)
        schedule = schedule_of(contest, range(2, 9))
        for number, (fixture, outcome) in enumerate(play_out(schedule, strengths, Random(seed), matches)):
            board.add(Result(number, fixture.line_up, fixture.deal, outcome, b"", 0.0))
        rows = {int(row.player.split()[1]): row.rating for row in board.tables().standings if row.rating}
        held += sum((rows[player].low or 0) <= truth[player] <= (rows[player].high or 0) for player in rows)
        shown += rows[players - 1].value - rows[0].value
    return held / (contests * players), shown / contests / (truth[-1] - truth[0])


def measure_coverage(contests: int = 100) -> None:
    """Print the coverage of the intervals in several formats."""
    print(f"95 % intervals of ratings, {contests} simulated contests each, strongest and weakest 400 points apart")
    for format, players, seats, matches in [
        ("round-robin", 8, 2, 560),
        ("swiss", 16, 2, 400),
        *(("ladder", 16, seats, matches) for seats in (2, 4, 8) for matches in (400, 2_000)),
    ]:
        held, shown = interval_coverage(format, players, seats, matches, contests)
        print(
            f"{format:12} {players:3} players {seats} seats {matches:5} matches: "
            f"{held:6.1%} hold the truth, spread shown {shown:.2f} of the true one"
        )


# -- Swiss -------------------------------------------------------------------------------------


def swiss_repeats(players: int, seats: int, rounds: int, seed: int) -> tuple[int, int, float]:
    """Repeated meetings of a Swiss tournament, how often one pair met at most, and CPU seconds for a round."""
    rng, started = Random(seed), process_time()
    strengths = [rng.gauss(0, 1) for _ in range(players)]
    contest = simulated_contest("swiss", players, seed, size=seats, rounds=rounds)
    fixtures = [fixture for fixture, _ in play_out(schedule_of(contest, range(2, 9)), strengths, rng, sys.maxsize)]
    spent = (process_time() - started) / rounds
    line_ups = {fixture.deal: sorted(fixture.line_up) for fixture in fixtures}
    met = Counter(pair for line_up in line_ups.values() for pair in combinations(line_up, 2))
    return met.total() - len(met), max(met.values()), spent


def measure_swiss(contests: int = 10) -> None:
    """Print how many pairs meet again in Swiss tournaments, beside the least that counting allows."""
    print("repeated meetings in Swiss tournaments, worst of several, and the least that there can be by counting")
    for players, seats, rounds in SWISS:
        found = [swiss_repeats(players, seats, rounds, seed) for seed in range(contests if players < 100 else 1)]
        meetings = rounds * (players // seats) * comb(seats, 2)
        least = max(0, meetings - comb(players, 2))
        repeats, most, spent = (max(each) for each in zip(*found, strict=True))
        print(
            f"{players:5} players {seats} seats {rounds:3} rounds: {repeats:4} of {meetings:6} (least {least}), "
            f"one pair at most {most} times, {1000 * spent:.0f} ms a round"
        )


SWISS = (
    *((40, 2, 25), (60, 2, 40), (6, 2, 6), (16, 2, 15), (1_000, 2, 20)),
    *((9, 3, 4), (15, 3, 7), (16, 4, 5), (16, 4, 8), (25, 5, 6), (32, 4, 10), (32, 8, 10), (64, 4, 12), (1_000, 4, 20)),
)
"""Players, seats and rounds of the tournaments."""


# -- the sequential test -----------------------------------------------------------------------


def draw_score(mean: float, kind: str, rng: Random) -> Fraction:
    """An observation: two matches of a deal, some of them tied, or a deal that decides most of them itself."""
    if kind == "lucky":  # the deal decides three of five pairs, one win for each
        return Fraction(1, 2) if rng.random() < 0.6 else Fraction(int(rng.random() < 0.5 + (mean - 0.5) / 0.4))
    ties = 0.4 if kind == "tied" else 0.0
    score = Fraction()
    for _ in range(1 if kind == "single" else 2):
        drawn = rng.random()
        score += Fraction(2 if drawn < mean - ties / 2 else 1 if drawn < mean + ties / 2 else 0, 2)
    return score if kind == "single" else score / 2


def count_ours(mean: float, kind: str, indifference: float, rng: Random) -> tuple[str, int]:
    """The verdict of our test, and the observations that it took."""
    test = SequentialTest(indifference=indifference)
    while test.verdict == "undecided" and test.observations < MAX_OBSERVATIONS:
        test.add(draw_score(mean, kind, rng))
    return test.verdict, test.observations


def count_gsprt(mean: float, kind: str, difference: float, rng: Random) -> tuple[str, int]:
    """The verdict of a GSPRT between a mean of 0.5 and one higher by `difference`, and its observations."""
    middle, ratio, looked = 0.5 + difference / 2, 0.0, 0
    # A few made-up observations, so that the first real ones do not look certain.
    count, total, squares = 4.0, 4 * middle, 4 * (middle * middle + 0.125)
    while abs(ratio) < log(0.95 / 0.05):
        score = float(draw_score(mean, kind, rng))
        count, total, squares, looked = count + 1, total + score, squares + score * score, looked + 1
        ratio = difference * (total - count * middle) / (squares / count - (total / count) ** 2)
    return "better" if ratio > 0 else "not better", looked


MAX_OBSERVATIONS = 20_000


def measure_sequential(tests: int = 400) -> None:
    """Print what the sequential test costs beside a GSPRT, and how often both are wrong."""
    print(f"observations until the verdict, error rates 5 % and 5 %, {tests} tests each")
    for indifference in (0.05, 0.1, 0.0):
        for kind in ("paired", "tied", "lucky", "single"):
            for mean in (0.5, 0.5 + indifference / 2, 0.5 + indifference) if indifference else (0.52, 0.55, 0.6):
                compare_tests(mean, kind, indifference, tests)


def compare_tests(mean: float, kind: str, indifference: float, tests: int) -> None:
    """Print one comparison.  Without indifference, the GSPRT is told the true difference, which nobody knows."""
    ours = [count_ours(mean, kind, indifference, Random(seed)) for seed in range(tests)]
    theirs = [count_gsprt(mean, kind, indifference or mean - 0.5, Random(seed)) for seed in range(tests)]
    cost, other = (sum(looked for _, looked in each) / tests for each in (ours, theirs))
    right = "better" if round(mean - 0.5, 6) >= (indifference or 0.01) else "not better" if mean == 0.5 else None
    wrong = [sum(verdict not in (right, "undecided") for verdict, _ in each) / tests for each in (ours, theirs)]
    errors = f"wrong {wrong[0]:.1%} and {wrong[1]:.1%}" if right else "both answers are right"
    print(
        f"indifference {indifference:4.2f} {kind:6} mean {mean:.3f}: {cost:6.0f} against {other:6.0f} of the GSPRT"
        f" = {cost / other:.2f}; {errors}"
    )


def main(arguments: Sequence[str]) -> None:
    """Run the simulations that were asked for."""
    measures = {"coverage": measure_coverage, "swiss": measure_swiss, "sequential": measure_sequential}
    for name in arguments or measures:
        started = process_time()
        measures[name]()
        print(f"({name}: {process_time() - started:.0f} s of CPU time)")


if __name__ == "__main__":
    main(sys.argv[1:])
