"""Actions as numbers and views as arrays: the same actions, the same secrets."""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import NumberError, Seat
from fairplay.core.chance import derived
from fairplay.testing.defaults import list_tables
from kit import Walk, kit, walk

SEEDS, TURNS = st.integers(0, 2**32), st.integers(0, 40)
MOST = 300
"""Numbers that are tried where there are more."""


class Shown(NamedTuple):
    """What a seat gets as arrays."""

    observation: Any
    mask: Any


def show(encoding: Any, view: Any, rubbish: int = 0) -> Shown:
    """The arrays of a view, written over `rubbish`."""
    observation = np.full(encoding.shape, rubbish, np.float32)
    mask = np.full(encoding.actions, rubbish, np.int8)
    encoding.observe(view, observation)
    encoding.fill_mask(view, mask)
    return Shown(observation, mask)


def encoding_in(found: Walk) -> Any:
    numbers = found.game.parts.numbers
    assert numbers is not None
    return numbers.encoding_of(found.state)


@given(data=st.data(), seed=SEEDS, turns=TURNS)
@settings(max_examples=50)
def test_numbers_and_actions_are_inverse(numbered: str, data: st.DataObject, seed: int, turns: int) -> None:
    found = walk(numbered, data.draw(kit(numbered).tables), seed, turns, faults=True)
    rules, encoding = found.game.rules, encoding_in(found)
    mover = rules.to_move(found.state)
    if mover is None:
        return
    view = rules.view(found.state, mover)
    rng, every = Random(seed), range(encoding.actions)
    actions = {}
    for number in every if len(every) <= MOST else rng.sample(every, MOST):
        try:
            action = encoding.action(number, view)
        except NumberError:
            continue  # of an offer that the seat does not have
        assert encoding.number(action, view) == number
        assert (rules.why_illegal(view, action) is None) == (number in encoding.legal_numbers(view))
        actions[number] = action
    assert len({*actions.values()}) == len(actions)
    for wrong in (-1, encoding.actions, encoding.actions + 10**20):
        with pytest.raises(NumberError):
            encoding.action(wrong, view)


@given(data=st.data(), seed=SEEDS, turns=TURNS)
@settings(max_examples=50)
def test_legal_numbers_and_masks_are_the_legal_actions(
    numbered: str, data: st.DataObject, seed: int, turns: int
) -> None:
    found = walk(numbered, data.draw(kit(numbered).tables), seed, turns, faults=True)
    rules, encoding = found.game.rules, encoding_in(found)
    for seat in found.seats:
        view = rules.view(found.state, seat)
        legal = rules.legal_actions(view)
        numbers = [*encoding.legal_numbers(view)]
        assert numbers == sorted(encoding.number(action, view) for action in legal)
        assert len({*numbers}) == len(legal)
        assert {encoding.action(number, view) for number in numbers} == {*legal}
        assert [*np.flatnonzero(show(encoding, view, 7).mask)] == numbers
        assert show(encoding, view, 7).mask.sum() == len(numbers)


@given(data=st.data(), seed=SEEDS, turns=TURNS)
@settings(max_examples=50)
def test_an_observation_says_all_that_its_channels_name(
    numbered: str, data: st.DataObject, seed: int, turns: int
) -> None:
    found = walk(numbered, data.draw(kit(numbered).tables), seed, turns, faults=True)
    rules, encoding, numbers = found.game.rules, encoding_in(found), found.game.parts.numbers
    assert sum(channels.size for channels in encoding.channels) == encoding.shape[-1]
    assert all(channels.size > 0 and channels.about for channels in encoding.channels)
    assert numbers is not None
    assert numbers.encoding_of(found.states[0]) is encoding, "it is the same throughout a match"
    for seat in found.seats:
        view = rules.view(found.state, seat)
        assert numbers.encoding_of(view) is encoding
        first, again = show(encoding, view), show(encoding, view, 7)
        assert np.isfinite(first.observation).all() and abs(first.observation).max() <= 10
        assert (first.observation == again.observation).all(), "every element is written"


@given(data=st.data(), seed=SEEDS, turns=TURNS)
@settings(max_examples=50)
def test_what_a_seat_may_not_know_changes_no_element(numbered: str, data: st.DataObject, seed: int, turns: int) -> None:
    found = walk(numbered, data.draw(kit(numbered).tables), seed, turns, faults=True)
    game, encoding, rng = found.game, encoding_in(found), derived(seed, "scramble")
    for seat in found.seats:
        view = game.rules.view(found.state, seat)
        before = show(encoding, view)
        others = [kit(numbered).scramble(found.state, seat, rng), game.rules.imagine(view, rng)]
        for other in others:
            after = show(encoding, game.rules.view(other, seat))
            assert after.observation.tobytes() == before.observation.tobytes()
            assert after.mask.tobytes() == before.mask.tobytes()


@pytest.mark.parametrize("seed", range(3))
def test_every_seat_sees_itself_first(numbered: str, seed: int) -> None:
    """Views that differ in nothing but who looks differ in their arrays as soon as the seats do."""
    found = walk(numbered, list_tables(GAMES[numbered])[0], seed, 12)
    encoding = encoding_in(found)
    views = [found.game.rules.view(found.state, Seat(seat)) for seat in range(2)]
    observations = [show(encoding, view).observation.tobytes() for view in views]
    assert observations[0] != observations[1]
