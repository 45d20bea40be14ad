"""Fish in words."""

from __future__ import annotations

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.games.fish import rules, words
from fairplay.games.fish.board import Layout, make_board
from fairplay.games.fish.state import Action, Move, Place, Setup, State, View
from games.fish.samples import moving_state


def test_a_board_and_a_turn_in_words() -> None:
    state = moving_state()
    move = Move((0, 0), (2, 0))
    after = rules.apply(state, move)
    assert words.board(after) == (
        " 0   .   WH2   RE2   WH2\n"
        " 1    RE2   WH2   RE2   WH2\n"
        " 2 RE2     2     2     .\n"
        "\n"
        "  RE red      2 fish\n"
        "> WH white    0 fish"
    )
    assert "removed" in words.board(rules.remove(after, Seat(0)))
    assert words.describe_open_turn(Turn(state, Seat(0), move, after)) == "red moved (0,0) to (2,0) and took 2 fish"
    start = rules.start(Setup(), 2, derived(1))
    place = Place((3, 4))
    assert (
        words.describe_open_turn(Turn(start, Seat(0), place, rules.apply(start, place)))
        == "red placed a penguin on (3,4)"
    )


def test_facts_are_the_same_for_everybody() -> None:
    state = rules.apply(moving_state(), Move((0, 0), (2, 0)))
    expected = {Seat(0): (("fish", "2"), ("penguins", "4 of 4")), Seat(1): (("fish", "0"), ("penguins", "4 of 4"))}
    assert words.facts(state) == words.facts(View(Seat(1), state)) == expected
    assert words.facts(rules.remove(state, Seat(0))).keys() == {Seat(1)}
    original = rules.start(Setup("original"), 3, derived(1))
    assert words.facts(original)[Seat(2)] == (("fish", "0"), ("tiles", "0"), ("penguins", "0 of 3"))


def test_anyone_can_be_the_subject() -> None:
    state = moving_state()
    move: Action = Move((0, 0), (2, 0))
    turn = Turn(state, Seat(0), move, rules.apply(state, move))
    assert words.describe_turn(turn, Seat(0), subject="You") == "You moved (0,0) to (2,0) and took 2 fish"


def test_13_5_who_retires_after_a_move_is_told_apart_from_the_move() -> None:
    """Red moves next to white's only way out; then nobody can move."""
    board = make_board([[1, 1, 3, 2], [0, 2, 1, 1]], Layout.ORIGINAL)
    state = State(
        board=board,
        free=1 << 1,
        penguins=((0, 7), (2,)),
        fish=(0, 0),
        collected=(0, 0),
        out=frozenset(),
        turn=Seat(0),
        placing=False,
    )
    move: Action = Move((0, 0), (0, 1))
    turn = Turn(state, Seat(0), move, rules.apply(state, move))
    assert turn.after.fish == (1 + 1 + 1, 3)
    assert words.describe_open_turn(turn) == (
        "red moved (0,0) to (0,1) and took 1 fish, then retired with 2 more; white retired with 3 more"
    )
