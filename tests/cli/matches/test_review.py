"""`fairplay analyse` and `fairplay hint`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from fairplay.core import Seat
from fairplay.core.convert import text
from fairplay.match.review.hints import find_question
from toy_thinker import TOYS, play_toys, record_toys

Fairplay = Callable[..., Result]


def test_every_turn_a_table_and_the_turning_point(fairplay: Fairplay, toy_record: Path) -> None:
    text = fairplay("analyse", str(toy_record)).output
    lines = text.splitlines()
    assert lines[0].split() == ["turn", "seat", "action", "before", "after"]
    assert lines[1].split()[:5] == ["1", "red", "0,0", "75%", "75%"]
    assert any(" ?? blunder, " in line and "better: 0," in line for line in lines)
    assert "search (red)" in text and "fish, reviewed by search" in text
    assert "Turning point: turn " in text and "random (white)" in lines[-1]


def test_a_review_for_programs(fairplay: Fairplay, toy_record: Path) -> None:
    result = fairplay("analyse", str(toy_record), "--by", "search:steps=2", "--json")
    document = json.loads(result.stdout)
    assert document["schema"] == "fairplay.analysis/1" and document["by"] == "search:steps=2"
    turn = document["turns"][0]
    assert turn["action"] == {"do": "place", "at": [0, 0]} and turn["text"] == "0,0"
    assert turn["loss"] == 0.0 and turn["mark"] == "" and turn["before"] == turn["after"] == [0.75, 0.25]
    assert [seat["best"] == seat["turns"] for seat in document["seats"]] == [True, False]
    assert document["turning_point"] == document["seats"][1]["worst"]


def test_a_page_with_the_graph(fairplay: Fairplay, toy_record: Path, tmp_path: Path) -> None:
    text = fairplay("analyse", str(toy_record), "--html", "review.html").output
    assert "turns reviewed into review.html" in text and "turn  seat" not in text
    page = (tmp_path / "review.html").read_text()
    assert 'class="review"' in page and 'id="turn-1"' in page and "Reviewed by search" in page


@pytest.mark.parametrize(("name", "seats"), [("trains", 8), ("labyrinth", 3)])
def test_hidden_information_and_many_seats(name: str, seats: int, fairplay: Fairplay, toys: None) -> None:
    setup = next(iter(TOYS[name].variants.values()))
    Path("match.jsonl").write_bytes(b"".join(record_toys(TOYS[name], *["random"] * seats, setup=setup)))
    result = fairplay("analyse", "match.jsonl")
    assert result.exit_code == 0, result.output
    assert f"{name}, reviewed by search" in result.output


def test_what_cannot_be_reviewed(fairplay: Fairplay, toy_record: Path) -> None:
    for words, said in (
        (("nothing.jsonl",), "nothing.jsonl"),
        ((str(toy_record), "--by", "greedy"), "'greedy' cannot say what it thinks"),
        ((str(toy_record), "--by", "nobody"), "fish has no strategy 'nobody'"),
        ((str(toy_record), "--html", "no/where.html"), "there is no folder no"),
    ):
        result = fairplay("analyse", *words)
        assert result.exit_code in (1, 2) and said in result.output, result.output


def test_a_record_without_a_turn_has_a_review_and_a_hint(fairplay: Fairplay, toy_record: Path) -> None:
    toy_record.write_bytes(toy_record.read_bytes().splitlines(keepends=True)[0])
    result = fairplay("analyse", str(toy_record), "--html", "review.html")
    assert result.exit_code == 0 and "No turn lost 5 points or more." in result.output
    assert "turn 1, red to move" in fairplay("hint", str(toy_record)).output


# -- a hint ------------------------------------------------------------------------------------


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
