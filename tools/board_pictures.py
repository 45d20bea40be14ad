"""`python -m tools.board_pictures`: boards, and a match that moves, as SVG for README and the documentation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Turn
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.match.replay import deal_state
from fairplay.web.sharing.pictures import animate_pictures

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
SEED = 4


def draw_moments(game: AnyGame, players: Sequence[str], setup: dict[str, object], seed: int) -> Iterator[str]:
    """Draw every moment of a match of house players."""
    strategies = [house_strategy(game, name, derived(seed, "player", seat)) for seat, name in enumerate(players)]
    state = deal_state(game, msgspec.convert(setup, game.setup), seed, len(players))
    yield game.shown.picture(state)
    while (seat := game.rules.to_move(state)) is not None:
        action = strategies[seat](game.rules.view(state, seat))
        before, state = state, game.rules.apply(state, action)
        yield game.shown.picture(state, Turn(before, seat, action, state))


def draw_match() -> str:
    """A match of Fish that moves."""
    setup: dict[str, object] = {"rows": 6, "columns": 5}
    pictures = [*draw_moments(GAMES["fish"], ["greedy", "minimax:depth=2"], setup, SEED)]
    return animate_pictures(pictures, "A match of Fish from the first penguin to the last move")


def draw_board(name: str, players: Sequence[str], moment: int) -> str:
    """A board in the middle of a match."""
    return next(islice(draw_moments(GAMES[name], players, {}, SEED), moment, None))


PICTURES: Mapping[str, Callable[[], str]] = {
    "match.svg": draw_match,
    "fish.svg": lambda: draw_board("fish", ["greedy", "minimax"], 26),
    "trains.svg": lambda: draw_board("trains", ["planner", "planner", "buy-now"], 70),
    "labyrinth.svg": lambda: draw_board("labyrinth", ["euclid", "riemann", "euclid"], 7),
}
"""How each file is drawn, by its name."""

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (FOLDER / name).write_text(draw(), "utf-8")
