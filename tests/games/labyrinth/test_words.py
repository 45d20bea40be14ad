"""Labyrinth in words."""

from __future__ import annotations

from msgspec.structs import replace

from fairplay.core import Turn
from fairplay.core.chance import derived
from fairplay.games.labyrinth import rules, words
from fairplay.games.labyrinth.state import Action, Pass, Setup, State

from .worlds import ANN, BOB, STATE_T0, started, to, turns


def test_a_board_in_words() -> None:
    assert words.board(started()) == (
        "    0  1  2  3  4\n"
        " 0  └──┴──┴──┤ ─┬─\n"
        " 1 ─┤ ─┬──┐  │  └─\n"
        " 2 ─┴─ 2─ │ ─┤ ─1─\n"
        "spare ┐, last slide: row 0 left\n"
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
        == "player 1 (red) turned the tile to the left, slid row 2 right and walked to (1,2)"
    )
    assert words.describe_open_turn(Turn(after, BOB, Pass(), turns(after, Pass()))) == "player 2 (blue) passed"
    near = turns(after, to(0, "LEFT", (1, 1)), to(2, "DOWN", (1, 3), 270))
    home = to(2, "LEFT", (1, 3))
    assert (
        words.describe_open_turn(Turn(near, BOB, home, turns(near, home)))
        == "player 2 (blue) slid row 2 left, walked to (1,3) and came home"
    )


def test_staying_and_treasures_of_the_original_game_in_words() -> None:
    """Labyrinth 13.2."""
    state = rules.start(Setup("original"), 2, derived(1))
    stay = to(1, "LEFT", state.avatars[0], 180)
    turn: Turn[State, Action] = Turn(state, ANN, stay, turns(state, stay))
    assert (
        words.describe_turn(turn, None, subject="ann")
        == "ann turned the tile around, slid row 1 left and stayed at (0,0)"
    )
    found = replace(turns(state, stay), found=((state.targets[0],), ()))
    told = words.describe_turn(Turn(state, ANN, stay, found), ANN, subject="You")
    assert told.endswith(f", stayed at (0,0) and found the {state.targets[0]}")
    assert words.describe_turn(Turn(state, ANN, stay, found), BOB).endswith(" and stayed at (0,0)")


def test_words_keep_the_secret_of_a_treasure() -> None:
    """Labyrinth 3.11."""
    state = turns(started(), to(2, "RIGHT", (1, 2), 90))
    arrival = to(0, "LEFT", (1, 1))
    turn: Turn[State, Action] = Turn(state, BOB, arrival, turns(state, arrival))
    assert words.describe_turn(turn, ANN) == "player 2 (blue) slid row 0 left and walked to (1,1)"
    assert words.describe_turn(turn, None, subject="bob") == "bob slid row 0 left and walked to (1,1)"
    told = "slid row 0 left, walked to (1,1) and found a treasure"
    assert words.describe_turn(turn, BOB, subject="You") == f"You {told}"
    assert words.describe_open_turn(turn) == f"player 2 (blue) {told}"
    assert words.seat_name(ANN) == "player 1"


def test_facts_of_a_view_are_its_owners() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert words.facts(rules.view(state, BOB)) == {
        ANN: (("at", "(1,2)"), ("home", "(1,1)")),
        BOB: (("treasures", "1"), ("goal", "home (1,3)"), ("at", "(1,1)"), ("home", "(1,3)")),
    }
    assert ("goal", "(1,3)") in words.facts(rules.view(state, ANN))[ANN]
    treasure = replace(state, targets=("ruby", (1, 1)))
    assert ("goal", "ruby") in words.facts(rules.view(treasure, ANN))[ANN]


def test_facts_of_a_state_tell_treasures_at_the_end_alone() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    assert words.facts(state)[BOB] == (("at", "(1,1)"), ("home", "(1,3)"))
    assert words.facts(turns(state, Pass(), Pass()))[BOB][0] == ("treasures", "1")
    assert words.facts(rules.remove(state, BOB)).keys() == {ANN}
    assert words.describe_target(rules.view(rules.remove(state, BOB), BOB)) == "nothing"
