"""`fairplay hint`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from fairplay.core import Seat
from fairplay.core.convert import text
from fairplay.match.review.hints import find_question
from toy_thinker import TOYS, play_toys

Fairplay = Callable[..., Result]
FISH = TOYS["fish"]


def test_before_a_turn_of_a_match(fairplay: Fairplay, toy_record: Path) -> None:
    lines = fairplay("hint", str(toy_record), "--turn", "1").output.splitlines()
    assert lines == [
        "turn 1, red to move; search would do:",
        "0,0: red would place a penguin on (0,0)",
        "  75% (30 searched, 1 turn deep): 0,0",
        "  the first one is the best one",
        "  or 65%: 0,1",
        "  or 55%: 0,2",
    ]
    assert "to move; search would do" in fairplay("hint", str(toy_record)).output
    document = json.loads(fairplay("hint", str(toy_record), "--turn", "2", "--json").stdout)
    assert (document["schema"], document["seat"], document["turn"]) == ("fairplay.hint/1", 1, 2)
    assert document["thought"]["candidates"][0]["text"] == document["text"]


def test_in_a_position_and_in_a_view(fairplay: Fairplay, toys: None) -> None:
    question = find_question(FISH, play_toys(FISH, "random", "random"), 4)
    position = FISH.notation.format_position(question.view.state)
    view = text(FISH.codec.view_to_json(question.view))
    by_position = fairplay("hint", "fish", "--position", position)
    assert "white to move; search would do:" in by_position.output
    assert fairplay("hint", "fish", "--view", "-", given=view).output == by_position.output


def test_what_cannot_be_answered(fairplay: Fairplay, toy_record: Path) -> None:
    question = find_question(FISH, play_toys(FISH, "random", "random"), 4)
    other = text(FISH.codec.view_to_json(FISH.rules.view(question.view.state, Seat(0))))
    for words, given, said in (
        (("fish",), None, "'fish' is a game: say where in it"),
        (("fish", "--position", "x"), None, "not a position"),
        (("fish", "--view", "-"), "{", "--view: malformed JSON"),
        (("fish", "--view", "-"), "{}", "$"),
        (("fish", "--view", "-"), other, "nothing to decide"),
        (("fish", "--view", "-", "--turn", "1"), "{}", "use one of them"),
        ((str(toy_record), "--turn", "999"), None, "no player was asked for it"),
        ((str(toy_record), "--by", "greedy"), None, "cannot say what it thinks"),
    ):
        result = fairplay("hint", *words, given=given)
        assert result.exit_code == 2 and said in result.output, (words, result.output)
