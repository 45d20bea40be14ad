"""Drawing a map of Trains: cities on a grid of spots, and the connections between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from fairplay.core import Json, UsageError
from fairplay.core.clicks import parse_click
from fairplay.core.editor import BoardPreview, EditorScreen, Tool, parse_pair, shorten_text
from fairplay.core.immutable import DeferredMapping
from fairplay.games.trains.deal import destinations_needed
from fairplay.games.trains.drawing.editing.editor_picture import draw_drawing, draw_icon
from fairplay.games.trains.drawing.editing.map_drawing import (
    MapDrawing,
    add_city,
    city_near,
    connect_marked,
    drawing_from_json,
    drawing_to_json,
    mark_city,
    move_city,
    remove_city,
    remove_line,
    rename_city,
    replace_line,
    snap_spot,
)
from fairplay.games.trains.drawing.picture import draw_map
from fairplay.games.trains.map import COLORS, LENGTHS, Color, Map, RailNetwork, build_network
from fairplay.games.trains.maps.files import find_flaws, map_from_json, map_to_json, packaged_maps, setup_on_map
from fairplay.games.trains.maps.generator import generate_map
from fairplay.games.trains.state import Setup

__all__ = [
    "BOARDS",
    "BOARD_FIELD",
    "STARTS",
    "edit_drawing",
    "find_flaws",
    "preview_board",
    "random_board",
    "setup_on",
    "show_drawing",
    "start_drawing",
]

SEATS: Final = range(2, 9)  # Trains 1.10

EMPTY: Final = Map(800, 560, (), ())
BOARDS: Final = DeferredMapping(lambda: {name: packaged.about for name, packaged in packaged_maps().items()})
STARTS: Final = DeferredMapping(
    lambda: {"empty": "an empty map", **{name: f"the map {name}" for name in packaged_maps()}}
)
BOARD_FIELD: Final = "map"

ADD: Final = Tool(
    "city", "add or name a city", "Click a free spot for a new city, or a city to rename it.", asks="Name of the city"
)
MOVE: Final = Tool("move", "move a city", "Click the city that is to move.", "Click the free spot where it goes.")
REMOVE: Final = Tool("remove", "remove", "Click the city or the connection that is to go.")
LINES: Final[Mapping[str, tuple[Color, int]]] = {
    f"{color}-{length}": (color, length) for color in COLORS for length in LENGTHS
}
TOOLS: Final = (
    *(ADD, MOVE, REMOVE),
    *(
        Tool(
            key,
            f"{color} {length}",
            "Click two cities to join them, or a connection to change it.",
            "Click the city at the other end.",
            icon=draw_icon(color, length),
        )
        for key, (color, length) in LINES.items()
    ),
)


def start_drawing(start: str) -> Json:
    """Return a new map; raises UsageError if there is no such start."""
    if start not in STARTS:
        raise UsageError(f"a map of Trains starts from {', '.join(STARTS)}, not {shorten_text(start)!r}")
    return drawing_to_json(MapDrawing(EMPTY if start == "empty" else packaged_maps()[start].map))


def random_board(rng: Random, *, cities: int = 20, width: int = 0, height: int = 0) -> Json:
    """Make a map; a side of 0 means that the number of cities decides; raises UsageError."""
    return map_to_json(generate_map(rng, cities, width, height))


def setup_on(board: Json, base: Setup) -> Setup:
    """Return `base` on a map, or on the packaged one of that name; raises WireError or SetupError.

    The map may be larger than one that can be drawn.
    """
    return setup_on_map(board, base)


# -- clicks ------------------------------------------------------------------------------------


def edit_drawing(drawing: Json, tool: str, click: str, text: str) -> Json:
    """Return the drawing after a click; raises WireError or UsageError."""
    drawn = drawing_from_json(drawing)
    name, value = read_click(drawn, tool, click)
    match tool, name:
        case "city", "spot":
            return drawing_to_json(add_city(drawn, snap_to_map(drawn, value), text.strip()))
        case "city", "city":
            return drawing_to_json(rename_city(drawn, drawn.find_city(value), text.strip()))
        case "move", "spot":
            return drawing_to_json(move_city(drawn, snap_to_map(drawn, value, drawn.marked)))
        case "remove", "city":
            return drawing_to_json(remove_city(drawn, drawn.find_city(value)))
        case "remove", "line":
            return drawing_to_json(remove_line(drawn, drawn.find_line(value)))
        case _, "city" if tool in LINES and drawn.marked not in (None, value):
            return drawing_to_json(connect_marked(drawn, drawn.find_city(value), *LINES[tool]))
        case _, "city" if tool == MOVE.key or tool in LINES:
            return drawing_to_json(mark_city(drawn, drawn.find_city(value)))
        case _, "line" if tool in LINES:
            return drawing_to_json(replace_line(drawn, drawn.find_line(value), *LINES[tool]))
        case _:
            raise UsageError(explain_click(tool))


def read_click(drawn: MapDrawing, tool: str, click: str) -> tuple[str, str]:
    """What a click means: one beside a city counts as one on it, if only cities can be meant."""
    name, value = parse_click(click)
    needs_city = tool in LINES or tool == REMOVE.key or (tool == MOVE.key and drawn.marked is None)
    if name == "spot" and needs_city and (city := city_near(drawn, parse_pair(value))) is not None:
        return "city", city.name
    return name, value


def snap_to_map(drawn: MapDrawing, value: str, moving: str | None = None) -> tuple[int, int]:
    """Read a spot; one that is too near to a city stands for the nearest free one."""
    spot = parse_pair(value)
    inside = spot[0] <= drawn.map.width and spot[1] <= drawn.map.height
    return snap_spot(drawn, spot, moving) if inside else spot


def explain_click(tool: str) -> str:
    """Say what can be clicked with a tool."""
    if tool in LINES:
        return "a connection joins two cities: click one, then the other, or a connection that is to change"
    return {
        ADD.key: "click a free spot for a new city, or a city to give it another name",
        MOVE.key: "click the city that is to move, then a free spot",
        REMOVE.key: "click the city or the connection that is to go",
    }.get(tool, f"there is no tool {shorten_text(tool)!r} for this map")


# -- how it looks ------------------------------------------------------------------------------


def show_drawing(drawing: Json) -> EditorScreen:
    """Return the drawing as people see it; raises WireError."""
    drawn = drawing_from_json(drawing)
    network = RailNetwork(drawn.map)
    return EditorScreen(
        about=describe_map(network),
        picture=draw_drawing(drawn, network),
        problems=tuple(list_problems(network)),
        seats=playable_seats(network),
        tools=TOOLS,
        prompt="" if drawn.marked is None else f"{drawn.marked} is chosen.",
    )


def preview_board(board: Json) -> BoardPreview:
    """Return a map of any size, without the spots where cities can be added; raises WireError."""
    map = map_from_json(board)
    network = build_network(map)
    return BoardPreview(describe_map(network), draw_map(map), tuple(list_problems(network)), playable_seats(network))


def describe_map(network: RailNetwork) -> str:
    """Say how large a map is."""
    return f"a map of {len(network.names)} cities and {network.destination_count} destinations"


def playable_seats(network: RailNetwork) -> tuple[int, ...]:
    """The numbers of seats that can play on a map (Trains 2.2)."""
    return tuple(seats for seats in SEATS if destinations_needed(Setup(), seats) <= network.destination_count)


def list_problems(network: RailNetwork) -> Iterator[str]:
    """Say what keeps a map from being played (Trains 2.2)."""
    enough = destinations_needed(Setup(), SEATS[0])
    if network.destination_count >= enough:
        return
    yield (
        f"Two players need {enough} destinations: pairs of cities with a way from one to the other."
        f" This map has {network.destination_count}."
    )
    joined = {name for one in network.connections for name in (one.first, one.second)}
    if lonely := [name for name in network.names if name not in joined]:
        more = f" and {len(lonely) - 5} more" if len(lonely) > 5 else ""
        yield f"No connection leads to {', '.join(lonely[:5])}{more}."
