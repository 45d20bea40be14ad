"""Advice for a first match of Fish."""

from __future__ import annotations

import pytest

from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.core.shown import TurnAdvice
from fairplay.games.fish import rules
from fairplay.games.fish.advice import MOVES, advise, explain
from fairplay.games.fish.game import GAME
from fairplay.games.fish.notation import parse_position
from fairplay.games.fish.players.strategies import STRATEGIES
from fairplay.games.fish.state import Move, Place, Setup, State, View


def advice_for(position: str, turn: int = 6) -> TurnAdvice:
    """What red is told."""
    advice = advise(View(Seat(0), parse_position(position)), turn)
    assert advice is not None
    return advice


def play_guided(state: State, rival: str, seed: int) -> tuple[State, list[TurnAdvice | None]]:
    """Red follows the advice as long as there is any, then does the first thing allowed."""
    strategy, told = STRATEGIES[rival](derived(seed, "rival")), list[TurnAdvice | None]()
    while state.turn is not None:
        view = rules.view(state, state.turn)
        if state.turn != 0:
            state = rules.apply(state, strategy(view))
            continue
        told.append(advise(view, len(told)))
        action = getattr(told[-1], "action", None) or rules.legal_actions(view)[0]
        assert rules.why_illegal(view, action) is None
        state = rules.apply(state, action)
    return state, told


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("setup", [GAME.quick, Setup("original")])
def test_all_advice_is_allowed_and_comes_to_an_end(setup: Setup, seats: int) -> None:
    _, told = play_guided(rules.start(setup, seats, derived(seats)), "greedy", seats)
    spoken = [advice for advice in told if advice is not None]
    assert len(spoken) <= rules.penguins_each(seats) + MOVES + 1
    assert told[: len(spoken)] == spoken  # silence is the end of it
    if len(told) > rules.penguins_each(seats) + MOVES:
        assert spoken[-1].title == "Over to you" and spoken[-1].action is None


def test_whoever_follows_it_beats_a_random_player_in_most_matches() -> None:
    ends = [
        play_guided(rules.start(Setup(rows=5, columns=5), 2, derived(seed)), "random", seed)[0] for seed in range(10)
    ]
    assert sum(end.fish[0] > end.fish[1] for end in ends) >= 7


def test_every_action_has_a_reason() -> None:
    state, strategy = rules.start(Setup(rows=5, columns=5), 2, derived(3)), STRATEGIES["random"](derived(3, "moves"))
    while state.turn is not None:
        view = rules.view(state, state.turn)
        for action in rules.legal_actions(view):
            reason = explain(view, action)
            assert reason[0] in "(YNT" and reason.endswith("."), reason
        state = rules.apply(state, strategy(view))


def test_the_same_position_brings_the_same_advice() -> None:
    view = rules.view(rules.start(Setup(rows=5, columns=5), 2, derived(3)), Seat(0))
    assert advise(view, 0) == advise(view, 0)


def test_penguins_start_on_rich_tiles_away_from_each_other() -> None:
    first = advice_for("standard 111/151/111/111 0:;0: red place 0", 0)
    assert first.action == Place((1, 1))
    assert "(1,1) has 5 fish, and 5 free tiles beside it" in first.words
    second = advice_for("standard 2111/1511/1141/1111/1114 0:1,1;0: red place 1", 1)
    assert second.action == Place((4, 3))


def test_the_original_game_starts_beside_rich_tiles() -> None:
    advice = advise(rules.view(rules.start(Setup("original"), 2, derived(1)), Seat(0)), 0)
    assert advice is not None and advice.title == "Begin beside rich tiles"
    assert "has 1 fish" in advice.words


def test_a_rival_is_shut_in() -> None:
    """White stands in the corner (0,0) and can go to (2,0), (1,0), (2,1), (3,1), (4,2)."""
    advice = advice_for("standard 511/111/111/111/111 0:4,0;0:0,0 red move 8")
    assert (advice.title, advice.action) == ("Get in the way", Move((4, 0), (2, 1)))
    assert "white has 3 moves fewer" in advice.words


def test_ice_without_rivals_can_wait() -> None:
    """Red's penguin on (0,0) has (2,0) to itself; the one on (0,2) shares its ice with white."""
    advice = advice_for("standard 3.3/..2/2.2/..1/..2 0:0,0+0,2;0:4,2 red move 8")
    assert advice.action is not None and advice.action.start == (0, 2)
    alone = advice_for("standard 3.../..../2..1/..../2..1 0:0,0;0:4,3 red move 8")
    assert alone.title == "This ice is yours"
    assert alone.action == Move((0, 0), (2, 0))
