"""What a view of Fish answers to the author of a bot."""

from __future__ import annotations

from fairplay.core import Seat
from fairplay.games.fish import rules
from fairplay.games.fish.state import Move, View
from games.fish.samples import moving_state


def test_what_a_bot_asks_its_view() -> None:
    state = rules.apply(moving_state(), Move((0, 0), (2, 0)))
    view = View(Seat(1), state)
    assert [view.fish_at(spot) for spot in [(0, 0), (0, 1), (2, 1), (2, 3), (9, 9)]] == [0, 2, 2, 0, 0]
    assert view.penguins() == [(0, 1), (0, 3), (1, 1), (1, 3)]
    assert view.penguins(Seat(0)) == [(2, 0), (0, 2), (1, 0), (1, 2)]
