"""The lessons of Labyrinth, and advice in a first match."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import slide_options
from fairplay.games.labyrinth.goals import locate_target_after
from fairplay.games.labyrinth.state import Move, Pass, Setup
from fairplay.games.labyrinth.teaching import (
    DEAL,
    LAST_TURN,
    LEARNER,
    MOVE,
    TEACHING,
    build_lessons,
    find_arrival,
    give_advice,
)
from games.labyrinth.drawing.pictures import marked
from games.labyrinth.worlds import ANN, BOB, open_board, player, started

# -- five pictures ----------------------------------------------------------------------------


def classes(number: int, name: str) -> list[str | None]:
    """The classes of the elements with an attribute in the picture of a lesson."""
    return [element.get("class") for element in marked(ElementTree.fromstring(build_lessons()[number].picture), name)]


def test_there_are_five_lessons_with_a_sentence_and_a_picture_each() -> None:
    assert GAME.shown.teaching is TEACHING
    lessons = TEACHING.lessons()
    assert len(lessons) == len({lesson.title for lesson in lessons}) == 5
    for lesson in lessons:
        assert lesson.words.count(".") == 1 and lesson.words.endswith(".")
        assert len(lesson.picture) < 60_000
        assert lesson.picture.label


def test_the_lessons_show_a_turn_that_needs_the_tile_turned() -> None:
    state = rules.start(Setup(rows=5, columns=5), 2, derived(DEAL, "lessons"))
    view = rules.view(state, LEARNER)
    assert rules.why_illegal(view, MOVE) is None
    assert view.target == MOVE.to
    ways = [
        option
        for option in slide_options(view.board, view.at, None)
        if option.ends & locate_target_after(view.board, MOVE.to, option.shift)
    ]
    assert ways and not [option for option in ways if 0 in option.degrees]


def test_what_the_lessons_speak_of_is_marked() -> None:
    assert classes(1, "data-slide").count("chosen") == 1
    assert classes(2, "data-turn") == ["lit", "lit"]
    assert classes(3, "data-at").count("lit") > 5
    assert 'data-walk="0"' in build_lessons()[4].picture
    assert 'data-goal="mine" data-on="1,1"' in build_lessons()[4].picture


# -- advice in a first match ------------------------------------------------------------------


FACING = [player((1, 1), (1, 1), "red", (3, 3)), player((3, 3), (3, 3), "blue", (1, 1))]


@pytest.mark.parametrize("setup", [GAME.quick, Setup("original")])
def test_who_does_as_advised_comes_home(setup: Setup) -> None:
    """Against a player that does anything, within the turns of a first match or a few more."""
    other = GAME.players.strategies["random"](derived(7))
    state, own, turns = rules.start(setup, 2, derived(7)), 0, 0
    while state.turn is not None and turns < 400:
        view = rules.view(state, state.turn)
        if state.turn == ANN:
            advice = give_advice(view, 0)
            assert advice is not None
            assert rules.why_illegal(view, advice.action) is None
            action, own = advice.action, own + 1
        else:
            action = other(view)
        state, turns = rules.apply(state, action), turns + 1
    assert state.finisher == ANN


def test_the_goal_is_reached_with_the_fewest_clicks() -> None:
    view = rules.view(started(open_board(FACING)), ANN)
    advice = give_advice(view, 0)
    assert advice is not None
    assert advice.action == find_arrival(view) == Move(0, "LEFT", 0, (3, 3))
    assert advice.title == "Your goal"
    assert advice.words == (
        "Your goal is the place with the star."
        " Click the marked arrow to slide row 0 left: the way there is open, so walk there."
    )


def test_where_no_slide_opens_a_way_one_gets_ready() -> None:
    """The rule book's example, 8.6: red cannot reach (1,3) at once."""
    view = rules.view(started(), ANN)
    assert find_arrival(view) is None
    advice = give_advice(view, 0)
    assert advice is not None and isinstance(advice.action, Move)
    assert "No slide opens a way yet." in advice.words
    assert f"walk to ({advice.action.to[0]},{advice.action.to[1]})" in advice.words
    assert give_advice(view, 3) == advice


def test_the_tile_is_turned_only_where_it_must_be() -> None:
    state = rules.start(Setup(rows=5, columns=5), 2, derived(1489, "lessons"))
    advice = give_advice(rules.view(state, ANN), 0)
    assert advice is not None and isinstance(advice.action, Move)
    assert advice.action.degree == 90
    assert "Turn the spare tile to the left, then click the marked arrow" in advice.words
    assert "a way opens" in advice.words


def test_the_next_goal_the_treasure_and_the_way_home_are_named() -> None:
    view = rules.view(started(open_board(FACING)), ANN)
    later = give_advice(replace(view, found=((1, 3),)), 1)
    home = give_advice(replace(view, avatars=((3, 1), (3, 3)), target=(1, 1), found=((1, 3),)), 2)
    treasure = give_advice(rules.view(rules.start(Setup("original"), 2, derived(1)), ANN), 0)
    assert later is not None and home is not None and treasure is not None
    assert (later.title, home.title) == ("Your next goal", "Now go home")
    assert "go home" in home.words
    assert "treasure in the golden ring" in treasure.words


def test_who_cannot_move_is_told_to_pass() -> None:
    shut = open_board(FACING)
    shut["board"]["connectors"] = [["─"] * 5, ["│"] * 5, ["─"] * 5, ["│"] * 5, ["─"] * 5]
    shut["spare"]["tilekey"] = "│"
    view = replace(rules.view(started(shut), ANN), avatars=((9, 9), (3, 3)))
    advice = give_advice(view, 0)
    assert advice is not None
    assert advice.action == Pass()
    assert "pass" in advice.words


def test_advice_ends_sometime_and_is_for_those_who_play() -> None:
    view = rules.view(started(), ANN)
    assert give_advice(view, LAST_TURN) is not None
    assert give_advice(view, LAST_TURN + 1) is None
    assert give_advice(rules.view(rules.remove(started(), BOB), BOB), 0) is None
