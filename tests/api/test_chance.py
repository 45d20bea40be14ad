"""Positions and matches of a game with chance after the deal."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import fairplay as fp

pytestmark = pytest.mark.usefixtures("pig")


def settle(position: Any, rng: Random) -> Any:
    while position.chance is not None:
        position = position.befall(position.chance.draw(rng))
    return position


def test_a_position_says_what_chance_decides_and_goes_on_after_it() -> None:
    position: Any = fp.load("pig").start(seed=1)
    assert position.to_move is None and not position.is_over and position.legal_actions() == []
    assert repr(position) == "<Position pig, chance to decide>"
    assert [each.points for each in position.chance.outcomes] == [0, 1, 2]
    asked = settle(position, Random(1))
    assert asked.to_move == 0 and asked.chance is None
    rolled = asked.apply("roll")
    assert rolled.chance.weights == (1,) * 6
    assert rolled.befall(rolled.chance.outcomes[5]).state.sum == 6


def test_whoever_acts_before_chance_is_told_so() -> None:
    position = fp.load("pig").start(seed=1)
    with pytest.raises(fp.IllegalActionError, match="chance decides first"):
        position.apply("roll")
    with pytest.raises(fp.UsageError, match="chance decides first"):
        position.view()
    with pytest.raises(fp.UsageError, match="chance cannot bring 7"):
        position.befall(7)
    with pytest.raises(fp.UsageError, match="chance has nothing to decide"):
        fp.load("fish").start(seed=1).befall(7)


def test_a_match_played_step_by_step_ends() -> None:
    position, rng = settle(fp.load("pig").start(seed=1), Random(1)), Random(2)
    while not position.is_over:
        position = settle(position.apply(rng.choice(position.legal_actions())), rng)
    assert position.chance is None and position.to_move is None
    assert repr(position) == "<Position pig, over>"


def test_a_match_tells_its_turns_and_what_befell(tmp_path: Path) -> None:
    match = fp.play("pig", ["careful", "random"], seed=3)
    befell = [event for event in match.events if isinstance(event, fp.Befell)]
    assert len(match.turns) + len(befell) == len(match.events) == len(match.positions) - 1
    assert [position.state for position in match.positions[1:]] == [event.after for event in match.events]
    again = fp.replay(match.save(tmp_path / "match.jsonl"))
    assert again == match and again.events == match.events
    page = match.to_html(tmp_path / "match.html").read_text()
    assert "the die fell on" in page


def test_a_review_in_words_has_its_luck() -> None:
    review = fp.analyse(fp.play("pig", ["careful", "random"], seed=3))
    assert "luck: red" in str(review)
    assert all(turn.number for turn in review.turns)
    advice = fp.hint(settle(fp.load("pig").start(seed=1), Random(1)))
    assert str(advice).startswith(("roll: red would roll", "hold: red would hold"))
