"""The drawing: all that is public, and of what is private only the looker's own."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.core import Seat, Turn
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.drawing.paint import SEAT_INKS
from fairplay.games.trains.drawing.picture import picture, picture_of_map
from fairplay.games.trains.map_files import MAPS, map_from_json
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Setup, State
from games.trains.sheets import MAP_M, cards, line, played

M = map_from_json(MAP_M)
A, B = Seat(0), Seat(1)
SVG = "{http://www.w3.org/2000/svg}"


def drawn(text: str) -> ElementTree.Element:
    return ElementTree.fromstring(text)


def marked(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if f"data-{name}" in element.attrib]


def some_state() -> State:
    start = played(Setup(map=M, deck=cards("rrrrbbbb" + "gw"), destinations="ordered"), 2)
    return rules.apply(start, Acquire(line("Alma-Bree red 3")))


def test_a_map_shows_every_city_and_every_connection_separately() -> None:
    """Trains 12.4: with colour, and as many segments as it is long."""
    for sheet in MAPS.values():
        root = drawn(picture_of_map(sheet.map))
        assert {city.get("data-city") for city in marked(root, "city")} == {city.name for city in sheet.map.cities}
        lines = {element.get("data-connection"): element for element in marked(root, "connection")}
        assert lines.keys() == {f"{one.first}|{one.second}|{one.colour}|{one.length}" for one in sheet.map.connections}
        for key, element in lines.items():
            _, _, colour, length = (key or "").split("|")
            (row,) = element.iter(f"{SVG}path")
            assert row.get("class") == f"segment {colour}"
            assert (row.get("d") or "").count("z") == int(length)


def test_owners_are_shown_by_their_seat() -> None:
    root = drawn(picture(some_state()))
    owned = [element for element in marked(root, "owner") if element.get("data-owner")]
    assert [(one.get("data-connection"), one.get("data-owner")) for one in owned] == [("Alma|Bree|red|3", "0")]
    assert SEAT_INKS[0] in ElementTree.tostring(owned[0], "unicode")
    assert "owned by amber" in picture(some_state())


def test_a_view_shows_its_own_hand_and_destinations_and_a_state_nobodys() -> None:
    state = some_state()
    mine = drawn(picture(rules.view(state, B)))
    assert [card.get("data-count") for card in marked(mine, "card")] == ["0", "4", "0", "0"]
    wanted = [element.get("data-destination") for element in marked(mine, "destination")]
    assert wanted == ["|".join(pair) for pair in state.destinations[B]]
    public = picture(state)
    assert not marked(drawn(public), "card")
    assert not marked(drawn(public), "destination")
    assert "Alma to" not in public


def test_an_offer_is_shown_to_the_one_who_picks() -> None:
    state = rules.start(Setup(map=M), 2, derived(0))
    assert len(marked(drawn(picture(rules.view(state, A))), "offer")) == 5
    assert not marked(drawn(picture(rules.view(state, B))), "offer")
    assert "amber to pick destinations" in picture(state)


def test_points_are_shown_at_the_end_and_not_before() -> None:
    state = played(Setup(map=M, rails=3, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    state = rules.apply(state, Acquire(line("Alma-Bree red 3")))
    assert "points</text>" not in picture(state)
    over = rules.apply(state, DRAW)
    assert over.turn is None
    assert "23 points</text>" in picture(over)
    assert "; over" in picture(over)
    assert "points</text>" not in picture(rules.view(over, A))  # others' destinations are not known


def test_the_last_turn_is_marked() -> None:
    before = played(Setup(map=M, deck=cards("rrrrbbbb" + "gw"), destinations="ordered"), 2)
    take = Acquire(line("Alma-Bree red 3"))
    after = rules.apply(before, take)
    assert 'class="last"' in picture(after, Turn(before, A, take, after))
    assert 'class="last"' not in picture(after)
    later = rules.apply(after, DRAW)
    assert "just drew" in picture(later, Turn(after, B, DRAW, later))


def test_removed_seats_say_so_and_many_seats_fit() -> None:
    state = rules.remove(played(Setup(map="vast", fewest=2, most=12), 12), A)
    root = drawn(picture(state))
    assert len(marked(root, "seat")) == 12
    assert "removed" in picture(state)


def test_an_empty_table_is_drawn() -> None:
    state = rules.remove(rules.remove(some_state(), A), B)
    assert "nobody is left; over" in picture(state)


def test_colours_have_shapes_of_their_own() -> None:
    """Who cannot tell the colours apart sees square, round and pointed ends, and white is hollow."""
    root = drawn(picture_of_map(MAPS["continent"].map))
    shapes = {}
    for element in marked(root, "connection"):
        (row,) = element.iter(f"{SVG}path")
        shapes[(element.get("data-connection") or "").split("|")[2]] = set(row.get("d") or "") - set("0123456789.- ")
    assert shapes == {"red": set("Mhvz"), "white": set("Mhvz"), "blue": set("Mhaz"), "green": set("Mlhz")}


def test_an_open_picture_shows_every_hand_and_every_destination() -> None:
    state = some_state()
    opened = picture(state, open=True)
    assert "✓ Alma to Bree; Alma to Cove" in opened
    assert "Alma to Dell; Alma to Erin" in opened
    assert ">1r<" in opened and ">4b<" in opened
    assert "points</text>" in opened
    assert picture(rules.view(state, B), open=True) == picture(rules.view(state, B))
    gone = rules.remove(state, A)
    assert "Alma to Bree" not in picture(gone, open=True)


def test_long_destinations_are_squeezed_into_their_line() -> None:
    setup = Setup(map=M, deck=cards("rrrrbbbb"), destinations="ordered", kept=5)
    assert "textLength" in picture(played(setup, 2), open=True)
    assert "textLength" not in picture(some_state(), open=True)


def test_the_seats_can_be_left_away() -> None:
    state = some_state()
    assert marked(drawn(picture(state)), "seat")
    assert not marked(drawn(picture(state, seats=False)), "seat")
    assert len(marked(drawn(picture(state, seats=False, open=True)), "seat")) == 2
    assert marked(drawn(picture(rules.view(state, A), seats=False)), "card")


def test_cities_have_the_numbers_of_the_lookers_destinations() -> None:
    state = some_state()

    def numbers(view: object) -> list[str | None]:
        return [text.text for text in drawn(picture(view)).iter(f"{SVG}text") if text.get("class") == "mark"]

    assert numbers(rules.view(state, A)) == ["1,2", "1", "2", "1", "2"]  # Alma, Bree and Cove, then the list
    assert numbers(state) == []


def test_the_deck_says_how_many_cards_are_left() -> None:
    (deck,) = marked(drawn(picture(some_state())), "deck")
    assert deck.get("data-left") == "2"
    one = played(Setup(map=M, deck=cards("rrrrbbbb" + "g"), destinations="ordered"), 2)
    assert "1 card in the deck" in picture(one)
    assert ">card<" in picture(rules.view(one, A))


def test_destinations_stand_below_the_cards_where_the_sheet_is_narrow() -> None:
    wide = played(Setup(map="continent"), 2)
    narrow = played(Setup(map="tiny"), 2)
    for state, beside in ((wide, True), (narrow, False)):
        root = drawn(picture(rules.view(state, A), seats=False))
        (row, *_), (card, *_) = (
            [inner for one in marked(root, name) for inner in one.iter(f"{SVG}rect")]
            for name in ("destination", "card")
        )
        assert (float(row.get("y", "")) < float(card.get("y", "")) + 82) == beside
