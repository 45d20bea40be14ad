"""Five lessons of Fish show what they say."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree import ElementTree

from fairplay.core.shown import Lesson
from fairplay.games.fish import rules, teaching
from fairplay.games.fish.notation import parse_position
from fairplay.games.fish.scoring import progress, score_lines
from fairplay.games.fish.state import Move


def lessons() -> dict[str, Lesson]:
    return {lesson.title: lesson for lesson in teaching.TEACHING.lessons()}


def marked_tiles(lesson: Lesson, mark: str) -> Iterator[str]:
    for element in ElementTree.fromstring(lesson.picture).iter():
        if element.get("class") == f"tile {mark}":
            yield element.get("data-at", "")


def test_there_are_five_lessons_of_one_sentence_each() -> None:
    assert list(lessons()) == [
        "Collect fish",
        "Place your penguins",
        "Move in straight lines",
        "Break the ice",
        "The end",
    ]
    assert all(lesson.words.count(".") == 1 and lesson.words.endswith(".") for lesson in lessons().values())
    assert all(len(lesson.picture) < 40_000 for lesson in lessons().values())


def test_a_penguin_can_be_placed_wherever_a_tile_is_lit() -> None:
    assert len([*marked_tiles(lessons()["Place your penguins"], "lit")]) == 20 - 2


def test_lines_end_before_a_penguin_a_hole_and_the_edge() -> None:
    lesson = lessons()["Move in straight lines"]
    assert [*marked_tiles(lesson, "chosen")] == ["2,1"]
    lit = {*marked_tiles(lesson, "lit")}
    assert lit == {"0,1", "1,0", "0,0", "1,1", "3,1", "4,2", "5,2", "4,1"}  # not (0,2), (3,0) or beyond


def test_the_move_that_breaks_the_ice_leaves_white_one_tile() -> None:
    before = parse_position(teaching.BREAKING)
    after = rules.apply(before, Move((1, 2), (3, 1)))
    assert after.turn == 1
    assert rules.legal_actions(rules.view(after, after.turn)) == (Move((0, 3), (1, 3)),)


def test_at_the_end_nobody_can_move_and_the_points_add_up() -> None:
    state = parse_position(teaching.END)
    assert rules.next_mover(state.board, state.free, state.penguins, -1) is None
    sums = {seat: sum(points for _, points in lines) for seat, lines in score_lines(state).items()}
    assert sums == progress(state) == {0: 20, 1: 15}
    assert all("from before" not in label for lines in score_lines(state).values() for label, _ in lines)
