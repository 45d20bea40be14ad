"""Fish in words and in a picture."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.games.fish import GAME, rules, words
from fairplay.games.fish.state import Move, Place, Setup, State, View

SVG = "{http://www.w3.org/2000/svg}"
SPOTS = [(0, 0), (0, 1), (0, 2), (0, 3), (1, 0), (1, 1), (1, 2), (1, 3)]


def moving() -> State:
    state = rules.start(Setup(rows=3, columns=4, fish=2, holes=((2, 3),)), 2, derived(1))
    for spot in SPOTS:
        state = rules.apply(state, Place(spot))
    return state


def test_a_board_and_a_turn_in_words() -> None:
    state = moving()
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
    assert words.turn(Turn(state, Seat(0), move, after)) == "red moves (0,0) to (2,0), 2 fish"
    start = rules.start(Setup(), 2, derived(1))
    place = Place((3, 4))
    assert words.turn(Turn(start, Seat(0), place, rules.apply(start, place))) == "red places a penguin on (3,4)"


def test_facts_are_the_same_for_everybody() -> None:
    state = rules.apply(moving(), Move((0, 0), (2, 0)))
    expected = {Seat(0): (("fish", "2"), ("penguins", "4 of 4")), Seat(1): (("fish", "0"), ("penguins", "4 of 4"))}
    assert words.facts(state) == words.facts(View(Seat(1), state)) == expected
    assert words.facts(rules.remove(state, Seat(0))).keys() == {Seat(1)}
    original = rules.start(Setup("original"), 3, derived(1))
    assert words.facts(original)[Seat(2)] == (("fish", "0"), ("tiles", "0"), ("penguins", "0 of 3"))


def test_a_picture_shows_tiles_holes_penguins_the_last_move_and_scores() -> None:
    state = moving()
    move = Move((0, 0), (2, 0))
    after = rules.apply(state, move)
    drawing = GAME.picture(after, Turn(state, Seat(0), move, after))
    root = ElementTree.fromstring(drawing)
    tiles = {group.get("data-at"): group.get("data-fish") for group in root.iter(f"{SVG}g") if group.get("data-fish")}
    assert len(tiles) == 11  # all but the spot that never was a tile
    assert tiles["0,0"] == "0"
    assert tiles["2,1"] == "2"
    penguins = [group for group in root.iter(f"{SVG}g") if group.get("data-seat") and group.get("data-at")]
    assert sorted(group.get("data-at", "") for group in penguins if group.get("data-seat") == "0") == [
        "0,2",
        "1,0",
        "1,2",
        "2,0",
    ]
    assert len([path for path in root.iter(f"{SVG}path") if path.get("class") == "path"]) == 1
    assert root.get("aria-label") == "Fish: red 2 fish, white 0 fish; white to move"
    assert drawing._repr_svg_() == drawing


def test_a_view_says_which_seat_is_looking() -> None:
    assert "red (you)" in GAME.picture(View(Seat(0), moving()))
    assert "(you)" not in GAME.picture(moving())


def test_the_end_and_removals_are_shown() -> None:
    state = moving()
    for seat in range(2):
        state = rules.remove(state, Seat(seat))
    drawing = GAME.picture(state)
    assert "nobody is left; over" in drawing
    assert drawing.count(">removed<") == 2


def test_what_a_bot_asks_its_view() -> None:
    state = rules.apply(moving(), Move((0, 0), (2, 0)))
    view = View(Seat(1), state)
    assert [view.fish_at(spot) for spot in [(0, 0), (0, 1), (2, 1), (2, 3), (9, 9)]] == [0, 2, 2, 0, 0]
    assert view.penguins() == [(0, 1), (0, 3), (1, 1), (1, 3)]
    assert view.penguins(Seat(0)) == [(2, 0), (0, 2), (1, 0), (1, 2)]
