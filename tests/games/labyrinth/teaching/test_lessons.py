"""Labyrinth in five pictures."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import slide_options
from fairplay.games.labyrinth.goals import locate_target_after
from fairplay.games.labyrinth.state import Setup
from fairplay.games.labyrinth.teaching import TEACHING
from fairplay.games.labyrinth.teaching.lessons import DEAL, LEARNER, MOVE, build_lessons
from games.labyrinth.drawing.pictures import marked


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
