"""The laws that bind the functions of a rule book together."""

from __future__ import annotations

import pickle

import msgspec
import pytest
from hypothesis import given, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Removed, Seat
from fairplay.core.chance import derived
from fairplay.core.game import find_mover, let_chance_fall
from fairplay.testing.defaults import list_tables
from fairplay.testing.walks import kit, walk

_SEEDS = st.integers(0, 2**32)
_TURNS = st.integers(0, 30)


def test_every_variant_can_be_dealt(name: str) -> None:
    """For each variant of the game, `start` deals a match with at least one of its numbers of seats."""
    assert {table.setup.variant for table in list_tables(GAMES[name])} == {*GAMES[name].variants}


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
def test_whoever_is_to_move_can_move_and_only_legally(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """The seat on turn has legal actions, each once and none of them refused, and no other seat has any."""
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    rules, mover = found.game.rules, found.game.rules.to_move(found.state)
    if mover is None:
        assert all(not rules.legal_actions(rules.view(found.state, seat)) for seat in found.seats)
        return
    view = rules.view(found.state, mover)
    legal = rules.legal_actions(view)
    assert legal
    assert len(set(legal)) == len(legal)
    assert all(rules.why_illegal(view, action) is None for action in legal)
    for other in found.seats:
        if other != mover:
            assert not rules.legal_actions(rules.view(found.state, other))
            assert rules.why_illegal(rules.view(found.state, other), legal[0])


@given(data=st.data(), seed=_SEEDS, turns=_TURNS, other_seed=_SEEDS)
def test_what_is_legal_elsewhere_is_judged_by_this_view(
    name: str, data: st.DataObject, seed: int, turns: int, other_seed: int
) -> None:
    """`why_illegal` refuses exactly what `legal_actions` does not list, also of actions that other positions allow."""
    table = data.draw(kit(name).tables)
    here, there = walk(name, table, seed, turns), walk(name, table, other_seed, turns)
    rules = here.game.rules
    mover, other = rules.to_move(here.state), rules.to_move(there.state)
    if mover is None or other is None:
        return
    view = rules.view(here.state, mover)
    legal = set(rules.legal_actions(view))
    for action in rules.legal_actions(rules.view(there.state, other)):
        assert (rules.why_illegal(view, action) is None) == (action in legal)


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
def test_every_class_of_illegal_actions_is_refused_with_a_reason(
    name: str, data: st.DataObject, seed: int, turns: int
) -> None:
    """For each illegal action that the kit names, `why_illegal` has a reason."""
    found = walk(name, data.draw(kit(name).tables), seed, turns)
    rules, mover = found.game.rules, found.game.rules.to_move(found.state)
    if mover is None:
        return
    view = rules.view(found.state, mover)
    for label, action in kit(name).illegal(view):  # none, if all that can be said is legal
        assert rules.why_illegal(view, action), f"{label}: {action} passed"


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
def test_an_imagined_state_looks_the_same(name: str, data: st.DataObject, seed: int, turns: int) -> None:
    """`view` of what `imagine` makes of a view is that view again, and the same seat is on turn."""
    found = walk(name, data.draw(kit(name).tables), seed, turns, faults=True)
    rules = found.game.rules
    for seat in found.seats:
        view = rules.view(found.state, seat)
        imagined = rules.imagine(view, derived(seed, "imagine"))
        assert rules.view(imagined, seat) == view
        kit(name).invariant(imagined)
        assert rules.to_move(imagined) == rules.to_move(found.state)


@given(data=st.data(), seed=_SEEDS)
def test_a_removed_seat_is_never_asked_nor_scored_again(name: str, data: st.DataObject, seed: int) -> None:
    """Once a seat was thrown out, `to_move` never names it again, and it is not in `scores`."""
    found = walk(name, data.draw(kit(name).tables), seed, kit(name).longest, faults=True)
    rules, gone = found.game.rules, set[Seat]()
    for number, event in enumerate(found.events, 1):
        if isinstance(event, Removed):
            gone.add(event.seat)
        assert find_mover(found.game, event.after) not in gone, f"after {number} turns and removals"
        assert not gone & rules.scores(event.after).keys(), f"after {number} turns and removals"


@given(data=st.data(), seed=_SEEDS)
def test_random_play_ends_and_keeps_the_invariant(name: str, data: st.DataObject, seed: int) -> None:
    """Every match of random players ends, with or without removals, and each state on the way is sound."""
    found = walk(name, data.draw(kit(name).tables), seed, kit(name).longest, faults=data.draw(st.booleans()))
    assert found.game.rules.to_move(found.state) is None, f"no end after {kit(name).longest} turns"
    assert found.game.rules.ending(found.state)
    for state in found.states:
        kit(name).invariant(state)


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
def test_the_same_seed_gives_the_same_match_and_old_states_never_change(
    name: str, data: st.DataObject, seed: int, turns: int
) -> None:
    """A deal follows from setup, seats and seed alone, and neither `apply` nor `remove` changes the state it is
    given."""
    table = data.draw(kit(name).tables)
    found = walk(name, table, seed, turns, faults=True)
    before = [pickle.dumps(state) for state in found.states]
    walk(name, table, seed + 1, turns)
    again = walk(name, table, seed, turns, faults=True)
    assert again.states == found.states
    assert [hash(state) for state in again.states] == [hash(state) for state in found.states]
    assert [pickle.loads(old) for old in before] == found.states


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
def test_whatever_chance_may_bring_can_befall(chancy: str, data: st.DataObject, seed: int, turns: int) -> None:
    """Every outcome that `chance` names can befall, survives JSON, and leads to a sound state."""
    game, found = GAMES[chancy], walk(chancy, data.draw(kit(chancy).tables), seed, turns, faults=True)
    luck = game.chance_rules
    assert luck is not None
    for state in found.states:
        chance = luck.chance(state)
        for outcome in chance.outcomes if chance else ():
            assert msgspec.json.decode(msgspec.json.encode(outcome), type=type(outcome)) == outcome
            kit(chancy).invariant(luck.befall(state, outcome))


@given(data=st.data(), seed=_SEEDS, turns=_TURNS)
def test_an_imagined_state_leaves_nothing_to_chance(chancy: str, data: st.DataObject, seed: int, turns: int) -> None:
    """While seats are asked, chance has nothing to decide, neither in the match nor in what they imagine."""
    game, found = GAMES[chancy], walk(chancy, data.draw(kit(chancy).tables), seed, turns, faults=True)
    luck = game.chance_rules
    assert luck is not None
    for seat in found.seats:
        imagined = game.rules.imagine(game.rules.view(found.state, seat), derived(seed, "imagine"))
        assert luck.chance(imagined) is None


def test_perft(name: str) -> None:
    """There are as many sequences of legal actions as the kit has counted, which a slip in the rules is bound to
    change."""
    game, rules = GAMES[name], GAMES[name].rules
    if not kit(name).perft:
        pytest.skip("its kit counts no sequences of actions")
    for table, seed, counts, turns in kit(name).perft:
        level = [walk(name, table, seed, turns).state]
        for depth, count in enumerate(counts, 1):
            level = [
                let_chance_fall(game, rules.apply(state, action), derived(seed, "perft"))
                for state in level
                if (mover := rules.to_move(state)) is not None
                for action in rules.legal_actions(rules.view(state, mover))
            ]
            assert len(level) == count, f"{table} with seed {seed} after {turns} turns at depth {depth}"
