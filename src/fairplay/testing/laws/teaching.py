"""A game is taught in five pictures, and by advice that can be followed."""

from __future__ import annotations

import pytest

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.core.game import let_chance_fall
from fairplay.match.replay import deal_state


def test_five_lessons_have_a_picture_and_a_sentence_each(taught: str) -> None:
    """There are five lessons, each with a title, a sentence and a picture of its own."""
    teaching = GAMES[taught].shown.teaching
    assert teaching is not None
    lessons = teaching.lessons()
    assert len(lessons) == 5
    assert len({lesson.picture for lesson in lessons}) == 5
    for lesson in lessons:
        assert lesson.title and lesson.words.endswith(".") and "<svg" in lesson.picture
        assert len(lesson.picture) < 60_000


@pytest.mark.parametrize("seed", range(8))
def test_advice_can_be_followed_to_the_end(taught: str, seed: int) -> None:
    """Advice begins with the first turn, never breaks a rule, and goes on for at least three turns."""
    game = GAMES[taught]
    assert game.shown.teaching is not None
    setup = game.quick or next(iter(game.variants.values()))
    state, rng, told, turns = deal_state(game, setup, seed, game.seats[0]), derived(seed, "rival"), 0, 0
    state = let_chance_fall(game, state, rng)
    for _ in range(400):
        seat = game.rules.to_move(state)
        if seat is None:
            break
        view = game.rules.view(state, seat)
        actions = game.rules.legal_actions(view)
        action = actions[rng.randrange(len(actions))]
        if seat == Seat(0):
            advice = game.shown.teaching.advise(view, turns)
            assert advice is not None or turns, "there is nothing to say about the first turn"
            if advice is not None:
                told += 1
                assert advice.title and advice.words
                assert advice.action is None or game.rules.why_illegal(view, advice.action) is None
                action = advice.action or action
            turns += 1
        state = let_chance_fall(game, game.rules.apply(state, action), rng)
    assert told >= 3
