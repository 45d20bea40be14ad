"""Whatever people click, a drawing stays one; what has no problems can be played by everybody who is said to."""

from __future__ import annotations

import contextlib
import re
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given, settings, strategies as st

from fairplay.catalog import GAMES
from fairplay.core import SetupError, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.core.editor import Editor, EditorScreen, setup_for_board
from fairplay.testing.kit import Table
from fairplay.testing.walks import NONSENSE, hold_dialogue, list_places, pass_through_json

_JUNK = st.text(max_size=30) | st.from_regex(
    r"(at|size|spot|city|line|deal|spare)=[0-9]{0,4},?[0-9]{0,4}", fullmatch=True
)


def _editor_of(name: str) -> Editor[Any]:
    editor = GAMES[name].parts.editor
    assert editor is not None
    return editor


def _usual_setup(name: str, drawing: Any) -> Any:
    """The setup that is played where nobody says otherwise."""
    return setup_for_board(_editor_of(name), drawing, GAMES[name].variants.values())


def _list_elements(sheet: EditorScreen) -> list[str]:
    """Everything that can be clicked."""
    found = re.findall(r'data-([a-z]+)="([^"]*)"', sheet.picture)
    return [f"{name}={value}" for name, value in found] + [choice.key for choice in sheet.choices]


@st.composite
def _drawings(draw: st.DrawFn, name: str) -> Any:
    """A start with some clicks on it, some of them sensible."""
    editor = _editor_of(name)
    drawing = editor.start_drawing(draw(st.sampled_from(sorted(editor.STARTS))))
    for _ in range(draw(st.integers(0, 3))):
        sheet = editor.show_drawing(drawing)
        clicks, tools = st.sampled_from(_list_elements(sheet)), st.sampled_from([tool.key for tool in sheet.tools])
        for _ in range(4):  # on what has been there a moment ago
            tool, click = draw(tools | st.text(max_size=5)), draw(clicks | _JUNK)
            with contextlib.suppress(WireError, UsageError):
                drawing = editor.edit_drawing(drawing, tool, click, draw(st.text(max_size=30) | st.just("")))
    return drawing


@given(data=st.data())
@settings(max_examples=20, deadline=None)
def test_whatever_is_clicked_the_drawing_can_be_shown(drawn: str, data: st.DataObject) -> None:
    """Whatever people click in the editor, a drawing stays one, and has problems or seats that can play on it."""
    editor, drawing = _editor_of(drawn), data.draw(_drawings(drawn))
    sheet = editor.show_drawing(drawing)
    assert ElementTree.fromstring(sheet.picture).tag == "{http://www.w3.org/2000/svg}svg"
    assert bool(sheet.problems) != bool(sheet.seats)
    assert len({tool.key for tool in sheet.tools}) == len(sheet.tools) > 0
    assert set(sheet.seats) <= set(GAMES[drawn].seats)


def test_every_tool_says_what_to_click(drawn: str) -> None:
    """Each tool of the editor has a hint that fits on a telephone."""
    editor = _editor_of(drawn)
    for start in editor.STARTS:
        for tool in editor.show_drawing(editor.start_drawing(start)).tools:
            assert 0 < len(tool.hint) <= 70 and len(tool.then) <= 40, "two lines on a telephone"
            if tool.icon:
                assert ElementTree.fromstring(tool.icon).tag == "{http://www.w3.org/2000/svg}svg"
                assert "style" not in tool.icon


@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_drawings_and_their_setups_survive_json(drawn: str, data: st.DataObject) -> None:
    """A drawing and the setup made of it survive being written as JSON."""
    editor, drawing = _editor_of(drawn), data.draw(_drawings(drawn))
    assert editor.show_drawing(pass_through_json(drawing)) == editor.show_drawing(drawing)
    for base in (*GAMES[drawn].variants.values(), GAMES[drawn].quick):
        with contextlib.suppress(SetupError):
            assert editor.setup_on(pass_through_json(drawing), base) == (setup := editor.setup_on(drawing, base))
            assert msgspec.json.decode(msgspec.json.encode(setup), type=GAMES[drawn].setup) == setup


@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_just_the_seats_that_are_offered_can_be_dealt(drawn: str, data: st.DataObject) -> None:
    """A drawing can be dealt with the numbers of seats that it is said to be for, and with no others."""
    editor, drawing = _editor_of(drawn), data.draw(_drawings(drawn))
    game, sheet, setup = GAMES[drawn], editor.show_drawing(drawing), _usual_setup(drawn, drawing)
    for seats in game.seats:
        if seats in sheet.seats:
            assert game.rules.to_move(game.rules.start(setup, seats, derived(0))) is not None
        else:
            with pytest.raises(SetupError):
                game.rules.start(setup, seats, derived(0))


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=4, deadline=None)
def test_what_is_drawn_can_be_played_to_the_end(drawn: str, data: st.DataObject, seed: int) -> None:
    """A match on a drawing without problems ends, and no player is at fault."""
    editor, drawing = _editor_of(drawn), data.draw(_drawings(drawn))
    if seats := editor.show_drawing(drawing).seats:
        setup = _usual_setup(drawn, drawing)
        if "rounds" in setup.__struct_fields__:
            setup = msgspec.structs.replace(setup, rounds=20)
        said = hold_dialogue(drawn, Table(setup, data.draw(st.sampled_from(seats))), seed)
        assert said.outcome.ending
        assert not any(said.outcome.faults)


@given(data=st.data(), nonsense=NONSENSE)
@settings(max_examples=50, deadline=None)
def test_what_is_no_drawing_is_refused_with_its_place(drawn: str, data: st.DataObject, nonsense: Any) -> None:
    """What is no drawing is refused with a WireError that names the place."""
    editor = _editor_of(drawn)
    damaged = pass_through_json(editor.start_drawing(data.draw(st.sampled_from(sorted(editor.STARTS)))))
    container, key = data.draw(st.sampled_from(list_places(damaged)))
    container[key] = nonsense
    for use in (
        editor.show_drawing,
        editor.preview_board,
        lambda value: editor.edit_drawing(value, "1", "at=0,0", ""),
        lambda value: _usual_setup(drawn, value),
    ):
        with pytest.raises(WireError, match=r" at \$"):
            use([nonsense] if isinstance(nonsense, str) else nonsense)  # a text alone might be the name of a board
        with contextlib.suppress(WireError, UsageError):  # some nonsense happens to fit in
            use(damaged)


def test_a_board_without_flaws_is_one_and_a_flaw_has_its_place(drawn: str) -> None:
    """`find_flaws` finds none in the boards of the game, and says where one is."""
    editor = _editor_of(drawn)
    for name in editor.STARTS:
        assert not editor.find_flaws(pass_through_json(editor.start_drawing(name)))
    [(where, what)] = editor.find_flaws({})
    assert where == "$" and "missing" in what


def test_the_boards_of_a_game_can_be_played_by_name(drawn: str) -> None:
    """Every board that comes with the game can be shown and dealt by its name."""
    editor, game = _editor_of(drawn), GAMES[drawn]
    assert set(editor.BOARDS) <= set(editor.STARTS)
    for name, label in editor.BOARDS.items():
        shown, setup = editor.preview_board(editor.start_drawing(name)), _usual_setup(drawn, name)
        assert label and shown.about and shown.seats and not shown.problems
        assert ElementTree.fromstring(shown.picture).tag == "{http://www.w3.org/2000/svg}svg"
        for seats in shown.seats:
            by_name = game.rules.start(setup, seats, derived(1))
            assert by_name == game.rules.start(_usual_setup(drawn, editor.start_drawing(name)), seats, derived(1))


@given(seed=st.integers(0, 2**32))
@settings(max_examples=10, deadline=None)
def test_a_random_board_is_fixed_by_its_seed_and_can_be_played(drawn: str, seed: int) -> None:
    """A random board follows from its seed, and can be played."""
    editor = _editor_of(drawn)
    if editor.random_board is None:
        return
    board = pass_through_json(editor.random_board(derived(seed)))
    assert (
        board
        == pass_through_json(editor.random_board(derived(seed)))
        != pass_through_json(editor.random_board(derived(-1)))
    )
    assert not editor.find_flaws(board)
    assert editor.preview_board(board).seats


def test_only_what_is_offered_can_begin_a_drawing(drawn: str) -> None:
    """A drawing that is to begin with something unknown is refused by name."""
    with pytest.raises(UsageError, match="nowhere"):
        _editor_of(drawn).start_drawing("nowhere")
