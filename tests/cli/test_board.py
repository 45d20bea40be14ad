"""`fairplay board`: listing, making, checking and drawing boards, and playing on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import Result

from fairplay.catalog import GAMES
from fairplay.games.trains.map import build_network
from fairplay.games.trains.maps.files import map_from_json, packaged_maps

Fairplay = Callable[..., Result]

EDITED = [name for name, game in GAMES.items() if game.parts.editor is not None]
BOARDS = [(name, board) for name in EDITED for board in GAMES[name].parts.editor.BOARDS]  # type: ignore[union-attr]  # those in EDITED have an editor


# -- list, draw --------------------------------------------------------------------------------


@pytest.mark.parametrize(("game", "board"), BOARDS)
def test_every_board_is_listed_checked_and_drawn(fairplay: Fairplay, game: str, board: str) -> None:
    line = next(line for line in fairplay("board", game, "list").output.splitlines() if line.startswith(f"{board} "))
    assert "for 2 to " in line
    checked = fairplay("board", game, "check", board)
    assert checked.exit_code == 0
    assert checked.output.startswith(f"{board}: a ") and checked.output.endswith(" players\n")
    assert fairplay("board", game, "draw", board, "--svg", "board.svg").exit_code == 0
    assert Path("board.svg").read_text("utf-8").startswith("<svg")
    assert fairplay("board", game, "draw", board).output == Path("board.svg").read_text("utf-8")


def test_boards_for_programs(fairplay: Fairplay) -> None:
    listed = {each["name"]: each for each in json.loads(fairplay("board", "trains", "list", "--json").output)["boards"]}
    assert [*listed] == [*packaged_maps()]
    assert listed["tiny"] == {"name": "tiny", "about": packaged_maps()["tiny"].about, "seats": [2, 3, 4, 5, 6]}
    assert json.loads(fairplay("board", "trains", "check", "tiny", "--json").output) == {
        "schema": "fairplay.board/1",
        "board": "tiny",
        "valid": True,
        "flaws": [],
        "problems": [],
        "seats": [2, 3, 4, 5, 6],
    }


# -- new ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EDITED)
def test_a_new_board_is_valid_and_is_fixed_by_its_seed(fairplay: Fairplay, game: str) -> None:
    assert fairplay("board", game, "new", "--seed", "7", "--out", "new.json").exit_code == 0
    printed = fairplay("board", game, "new", "--seed", "7").output
    assert printed == Path("new.json").read_text("utf-8")
    assert printed != fairplay("board", game, "new", "--seed", "8").output
    assert len({*printed.splitlines()}) > 5, "laid out for people"
    assert fairplay("board", game, "check", "new.json").exit_code == 0


def test_a_new_map_has_the_cities_asked_for_and_seats_eight(fairplay: Fairplay) -> None:
    printed = fairplay("board", "trains", "new", "--option", "cities=12", "--option", "width=300").output
    map = map_from_json(json.loads(printed))
    assert (len(map.cities), map.width) == (12, 300)
    assert build_network(map).destination_count >= 19


def test_what_cannot_be_made_is_refused_in_words(fairplay: Fairplay, monkeypatch: pytest.MonkeyPatch) -> None:
    for game, option, reason in [
        ("trains", "cities=3", "7 to 300 cities"),
        ("trains", "cities=many", "--option: cities must be a whole number, not 'many'"),
        ("trains", "towns=3", "a board of trains has no option 'towns'; it has cities=20, width=0, height=0"),
        ("trains", "cities", "--option cities: expected NAME=VALUE"),
        ("fish", "rows=99", "a board has 1 to 25 rows and columns, not 99 and 8"),
        ("labyrinth", "rows=1", "a board has 2 to 25 rows and columns, not 1 and 7"),
    ]:
        result = fairplay("board", game, "new", "--option", option)
        assert (result.exit_code, reason in result.output) == (2, True), result.output
    editor: Any = SimpleNamespace(BOARDS={}, BOARD_FIELD="", random_board=None)
    monkeypatch.setitem(GAMES["fish"].__dict__, "parts", replace(GAMES["fish"].parts, editor=editor))
    assert (
        "fish has no random boards; `fairplay board fish list` names those" in fairplay("board", "fish", "new").output
    )


# -- check -------------------------------------------------------------------------------------


def test_everything_that_is_wrong_is_listed_with_its_place(fairplay: Fairplay) -> None:
    value: Any = json.loads(fairplay("board", "trains", "new", "--option", "cities=7", "--seed", "1").output)
    value["width"], value["height"] = 5, 1
    Path("bad.json").write_text(json.dumps(value))
    checked = fairplay("board", "trains", "check", "bad.json")
    assert checked.exit_code == 1
    assert "$.width: width 5 is not between 10 and 800" in checked.output
    assert "$.height: " in checked.output
    assert "bad.json: " in checked.output.splitlines()[-1] and checked.output.endswith(" flaws\n")
    report = json.loads(fairplay("board", "trains", "check", "bad.json", "--json").output)
    assert (report["valid"], report["flaws"][0]["at"], report["seats"]) == (False, "$.width", [])


@pytest.mark.parametrize(
    ("game", "board", "problem"),
    [
        ("trains", '{"width":10,"height":10,"cities":[],"connections":{}}', "Two players need 7 destinations"),
        ("fish", '{"board":[[1,1]]}', "The penguins of two players need 8 tiles; this board has 2."),
        ("labyrinth", '{"tiles":["││","││"],"spare":"│"}', "Two players need two homes"),
    ],
)
def test_a_board_that_nobody_can_play_on_says_why(fairplay: Fairplay, game: str, board: str, problem: str) -> None:
    Path("small.json").write_text(board)
    checked = fairplay("board", game, "check", "small.json")
    assert checked.exit_code == 1
    assert "which nobody can play on yet" in checked.output
    assert problem in checked.output


def test_what_is_not_there_or_not_a_board_is_refused(fairplay: Fairplay) -> None:
    Path("broken.json").write_text("{")
    Path("wrong.json").write_text("{}")
    for arguments, reason in [
        (("trains", "check", "nowhere.json"), "there is no file nowhere.json, nor a board of that name; the boards of"),
        (("fish", "draw", "broken.json"), "broken.json: malformed JSON"),
        (("fish", "draw", "wrong.json"), "wrong.json: Object missing required field"),
        (("nim", "list"), "nim has no boards to choose from"),
        (("chess", "list"), "there is no game 'chess'"),
    ]:
        result = fairplay("board", *arguments)
        assert (result.exit_code, reason in result.output) == (2, True), result.output


# -- playing -----------------------------------------------------------------------------------


def test_a_match_on_a_map(fairplay: Fairplay) -> None:
    fairplay("board", "trains", "new", "--option", "cities=12", "--seed", "1", "--out", "mine.json")
    for board in ("mine.json", "tiny"):
        played = fairplay(
            "play",
            "trains",
            "buy-now",
            "hold-10",
            "--board",
            board,
            "--seed",
            "1",
            "--setup",
            '{"rails": 20}',
            "--json",
        )
        assert json.loads(played.output)["setup"]["rails"] == 20
    assert json.loads(played.output)["setup"]["map"] == "tiny", "a record names it"


@pytest.mark.parametrize(("game", "board"), [(game, board) for game, board in BOARDS if game != "trains"])
def test_a_match_on_a_board_by_name_and_from_a_file(fairplay: Fairplay, game: str, board: str) -> None:
    """Where nobody says otherwise, the variant is one that goes with the board."""
    editor = GAMES[game].parts.editor
    assert editor is not None
    Path("saved.json").write_text(json.dumps(editor.start_drawing(board)))
    setups = [
        json.loads(fairplay("play", game, "random", "random", "--board", given, "--seed", "1", "--json").output)[
            "setup"
        ]
        for given in (board, "saved.json")
    ]
    assert setups[0] == setups[1]
    assert setups[0]["board"]


def test_a_board_that_cannot_be_played_on_is_refused(fairplay: Fairplay) -> None:
    Path("torn.json").write_text("{")
    Path("bad.json").write_text('{"width": 5, "height": 100, "cities": [], "connections": {}}')
    for game, board, sentence in [
        ("trains", "torn.json", "torn.json: malformed JSON"),
        ("trains", "bad.json", "bad.json: width 5 is not between 10 and 800 at $.width"),
        ("trains", "nowhere", "there is no file nowhere, nor a board of that name; the boards of trains are coast, "),
        ("nim", "tiny", "nim has no boards to choose from"),
    ]:
        result = fairplay("play", game, "random", "random", "--board", board)
        assert (result.exit_code, sentence in result.output) == (2, True), result.output
    result = fairplay("play", "fish", "random", "random", "--board", "original", "--variant", "standard")
    assert (result.exit_code, "it is for the original game only" in result.output) == (2, True)


def test_a_tournament_on_a_board(fairplay: Fairplay) -> None:
    for key in ("board", "map"):
        Path("contest.toml").write_text(f'game = "trains"\nplayers = ["random", "buy-now"]\n{key} = "tiny"\nseed = 1\n')
        result = fairplay("tournament", "run", "contest.toml", "--jobs", "1", "--db", f"{key}.db")
        assert result.exit_code == 0, result.output
    result = fairplay(
        "tournament", "run", "fish", "random", "greedy", "--board", "small", "--games", "1", "--jobs", "1"
    )
    assert result.exit_code == 0, result.output
