"""Players that search: slips, seeds, and what they do if there is no room for their search."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from fairplay.core import KernelSizeError, Seat
from fairplay.core.thinking import Budget, Candidate, Searcher, Thought, think_equal


class Chooser(Searcher[int, int]):
    """Chooses by its seed alone, from 0 to one less than the view, which must be below 10."""

    def _list_actions(self, view: int) -> Sequence[int]:
        return range(view)

    def _think(self, view: int, consider: Sequence[int], seed: int) -> Thought:
        if view >= 10:
            raise KernelSizeError("too many")
        return Thought(tuple(Candidate(action, (1.0,)) for action in dict.fromkeys([seed % view, *consider])))

    def _think_simply(self, view: int, consider: Sequence[int], seed: int, error: KernelSizeError) -> Thought:
        return think_equal([0, *consider], [Seat(0), Seat(2)], 3, str(error))


def test_a_seed_thinks_again_what_was_chosen_and_draws_nothing() -> None:
    player, twin = Chooser(Random(1), Budget(1)), Chooser(Random(1), Budget(1))
    for _ in range(20):
        chosen = player.choose(9)
        assert player.think(9, (), seed=chosen.seed).action == chosen.action == twin(9)
        assert player.think(9, (), seed=chosen.seed).seed == chosen.seed
    assert player.rng.getstate() == twin.rng.getstate()


def test_slips_are_any_legal_action() -> None:
    player = Chooser(Random(1), Budget(1), slip=0.5)
    chosen = [player.choose(9) for _ in range(400)]
    slips = sum(player.think(9, seed=each.seed).action != each.action for each in chosen)
    assert 120 < slips < 230


def test_without_room_for_a_search_it_does_something_simple() -> None:
    player = Chooser(Random(1), Budget(1))
    assert player(10) == 0
    thought = player.think(10, (3, 0))
    assert [candidate.action for candidate in thought.candidates] == [0, 3]
    assert thought.candidates[0].values == (0.5, 0.0, 0.5) and thought.reason == "too many"


@pytest.mark.parametrize("slip", [-0.1, 1.1])
def test_a_slip_is_a_chance(slip: float) -> None:
    with pytest.raises(ValueError, match=f"from 0 to 1, .* not {slip}"):
        Chooser(Random(1), Budget(1), slip)
