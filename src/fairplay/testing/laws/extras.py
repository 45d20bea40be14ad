"""What a game may show besides its board: where points come from, pawns, lessons and advice."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Seat
from fairplay.core.chance import derived
from fairplay.core.game import let_chance_fall
from fairplay.match.replay import deal_state
from fairplay.testing.walks import kit, walk


@given(data=st.data(), seed=st.integers(0, 2**32), faults=st.booleans())
@settings(max_examples=15)
def test_score_lines_add_up(explained: str, data: st.DataObject, seed: int, faults: bool) -> None:
    """The lines that say where points come from add up to the score."""
    game = GAMES[explained]
    assert game.shown.score_lines is not None
    found = walk(explained, data.draw(kit(explained).tables), seed, kit(explained).longest, faults=faults)
    scores, lines = game.rules.scores(found.state), game.shown.score_lines(found.state)
    assert game.rules.to_move(found.state) is None
    assert {seat: sum(points for _, points in each) for seat, each in lines.items()} == {
        seat: score[0] for seat, score in scores.items()
    }
    assert all(label for each in lines.values() for label, _ in each)


@given(data=st.data(), seed=st.integers(0, 2**32), turns=st.integers(0, 60))
@settings(max_examples=15)
def test_progress_leads_to_the_score(counted: str, data: st.DataObject, seed: int, turns: int) -> None:
    """The points on the way lead to the score at the end."""
    game = GAMES[counted]
    assert game.shown.progress is not None
    found = walk(counted, data.draw(kit(counted).tables), seed, turns, faults=True)
    scores = game.rules.scores(found.state)
    assert set(game.shown.progress(found.state)) == set(scores)
    if game.rules.to_move(found.state) is None:
        assert game.shown.progress(found.state) == {seat: score[0] for seat, score in scores.items()}


def test_every_seat_has_a_token_of_its_own(pawned: str) -> None:
    """The small pictures of pawns differ, and show the colours of their seats."""
    game = GAMES[pawned]
    assert game.shown.token is not None
    tokens = [str(game.shown.token(Seat(seat))) for seat in range(game.seats[-1])]
    assert len(set(tokens)) == len(tokens)
    assert all(len(token) < 4_000 for token in tokens)
    if game.shown.seat_color is not None:
        assert all(game.shown.seat_color(Seat(seat)) in token for seat, token in enumerate(tokens))


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
