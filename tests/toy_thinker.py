"""A player that thinks by a simple rule, for the tests of everything that reviews matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Any

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, House, Seen
from fairplay.core.chance import derived_seed
from fairplay.core.thinking import Candidate, Thought
from fairplay.match.players import describe_house, house_strategy
from fairplay.match.record import Record, read_record
from fairplay.match.replay import record_match
from fairplay.run.inline import play_inline


class Toy:
    """Thinks that the first legal action is worth most, and each later one of `steps` a tenth less."""

    def __init__(self, game: AnyGame, rng: Random, steps: int) -> None:
        self.game, self.rng, self.steps = game, rng, steps
        self.seen: list[Seen] = []
        self.looked: list[Any] = []
        self.seats = 2  # as many as were ever there

    def __call__(self, view: Any) -> Any:
        return self.choose(view).action

    def choose(self, view: Any) -> Thought:
        return self.think(view)

    def think(self, view: Any, consider: Sequence[Any] = (), *, seed: int | None = None) -> Thought:
        rules = self.game.rules
        self.rng.getrandbits(64)
        actions = [action for _, action in zip(range(self.steps), rules.legal_actions(view), strict=False)]
        actions += [action for action in consider if action not in actions]
        state = rules.imagine(view, Random(0))
        seat = rules.to_move(state)
        assert seat is not None
        self.seats = max(self.seats, 1 + max(rules.scores(state)))
        return Thought(
            tuple(
                Candidate(action, self.share(seat, 0.75 - 0.1 * rank), work=10 - rank, line=(action,))
                for rank, action in enumerate(actions)
            ),
            work=30,
            depth=1,
            reason="the first one is the best one",
        )

    def share(self, seat: int, value: float) -> tuple[float, ...]:
        rest = (1 - value) / (self.seats - 1)
        return tuple(value if at == seat else rest for at in range(self.seats))

    def look(self, view: Any) -> None:
        self.looked.append(view)

    def saw(self, seen: Seen) -> None:
        self.seen.append(seen)


def with_toy(game: AnyGame) -> AnyGame:
    """The game with the toy as the player that searches."""

    def search(rng: Random, *, steps: int = 4, seconds: float = 0.0, clock: Any = None) -> Toy:
        if seconds and clock is None:
            raise ValueError("thinking by time needs a clock")
        return Toy(game, rng, steps)

    return replace(game, players=replace(game.players, strategies={**game.players.strategies, "search": search}))


TOYS = {name: with_toy(game) for name, game in GAMES.items()}


def play_toys(game: AnyGame, *specs: str, setup: Any = None, seed: int = 5, spoil: Any = None) -> Record:
    """A match of house players whose first one may be another in truth."""
    return read_record(record_toys(game, *specs, setup=setup, seed=seed, spoil=spoil))


def record_toys(game: AnyGame, *specs: str, setup: Any = None, seed: int = 5, spoil: Any = None) -> list[bytes]:
    """The lines of its record."""
    chances = [derived_seed(seed, "player", seat) for seat in range(len(specs))]
    players = [House(house_strategy(game, spec, Random(chance))) for spec, chance in zip(specs, chances, strict=True)]
    if spoil is not None:
        players[0] = House(spoil)
    house = tuple(describe_house(game, spec, chance) for spec, chance in zip(specs, chances, strict=True))
    lines: list[bytes] = []
    chosen = setup if setup is not None else game.quick or next(iter(game.variants.values()))
    play_inline(record_match(game, chosen, seed, specs, lines.append, house=house), players)
    return lines
