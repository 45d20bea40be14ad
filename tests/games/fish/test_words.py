"""Fish in words."""

from __future__ import annotations

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.games.fish import rules, words
from fairplay.games.fish.state import Move, Place, Setup, View
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
    assert words.describe_open_turn(Turn(state, Seat(0), move, after)) == "red moves (0,0) to (2,0), 2 fish"
    start = rules.start(Setup(), 2, derived(1))
    place = Place((3, 4))
    assert (
        words.describe_open_turn(Turn(start, Seat(0), place, rules.apply(start, place)))
        == "red places a penguin on (3,4)"
    )


def test_facts_are_the_same_for_everybody() -> None:
    state = rules.apply(moving_state(), Move((0, 0), (2, 0)))
    expected = {Seat(0): (("fish", "2"), ("penguins", "4 of 4")), Seat(1): (("fish", "0"), ("penguins", "4 of 4"))}
    assert words.facts(state) == words.facts(View(Seat(1), state)) == expected
    assert words.facts(rules.remove(state, Seat(0))).keys() == {Seat(1)}
    original = rules.start(Setup("original"), 3, derived(1))
    assert words.facts(original)[Seat(2)] == (("fish", "0"), ("tiles", "0"), ("penguins", "0 of 3"))
