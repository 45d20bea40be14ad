"""The established protocol of Labyrinth (Labyrinth 7, 11)."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from fairplay.core import Began, ContestBegan, Ended, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import text
from fairplay.games.labyrinth import rules
from fairplay.games.labyrinth.established import wire
from fairplay.games.labyrinth.state import Move, NextTarget, Pass, Setup
from games.labyrinth.worlds import ANN, BOARD_B, STATE_T, coordinate, started, to, turns


def test_the_example_of_a_conversation() -> None:
    """Labyrinth 11.7, byte by byte."""
    spare = '{"tilekey":"┐","1-image":"aplite","2-image":"ruby"}'
    red = '"home":{"row#":1,"column#":1},"color":"red"}'
    blue = '"home":{"row#":1,"column#":3},"color":"blue"}'
    places = f'{{"current":{{"row#":2,"column#":4}},{red},{{"current":{{"row#":2,"column#":1}},{blue}'
    first = f'{{"board":{text(BOARD_B)},"spare":{spare},"plmt":[{places}],"last":[0,"LEFT"]}}'
    call = wire.spell_news(Began(rules.view(started(), ANN)))
    assert text(call) == f'["setup",[{first},{{"row#":1,"column#":3}}]]'
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    asked = text(wire.spell_question(rules.view(state, ANN)))
    assert asked.startswith('["take-turn",[{"board":{"connectors":[["┴","┴","┤","┬","─"],')
    assert asked.endswith(
        f'"spare":{{"tilekey":"└","1-image":"beryl","2-image":"garnet"}},"plmt":[{{"current":{{"row#":1,"column#":2}},{red},'
        f'{{"current":{{"row#":1,"column#":1}},{blue}],"last":[0,"LEFT"]}}]]'
    )
    answer = msgspec.json.decode('[2,"DOWN",270,{"row#":1,"column#":3}]')
    assert wire.read_action(rules.view(state, ANN), answer) == Move(2, "DOWN", 270, (1, 3))
    assert text(wire.spell_news(NextTarget((1, 1)))) == '["setup",[false,{"row#":1,"column#":1}]]'
    assert text(wire.spell_news(Ended(False))) == '["win",[false]]'


def test_what_the_protocol_has_no_word_for_is_not_told() -> None:
    """Labyrinth 9.2."""
    assert wire.spell_news(ContestBegan()) is None


def test_in_the_original_game_a_gem_is_looked_for() -> None:
    """Labyrinth 13.6."""
    state = rules.start(Setup("original"), 2, derived(1))
    call = wire.spell_news(Began(rules.view(state, ANN)))
    assert call is not None
    assert call.arguments[1] == state.targets[0]
    assert wire.spell_news(NextTarget((0, 6))) == ("setup", [False, coordinate(0, 6)])


def test_pass_is_a_string() -> None:
    assert wire.read_action(rules.view(started(), ANN), "PASS") == Pass()


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ("SKIP", "$"),
        (None, "$"),
        (True, "$"),
        ([2, "LEFT", 0], "$"),
        ([-2, "LEFT", 0, coordinate(0, 0)], "$[0]"),
        ([2.0, "LEFT", 0, coordinate(0, 0)], "$[0]"),
        ([2, "left", 0, coordinate(0, 0)], "$[1]"),
        ([2, "LEFT", 45, coordinate(0, 0)], "$[2]"),
        ([2, "LEFT", 0, [0, 0]], "$[3]"),
        ([2, "LEFT", 0, {"row#": 0}], "$[3]"),
        ([2, "LEFT", 0, coordinate(0, -1)], "$[3].column#"),
    ],
)
def test_anything_else_is_refused_with_its_place(answer: Any, path: str) -> None:
    """Labyrinth 6.1, 10.2."""
    with pytest.raises(WireError) as refused:
        wire.read_action(rules.view(started(), ANN), answer)
    assert refused.value.path == path


def test_only_void_acknowledges() -> None:
    """Labyrinth 11.6, 14.19."""
    wire.check_reply(Ended(True), "void")
    for wrong in ("ok", None, True, "VOID", ["void"]):
        with pytest.raises(WireError):
            wire.check_reply(Ended(True), wrong)


def test_a_repeated_key_counts_with_its_last_value() -> None:
    """Labyrinth 10.3, as the reader of JSON has it."""
    answer = msgspec.json.decode('[2,"LEFT",0,{"row#":7,"column#":1,"row#":1,"more":null}]')
    assert wire.read_action(rules.view(started(STATE_T), ANN), answer) == Move(2, "LEFT", 0, (1, 1))
