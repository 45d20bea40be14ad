"""The house players of Labyrinth, beside the literal loops of the rule book."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st
from msgspec.structs import replace

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.board import slide_options
from fairplay.games.labyrinth.players.strategies import euclid, lookahead, random, riemann
from fairplay.games.labyrinth.state import Move, Pass, Setup
from games.labyrinth.reference import choose
from games.labyrinth.worlds import ANN, open_board, plain, player, started, twin
from kit import kit

BOTH = {"riemann": riemann(derived(0)), "euclid": euclid(derived(0))}


@given(data=st.data(), seed=st.integers(0, 2**32), name=st.sampled_from(list(BOTH)))
@settings(max_examples=60)
def test_riemann_and_euclid_choose_what_the_rule_book_says(data: st.DataObject, seed: int, name: str) -> None:
    """Labyrinth 8, 13.7: in matches that they play themselves, so that the positions are theirs."""
    table = data.draw(kit("labyrinth").tables)
    state = rules.start(table.setup, table.seats, derived(seed, "deal"))
    match = twin(state)
    for _ in range(4):
        mover = rules.to_move(state)
        if mover is None:
            return
        choice = BOTH[name](rules.view(state, mover))
        assert plain(choice) == choose(match, match.on_turn() or 0, name)
        state = rules.apply(state, choice)
        match.take(plain(choice))


def test_the_example_of_the_strategies() -> None:
    """Labyrinth 8.6."""
    view = rules.view(started(), ANN)
    assert BOTH["riemann"](view) == Move(2, "RIGHT", 180, (1, 0))
    assert BOTH["euclid"](view) == Move(2, "RIGHT", 90, (1, 2))


def test_without_a_hit_they_pass() -> None:
    """Labyrinth 8.1: closed in by walls that no slide opens."""
    walls = open_board([player((1, 1), (1, 1), "red", (3, 3))])
    walls["board"]["connectors"] = [["─"] * 5, ["│"] * 5, ["─"] * 5, ["│"] * 5, ["─"] * 5]
    walls["spare"]["tilekey"] = "─"
    view = rules.view(started(walls), ANN)
    assert not any(seen.ends for seen in slide_options(view.board, view.at, None))
    for strategy in (*BOTH.values(), lookahead(derived(1))):
        assert strategy(view) == Pass()


@pytest.mark.parametrize("strategy", [riemann, euclid, lookahead])
def test_an_avatar_or_a_target_off_the_board(strategy: Any) -> None:
    """Labyrinth 12.3."""
    off = open_board([player((9, 9), (1, 1), "red", (3, 3)), player((0, 0), (9, 9), "blue", (3, 99))])
    made = strategy(derived(1))
    state = started(off)
    assert made(rules.view(state, Seat(0))) == Pass()
    state = rules.apply(state, Pass())
    move = made(rules.view(state, Seat(1)))
    assert rules.why_illegal(rules.view(state, Seat(1)), move) is None
    assert isinstance(move, Move)


@pytest.mark.parametrize("name", list(BOTH))
def test_a_treasure_on_the_spare_tile_is_put_in_or_waited_for(name: str) -> None:
    """Labyrinth 13.7: reached where it goes in, else all positions row by row."""
    waited = 0
    for seed in range(60):
        state = rules.start(Setup("original"), 2, derived(seed))
        spare = state.board.gems[-1]
        if spare[0] == spare[1]:
            state = replace(state, targets=(spare[0], state.targets[1]), avatars=((3, 3), (0, 6)))
            choice = BOTH[name](rules.view(state, ANN))
            assert plain(choice) == choose(twin(state), 0, name)
            waited += not rules.apply(state, choice).found[0]
    assert waited


def test_the_first_slide_that_reaches_the_target_settles_it() -> None:
    """Labyrinth 8.4: on an open board that is the very first slide."""
    state = started(open_board([player((1, 1), (1, 1), "red", (3, 3))]))
    assert BOTH["euclid"](rules.view(state, ANN)) == Move(0, "LEFT", 0, (3, 3))


def test_random_takes_every_legal_action() -> None:
    view = rules.view(started(), ANN)
    choose_any = random(derived(3))
    assert {choose_any(view) for _ in range(4000)} == set(rules.legal_actions(view))
