"""`fairplay.analyse` and `fairplay.hint`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import fairplay as fp
from toy_thinker import TOYS, record_toys


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> fp.PlayedMatch[Any, Any, Any]:
    game = TOYS["fish"]
    monkeypatch.setattr("fairplay.games.fish.GAME", game)
    return fp.PlayedMatch(fp.LoadedGame(game, game.quick), record_toys(game, "search", "random"))


def test_a_match_is_reviewed(match: fp.PlayedMatch[Any, Any, Any], tmp_path: Path) -> None:
    review = fp.analyse(match)
    assert [turn.action for turn in review.turns] == [turn.action for turn in match.turns]
    assert review.players["search (red)"].average_loss == 0.0
    assert review.turning_point is not None and review.turning_point.seat == 1
    assert str(review).startswith("turn  seat") and "Turning point" in str(review)
    assert repr(review).startswith("<MatchReview fish by search: ")
    assert review._repr_svg_() == review.draw()
    assert "Reviewed by search" in review.to_html(tmp_path / "review.html").read_text()
    assert fp.analyse(match.save(tmp_path / "match.jsonl"), by="search:steps=2").by == "search:steps=2"


def test_a_position_and_a_match_give_the_same_hint(match: fp.PlayedMatch[Any, Any, Any]) -> None:
    advice = fp.hint(match.positions[2])
    assert advice.action == fp.hint(match, turn=3).action == advice.candidates[0].action
    assert advice.seat == 0 and advice.value == 0.75
    assert advice.words.startswith("red ") and str(advice).splitlines()[0].endswith(advice.words)
    assert repr(advice).endswith(", 75%>")
    with pytest.raises(fp.UsageError, match="turn: works with a match"):
        fp.hint(match.positions[2], turn=1)
    with pytest.raises(fp.UsageError, match="'random' cannot say what it thinks"):
        fp.hint(match, by="random")
