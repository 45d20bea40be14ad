"""Drawing a map of Trains: cities on a grid of spots, and the connections between them."""

from collections.abc import Iterator, Mapping
from random import Random

from fairplay.core import Json, Picture, UsageError
from fairplay.core.editor import BoardPreview, EditorScreen, Tool, parse_pair, shorten_text
from fairplay.core.immutable import DeferredMapping
from fairplay.core.shown import parse_click
from fairplay.games.trains.deal import destinations_needed
from fairplay.games.trains.drawing import map_drawing
from fairplay.games.trains.drawing.landscape import draw_landscape
from fairplay.games.trains.drawing.layout import MARGIN, MapLayout, choose_scale, lay_out
from fairplay.games.trains.drawing.names import draw_name
from fairplay.games.trains.drawing.paint import DEFINITIONS, STYLE
from fairplay.games.trains.drawing.picture import draw_map
from fairplay.games.trains.drawing.tracks import CITY, Point, Strip, draw_track
from fairplay.games.trains.map import COLORS, LENGTHS, Color, Connection, Map, RailNetwork, build_network
from fairplay.games.trains.maps import files
from fairplay.games.trains.maps.files import map_from_json, map_to_json, packaged_maps, setup_on_map
from fairplay.games.trains.maps.generator import generate_map
from fairplay.games.trains.state import Setup

# -- the picture -------------------------------------------------------------------------------

_DRAWING_STYLE = "".join(
    f".trains-drawing {rule}"
    for rule in (
        ".dot{fill:#2b2a26;opacity:.3}",
        ".room{fill:transparent}",
        ".grip{fill:none;stroke:transparent;stroke-width:16}",
        ".ring{fill:none;stroke:#2b2a26;stroke-width:3;stroke-dasharray:4 3}",
    )
)

_SCALES = (1.0, 1.5, 2.0, 3.0)


def draw_icon(color: Color, length: int) -> str:
    """Draw a small connection."""
    one, strip = Connection("", "", color, length), Strip(Point(1, 6), Point(55, 6), Point(28, 6), Point(28, 6))
    size = 'viewBox="0 0 56 12" width="56" height="12"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="trains-board" {size}>{draw_track(one, strip)}</svg>'


def draw_drawing(drawing: map_drawing.MapDrawing, network: RailNetwork) -> Picture:
    """Draw the map with everything that can be clicked."""
    scale = round_scale(network)
    layout = lay_out(network, scale)
    size = f'width="{layout.width:g}" height="{layout.height:g}"'
    label = f"a map of {len(drawing.map.cities)} cities and {len(drawing.map.connections)} connections"
    parts = [
        *_draw_spots(drawing, layout, scale),
        *_draw_lines(network, layout),
        *_draw_cities(drawing, network, layout),
    ]
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" class="trains-board trains-drawing"'
        f' viewBox="0 0 {layout.width:g} {layout.height:g}" {size} role="group" aria-label="{label}">'
        f"<style>{STYLE}{_DRAWING_STYLE}</style><defs>{DEFINITIONS}</defs>"
        f"{draw_landscape(network, layout, layout.height)}{''.join(parts)}</svg>"
    )


def round_scale(network: RailNetwork) -> float:
    """Choose one of a few scales, so that a new city rarely changes the size of everything."""
    wanted = choose_scale(network)
    return next((scale for scale in _SCALES if scale >= wanted), wanted)


def _draw_spots(drawing: map_drawing.MapDrawing, layout: MapLayout, scale: float) -> Iterator[str]:
    """Draw where a city can go: a grid of cells that cover the sheet, with a dot in each that is free."""
    map = drawing.map
    step = map_drawing.spot_spacing(map)
    half = step * scale / 2
    yield (
        f'<defs><g id="trains-cell" class="trains-drawing"><rect class="room" x="{-half:g}" y="{-half:g}"'
        f' width="{2 * half:g}" height="{2 * half:g}"/></g></defs>'
    )
    taken = {spot: city.name for city in map.cities for spot in spots_near(city.spot, step)}
    for x, y in map_drawing.list_spots(map):
        at = Point(MARGIN + x * scale, MARGIN + y * scale)
        words = f"beside {taken[x, y]}" if (x, y) in taken else f"a free spot, {x} from the left, {y} from the top"
        dot = "" if (x, y) in taken else f'<circle class="dot" cx="{at.x:g}" cy="{at.y:g}" r="2.5"/>'
        on_edge = x == 0 or y == 0 or x + step > map.width or y + step > map.height
        cell = _draw_edge_cell(at, half, layout) if on_edge else f'<use href="#trains-cell" x="{at.x:g}" y="{at.y:g}"/>'
        yield f'<g data-spot="{x},{y}"><title>{words}</title>{cell}{dot}</g>'


def _draw_edge_cell(at: Point, half: float, layout: MapLayout) -> str:
    """Draw a cell that reaches to the edge of the sheet, or beyond it."""
    left, top = (0 if side <= MARGIN else side - half for side in at)
    right = layout.width if at.x + 2 * half > layout.width - MARGIN else at.x + half
    bottom = layout.height if at.y + 2 * half > layout.height - MARGIN else at.y + half
    return f'<rect class="room" x="{left:g}" y="{top:g}" width="{right - left:g}" height="{bottom - top:g}"/>'


def spots_near(at: tuple[int, int], step: int) -> Iterator[tuple[int, int]]:
    """List the spots of the grid that are too near to a city: one, two or four."""
    for x in {at[0] // step, -(-at[0] // step)}:
        for y in {at[1] // step, -(-at[1] // step)}:
            yield x * step, y * step


def _draw_lines(network: RailNetwork, layout: MapLayout) -> Iterator[str]:
    """Draw the connections."""
    for one, strip in zip(network.connections, layout.strips, strict=True):
        value, art = map_drawing.line_value(one), f"{_draw_grip(strip)}{draw_track(one, strip)}"
        yield f'<g data-line="{value}"><title>{one}</title>{art}</g>'


def _draw_grip(strip: Strip) -> str:
    """Draw an invisible line that catches clicks near a connection."""
    return f'<path class="grip" d="{strip.outline}"/>'


def _draw_cities(drawing: map_drawing.MapDrawing, network: RailNetwork, layout: MapLayout) -> Iterator[str]:
    """Draw the cities; a click on a city, on its name or between them counts."""
    for name, spot, box in zip(network.names, layout.cities, layout.names, strict=True):
        at = f'cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
        ring = f'<circle class="ring" {at} r="{CITY + 5:g}"/>' if name == drawing.marked else ""
        middle = (box.left + box.right) / 2
        reach = f'<path class="grip" d="M{spot.x:.1f} {spot.y:.1f}L{middle:.1f} {(box.top + box.bottom) / 2:.1f}"/>'
        yield (
            f'<g data-city="{name}"><title>{name}{", chosen" if ring else ""}</title>'
            f'<circle class="room" {at} r="13"/>{reach}{ring}<circle class="city" {at} r="{CITY:g}"/>'
            f"{draw_name(name, box)}</g>"
        )


# -- the editor --------------------------------------------------------------------------------

SEATS = range(2, 9)  # Trains 1.10

_EMPTY = Map(800, 560, (), ())
BOARDS = DeferredMapping(lambda: {name: packaged.about for name, packaged in packaged_maps().items()})
STARTS = DeferredMapping(lambda: {"empty": "an empty map", **{name: f"the map {name}" for name in packaged_maps()}})
BOARD_FIELD = "map"

find_flaws = files.find_flaws

_ADD = Tool(
    "city", "add or name a city", "Click a free spot for a new city, or a city to rename it.", asks="Name of the city"
)
_MOVE = Tool("move", "move a city", "Click the city that is to move.", "Click the free spot where it goes.")
_REMOVE = Tool("remove", "remove", "Click the city or the connection that is to go.")
_LINES: Mapping[str, tuple[Color, int]] = {
    f"{color}-{length}": (color, length) for color in COLORS for length in LENGTHS
}
_TOOLS = (
    *(_ADD, _MOVE, _REMOVE),
    *(
        Tool(
            key,
            f"{color} {length}",
            "Click two cities to join them, or a connection to change it.",
            "Click the city at the other end.",
            icon=draw_icon(color, length),
        )
        for key, (color, length) in _LINES.items()
    ),
)


def start_drawing(start: str) -> Json:
    """Return a new map; raises UsageError if there is no such start."""
    if start not in STARTS:
        raise UsageError(f"a map of Trains starts from {', '.join(STARTS)}, not {shorten_text(start)!r}")
    return map_drawing.drawing_to_json(
        map_drawing.MapDrawing(_EMPTY if start == "empty" else packaged_maps()[start].map)
    )


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
    drawn = map_drawing.drawing_from_json(drawing)
    name, value = _read_click(drawn, tool, click)
    match tool, name:
        case "city", "spot":
            return map_drawing.drawing_to_json(map_drawing.add_city(drawn, _snap_to_map(drawn, value), text.strip()))
        case "city", "city":
            return map_drawing.drawing_to_json(map_drawing.rename_city(drawn, drawn.find_city(value), text.strip()))
        case "move", "spot":
            return map_drawing.drawing_to_json(map_drawing.move_city(drawn, _snap_to_map(drawn, value, drawn.marked)))
        case "remove", "city":
            return map_drawing.drawing_to_json(map_drawing.remove_city(drawn, drawn.find_city(value)))
        case "remove", "line":
            return map_drawing.drawing_to_json(map_drawing.remove_line(drawn, drawn.find_line(value)))
        case _, "city" if tool in _LINES and drawn.marked not in (None, value):
            return map_drawing.drawing_to_json(map_drawing.connect_marked(drawn, drawn.find_city(value), *_LINES[tool]))
        case _, "city" if tool == _MOVE.key or tool in _LINES:
            return map_drawing.drawing_to_json(map_drawing.mark_city(drawn, drawn.find_city(value)))
        case _, "line" if tool in _LINES:
            return map_drawing.drawing_to_json(map_drawing.replace_line(drawn, drawn.find_line(value), *_LINES[tool]))
        case _:
            raise UsageError(_explain_click(tool))


def _read_click(drawn: map_drawing.MapDrawing, tool: str, click: str) -> tuple[str, str]:
    """What a click means: one beside a city counts as one on it, if only cities can be meant."""
    name, value = parse_click(click)
    needs_city = tool in _LINES or tool == _REMOVE.key or (tool == _MOVE.key and drawn.marked is None)
    if name == "spot" and needs_city and (city := map_drawing.city_near(drawn, parse_pair(value))) is not None:
        return "city", city.name
    return name, value


def _snap_to_map(drawn: map_drawing.MapDrawing, value: str, moving: str | None = None) -> tuple[int, int]:
    """Read a spot; one that is too near to a city stands for the nearest free one."""
    spot = parse_pair(value)
    inside = spot[0] <= drawn.map.width and spot[1] <= drawn.map.height
    return map_drawing.snap_spot(drawn, spot, moving) if inside else spot


def _explain_click(tool: str) -> str:
    """Say what can be clicked with a tool."""
    if tool in _LINES:
        return "a connection joins two cities: click one, then the other, or a connection that is to change"
    return {
        _ADD.key: "click a free spot for a new city, or a city to give it another name",
        _MOVE.key: "click the city that is to move, then a free spot",
        _REMOVE.key: "click the city or the connection that is to go",
    }.get(tool, f"there is no tool {shorten_text(tool)!r} for this map")


# -- how it looks ------------------------------------------------------------------------------


def show_drawing(drawing: Json) -> EditorScreen:
    """Return the drawing as people see it; raises WireError."""
    drawn = map_drawing.drawing_from_json(drawing)
    network = RailNetwork(drawn.map)
    return EditorScreen(
        about=_describe_map(network),
        picture=draw_drawing(drawn, network),
        problems=tuple(_list_problems(network)),
        seats=_playable_seats(network),
        tools=_TOOLS,
        prompt="" if drawn.marked is None else f"{drawn.marked} is chosen.",
    )


def preview_board(board: Json) -> BoardPreview:
    """Return a map of any size, without the spots where cities can be added; raises WireError."""
    map = map_from_json(board)
    network = build_network(map)
    return BoardPreview(_describe_map(network), draw_map(map), tuple(_list_problems(network)), _playable_seats(network))


def _describe_map(network: RailNetwork) -> str:
    """Say how large a map is."""
    return f"a map of {len(network.names)} cities and {network.destination_count} destinations"


def _playable_seats(network: RailNetwork) -> tuple[int, ...]:
    """The numbers of seats that can play on a map (Trains 2.2)."""
    return tuple(seats for seats in SEATS if destinations_needed(Setup(), seats) <= network.destination_count)


def _list_problems(network: RailNetwork) -> Iterator[str]:
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
