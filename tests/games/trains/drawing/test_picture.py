"""The picture: the map, who owns what, and the last turn."""

from __future__ import annotations

from xml.etree import ElementTree

from fairplay.core import Turn
from fairplay.games.trains import rules
from fairplay.games.trains.drawing.paint import SEAT_PAINTS
from fairplay.games.trains.drawing.picture import draw_map, draw_picture
from fairplay.games.trains.map_files import packaged_maps
from fairplay.games.trains.rules import DRAW
from fairplay.games.trains.state import Acquire, Setup, State, View
from games.trains.drawing.pictures import SVG, A, B, M, elements_with, parse_picture, some_state
from games.trains.sheets import cards, line, played


def test_a_map_shows_every_city_and_every_connection_separately() -> None:
    """Trains 12.4: with colour, and as many segments as it is long."""
    for sheet in packaged_maps().values():
        root = parse_picture(draw_map(sheet.map))
        assert {city.get("data-city") for city in elements_with(root, "city")} == {
            city.name for city in sheet.map.cities
        }
        lines = {element.get("data-connection"): element for element in elements_with(root, "connection")}
        assert lines.keys() == {f"{one.first}|{one.second}|{one.color}|{one.length}" for one in sheet.map.connections}
        for key, element in lines.items():
            _, _, color, length = (key or "").split("|")
            (row,) = element.iter(f"{SVG}path")
            assert row.get("class") == f"segment {color}"
            assert (row.get("d") or "").count("z") == int(length)


def test_owners_are_shown_by_their_seat() -> None:
    root = parse_picture(draw_picture(some_state()))
    owned = [element for element in elements_with(root, "owner") if element.get("data-owner")]
    assert [(one.get("data-connection"), one.get("data-owner")) for one in owned] == [("Alma|Bree|red|3", "0")]
    assert SEAT_PAINTS[0] in ElementTree.tostring(owned[0], "unicode")
    assert "owned by amber" in draw_picture(some_state())


def test_the_last_turn_is_marked() -> None:
    before = played(Setup(map=M, deck=cards("rrrrbbbb" + "gw"), destinations="ordered"), 2)
    take = Acquire(line("Alma-Bree red 3"))
    after = rules.apply(before, take)
    assert 'class="last"' in draw_picture(after, Turn(before, A, take, after))
    assert 'class="last"' not in draw_picture(after)
    later = rules.apply(after, DRAW)
    assert "just drew" in draw_picture(later, Turn(after, B, DRAW, later))


def test_removed_seats_say_so_and_many_seats_fit() -> None:
    state = rules.remove(played(Setup(map="vast", fewest=2, most=12), 12), A)
    root = parse_picture(draw_picture(state))
    assert len(elements_with(root, "seat")) == 12
    assert "removed" in draw_picture(state)


def test_a_match_without_seats_is_drawn() -> None:
    state = rules.remove(rules.remove(some_state(), A), B)
    assert "nobody is left; over" in draw_picture(state)


def test_cities_have_the_numbers_of_the_viewers_destinations() -> None:
    state = some_state()

    def numbers(view: State | View) -> list[str | None]:
        return [
            text.text for text in parse_picture(draw_picture(view)).iter(f"{SVG}text") if text.get("class") == "mark"
        ]

    assert numbers(rules.view(state, A)) == ["1,2", "1", "2", "1", "2"]  # Alma, Bree and Cove, then the list
    assert numbers(state) == []
