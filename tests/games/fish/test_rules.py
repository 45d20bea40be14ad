"""The rule book of Fish, rule by rule, and beside a naive second writing of it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from fairplay.core import Fault, FaultKind, House, Removed, Seat, SetupError, Turn
from fairplay.core.chance import below, choice, derived
from fairplay.games.fish import GAME, rules
from fairplay.games.fish.board import Layout, make_board
from fairplay.games.fish.players.strategies import minimax
from fairplay.games.fish.rules import begin_match, start
from fairplay.games.fish.state import Move, Place, PlayingAs, PlayingWith, Setup, State
from fairplay.match.referee import Ask, Tell, referee
from fairplay.run.inline import play_inline
from kit import Table, kit

from .reference import Game as Reference

TABLES = kit("fish").tables


def rng(seed: int = 1) -> Any:
    return derived(seed, "test")


def placed(rows: list[list[int]], *spots: tuple[int, int], seats: int = 2, variant: str = "standard") -> State:
    """The state after the penguins were placed on `spots`, seat by seat in turn."""
    state = begin_match(make_board(rows, Layout(variant)), seats)
    for spot in spots:
        state = rules.apply(state, Place(spot))
    return state


# -- beside the reference ----------------------------------------------------------------------


@given(table=TABLES, seed=st.integers(0, 2**32), faults=st.booleans())
@settings(max_examples=60)
def test_every_match_is_the_same_as_by_the_reference(table: Table, seed: int, faults: bool) -> None:
    state = start(table.setup, table.seats, derived(seed, "deal"))
    tiles = {(r, c): fish for r, row in enumerate(state.rows) for c, fish in enumerate(row) if fish}
    other = Reference(tiles, table.seats, original=table.setup.variant == "original")
    chance = derived(seed, "play")
    while (mover := rules.to_move(state)) is not None:
        assert other.turn == mover
        legal = rules.legal_actions(rules.view(state, mover))
        assert {by_hand(action) for action in legal} == other.legal()
        if faults and below(chance, 10) == 0:
            seat = choice(chance, rules.remaining_seats(state))
            state = rules.remove(state, seat)
            other.throw_out(seat)
            continue
        action = choice(chance, legal)
        state = rules.apply(state, action)
        other.place(action.at) if isinstance(action, Place) else other.move(action.start, action.target)
        for seat in rules.remaining_seats(state):
            assert state.fish[seat] == other.fish[seat]
    assert other.turn is None
    ranking = [sorted(tier) for tier in other.ranking()]
    scores = rules.scores(state)
    assert ranking == [sorted(s for s in scores if scores[s] == v) for v in sorted(set(scores.values()), reverse=True)]


def by_hand(action: Place | Move) -> tuple[object, ...]:
    return ("place", action.at) if isinstance(action, Place) else ("move", action.start, action.target)


# -- set-up (Fish 1, 2) ------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_1_2_each_seat_places_six_minus_seats_penguins(seats: int) -> None:
    state = start(Setup(fish=1), seats, rng())
    order = []
    while state.placing:
        assert state.turn is not None
        order.append(state.turn)
        state = rules.apply(state, rules.legal_actions(rules.view(state, state.turn))[0])
    assert order == list(range(seats)) * (6 - seats)
    assert all(len(cells) == 6 - seats for cells in state.penguins)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_1_1_other_numbers_of_seats_are_refused(seats: int) -> None:
    with pytest.raises(SetupError, match="2 to 4 seats"):
        start(Setup(), seats, rng())


def test_2_2_dealt_boards_have_the_holes_and_the_ones_asked_for() -> None:
    state = start(Setup(rows=4, columns=6, holes=((0, 0), (3, 5)), ones=10), 2, rng())
    flat = [fish for row in state.rows for fish in row]
    assert state.rows[0][0] == state.rows[3][5] == 0
    assert flat.count(0) == 2
    assert flat.count(1) >= 10
    assert set(flat) <= set(range(6))


def test_2_2_every_number_of_fish_comes_up() -> None:
    state = start(Setup(rows=25, columns=25), 2, rng())
    assert {fish for row in state.rows for fish in row} == {1, 2, 3, 4, 5}
    assert start(Setup(rows=25, columns=25), 2, rng()) == state
    assert start(Setup(rows=25, columns=25), 2, rng(2)) != state


@pytest.mark.parametrize(
    ("setup", "reason"),
    [
        (Setup(rows=2, columns=3), "6 tiles are too few for the 8 penguins of 2 seats"),
        (Setup(rows=3, columns=3, holes=((3, 0),)), r"hole \[3, 0\] is not on a board of 3 rows and 3 columns"),
        (Setup(rows=3, columns=3, ones=10), "10 tiles with one fish do not fit on 9 tiles"),
        (Setup(fish=2, ones=1), "choose either fish"),
        (Setup(board=((1, 2),), rows=3), "a given board has its own size"),
        (Setup(board=((1,) * 26,)), "at most 25 rows and 25 columns"),
        (Setup(board=((1,),) * 26), "at most 25 rows and 25 columns"),
        (Setup(variant="original", rows=5), "lets you choose the board and nothing else"),
        (Setup(variant="original", board=((1,) * 8,) * 8), "the original board has rows of 7, 8"),
        (Setup(variant="original", board=((1,) * 7, (1,) * 8) * 4), "30 with one fish"),
    ],
)
def test_impossible_setups_are_refused_in_words(setup: Setup, reason: str) -> None:
    with pytest.raises(SetupError, match=reason):
        start(setup, 2, rng())


def test_1_5_a_ragged_board_is_filled_up_with_holes() -> None:
    state = start(Setup(board=((1, 2, 3), (4, 0, 5), (1, 1), (2, 3, 1))), 2, rng())
    assert state.rows == [[1, 2, 3], [4, 0, 5], [1, 1, 0], [2, 3, 1]]


def test_2_4_the_opening_tells_colours_then_rivals_of_those_still_there() -> None:
    state = start(Setup(), 3, rng())
    first = list(rules.opening(state, 0))
    assert first == [(seat, PlayingAs(Seat(seat))) for seat in range(3)]
    second = list(rules.opening(rules.remove(state, Seat(1)), 1))
    assert second == [(0, PlayingWith((Seat(2),))), (2, PlayingWith((Seat(0),)))]
    assert list(rules.opening(state, 2)) == []


@pytest.mark.parametrize("failing", [0, 1, 2])
def test_2_4_who_fails_in_playing_with_is_not_named_to_the_next(failing: int) -> None:
    """White fails in `playing-with`: brown is told red alone."""
    told: list[tuple[Seat, tuple[Seat, ...]]] = []
    orders = referee(GAME, start(Setup(), 3, rng()), 3)
    order: Any = next(orders)
    while not isinstance(order, Ask):
        if isinstance(order, Tell) and isinstance(order.news, PlayingWith):
            told.append((order.seat, order.news.others))
            order = orders.send(Fault(FaultKind.TIMED_OUT) if order.seat == failing else None)
        else:
            order = orders.send(None)
    rivals = {seat: tuple(Seat(other) for other in range(3) if other != seat) for seat in range(3)}
    for seat in range(failing + 1, 3):
        rivals[seat] = tuple(other for other in rivals[seat] if other != failing)
    assert told == [*rivals.items()]


def test_2_7_and_6_5_who_finds_no_tile_is_eliminated_and_its_tiles_are_free_again() -> None:
    state = begin_match(make_board([[2, 2]] * 4), 3)
    for _ in range(8):
        assert state.turn is not None
        state = rules.apply(state, rules.legal_actions(rules.view(state, state.turn))[0])
    assert state.out == {2}
    assert not state.placing
    assert state.penguins[2] == ()
    assert state.free.bit_count() == 2
    outcome = play_inline(
        referee(GAME, begin_match(make_board([[2, 2]] * 4), 3), 3), [House(minimax(rng(), depth=1)) for _ in range(3)]
    )
    assert outcome.ranking == ((0, 1),)
    assert outcome.faults == (None, None, None)
    assert outcome.scores[2] is None


def test_2_7_everybody_may_be_eliminated_for_lack_of_tiles() -> None:
    state = begin_match(make_board([[0]]), 2)
    assert state.turn is None
    assert rules.ending(state) == "nobody is left"
    assert rules.scores(state) == {}


def test_2_8_after_an_elimination_the_next_in_order_places() -> None:
    state = start(Setup(fish=1), 3, rng())
    state = rules.apply(state, Place((0, 0)))
    assert state.turn == 1
    state = rules.remove(state, Seat(1))
    assert state.turn == 2
    order = []
    while state.placing:
        assert state.turn is not None
        order.append(state.turn)
        state = rules.apply(state, rules.legal_actions(rules.view(state, state.turn))[0])
    assert order == [2, 0, 2, 0, 2]


# -- turns (Fish 3) ----------------------------------------------------------------------------

CROSS = [[3, 1, 2, 5], [1, 1, 1, 1], [4, 1, 1, 1], [1, 1, 1, 1]]
CORNERS = [(0, 0), (3, 3), (0, 1), (3, 2), (0, 2), (3, 1), (0, 3), (3, 0)]


def test_3_4_a_move_collects_the_fish_left_behind_and_leaves_a_hole() -> None:
    state = placed(CROSS, *CORNERS)
    after = rules.apply(state, Move((0, 0), (2, 0)))
    assert after.fish == (3, 0)
    assert after.rows[0][0] == 0
    assert after.rows[2][0] == 4
    assert after.turn == 1
    assert after.board.geometry.positions[after.penguins[0][0]] == (2, 0)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Move((1, 1), (2, 1)), "you have no penguin on"),
        (Move((3, 3), (1, 3)), "you have no penguin on"),
        (Move((0, 0), (0, 0)), "(0,0) cannot be reached from (0,0): a penguin has to leave its tile"),
        (Move((0, 0), (0, 1)), "(0,1) cannot be reached from (0,0): a penguin is there"),
        (Move((0, 0), (0, 99)), "(0,99) cannot be reached from (0,0): it is not on the board"),
        (Move((0, 0), (1, 1)), "(1,1) cannot be reached from (0,0): penguins move in straight lines"),
        (Place((1, 1)), "a move is expected"),
    ],
)
def test_3_3_everything_but_a_straight_free_line_is_illegal(action: Any, reason: str) -> None:
    state = placed(CROSS, *CORNERS)
    assert reason in (rules.why_illegal(rules.view(state, Seat(0)), action) or "")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        (Move((0, 0), (6, 0)), "a hole on (2,0) is in the way"),
        (Move((0, 0), (2, 0)), "a hole is there"),
        (Move((0, 1), (6, 1)), "a penguin on (4,1) is in the way"),
    ],
)
def test_1_9_the_reason_names_what_is_in_the_way(move: Move, reason: str) -> None:
    board = [[1, 1], [1, 1], [0, 1], [1, 1], [1, 1], [1, 1], [1, 1]]
    state = placed(board, (0, 0), (4, 1), (0, 1), (1, 0), (1, 1), (3, 0), (3, 1), (5, 0))
    expected = f"({move.target[0]},{move.target[1]}) cannot be reached from ({move.start[0]},{move.start[1]}): {reason}"
    assert rules.why_illegal(rules.view(state, Seat(0)), move) == expected


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (Place((9, 0)), "not on the board"),
        (Place((0, 0)), "not a free tile"),
        (Move((0, 0), (2, 0)), "a placement is expected"),
    ],
)
def test_2_6_a_placement_needs_a_free_tile(action: Any, reason: str) -> None:
    state = rules.apply(begin_match(make_board(CROSS), 2), Place((0, 0)))
    assert reason in (rules.why_illegal(rules.view(state, Seat(1)), action) or "")
    assert rules.why_illegal(rules.view(state, Seat(0)), Place((1, 1))) == "it is not your turn"


def test_3_2_a_stuck_seat_is_skipped_and_freed_by_an_elimination() -> None:
    """One column of five tiles: white on 0 is walled in by red on 1 and brown on 2."""
    column = make_board([[1]] * 5)
    state = State(column, 0b11000, ((1,), (0,), (2,)), (0, 0, 0), (0, 0, 0), frozenset(), Seat(0), False)
    assert rules.legal_actions(rules.view(state, Seat(0))) == (Move((1, 0), (3, 0)),)
    state = rules.apply(state, Move((1, 0), (3, 0)))
    assert state.turn == 2  # white is passed over: its neighbours are a hole and brown
    state = rules.remove(state, Seat(2))
    assert state.turn == 0
    state = rules.apply(state, Move((3, 0), (4, 0)))
    assert state.turn == 1
    assert rules.legal_actions(rules.view(state, Seat(1))) == (Move((0, 0), (2, 0)),)


def test_3_5_a_moved_penguin_keeps_its_index() -> None:
    state = placed(CROSS, *CORNERS)
    spots = state.board.geometry.positions
    after = rules.apply(state, Move((0, 2), (2, 2)))
    assert [spots[cell] for cell in after.penguins[0]] == [(0, 0), (0, 1), (2, 2), (0, 3)]


# -- the end (Fish 4, 5, 6) --------------------------------------------------------------------


def test_4_1_the_match_may_be_over_before_the_first_move() -> None:
    state = placed([[1, 1, 1, 1, 1, 1, 1, 1]], *[(0, column) for column in range(8)])
    assert state.turn is None
    assert rules.ending(state) == "nobody can move"
    assert rules.scores(state) == {0: (0,), 1: (0,)}


def test_4_3_a_single_survivor_plays_on_until_it_is_stuck() -> None:
    state = rules.remove(start(Setup(), 2, rng()), Seat(0))
    moves = 0
    while (mover := rules.to_move(state)) is not None:
        assert mover == 1
        state = rules.apply(state, rules.legal_actions(rules.view(state, mover))[0])
        moves += 1
    assert moves > 8
    assert rules.scores(state).keys() == {1}


def test_6_4_penguins_leave_their_tiles_stay_and_the_fish_are_lost() -> None:
    state = rules.apply(placed(CROSS, *CORNERS), Move((0, 0), (2, 0)))
    after = rules.remove(state, Seat(0))
    assert after.rows == state.rows
    assert after.fish[0] == 0
    assert after.penguins[0] == ()
    assert after.turn == 1
    assert after.free.bit_count() == state.free.bit_count() + 4


def test_6_4_removing_somebody_else_leaves_the_turn() -> None:
    state = placed(CROSS, *CORNERS)
    assert rules.remove(state, Seat(1)).turn == 0
    assert rules.remove(start(Setup(), 3, rng()), Seat(2)).turn == 0


def test_4_2_nobody_left_ends_the_match() -> None:
    state = placed(CROSS, *CORNERS)
    for seat in range(2):
        state = rules.remove(state, Seat(seat))
    assert state.turn is None
    assert rules.ending(state) == "nobody is left"
    assert rules.legal_actions(rules.view(state, Seat(0))) == ()


def test_5_3_nothing_is_told_in_between_nor_at_the_end() -> None:
    state = placed(CROSS, *CORNERS)
    move = Move((0, 0), (2, 0))
    assert list(rules.notices(Turn(state, Seat(0), move, rules.apply(state, move)))) == []
    gone = Removed(state, Seat(0), Fault(FaultKind.GONE), rules.remove(state, Seat(0)))
    assert list(rules.notices(gone)) == []
    assert list(rules.closing(state, ((Seat(0),),))) == []


# -- the original game (Fish 13) ---------------------------------------------------------------


def test_13_2_the_original_board() -> None:
    state = start(Setup(variant="original"), 2, rng())
    assert [sum(map(bool, row)) for row in state.rows] == [7, 8, 7, 8, 7, 8, 7, 8]
    flat = [fish for row in state.rows for fish in row]
    assert [flat.count(fish) for fish in (1, 2, 3)] == [30, 20, 10]
    assert all(state.rows[row][7] == 0 for row in (0, 2, 4, 6))
    given_board = Setup(variant="original", board=tuple(map(tuple, state.rows)))
    assert start(given_board, 2, rng(5)).rows == state.rows


def test_13_4_neighbours_of_the_original_board() -> None:
    geometry = start(Setup(variant="original"), 2, rng()).board.geometry
    tiles = start(Setup(variant="original"), 2, rng()).board.tiles

    def neighbours(row: int, column: int) -> int:
        return (geometry.adjacent[row * 8 + column] & tiles).bit_count()

    assert [neighbours(0, 0), neighbours(1, 0), neighbours(7, 0), neighbours(3, 3)] == [3, 3, 2, 6]
    every = sum(neighbours(row, column) for row in range(8) for column in range(8) if tiles >> row * 8 + column & 1)
    assert every == 2 * 150


def test_13_2_penguins_go_on_tiles_with_one_fish() -> None:
    state = start(Setup(variant="original"), 2, rng())
    actions = rules.legal_actions(rules.view(state, Seat(0)))
    assert len(actions) == 30
    assert all(state.rows[action.at[0]][action.at[1]] == 1 for action in actions if isinstance(action, Place))
    rich = next((r, c) for r, row in enumerate(state.rows) for c, fish in enumerate(row) if fish > 1)
    assert "more than one fish" in (rules.why_illegal(rules.view(state, Seat(0)), Place(rich)) or "")


def test_13_5_and_13_6_who_cannot_move_retires_with_the_tiles_under_its_penguins() -> None:
    state = start(Setup(variant="original"), 2, rng())
    while (mover := rules.to_move(state)) is not None:
        before, state = state, rules.apply(state, rules.legal_actions(rules.view(state, mover))[0])
        for seat in range(2):
            if before.penguins[seat] and not before.placing and not state.penguins[seat]:
                assert seat not in state.out
    assert state.penguins == ((), ())
    assert rules.ending(state) == "no penguin is left"
    left = sum(map(sum, state.rows))
    assert sum(state.fish) + left == 30 + 40 + 30
    assert sum(state.tiles) + sum(bool(fish) for row in state.rows for fish in row) == 60
    assert rules.scores(state) == {seat: (state.fish[seat], state.tiles[seat]) for seat in range(2)}
