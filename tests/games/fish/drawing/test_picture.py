"""Pictures of Fish show what there is, for people and for screen readers."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from fairplay.core import Picture, Seat, Turn
from fairplay.core.chance import derived
from fairplay.games.fish import rules
from fairplay.games.fish.drawing.picture import draw_picture
from fairplay.games.fish.state import Move, Place, Setup, State, View
from games.fish.samples import moving_state

SVG = "{http://www.w3.org/2000/svg}"
MOVE = Move((0, 0), (2, 0))


def keyed(picture: Picture) -> dict[str, ElementTree.Element]:
    """The elements that pages animate, by key."""
    return {key: element for element in ElementTree.fromstring(picture).iter() if (key := element.get("data-key"))}


def drawn_turn() -> tuple[Picture, Picture]:
    """Before and after a move."""
    before = moving_state()
    after = rules.apply(before, MOVE)
    return draw_picture(before), draw_picture(after, Turn(before, Seat(0), MOVE, after))


def test_a_picture_shows_tiles_penguins_the_last_move_and_scores() -> None:
    _, drawing = drawn_turn()
    root = ElementTree.fromstring(drawing)
    tiles = [element for element in keyed(drawing).values() if element.get("class") == "tile"]
    assert {tile.get("data-at") for tile in tiles} == {
        f"{row},{column}" for row in range(3) for column in range(4) if (row, column) not in ((0, 0), (2, 3))
    }
    assert keyed(drawing)["tile-2-1"].findtext(f"{SVG}title") == "(2,1): 2 fish"
    penguins = {key: element.get("data-at") for key, element in keyed(drawing).items() if key.startswith("penguin-0-")}
    assert penguins == {"penguin-0-0": "2,0", "penguin-0-1": "0,2", "penguin-0-2": "1,0", "penguin-0-3": "1,2"}
    marks = [element.get("class") for element in root.iter() if "trail" in element.get("class", "")]
    assert marks == ["trail left", "trail halo", "trail path", "trail came"]
    assert root.get("aria-label") == "Fish: red 2 fish, white 0 fish; white to move"
    assert drawing._repr_svg_() == drawing


def test_a_penguin_glides_and_the_tile_it_left_sinks() -> None:
    old, new = map(keyed, drawn_turn())
    assert old.keys() - new.keys() == {"tile-0-0"}
    assert new.keys() <= old.keys()
    gone = old["tile-0-0"]
    assert (gone.get("data-leave"), gone.get("data-step")) == ("sink", "1")  # once the penguin has gone
    assert [key for key in new if old[key].get("transform") != new[key].get("transform")] == ["penguin-0-0"]
    assert new["penguin-0-0"].get("transform") == new["tile-2-0"].get("transform")


def test_every_key_has_a_place_of_its_own() -> None:
    elements = [element for element in ElementTree.fromstring(drawn_turn()[1]).iter() if element.get("data-key")]
    assert len({element.get("data-key") for element in elements}) == len(elements) == 10 + 8
    assert all((element.get("transform") or "").startswith("translate(") for element in elements)
    penguins = [element for element in elements if element.get("class") == "penguin"]
    assert {(one.get("data-enter"), one.get("data-leave")) for one in penguins} == {("drop", "fade")}


def test_a_placement_is_marked_too() -> None:
    before = rules.start(Setup(), 2, derived(1))
    after = rules.apply(before, Place((3, 4)))
    drawing = draw_picture(after, Turn(before, Seat(0), Place((3, 4)), after))
    assert drawing.body.count('class="trail') == drawing.body.count('class="trail came"') == 1


def play_on(state: State) -> list[State]:
    """All states of a match in which everyone does the first thing allowed."""
    states = [state]
    while (seat := states[-1].turn) is not None:
        states.append(rules.apply(states[-1], rules.legal_actions(rules.view(states[-1], seat))[0]))
    return states


@pytest.mark.parametrize("setup", [Setup(rows=4, columns=4, holes=((1, 1),)), Setup("original")])
def test_a_match_has_one_head_for_all_moments_and_viewers(setup: Setup) -> None:
    states = play_on(rules.start(setup, 3, derived(1)))
    pictures = [
        draw_picture(shown, seats=False)
        for state in states
        for shown in (state, View(Seat(0), state), View(Seat(2), state))
    ]
    assert len({picture.head for picture in pictures}) == 1
    assert len({picture.body for picture in pictures}) == len(states)


@pytest.mark.parametrize("setup", [Setup(), Setup("original")])
def test_pictures_are_small(setup: Setup) -> None:
    for state in play_on(rules.start(setup, 4, derived(1))):
        picture = draw_picture(state)
        assert len(picture) < 40_000
        assert len(picture.body) < 16_000


def test_what_is_lit_or_chosen_is_marked_with_its_penguin() -> None:
    elements = keyed(draw_picture(moving_state(), lit=["at=2,1", "at=0,2"], chosen=["at=0,0"]))
    marked = {key: mark for key, one in elements.items() if (mark := (one.get("class") or "").partition(" ")[2])}
    assert marked == {
        "tile-0-0": "chosen",
        "penguin-0-0": "chosen",
        "tile-0-2": "lit",
        "penguin-0-1": "lit",
        "tile-2-1": "lit",
    }


def test_a_view_says_which_seat_is_looking() -> None:
    assert "red (you)" in draw_picture(View(Seat(0), moving_state()))
    assert "(you)" not in draw_picture(moving_state())


def test_the_end_and_removals_are_shown() -> None:
    state = moving_state()
    for seat in range(2):
        state = rules.remove(state, Seat(seat))
    drawing = draw_picture(state)
    assert "nobody is left; over" in drawing
    assert drawing.count(">removed<") == 2
    assert "penguin-" not in "".join(keyed(drawing))
