"""The house players of Fish."""

from __future__ import annotations

import pytest

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.games.fish import rules
from fairplay.games.fish.players.strategies import STRATEGIES, greedy, minimax, zig_zag
from fairplay.games.fish.state import Move, Place, Setup
from games.fish.samples import EXAMPLE


def test_8_1_zig_zag_passes_over_holes_and_penguins() -> None:
    state = rules.start(Setup(rows=4, columns=4, holes=((0, 0), (0, 2))), 2, derived(1))
    assert zig_zag(state) == Place((0, 1))
    assert zig_zag(rules.apply(state, Place((0, 1)))) == Place((0, 3))
    original = rules.start(Setup(variant="original"), 2, derived(1))
    spot = zig_zag(original).at
    assert original.rows[spot[0]][spot[1]] == 1


def test_greedy_takes_the_richest_tile_it_can_leave() -> None:
    view = rules.view(EXAMPLE, Seat(0))
    choice = greedy(derived(1))(view)
    assert isinstance(choice, Move)
    assert choice.target == (2, 2)  # both tiles it can leave hold 2; of all targets this one holds most
    placing = rules.view(rules.start(Setup(board=((1, 2, 1, 1), (1, 5, 1, 1), (1, 1, 1, 1))), 2, derived(1)), Seat(0))
    assert greedy(derived(1))(placing) == Place((1, 1))


def test_depth_must_not_be_negative() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        minimax(derived(1), depth=-1)


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_every_strategy_plays_a_legal_match_of_either_variant(name: str) -> None:
    for variant in ("standard", "original"):
        state = rules.start(Setup(variant=variant), 3, derived(2))
        choose = STRATEGIES[name](derived(3))
        while (mover := rules.to_move(state)) is not None:
            view = rules.view(state, mover)
            action = choose(view)
            assert rules.why_illegal(view, action) is None
            state = rules.apply(state, action)
