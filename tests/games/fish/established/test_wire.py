"""The established protocol of Fish (Fish 7, 11)."""

from __future__ import annotations

from typing import Any

import pytest

from fairplay.core import Ended, Seat, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.games.fish import rules
from fairplay.games.fish.established import wire
from fairplay.games.fish.state import Move, Place, PlayingAs, PlayingWith, Setup

BOARD = Setup(rows=3, columns=4, fish=2)


def test_11_7_the_example_conversation() -> None:
    state = rules.start(BOARD, 2, derived(1))
    white = Seat(1)
    assert text(wire.spell_news(PlayingAs(white))) == '["playing-as",["white"]]'
    assert text(wire.spell_news(PlayingWith((Seat(0),)))) == '["playing-with",[["red"]]]'
    state = rules.apply(state, Place((0, 0)))
    assert text(wire.spell_question(rules.view(state, white))) == (
        '["setup",[{"players":[{"color":"white","score":0,"places":[]},{"color":"red","score":0,"places":[[0,0]]}],'
        '"board":[[2,2,2,2],[2,2,2,2],[2,2,2,2]]}]]'
    )
    for spot in [(0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]:
        state = rules.apply(state, Place(spot))
    state = rules.apply(state, Move((0, 0), (2, 0)))
    assert text(wire.spell_question(rules.view(state, white))) == (
        '["take-turn",[{"players":[{"color":"white","score":0,"places":[[0,1],[0,3],[1,1],[1,3]]},'
        '{"color":"red","score":2,"places":[[2,0],[0,2],[1,0],[1,2]]}],"board":[[0,2,2,2],[2,2,2,2],[2,2,2,2]]},[]]]'
    )
    assert wire.read_action(rules.view(state, white), [[0, 1], [2, 1]]) == Move((0, 1), (2, 1))


def test_5_3_the_end_of_a_match_is_not_told() -> None:
    assert wire.spell_news(Ended(won=True)) is None


@pytest.mark.parametrize(
    "answer", [None, False, "void", 3, [0], [0, 1, 2], [0.0, 1], [True, 0], [-1, 0], [[0, 0], [1, 0]], {}]
)
def test_6_1_what_is_no_position_is_malformed(answer: Any) -> None:
    with pytest.raises(WireError, match=r"\$"):
        wire.read_action(rules.view(rules.start(BOARD, 2, derived(1)), Seat(0)), answer)


@pytest.mark.parametrize("answer", [False, [0, 0], [[0, 0]], [[0, 0], [1, 0], [2, 0]], [[0, 0], [1, "0"]], "skip"])
def test_3_3_what_is_no_move_is_malformed(answer: Any) -> None:
    state = rules.start(BOARD, 2, derived(1))
    for spot in [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]:
        state = rules.apply(state, Place(spot))
    with pytest.raises(WireError, match=r"\$"):
        wire.read_action(rules.view(state, Seat(0)), answer)


def test_11_6_only_void_acknowledges() -> None:
    wire.check_reply(PlayingAs(Seat(0)), "void")
    for answer in list[Any](["Void", None, True, [], "void "]):
        with pytest.raises(WireError, match="void"):
            wire.check_reply(PlayingAs(Seat(0)), answer)
