"""Labyrinth as a drawing: what is in it, and what is not."""

from __future__ import annotations

import gzip
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import NOWHERE, Slide
from fairplay.games.labyrinth.deal import TREASURES
from fairplay.games.labyrinth.drawing.canvas import slot_middle, tile_middle, translate
from fairplay.games.labyrinth.drawing.picture import STYLE, bind_rule, build_definitions
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Pass, Setup, Variant
from games.labyrinth.drawing.pictures import SVG, drawn, marked, place_of, titles
from games.labyrinth.worlds import ANN, BOB, started, to, turns


def test_every_tile_has_its_path_and_its_gems_by_name() -> None:
    state = started()
    root = drawn(state)
    tiles = {place_of(tile): tile for tile in marked(root, "data-key") if (tile.get("data-key") or "")[0] == "t"}
    assert len(tiles) == 16
    tile = tiles[translate(tile_middle((1, 3)))]
    assert [use.get("href") for use in tile.iter(f"{SVG}use")] == ["#labyrinth-tile-5", "#labyrinth-studs"]
    assert titles(tile) == ["garnet and zircon"]
    assert "aplite and ruby" in titles(root)


def test_places_can_be_clicked_and_stay_where_they_are() -> None:
    root = drawn(started())
    places = {place.get("data-at"): place for place in marked(root, "data-at")}
    assert len(places) == 15
    assert titles(places["1,3"]) == ["row 1, column 3, home of player 2 (blue)"]
    assert titles(places["2,4"]) == ["row 2, column 4"]
    assert places["2,4"].get("transform") == translate(tile_middle((2, 4)))


@pytest.mark.parametrize("variant", ["plain", "multi-goal", "original"])
def test_what_does_not_change_in_a_match_is_drawn_once(variant: Variant) -> None:
    state = rules.start(Setup(variant), 4, derived(5))
    choose = GAME.players.strategies["euclid"](derived(0))
    heads, last = set[str](), None
    for _ in range(6):
        if state.turn is None:
            break
        for shown in (state, *(rules.view(state, seat) for seat in state.seats)):
            picture = GAME.shown.picture(shown, last, seats=False)
            heads.add(picture.head)
            assert len(picture.encode()) < 60_000
            assert len(picture.body.encode()) < 26_000
            assert len(gzip.compress(picture.body.encode(), mtime=0)) < 5_000
        action = choose(rules.view(state, state.turn))
        last = Turn(state, state.turn, action, rules.apply(state, action))
        state = rules.remove(last.after, Seat(3)) if state.turn == 3 else last.after
    assert len(heads) == 1


def test_no_two_elements_share_a_key_and_each_has_a_place() -> None:
    for state in (started(), rules.start(Setup("original"), 4, derived(1))):
        keyed = list(marked(ElementTree.fromstring(GAME.shown.picture(state, open=True)), "data-key"))
        assert len({element.get("data-key") for element in keyed}) == len(keyed)
        assert all((element.get("transform") or "").startswith("translate(") for element in keyed)


def test_the_forbidden_arrow_is_barred() -> None:
    arrows = {arrow.get("data-slide"): arrow for arrow in marked(drawn(started()), "data-slide")}
    barred = [key for key, arrow in arrows.items() if any(use.get("class") == "bar" for use in arrow.iter())]
    assert barred == ["0,RIGHT"]


def test_a_goal_that_is_reached_disappears_and_the_next_one_appears() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90))
    arrival = to(0, "LEFT", (1, 1))
    after = turns(state, arrival)
    (old,) = marked(drawn(rules.view(state, BOB)), "data-goal")
    (new,) = marked(drawn(rules.view(after, BOB), Turn(state, BOB, arrival, after)), "data-goal")
    assert (old.get("data-key"), old.get("data-leave")) == ("goal-mine-1,1", "shrink")
    assert (new.get("data-key"), new.get("data-enter"), new.get("data-step")) == ("goal-mine-1,3", "grow", "3")


def test_homes_avatars_spare_tile_and_arrows() -> None:
    root = drawn(started())
    assert {element.get("data-home"): element.get("data-on") for element in marked(root, "data-home")} == {
        "0": "1,1",
        "1": "1,3",
    }
    pawns = {e.get("data-seat"): e.get("data-on") for e in marked(root, "data-seat") if e.get("data-on")}
    assert {e.get("data-key") for e in marked(root, "data-seat") if e.get("data-on")} == {"pawn-0", "pawn-1"}
    assert pawns == {"0": "2,4", "1": "2,1"}
    assert [element.get("data-spare") for element in marked(root, "data-spare")] == ["┐"]
    arrows = {element.get("data-slide") for element in marked(root, "data-slide")}
    assert arrows == {f"{shift.slide.index},{shift.slide.direction}" for shift in started().board.grid.shifts}


def test_the_last_slide_is_marked_and_its_undo_greyed() -> None:
    root = drawn(started())
    assert [element.get("data-last") for element in marked(root, "data-last")] == ["0,LEFT"]
    assert "last slide: row 0 left" in titles(root)
    assert "would undo the last slide: row 0 right" in titles(root)
    down = drawn(turns(started(), to(2, "DOWN", (2, 3))))
    assert [element.get("data-last") for element in marked(down, "data-last")] == ["2,DOWN"]
    assert not list(marked(drawn(replace(started(), last=None)), "data-last"))
    assert not list(marked(drawn(replace(started(), last=Slide(99, "UP"))), "data-last"))


def test_the_last_walk_follows_the_way() -> None:
    state, move = started(), to(2, "RIGHT", (1, 2), 90)
    after = turns(state, move)
    (walk,) = marked(drawn(after, Turn(state, ANN, move, after)), "data-walk")
    assert walk.get("data-walk") == "0"
    assert (walk[0].get("d") or "").count("L") == 3  # (2,0), (2,1), (1,1) or (2,2), (1,2)
    assert (walk.get("data-enter"), walk.get("data-step")) == ("fade", "3")
    later = turns(after, Pass())
    assert not list(marked(drawn(later, Turn(after, BOB, Pass(), later)), "data-walk"))
    moved_on = turns(after, to(0, "LEFT", (1, 1)))
    assert not list(marked(drawn(moved_on, Turn(state, ANN, move, after)), "data-walk"))


def test_a_goal_is_shown_to_its_owner_alone() -> None:
    """Labyrinth 3.11."""
    (mark,) = marked(drawn(rules.view(started(), ANN)), "data-goal")
    assert mark.get("data-on") == "1,3"
    assert mark.get("transform") == translate(tile_middle((1, 3)))
    assert not list(marked(drawn(started()), "data-goal"))
    others = replace(started(), targets=((1, 3), (1, 3)), queue=())
    assert GAME.shown.picture(rules.view(others, ANN)) == GAME.shown.picture(rules.view(started(), ANN))


def test_a_treasure_is_marked_where_its_tile_lies() -> None:
    """Labyrinth 13.5: on the board or on the spare tile."""
    state = next(
        state
        for seed in range(99)
        if (state := rules.start(Setup("original"), 2, derived(seed))).board.gems[-1][0] == state.board.gems[-1][1]
    )
    for target in (*TREASURES[::5], state.board.gems[-1][0]):
        root = drawn(rules.view(replace(state, targets=(target, "ruby")), ANN))
        (tile,) = [
            tile
            for tile in marked(root, "data-key")
            if tile.get("data-goal") is None and list(marked(tile, "data-goal"))
        ]
        where = locate_target(state.board, target)
        middle = slot_middle(state.board.grid) if where is None else tile_middle(where)
        assert place_of(tile) == translate(middle)
    assert where is None


def test_shared_places_removed_seats_and_places_off_the_board() -> None:
    state = replace(started(), avatars=((1, 1), (1, 1)), homes=((1, 1), (1, 1)))
    root = drawn(state)
    pawns = [e for e in marked(root, "data-seat") if e.get("data-on") == "1,1"]
    assert len(pawns) == 2
    assert len({ElementTree.tostring(pawn) for pawn in pawns}) == 2
    gone = drawn(rules.remove(started(), BOB))
    assert [element.get("data-home") for element in marked(gone, "data-home")] == ["0"]
    assert "player 2 (blue) at no place" in (gone.get("aria-label") or "")
    off = replace(started(), avatars=((9, 9), NOWHERE), homes=((9, 9), (8, 8)), targets=((7, 7), (7, 7)))
    assert not list(marked(drawn(rules.view(off, ANN)), "data-goal"))
    assert not list(marked(drawn(off), "data-home"))


def test_the_words_of_the_picture_say_who_is_to_move_and_when_it_is_over() -> None:
    assert (drawn(started()).get("aria-label") or "").endswith("player 1 to move")
    assert (drawn(turns(started(), Pass(), Pass())).get("aria-label") or "").endswith("over")
    nobody = replace(started(), avatars=(), homes=(), colors=(), targets=(), found=(), turn=None)
    assert "nobody; over" in (drawn(nobody).get("aria-label") or "")


def test_an_open_picture_shows_every_goal() -> None:
    state = turns(started(), to(2, "RIGHT", (1, 2), 90), to(0, "LEFT", (1, 1)))
    root = ElementTree.fromstring(GAME.shown.picture(state, open=True))
    assert [(e.get("data-goal"), e.get("data-on")) for e in marked(root, "data-goal")] == [("0", "1,3"), ("1", "1,3")]
    assert ">1 found<" in GAME.shown.picture(state, open=True)
    assert "found" not in GAME.shown.picture(state)
    assert GAME.shown.picture(rules.view(state, ANN), open=True) == GAME.shown.picture(rules.view(state, ANN))
    gone = ElementTree.fromstring(GAME.shown.picture(rules.remove(state, BOB), open=True))
    assert [e.get("data-goal") for e in marked(gone, "data-goal")] == ["0"]


# -- styles and definitions -------------------------------------------------------------------


def test_every_rule_is_bound_to_pictures_of_labyrinth() -> None:
    assert bind_rule(".a,.b .c{fill:red}") == ".labyrinth-board .a,.labyrinth-board .b .c{fill:red}"
    for mark in (".lit", ".chosen", ".near", ".hint"):
        assert f"[data-at]{mark}" in STYLE
        assert f"{mark} .plate" in STYLE


def test_what_a_match_does_not_show_is_not_defined() -> None:
    plain, original = build_definitions(2, False), build_definitions(4, True)
    assert "labyrinth-treasure" not in plain
    assert "labyrinth-treasure-amethyst" in original
    assert "labyrinth-pawn-2" not in plain
    for definitions in (plain, original):
        ids = [element.get("id") for element in ElementTree.fromstring(f"<defs>{definitions}</defs>")]
        assert None not in ids
        assert len(set(ids)) == len(ids)


def test_no_class_stands_in_a_definition() -> None:
    """Rules do not reach what is drawn by ``use``."""
    assert 'class="' not in build_definitions(6, True)
