"""Hints come from what a seat may know, and from nothing else."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from msgspec import structs

from fairplay.core import Seat, UsageError
from fairplay.match.review.hints import describe_action, find_question, give_hint, give_hint_in
from fairplay.match.review.walk import make_thinker
from toy_thinker import TOYS, Toy, play_toys


@pytest.mark.parametrize("name", TOYS)
def test_states_with_the_same_view_give_the_same_hint(name: str) -> None:
    game = TOYS[name]
    question = find_question(game, play_toys(game, "random", "random"), 6)
    imagined = [game.rules.imagine(question.view, Random(chance)) for chance in range(3)]
    views = [game.rules.view(state, question.seat) for state in imagined]
    hints = [give_hint(game, view, partial(make_thinker, game, "search")) for view in views]
    assert hints[0] == hints[1] == hints[2]
    assert hints[0].seat == question.seat
    sentences = {describe_action(game, hint.view, hint.seat, hint.thought.action) for hint in hints}
    assert len(sentences) == 1


def test_the_question_before_a_turn() -> None:
    game = TOYS["fish"]
    record = play_toys(game, "random", "random")
    first, last = find_question(game, record, 1), find_question(game, record)
    assert (first.number, first.seat) == (1, 0)
    cut = structs.replace(record, entries=record.entries[:5], outcome=None)
    open_question = find_question(game, cut)
    assert (open_question.number, open_question.action) == (6, None)
    assert last.action is not None
    with pytest.raises(UsageError, match=f"expected one from 1 to {last.number}"):
        find_question(game, record, last.number + 1)


def test_a_thinker_is_shown_the_past_and_not_the_future() -> None:
    game, made = TOYS["trains"], list[Toy]()

    def make(seat: Seat) -> Toy:
        made.append(Toy(game, Random(seat), 3))
        return made[-1]

    hint = give_hint_in(game, play_toys(game, "random", "random"), 8, make)
    assert hint.turn == 8
    (toy,) = made
    assert [seen.number for seen in toy.seen] == list(range(7))
    assert toy.looked[-1] == hint.view and {view.me for view in toy.looked} == {hint.seat}


def test_a_card_to_be_drawn_is_not_guessed() -> None:
    game = TOYS["trains"]
    question = find_question(game, play_toys(game, "buy-now", "buy-now"), 3)
    draw = next(action for action in game.rules.legal_actions(question.view) if "draw" in repr(action).lower())
    assert describe_action(game, question.view, question.seat, draw).endswith("would draw 2 cards")


def test_nothing_to_decide() -> None:
    game = TOYS["fish"]
    question = find_question(game, play_toys(game, "random", "random"), 2)
    other = game.rules.view(game.rules.imagine(question.view, Random(0)), Seat(0))
    with pytest.raises(UsageError, match="nothing to decide"):
        give_hint(game, other, partial(make_thinker, game, "search"))


def test_who_cannot_think_gives_no_hints() -> None:
    game = TOYS["fish"]
    with pytest.raises(UsageError, match="'greedy' cannot say what it thinks"):
        make_thinker(game, "greedy", Seat(0))


def test_a_thinker_that_looks_into_one_action_is_asked_for_alternatives() -> None:
    game = TOYS["fish"]
    question = find_question(game, play_toys(game, "random", "random"), 6)
    hint = give_hint(game, question.view, partial(make_thinker, game, "search:steps=1"))
    assert [candidate.action for candidate in hint.thought.candidates] == [*game.rules.legal_actions(question.view)[:3]]
