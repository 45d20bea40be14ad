"""Trains beside OpenSpiel's hearts, both with four seats and hidden hands; and the worst longest path that is found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, count
from random import Random
from time import process_time

from bench.measure import Figure, beside, rates
from bench.yardstick import openspiel
from fairplay.core import House
from fairplay.core.chance import choice, derived
from fairplay.games.trains import GAME, rules
from fairplay.games.trains.map import City, Connection, Map, RailNetwork
from fairplay.games.trains.paths import longest_path
from fairplay.games.trains.players.strategies import STRATEGIES
from fairplay.games.trains.state import Setup
from fairplay.match.record import read_record
from fairplay.match.replay import record_match, replay_record, start_match
from fairplay.run.inline import play_inline

SMALL, CONTINENT = Setup(map="small"), Setup(map="continent")

GAMES_A_SECOND = 300 / 3_500
"""The bar for four seats on the small map, scaled to the hearts that OpenSpiel plays on the same machine."""

CONTINENT_GAMES_A_SECOND = 60 / 3_500

PATH_SECONDS = 0.005
"""The bar for the longest path of the worst that 45 rails can buy."""


def figures() -> list[Figure]:
    hearts = openspiel("hearts", "matches")
    against = partial(beside, hearts)
    four = ("buy-now",) * 4
    return [
        Figure(hearts.name, rates(hearts.work)[0], "matches"),
        against("Trains small map, 4 seats: refereed Buy-Now", "matches", refereed(SMALL, four), bar=GAMES_A_SECOND),
        against(
            "Trains small map, 4 seats: refereed random play",
            "matches",
            refereed(SMALL, ("random",) * 4),
            bar=GAMES_A_SECOND,
        ),
        against("Trains small map, 4 seats: rule book alone, random play", "matches", raw_playout()),
        against(
            "Trains continent, Hold-10 against Buy-Now",
            "matches",
            refereed(CONTINENT, ("hold-10", "buy-now")),
            bar=CONTINENT_GAMES_A_SECOND,
        ),
        against("Trains continent, 2 planners", "matches", refereed(CONTINENT, ("planner",) * 2)),
        against("Trains small map, 4 seats: replay and verify Buy-Now", "matches", replayed()),
        longest(),
    ]


def refereed(setup: Setup, players: Sequence[str]) -> Callable[[], int]:
    seeds = count()

    def work() -> int:
        seed = next(seeds)
        seated = [House(STRATEGIES[name](derived(seed, seat))) for seat, name in enumerate(players)]
        play_inline(start_match(GAME, setup, seed, len(seated)), seated)
        return 1

    return work


def raw_playout() -> Callable[[], int]:
    seeds = count()

    def work() -> int:
        rng = derived(next(seeds))
        state = rules.start(SMALL, 4, rng)
        while (mover := rules.to_move(state)) is not None:
            state = rules.apply(state, choice(rng, rules.legal_actions(rules.view(state, mover))))
        rules.scores(state)
        return 1

    return work


def replayed() -> Callable[[], int]:
    lines: list[bytes] = []
    players = [House(STRATEGIES["buy-now"](derived(seat))) for seat in range(4)]
    play_inline(record_match(GAME, SMALL, 1, ("buy-now",) * 4, lines.append), players)

    def work() -> int:
        for _ in replay_record(GAME, read_record(lines)):
            pass
        return 1

    return work


# -- the longest path --------------------------------------------------------------------------


def longest() -> Figure:
    """The slowest longest path that random search finds among 15 connections of length 3, measured again by itself."""
    slowest = max(worst_paths(Random(1)), key=lambda found: found[0])[1]

    def work() -> int:
        longest_path(slowest, slowest.every)
        return 1

    (rate,) = rates(work)
    cities = f"{len(slowest.names)} cities, {1000 / rate:.2f} ms each"
    name = "Trains longest path, worst of a random search"
    return Figure(name, rate, "paths", "one in 5 ms", rate * PATH_SECONDS, 1.0, cities)


def worst_paths(rng: Random, tries: int = 6, steps: int = 40) -> list[tuple[float, RailNetwork]]:
    """For 6 to 14 cities the slowest found by climbing from random choices: seconds and the connections as a map."""
    found = []
    for cities in range(6, 15):
        lines = [(pair, colour) for pair in combinations(range(cities), 2) for colour in ("red", "blue")]
        best = (0.0, charted(cities, lines[:15]))
        for _ in range(tries):
            chosen = rng.sample(lines, 15)
            slowest = seconds(charted(cities, chosen))
            for _ in range(steps):
                changed = [*chosen]
                changed[rng.randrange(15)] = rng.choice([line for line in lines if line not in chosen])
                if (spent := seconds(charted(cities, changed))) > slowest:
                    chosen, slowest = changed, spent
            best = max(best, (slowest, charted(cities, chosen)), key=lambda one: one[0])
        found.append(best)
    return found


def charted(cities: int, lines: Sequence[tuple[tuple[int, int], str]]) -> RailNetwork:
    names = [chr(ord("A") + city) for city in range(cities)]
    connections = [
        Connection(names[one], names[other], colour, 3)  # type: ignore[arg-type]  # one of COLOURS
        for (one, other), colour in lines
    ]
    return RailNetwork(Map(800, 10, tuple(City(name, (at, 0)) for at, name in enumerate(names)), tuple(connections)))


def seconds(chart: RailNetwork) -> float:
    """The CPU time of one longest path: the best of three, for a busy moment is not a hard case."""
    spent = []
    for _ in range(3):
        started = process_time()
        longest_path(chart, chart.every)
        spent.append(process_time() - started)
    return min(spent)
