"""The picture: the map, who owns what, and the last turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from fairplay.core import Turn
from fairplay.core.chance import derived
from fairplay.games.trains import rules
from fairplay.games.trains.drawing.paint import SEAT_PAINTS
from fairplay.games.trains.drawing.picture import draw_map, draw_picture
from fairplay.games.trains.maps.files import packaged_maps
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
            row = list(element)[-1]
            assert row.get("class") == color
            assert (row.get("d") or "").count("z") == int(length) * (2 if color == "blue" else 1)


def test_pictures_are_small() -> None:
    """Even when as many seats as there can be have laid all their rails."""
    for name in packaged_maps():
        state = played(Setup(map=name), 2)
        lines = iter(range(len(state.network.connections)))
        owned = tuple(lay_rails(state, lines) for _ in SEAT_PAINTS)
        everyone = replace(state, owned=owned, rails=(0,) * len(owned), hands=state.hands[:1] * len(owned))
        picture = draw_picture(everyone, seats=False)
        assert len(picture) < (120_000 if name == "vast" else 60_000), (name, len(picture))
        assert len(picture.body) < 25_000


def lay_rails(state: State, lines: Iterator[int]) -> int:
    """The mask of the next connections, as far as 45 rails last."""
    rails, mask = 45, 0
    for index in lines:
        rails -= state.network.lengths[index]
        if rails < 0:
            break
        mask |= 1 << index
    return mask


def test_owners_are_shown_by_their_seat() -> None:
    (owned,) = (one for one in parse_picture(draw_picture(some_state())).iter() if one.get("class") == "taken s0")
    assert [use.get("href") for use in owned][-1] == "#trains-badge0"
    assert f".s0{{fill:{SEAT_PAINTS[0]}}}" in draw_picture(some_state())
    assert next(use.get("href") for use in owned) == "#trains-train3"


def test_the_page_is_sent_what_never_changes_once() -> None:
    """Without the seats it is the map alone, always of the same size."""
    state = some_state()
    dealt = rules.start(Setup(map=M), 2, derived(0))
    every: list[State | View] = [dealt, rules.view(dealt, A), state, rules.view(state, A), rules.remove(state, A)]
    pictures = [draw_picture(shown, seats=False, open=open) for shown in every for open in (True, False)]
    assert len({picture.head for picture in pictures}) == 1
    assert not any(elements_with(parse_picture(picture), name) for picture in pictures for name in ("card", "deck"))
    lit = draw_picture(state, seats=False, lit=["connection=Bree|Cove|red|3"], chosen=["connection=Bree|Cove|red|3"])
    assert lit.head == pictures[0].head
    assert '<g class="lit chosen" data-connection="Bree|Cove|red|3"' in lit.body


def test_what_is_taken_lets_clicks_through_to_its_connection() -> None:
    (element,) = [
        one
        for one in elements_with(parse_picture(draw_picture(some_state())), "connection")
        if one.get("data-connection") == "Alma|Bree|red|3"
    ]
    assert element.get("class") is None
    assert ".taken{pointer-events:none}" in draw_picture(some_state())


def test_engines_show_how_many_rails_are_laid() -> None:
    state = played(Setup(map=M, rails=6, deck=cards("rrrrbbbb"), destinations="ordered"), 2)
    after = rules.apply(state, Acquire(line("Alma-Bree red 3")))
    start, halfway = (engine_places(each) for each in (state, after))
    assert start["engine-0"] == start["engine-1"] == halfway["engine-1"] < halfway["engine-0"]
    over = replace(after, rails=(0, 0))
    assert halfway["engine-0"] - start["engine-0"] == (engine_places(over)["engine-0"] - start["engine-0"]) / 2
    assert engine_places(rules.remove(after, A)).keys() == {"engine-1"}


def engine_places(state: State) -> dict[str, int]:
    found = re.findall(r'data-key="(engine-.)" [^>]*translate\((\d+) ', draw_picture(state, seats=False))
    return {key: int(x) for key, x in found}


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
            text.text
            for text in parse_picture(draw_picture(view)).iter(f"{SVG}text")
            if "mark" in text.get("class", "")
        ]

    assert numbers(rules.view(state, A)) == ["1,2", "1", "2", "1", "2"]  # Alma, Bree and Cove, then the list
    assert numbers(state) == []


def test_a_joined_destination_is_marked() -> None:
    view = rules.view(some_state(), A)
    assert draw_picture(view, seats=False).body.count('class="aim done"') == 1  # Bree; Alma belongs to another one too
