"""Where points come from adds up, at the end and on the way there."""

from __future__ import annotations

from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import Seat
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
