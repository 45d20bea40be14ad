"""Games that are loaded by name, and positions that draw, print and play themselves."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

import fairplay as fp
from fairplay.games.trains.maps.files import find_map, map_to_json
from fairplay.games.trains.state import Acquire, Setup

GAMES = ("fish", "labyrinth", "trains")


@pytest.mark.parametrize("name", GAMES)
def test_a_position_draws_prints_lists_and_plays(name: str) -> None:
    game: fp.LoadedGame[Any, Any, Any, Any] = fp.load(name)
    position = game.start(seed=1, seats=2)
    assert position == game.start(seed=1, seats=2) and position != game.start(seed=2, seats=2)
    assert len(repr(position)) < 80 and name in repr(position)
    assert str(position) == game.game.words.board(position.state)
    assert position._repr_svg_().startswith("<svg") and position.draw(seat=1) != position.draw()
    for _ in range(4):
        actions = position.legal_actions()
        assert actions == game.legal_actions(position.state) == game.legal_actions(position.view())
        text = game.format(actions[-1])
        assert game.parse(text, position) == actions[-1]
        after = position.apply(text)
        assert after == position.apply(actions[-1]) and after.last is not None and after.last.action == actions[-1]
        position = after
    assert game.position(position.notation) == position and "\n" not in position.notation
    with pytest.raises(fp.NotationError, match="is not a position"):
        game.position("nonsense")
    assert hash(position) is not None and set(position.scores) == {0, 1} and not position.is_over


def test_a_setup_comes_from_fields_a_variant_a_board_a_file_or_whole(tmp_path: Path) -> None:
    assert (
        fp.load("fish", variant="original", rows=5).setup
        == fp.load("fish", setup={"variant": "original", "rows": 5}).setup
    )
    assert fp.load("trains", setup=Setup(map="tiny"), rails=9).setup == Setup(map="tiny", rails=9)
    small = fp.load("trains", board="small")
    assert small.start(seed=1) == fp.load("trains", map="small").start(seed=1)
    editor: Any = small.game.parts.editor
    drawing = editor.start_drawing("small")
    (tmp_path / "mine.json").write_text(json.dumps(drawing), "utf-8")
    for board in (drawing, tmp_path / "mine.json", str(tmp_path / "mine.json")):
        assert fp.load("trains", board=board).start(seed=1) == small.start(seed=1)


def test_a_map_is_taken_in_the_form_of_map_files_and_in_that_of_setups() -> None:
    small = fp.load("trains", map="small").start(seed=1)
    nested = map_to_json(find_map("small"))
    whole = Setup(map="tiny", rails=9)
    assert fp.load("trains", map=nested).start(seed=1) == small
    assert fp.load("trains", setup={"map": nested}).start(seed=1) == small
    assert fp.load("trains", map=find_map("small")).start(seed=1) == small
    assert fp.load("trains", board=msgspec.to_builtins(find_map("small"))).start(seed=1) == small
    assert fp.load("trains", setup=whole, map=nested).setup == Setup(map=find_map("small"), rails=9)
    with pytest.raises(fp.FairplayError, match=re.escape("map: width 5 is not between 10 and 800 at $.width")):
        fp.load("trains", map={**nested, "width": 5})
    with pytest.raises(
        fp.FairplayError, match=re.escape("map: 'Nowhere' is not a city of this map at $.connections.Nowhere")
    ):
        fp.load("trains", map={**nested, "connections": {"Nowhere": {}}})
    with pytest.raises(fp.SetupError, match="unknown field map; there are"):
        fp.load("fish", map=nested)


def test_the_setup_completes_what_a_text_leaves_out() -> None:
    game = fp.load("trains", map="small")
    connection = game.start(seed=1).state.network.connections[-1]
    action = game.parse(f"{connection.first}-{connection.second} {connection.color}")
    assert action == Acquire(connection)
    assert game.parse(game.format(action)) == action
    assert game.format(fp.load("trains", map="tiny").parse("Ash-Birch red")) == "Ash-Birch red 3"
    with pytest.raises(fp.NotationError, match="expected a connection of this map, such as '"):
        game.parse("Ash-Nowhere red")


def test_mistakes_are_named() -> None:
    fish = fp.load("fish", rows=3, columns=3, fish=1)
    start = fish.start(seed=1, seats=2)
    with pytest.raises(fp.IllegalActionError, match=r"red may not do 9,9: \(9,9\) is not on the board"):
        start.apply("9,9")
    with pytest.raises(fp.IllegalActionError, match="this is not an action of fish: expected Place or Move, got int"):
        start.apply(7)  # type: ignore[arg-type]  # it is wrong
    with pytest.raises(fp.NotationError, match="'north' is not an action; expected ROW,COLUMN"):
        start.apply("north")
    over = start
    while not over.is_over:
        over = over.apply(over.legal_actions()[0])
    assert over.legal_actions() == [] and "over" in repr(over)
    with pytest.raises(fp.IllegalActionError, match="the match is over"):
        over.apply("0,0")
    with pytest.raises(fp.UsageError, match="say which seat"):
        over.view()
    for seat in (-1, 2):
        with pytest.raises(fp.UsageError, match=f"nobody sits on seat {seat}; there are 0, 1"):
            over.draw(seat)
    for wrong, said in (
        (lambda: fp.load("fisch"), "there is no game 'fisch'; there are: fish, labyrinth,"),
        (lambda: fp.load("fish", variant="x"), "fish has no variant 'x'; it has standard, original"),
        (lambda: fp.load("fish", rowz=3), "unknown field rowz"),
        (lambda: fp.load("fish", rows="x"), "setup: Expected int"),
        (lambda: fp.load("trains", board="x"), "there is no file x, nor a board of that name"),
        (lambda: fp.load("trains", board="small", setup=Setup()), "a whole setup already says"),
        (lambda: fish.start(seats=9), "Fish is played by 2 to 4 seats, not 9"),
    ):
        with pytest.raises((fp.UsageError, fp.SetupError), match=said):
            wrong()
