"""Labyrinth in words."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core import Turn
from fairplay.games.labyrinth import rules, words
from fairplay.games.labyrinth.state import Action, Pass, State

from .worlds import ANN, BOB, STATE_T0, started, to, turns


def test_a_board_in_words() -> None:
    assert words.board(started()) == (
        "    0  1  2  3  4\n"
        " 0  └──┴──┴──┤ ─┬─\n"
        " 1 ─┤ ─┬──┐  │  └─\n"
        " 2 ─┴─ 2─ │ ─┤ ─1─\n"
        "spare ┐, last slide 0 LEFT\n"
        "> player 1 (red) at (2,4), home (1,1)\n"
        "  player 2 (blue) at (2,1), home (1,3)"
    )


def test_avatars_that_share_a_tile_are_one_star() -> None:
    state = replace(started(), avatars=((0, 0), (0, 0)), last=None)
    assert words.board(state).splitlines()[1] == " 0  *──┴──┴──┤ ─┬─"
    assert words.board(state).splitlines()[4] == "spare ┐"


def test_a_removed_seat_is_named() -> None:
    assert "  player 2 (blue) removed" in words.board(rules.remove(started(), BOB)).splitlines()


def test_turns_in_words() -> None:
    state = started(STATE_T0)
    move = to(2, "RIGHT", (1, 2), 90)
    after = turns(state, move)
    assert (
        words.describe_open_turn(Turn(state, ANN, move, after))
        == "player 1 (red) slides row 2 right, the tile turned by 90, and goes to (1,2)"
    )
    assert words.describe_open_turn(Turn(after, BOB, Pass(), turns(after, Pass()))) == "player 2 (blue) passes"
    near = turns(after, to(0, "LEFT", (1, 1)), to(2, "DOWN", (1, 3), 270))
    home = to(2, "LEFT", (1, 3))
    assert (
        words.describe_open_turn(Turn(near, BOB, home, turns(near, home)))
        == "player 2 (blue) slides row 2 left, the tile turned by 0, and goes to (1,3): home"
    )


def test_words_keep_the_secret_of_a_treasure() -> None:
    """Labyrinth 3.11."""
    state = turns(started(), to(2, "RIGHT", (1, 2), 90))
    arrival = to(0, "LEFT", (1, 1))
    turn: Turn[State, Action] = Turn(state, BOB, arrival, turns(state, arrival))
    seen = "player 2 (blue) slides row 0 left, the tile turned by 0, and goes to (1,1)"
    assert words.describe_turn(turn, ANN) == words.describe_turn(turn, None) == seen
    assert words.describe_turn(turn, BOB) == words.describe_open_turn(turn) == f"{seen}: a treasure"
    assert words.seat_name(ANN) == "player 1"


def test_facts_of_a_view_are_its_owners() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert words.facts(rules.view(state, BOB)) == {
        ANN: (("at", "(1,2)"), ("home", "(1,1)")),
        BOB: (("treasures", "1"), ("looks for", "home (1,3)"), ("at", "(1,1)"), ("home", "(1,3)")),
    }
    assert ("looks for", "(1,3)") in words.facts(rules.view(state, ANN))[ANN]
    treasure = replace(state, targets=("ruby", (1, 1)))
    assert ("looks for", "ruby") in words.facts(rules.view(treasure, ANN))[ANN]


def test_facts_of_a_state_tell_treasures_at_the_end_alone() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert words.facts(state)[BOB] == (("at", "(1,1)"), ("home", "(1,3)"))
    assert words.facts(turns(state, Pass(), Pass()))[BOB][0] == ("treasures", "1")
    assert words.facts(rules.remove(state, BOB)).keys() == {ANN}
    assert words.describe_target(rules.view(rules.remove(state, BOB), BOB)) == "nothing"
