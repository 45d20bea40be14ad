"""Labyrinth as a drawing: what is in it, and what is not."""

from __future__ import annotations

from xml.etree import ElementTree

from msgspec.structs import replace

from fairplay.core import Turn
from fairplay.core.chance import derived
from fairplay.games.labyrinth import GAME, rules
from fairplay.games.labyrinth.board import NOWHERE, Slide
from fairplay.games.labyrinth.deal import TREASURES
from fairplay.games.labyrinth.goals import locate_target
from fairplay.games.labyrinth.state import Pass, Setup
from games.labyrinth.drawing.pictures import SVG, drawn, marked, titles
from games.labyrinth.worlds import ANN, BOB, started, to, turns


def test_every_tile_has_its_path_and_its_gems_by_name() -> None:
    state = started()
    root = drawn(state)
    assert {tile.get("data-at"): tile.get("data-tile") for tile in marked(root, "data-tile")}["1,3"] == "│"
    assert len(list(marked(root, "data-tile"))) == 15
    gems = [use for use in root.iter(f"{SVG}use") if use.get("fill") is not None]
    assert len(gems) == 2 * len(state.board.gems)
    assert "row 1, column 3: garnet and zircon; home of player 2 (blue)" in titles(root)
    assert "row 2, column 4: spinel and zircon; player 1 (red) stands here" in titles(root)
    assert "spare tile: aplite and ruby" in titles(root)


def test_homes_avatars_spare_tile_and_arrows() -> None:
    root = drawn(started())
    assert {element.get("data-home"): element.get("data-on") for element in marked(root, "data-home")} == {
        "0": "1,1",
        "1": "1,3",
    }
    pawns = {e.get("data-seat"): e.get("data-on") for e in marked(root, "data-seat") if e.get("data-on")}
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
    assert (walk.get("d") or "").count("L") == 3  # (2,0), (2,1), (1,1) or (2,2), (1,2)
    later = turns(after, Pass())
    assert not list(marked(drawn(later, Turn(after, BOB, Pass(), later)), "data-walk"))
    moved_on = turns(after, to(0, "LEFT", (1, 1)))
    assert not list(marked(drawn(moved_on, Turn(state, ANN, move, after)), "data-walk"))


def test_a_goal_is_shown_to_its_owner_alone() -> None:
    """Labyrinth 3.11."""
    (mark,) = marked(drawn(rules.view(started(), ANN)), "data-goal")
    assert mark.get("data-on") == "1,3"
    assert not list(marked(drawn(started()), "data-goal"))
    others = replace(started(), targets=((1, 3), (1, 3)), queue=())
    assert GAME.picture(rules.view(others, ANN)) == GAME.picture(rules.view(started(), ANN))


def test_a_treasure_is_marked_where_its_tile_lies() -> None:
    """Labyrinth 13.5: on the board or on the spare tile."""
    state = next(
        state
        for seed in range(99)
        if (state := rules.start(Setup("original"), 2, derived(seed))).board.gems[-1][0] == state.board.gems[-1][1]
    )
    for target in (*TREASURES[::5], state.board.gems[-1][0]):
        (mark,) = marked(drawn(rules.view(replace(state, targets=(target, "ruby")), ANN)), "data-goal")
        where = locate_target(state.board, target)
        assert mark.get("data-on") == (None if where is None else f"{where[0]},{where[1]}")
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
    root = ElementTree.fromstring(GAME.picture(state, open=True))
    assert [(e.get("data-goal"), e.get("data-on")) for e in marked(root, "data-goal")] == [("0", "1,3"), ("1", "1,3")]
    assert "blue, 1 found" in GAME.picture(state, open=True)
    assert "found" not in GAME.picture(state)
    assert GAME.picture(rules.view(state, ANN), open=True) == GAME.picture(rules.view(state, ANN))
    gone = ElementTree.fromstring(GAME.picture(rules.remove(state, BOB), open=True))
    assert [e.get("data-goal") for e in marked(gone, "data-goal")] == ["0"]


def test_a_chosen_slide_frames_its_line_and_shows_the_inserted_tile() -> None:
    view = rules.view(started(), ANN)
    root = ElementTree.fromstring(GAME.picture(view, chosen=["slide=2,DOWN", "turn=90"]))
    assert [e.get("data-sliding") for e in marked(root, "data-sliding")] == ["2,DOWN"]
    assert not list(marked(root, "data-last"))
    assert [e.get("data-spare") for e in marked(root, "data-spare")] == ["┴"]  # what lies at (0,2)
    assert [e.get("data-turn") for e in marked(root, "data-turn")] == ["180", "0"]
    assert not list(marked(drawn(view), "data-turn"))


def test_a_treasure_that_was_pushed_out_is_nowhere() -> None:
    state = rules.start(Setup("original"), 2, derived(1))
    spare = state.board.gems[-1]
    treasure = replace(state, board=replace(state.board, gems=(*state.board.gems[:-1], ("ruby", "ruby"))))
    view = replace(rules.view(treasure, ANN), target="ruby")
    assert spare != ("ruby", "ruby")
    assert len(list(marked(drawn(view), "data-goal"))) == 1
    preview = ElementTree.fromstring(GAME.picture(view, chosen=["slide=1,LEFT"]))
    assert not list(marked(preview, "data-goal"))
