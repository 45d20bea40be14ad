"""`python -m bench.trains_strength [DEALS]`: how often the planner wins, on paired deals with the seats swapped."""

from __future__ import annotations

import sys
from math import sqrt

from fairplay.core import House
from fairplay.core.chance import derived
from fairplay.games.trains import GAME
from fairplay.games.trains.players.strategies import STRATEGIES
from fairplay.games.trains.state import Setup
from fairplay.match.record import start_match
from fairplay.run.inline import play_inline

__all__ = ["interval", "main", "wins"]

MAPS = ("small", "continent", "coast")
RIVALS = ("hold-10", "buy-now")
BAR = 0.6
Z = 1.96  # 95 %


def wins(map: str, rival: str, deals: int, player: str = "planner") -> tuple[int, int]:
    """Games won outright and games played: each deal twice, once from each seat.  A tie is not won."""
    won = 0
    for seed in range(deals):
        for mine in (0, 1):
            names = (player, rival) if mine == 0 else (rival, player)
            players = [House(STRATEGIES[name](derived(seed, seat))) for seat, name in enumerate(names)]
            won += play_inline(start_match(GAME, Setup(map=map), seed, 2), players).winners == (mine,)
    return won, 2 * deals


def interval(won: int, played: int) -> tuple[float, float]:
    """The 95 % interval of a rate (Wilson)."""
    rate, square = won / played, Z * Z
    middle = (rate + square / (2 * played)) / (1 + square / played)
    half = Z * sqrt(rate * (1 - rate) / played + square / (4 * played * played)) / (1 + square / played)
    return middle - half, middle + half


def main(deals: int = 500) -> None:
    """Print the rate on each map and on all, and whether even its lower end is above the bar."""
    print(f"planner: {deals} deals per map, each played from both seats; ties count as not won")
    for rival in RIVALS:
        total = [0, 0]
        for map in MAPS:
            won, played = wins(map, rival, deals)
            total = [total[0] + won, total[1] + played]
            print(line(rival, map, won, played))
        low, _ = interval(*total)
        print(f"{line(rival, 'all', *total)}  {'ok' if low >= BAR else 'BELOW'} (bar {BAR:.0%})")


def line(rival: str, map: str, won: int, played: int) -> str:
    low, high = interval(won, played)
    rate = f"{won:5} of {played:5} = {won / played:6.1%}"
    return f"against {rival:8} on {map:10} {rate}  95 % interval {low:.1%} to {high:.1%}"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
