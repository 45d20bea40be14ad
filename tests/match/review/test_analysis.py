"""What turns cost, and what is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec import structs

from fairplay.catalog import GAMES
from fairplay.core import Fault, FaultKind, Misbehaved, Seat
from fairplay.core.thinking import Candidate, Thought
from fairplay.match.review.analysis import ReviewedTurn, analyse_record, find_turning_point, sum_up
from fairplay.match.review.hints import give_hint_in
from fairplay.match.review.walk import make_thinker, seat_thinkers
from toy_thinker import TOYS, Toy, play_toys

FISH = TOYS["fish"]
SMALL = msgspec.convert({"rows": 4, "columns": 4}, FISH.setup)


@pytest.mark.parametrize("name", TOYS)
def test_every_turn_is_reviewed_from_the_seat_that_took_it(name: str) -> None:
    game = TOYS[name]
    seats = min(4, game.seats[-1])
    record = play_toys(game, *["random"] * seats, setup=SMALL if name == "fish" else None)
    turns = list(analyse_record(game, record, seat_thinkers(game, "search", seats)))
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    for turn in turns:
        assert 0 <= turn.loss == pytest.approx(turn.best.values[turn.seat] - turn.played.values[turn.seat])
        assert turn.played.action == turn.action
        assert turn.is_best is (turn.loss == 0)
    summaries = sum_up(record, "search", turns, len(turns)).seats
    assert sum(each.turns for each in summaries) == len(turns)
    assert sum(each.best for each in summaries) == sum(turn.is_best for turn in turns)


def test_a_review_in_parts_is_the_same_review() -> None:
    record = play_toys(FISH, "random", "search", setup=SMALL)
    whole = list(analyse_record(FISH, record, seat_thinkers(FISH, "search", 2)))
    half, thinkers = len(whole) // 2, seat_thinkers(FISH, "search", 2)
    begun = list(islice(analyse_record(FISH, record, thinkers), half))
    again = [
        make_thinker(FISH, "search", Seat(at), rng=toy.rng) for at, toy in enumerate(thinkers) if isinstance(toy, Toy)
    ]
    assert begun + list(analyse_record(FISH, record, again, half + 1)) == whole
    for seat, toy in enumerate(again):
        assert isinstance(toy, Toy) and toy.seen and len(toy.looked) == sum(turn.seat == seat for turn in begun)


def test_marks_begin_at_five_ten_and_twenty_points() -> None:
    record = play_toys(FISH, "random", "search", setup=SMALL)
    turns = list(analyse_record(FISH, record, seat_thinkers(FISH, "search", 2)))
    marks = {round(turn.loss, 9): turn.mark for turn in turns}
    assert {0.0: "", 0.1: "mistake", 0.2: "blunder"}.items() <= marks.items()
    assert all(turn.is_best and not turn.mark for turn in turns if turn.seat == 1)
    turning_point = find_turning_point(turns)
    assert turning_point is not None and turning_point.loss == max(turn.loss for turn in turns)
    analysis = sum_up(record, "search", turns, len(turns))
    assert analysis.turning_point == turning_point.number == analysis.seats[0].worst
    assert analysis.seats[1].worst is None
    assert analysis.end is not None and sum(analysis.end) == 1


class Wavering(Toy):
    """Thinks worse of whatever is not its first choice the first time than the second time."""

    def think(self, view: Any, consider: Sequence[Any] = (), *, seed: int | None = None) -> Thought:
        first = len(consider) == 1
        candidates = [
            Candidate(each.action, (value, 1 - value))
            for rank, each in enumerate(super().think(view, consider).candidates)
            for value in [0.5 - (0.3 if first else 0.06) * (rank > 0)]
        ]
        return Thought(tuple(candidates))


def test_a_mark_needs_a_second_thought() -> None:
    record = play_toys(FISH, "random", "search", setup=SMALL)
    thinkers = [Wavering(FISH, toy.rng, 4) for toy in seat_thinkers(FISH, "search", 2) if isinstance(toy, Toy)]
    turns = [turn for turn in analyse_record(FISH, record, thinkers) if not turn.is_best]
    assert turns and {turn.mark for turn in turns if turn.seat == 0} <= {"inaccuracy", ""}


def test_a_removed_seat_and_a_record_that_is_cut_off() -> None:
    def crash(view: Any) -> Any:
        if view.turn_number > 4:
            raise Misbehaved(Fault(FaultKind.CRASHED, "on purpose"))
        return FISH.rules.legal_actions(view)[0]

    record = play_toys(FISH, "random", "random", "random", setup=SMALL, spoil=crash)
    thinkers = seat_thinkers(FISH, "search", 3)
    turns = list(analyse_record(FISH, record, thinkers))
    assert turns and len(turns) < turns[-1].number  # the removal has a number too
    assert any(seen.fault is FaultKind.CRASHED for toy in thinkers if isinstance(toy, Toy) for seen in toy.seen)
    cut = structs.replace(record, entries=record.entries[:3], outcome=None)
    assert len(list(analyse_record(FISH, cut, seat_thinkers(FISH, "search", 3)))) == 3


def test_thinkers_are_told_what_their_seat_may_see() -> None:
    game = TOYS["trains"]
    record = play_toys(game, "random", "random")
    thinkers = seat_thinkers(game, "search", 2)
    turns = list(analyse_record(game, record, thinkers))
    picks = [turn for turn in turns if turn.number <= 2]
    for seat, toy in enumerate(thinkers):
        assert isinstance(toy, Toy)
        own, other = (toy.seen[picks[at].number - 1] for at in (seat, 1 - seat))
        assert own.action == picks[seat].action
        assert other.action == game.rules.public_action(picks[1 - seat].action) != picks[1 - seat].action


def test_a_seat_without_turns_has_no_average() -> None:
    turn = ReviewedTurn(
        1, Seat(0), "a", Candidate("a", (0.5, 0.5)), Candidate("a", (0.5, 0.5)), 0.0, "", 1, exact=False
    )
    cut = structs.replace(play_toys(FISH, "random", "random", setup=SMALL), outcome=None)
    analysis = sum_up(cut, "search", [turn], 1)
    first, second = analysis.seats
    assert (first.average_loss, first.best) == (0.0, 1)
    assert (second.average_loss, second.turns) == (None, 0)
    assert analysis.end is None and analysis.turning_point is None


SEARCHES = {"fish": "nodes=20", "labyrinth": "playouts=20", "trains": "playouts=8"}


@pytest.mark.parametrize(("name", "spec"), SEARCHES.items())
def test_the_searches_of_the_games_review_and_hint(name: str, spec: str) -> None:
    game = GAMES[name]
    record = play_toys(game, "random", "random", setup=SMALL if name == "fish" else None)
    cut = structs.replace(record, entries=record.entries[:4], outcome=None)
    turns = list(analyse_record(game, cut, seat_thinkers(game, f"search:{spec}", 2)))
    assert [turn.number for turn in turns] == [1, 2, 3, 4]
    for turn in turns:
        assert turn.played.action == turn.action
        assert sum(turn.played.values) == pytest.approx(1) and sum(turn.best.values) == pytest.approx(1)
    hint = give_hint_in(game, cut, None, partial(make_thinker, game, f"search:{spec}"))
    assert hint.turn == 5 and hint.thought.action in game.rules.legal_actions(hint.view)
