"""Drawing a map of Trains."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from fairplay.core import UsageError, WireError
from fairplay.core.chance import derived
from fairplay.games.trains.drawing import editor
from fairplay.games.trains.drawing.map_drawing import MAX_CITIES, MAX_CONNECTIONS, drawing_from_json
from fairplay.games.trains.map import Connection, find_map_flaws
from fairplay.games.trains.maps.files import map_to_json, packaged_maps
from fairplay.games.trains.rules import start
from fairplay.games.trains.state import Setup


def clicked(drawing: Any, *clicks: str) -> Any:
    """The drawing after clicks such as ``city spot=0,0 Ash``: tool, element, text."""
    for click in clicks:
        tool, element, *text = click.split(" ", 2)
        drawing = editor.edit_drawing(drawing, tool, element, "".join(text))
    return drawing


TWO = clicked(editor.start_drawing("empty"), "city spot=40,80 Ash", "city spot=200,80 Birch")


def names(drawing: Any) -> list[str]:
    return [name for name, _ in drawing["cities"]]


def lines(drawing: Any) -> list[str]:
    return [str(one) for one in drawing_from_json(drawing).map.connections]


def test_a_drawing_begins_empty_or_with_a_packaged_map() -> None:
    assert list(editor.STARTS) == ["empty", *packaged_maps()]
    assert names(editor.start_drawing("empty")) == []
    assert editor.start_drawing("small") == {**map_to_json(packaged_maps()["small"].map), "marked": None}


def test_cities_are_added_where_one_clicks() -> None:
    assert TWO["cities"] == [["Ash", [40, 80]], ["Birch", [200, 80]]]
    nameless = clicked(TWO, "city spot=0,0", "city spot=0,40")
    assert len(set(names(nameless))) == 4
    assert list(find_map_flaws(drawing_from_json(nameless).map)) == []


def test_cities_are_renamed_with_all_that_leads_there() -> None:
    joined = clicked(TWO, "red-3 city=Ash", "red-3 city=Birch", "red-3 city=Ash")
    renamed = clicked(joined, "city city=Ash Zoe")
    assert names(renamed) == ["Zoe", "Birch"]
    assert lines(renamed) == ["Birch - Zoe (red 3)"]
    assert renamed["marked"] == "Zoe"
    assert clicked(TWO, "city city=Birch Elm")["marked"] is None


def test_a_city_moves_in_two_clicks() -> None:
    chosen = clicked(TWO, "move city=Ash")
    assert chosen["marked"] == "Ash"
    assert "Ash is chosen" in editor.show_drawing(chosen).prompt
    assert clicked(chosen, "move city=Ash")["marked"] is None
    moved = clicked(chosen, "move spot=60,90")  # near to where it lay
    assert moved["cities"] == [["Ash", [60, 90]], ["Birch", [200, 80]]]
    assert moved["marked"] is None
    assert editor.show_drawing(moved).prompt == ""


def test_two_clicks_connect_two_cities() -> None:
    one = clicked(TWO, "red-3 city=Birch", "red-3 city=Ash")
    assert lines(one) == ["Ash - Birch (red 3)"]
    assert one["marked"] is None
    assert lines(clicked(one, "blue-4 city=Ash", "blue-4 city=Birch")) == [
        "Ash - Birch (red 3)",
        "Ash - Birch (blue 4)",
    ]
    assert lines(clicked(one, "red-5 city=Ash", "red-5 city=Birch")) == ["Ash - Birch (red 5)"]


def test_a_connection_changes_by_a_click() -> None:
    two = clicked(TWO, "red-3 city=Ash", "red-3 city=Birch", "blue-4 city=Ash", "blue-4 city=Birch")
    assert lines(clicked(two, "green-5 line=Ash|Birch|red")) == ["Ash - Birch (blue 4)", "Ash - Birch (green 5)"]
    assert lines(clicked(two, "blue-3 line=Ash|Birch|red")) == ["Ash - Birch (blue 3)"]
    chosen = clicked(two, "move city=Birch", "red-4 line=Ash|Birch|red")
    assert chosen["marked"] == "Birch"


def test_what_is_removed_takes_its_connections_along() -> None:
    two = clicked(TWO, "red-3 city=Ash", "red-3 city=Birch", "blue-4 city=Ash", "blue-4 city=Birch")
    assert lines(clicked(two, "remove line=Ash|Birch|red")) == ["Ash - Birch (blue 4)"]
    alone = clicked(two, "move city=Ash", "remove city=Ash")
    assert (names(alone), lines(alone), alone["marked"]) == (["Birch"], [], None)
    assert clicked(two, "move city=Birch", "remove city=Ash")["marked"] == "Birch"


def test_a_click_too_near_to_a_city_means_the_nearest_free_spot() -> None:
    assert clicked(TWO, "city spot=70,90 Elm")["cities"][-1] == ["Elm", [80, 80]]
    assert clicked(TWO, "move city=Ash", "move spot=190,90")["cities"][0] == ["Ash", [160, 80]]
    crowded = editor.start_drawing("empty") | {"width": 10, "height": 10}
    full = clicked(crowded, *(f"city spot={x},{y}" for x in range(11) for y in range(11) if (x, y) < (9, 1)))
    assert len(names(full)) == MAX_CITIES


def test_where_only_a_city_can_be_meant_a_click_beside_it_counts() -> None:
    assert clicked(TWO, "red-3 spot=40,80")["marked"] == "Ash"
    assert lines(clicked(TWO, "red-3 spot=40,80", "red-3 spot=200,80")) == ["Ash - Birch (red 3)"]
    assert clicked(TWO, "move spot=40,80")["marked"] == "Ash"
    assert names(clicked(TWO, "remove spot=50,90")) == ["Birch"]


@pytest.mark.parametrize(
    ("click", "reason"),
    [
        ("city spot=0,0 Ash", "there is already a city called Ash"),
        ("city spot=0,0 Köln", "a city cannot be called 'Köln'"),
        ("city city=Ash", "type another name for Ash first"),
        ("city city=Ash <b>", "a city cannot be called '<b>'"),
        ("city spot=801,0 Elm", "off the map of 800 by 560"),
        ("city spot=0,561 Elm", "off the map of 800 by 560"),
        ("city line=Ash|Birch|red Elm", "click a free spot for a new city"),
        ("move spot=0,0", "click the city that is to move first"),
        ("move line=Ash|Birch|red", "click the city that is to move"),
        ("move city=Elm", "there is no city 'Elm'"),
        ("remove spot=0,0", "click the city or the connection"),
        ("remove city=Elm", "there is no city 'Elm'"),
        ("remove line=Ash|Birch|red", "there is no connection"),
        ("red-3 spot=0,0", "a connection joins two cities"),
        ("red-6 city=Ash", "no tool 'red-6'"),
    ],
)
def test_what_makes_no_sense_is_said(click: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        clicked(TWO, click)


def test_a_map_must_have_enough_destinations() -> None:
    """Trains 2.2."""
    drawing = clicked(TWO, *(f"city spot={80 * place},400 C{place}" for place in range(6)))
    sheet = editor.show_drawing(clicked(drawing, "red-3 city=Ash", "red-3 city=Birch"))
    assert sheet.seats == ()
    assert sheet.problems == (
        "Two players need 7 destinations: pairs of cities with a way from one to the other. This map has 1.",
        "No connection leads to C0, C1, C2, C3, C4 and 1 more.",
    )
    assert editor.show_drawing(editor.start_drawing("tiny")).seats == (2, 3, 4, 5, 6)
    ring = clicked(editor.start_drawing("empty"), *(f"city spot={80 * place},0 C{place}" for place in range(5)))
    for place in range(4):
        ring = clicked(ring, f"red-3 city=C{place}", f"red-3 city=C{place + 1}")
    assert editor.show_drawing(ring).seats == (2, 3)
    four = clicked(ring, "remove city=C4")
    assert editor.show_drawing(four).problems == (
        "Two players need 7 destinations: pairs of cities with a way from one to the other. This map has 6.",
    )


def test_a_map_is_bounded() -> None:
    full = editor.start_drawing("empty")
    full["cities"] = [[f"C{number}", [number % 20 * 40, number // 20 * 40]] for number in range(MAX_CITIES)]
    with pytest.raises(UsageError, match="room for 100 cities"):
        clicked(full, "city spot=800,40")
    pairs = list(combinations(sorted(names(full)), 2))[:MAX_CONNECTIONS]
    for first, second in pairs:
        full["connections"].setdefault(first, {})[second] = {"red": 3}
    with pytest.raises(UsageError, match="room for 250 connections"):
        clicked(full, "blue-3 city=C1", "blue-3 city=C2")
    full["connections"][pairs[0][0]][pairs[0][1]]["blue"] = 3
    with pytest.raises(WireError, match=r"at most 250 connections at \$\.connections$"):
        editor.show_drawing(full)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"width": 801}, r"\$\.width"),
        ({"cities": [["Ash", [0, 0]], ["Birch", [40, 40]], ["Ash", [80, 80]]]}, r"\$\.cities\[2\]\[0\]"),
        ({"cities": [["<b>", [0, 0]]], "connections": {}}, r"\$\.cities\[0\]\[0\]"),
        ({"cities": [["Ash", [0, 0]], ["Birch", [39, 39]]]}, r"\$\.cities\[1\]\[1\]"),
        ({"cities": [["x" * 26, [0, 0]]]}, r"\$\.cities\[0\]\[0\]"),
        ({"cities": [["Ash", [0, 801]]]}, r"\$\.cities\[0\]\[1\]\[1\]"),
        ({"connections": {"Ash": {"Elm": {"red": 3}}}}, r"\$\.connections\.Ash\.Elm"),
        ({"connections": {"Birch": {"Ash": {"red": 3}}}}, r"\$\.connections\.Birch\.Ash"),
        ({"connections": {"Ash": {"Birch": {"pink": 3}}}}, r"key in \$\.connections\[\.\.\.\]\[\.\.\.\]"),
        ({"marked": "Elm"}, r"\$\.marked"),
        ({"about": "a map"}, r"\$"),
    ],
)
def test_what_is_no_map_is_refused_with_its_place(change: dict[str, Any], place: str) -> None:
    with pytest.raises(WireError, match=f" at {place}$"):
        editor.show_drawing(TWO | change)


def test_the_picture_offers_cities_connections_and_free_spots() -> None:
    picture = editor.show_drawing(clicked(TWO, "red-3 city=Ash", "red-3 city=Birch", "move city=Ash")).picture
    assert '<g data-city="Ash"><title>Ash, chosen</title>' in picture
    assert '<g data-city="Birch"><title>Birch</title>' in picture
    assert '<g data-line="Ash|Birch|red"><title>Ash - Birch (red 3)</title>' in picture
    assert 'data-spot="80,80"' in picture
    assert '<g data-spot="40,80"><title>beside Ash</title>' in picture


def test_what_is_drawn_is_dealt() -> None:
    drawing = clicked(editor.start_drawing("tiny"), "city spot=0,0 Zelkova", "white-5 city=Ash", "white-5 city=Zelkova")
    state = start(editor.setup_on(drawing, Setup(rails=7)), 2, derived(1))
    assert Connection("Ash", "Zelkova", "white", 5) in state.network.connections
    assert state.rails == (7, 7)
