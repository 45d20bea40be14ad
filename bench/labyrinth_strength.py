"""`python -m bench.labyrinth_strength [PAIRS] [PLAYER] [RIVAL]`: does the player that is meant to win, win?

Every deal is played twice with the seats swapped, so that luck of the deal and of moving first cancels out.
"""

from __future__ import annotations

import sys
from math import sqrt
from time import process_time

from fairplay.core import House, Outcome
from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME
from fairplay.games.labyrinth.state import Setup
from fairplay.match.players import house_strategy
from fairplay.match.record import start_match
from fairplay.run.inline import play_inline

__all__ = ["main"]

SETUP = Setup("multi-goal", goals=5)


def played(seed: int, specs: tuple[str, str]) -> Outcome:
    players = [House(house_strategy(GAME, spec, derived(seed, spec, seat))) for seat, spec in enumerate(specs)]
    return play_inline(start_match(GAME, SETUP, seed, 2), players)


def points(outcome: Outcome, seat: int) -> float:
    """A win is one point, shared among all that won."""
    return 1 / len(outcome.winners) if seat in outcome.winners else 0.0


def main(pairs: int = 500, player: str = "lookahead", rival: str = "euclid") -> None:
    scores = []
    for seed in range(pairs):
        first, second = played(seed, (player, rival)), played(seed, (rival, player))
        assert not any([*first.faults, *second.faults])
        scores.append((points(first, 0) + points(second, 1)) / 2)
    mean = sum(scores) / pairs
    # The two matches of a pair hang together, so the pair is what is counted.
    spread = sqrt(sum((score - mean) ** 2 for score in scores) / (pairs - 1) / pairs)
    low, high = mean - 1.96 * spread, mean + 1.96 * spread
    print(f"{player} against {rival}: {2 * pairs} matches on 7x7, {pairs} deals each played from both seats, 5 goals")
    print(f"wins {100 * mean:.1f} %, 95 % interval {100 * low:.1f} % to {100 * high:.1f} %; {process_time():.0f} s CPU")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500, *sys.argv[2:4])
