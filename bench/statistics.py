# ruff: noqa: A005  (a module of this package, never imported as `statistics`)
"""`python -m bench.statistics coverage|swiss|sequential`: what the figures of docs/running-a-contest.md are.

No game is played: players are strengths, and a match is drawn by Plackett and Luce's model.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from math import log
from random import Random
from time import process_time

import msgspec

from fairplay.contest.contest import Contest, Entrant, Fixture, Result
from fairplay.contest.rating import rate_strengths
from fairplay.contest.schedule import Schedule, schedule_of
from fairplay.contest.scoreboard import Scoreboard
from fairplay.core import Outcome, Seat

__all__ = ["interval_coverage", "main", "play_out", "simulated_contest"]


def simulated_contest(format: str, players: int, seed: int, **options: object) -> Contest:
    """A contest among players that are strengths."""
    entrants = tuple(Entrant(f"player {number}", "random") for number in range(players))
    return Contest("fish", entrants, format, options, msgspec.Raw(b"{}"), seed, 1.0)


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
        rows = {int(row.player.split()[1]): row.rating for row in board.tables().ratings}
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


def main(arguments: Sequence[str]) -> None:
    """Run the simulations that were asked for."""
    measures = {"coverage": measure_coverage}
    for name in arguments or measures:
        started = process_time()
        measures[name]()
        print(f"({name}: {process_time() - started:.0f} s of CPU time)")


if __name__ == "__main__":
    main(sys.argv[1:])
