"""Drawing a map of Trains: cities on a grid of spots, and the connections between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations
from random import Random
from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.core import Json, Picture, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import as_type
from fairplay.games.trains.deal import needed
from fairplay.games.trains.drawing.layout import CITY, MARGIN, Layout, Point, Strip, chosen_scale, laid_out
from fairplay.games.trains.drawing.paint import DEFINITIONS, STYLE
from fairplay.games.trains.drawing.picture import picture_of_map
from fairplay.games.trains.drawing.tracks import track
from fairplay.games.trains.map import COLOURS, LENGTHS, NAME, Chart, City, CityName, Colour, Connection, Map, chart
from fairplay.games.trains.map_files import MAPS, find_flaws, map_from_json, map_to_json, setup_on_map
from fairplay.games.trains.map_generator import generate_map, invent_names
from fairplay.games.trains.state import Setup
from fairplay.parts.editor import Preview, Sheet, Tool, element, pair, shortened

__all__ = [
    "BOARDS",
    "MOST_CITIES",
    "MOST_CONNECTIONS",
    "STARTS",
    "begun",
    "edited",
    "find_flaws",
    "preview",
    "random_board",
    "setup",
    "sheet",
]

MOST_CITIES: Final = 100
MOST_CONNECTIONS: Final = 250
SEATS: Final = range(2, 9)  # Trains 1.10

Side: TypeAlias = Annotated[int, Meta(ge=10, le=800)]  # Trains 1.5
Pixel: TypeAlias = Annotated[int, Meta(ge=0, le=800)]
Length: TypeAlias = Annotated[int, Meta(ge=3, le=5)]


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """The JSON form of a map (Trains 10.1), and the city that was clicked first."""

    width: Side
    height: Side
    cities: Annotated[tuple[tuple[CityName, tuple[Pixel, Pixel]], ...], Meta(max_length=MOST_CITIES)]
    connections: Annotated[
        dict[CityName, dict[CityName, Annotated[dict[Colour, Length], Meta(max_length=4)]]],
        Meta(max_length=MOST_CITIES),
    ]
    marked: CityName | None = None


class Drawing(NamedTuple):
    map: Map
    marked: str | None = None

    def city(self, name: str) -> City:
        """The city of this name; raises UsageError."""
        for city in self.map.cities:
            if city.name == name:
                return city
        raise UsageError(f"there is no city {shortened(name)!r} on this map")

    def line(self, value: str) -> Connection:
        """The connection that an element stands for; raises UsageError."""
        for one in self.map.connections:
            if line_value(one) == value:
                return one
        raise UsageError(f"there is no connection {shortened(value)!r} on this map")


def spacing(map: Map) -> int:
    """Between neighbouring spots, and at least between cities: so names can be read, and drawing takes no time."""
    return -(-max(map.width, map.height) // 20)


def near(map: Map, one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) < spacing(map)


def line_value(one: Connection) -> str:
    return f"{one.first}|{one.second}|{one.colour}"


EMPTY: Final = Map(800, 560, (), ())
BOARDS: Final[Mapping[str, str]] = {name: packaged.about for name, packaged in MAPS.items()}
STARTS: Final[Mapping[str, str]] = {"empty": "an empty sheet", **{name: f"the map {name}" for name in MAPS}}

ADD: Final = Tool(
    "city", "add or name a city", "Click a free spot for a new city, or a city to rename it.", asks="Name of the city"
)
MOVE: Final = Tool("move", "move a city", "Click the city that is to move.", "Click the free spot where it goes.")
REMOVE: Final = Tool("remove", "remove", "Click the city or the connection that is to go.")
LINES: Final[Mapping[str, tuple[Colour, int]]] = {
    f"{colour}-{length}": (colour, length) for colour in COLOURS for length in LENGTHS
}


def icon(colour: Colour, length: int) -> str:
    """A small connection."""
    one, strip = Connection("", "", colour, length), Strip(Point(1, 6), Point(55, 6), Point(28, 6))
    size = 'viewBox="0 0 56 12" width="56" height="12"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" class="trains-board" {size}>{track(one, strip)}</svg>'


TOOLS: Final = (
    *(ADD, MOVE, REMOVE),
    *(
        Tool(
            key,
            f"{colour} {length}",
            "Click two cities to join them, or a connection to change it.",
            "Click the city at the other end.",
            icon=icon(colour, length),
        )
        for key, (colour, length) in LINES.items()
    ),
)


# -- the drawing -------------------------------------------------------------------------------


def begun(start: str) -> Json:
    if start not in STARTS:
        raise UsageError(f"a map of Trains cannot begin with {shortened(start)!r}, but with {', '.join(STARTS)}")
    return written(Drawing(EMPTY if start == "empty" else MAPS[start].map))


def written(drawing: Drawing) -> Json:
    return {**map_to_json(drawing.map), "marked": drawing.marked}


def read(value: Json) -> Drawing:
    """The drawing that `value` spells; raises WireError."""
    form: Form = as_type(value, Form)
    drawing = Drawing(map_from_json(value), form.marked)
    if len(drawing.map.connections) > MOST_CONNECTIONS:
        raise WireError(f"expected {MOST_CONNECTIONS} connections at most", "$.connections")
    for (_, city), (index, other) in combinations(enumerate(drawing.map.cities), 2):
        if near(drawing.map, city.spot, other.spot):
            raise WireError(f"{other.name} is too near to {city.name}", f"$.cities[{index}][1]")
    if form.marked is not None and form.marked not in (city.name for city in drawing.map.cities):
        raise WireError(f"{form.marked!r} is not a city of this map", "$.marked")
    return drawing


def random_board(rng: Random, *, cities: int = 20, width: int = 0, height: int = 0) -> Json:
    """Where a side is 0, the number of cities decides."""
    return map_to_json(generate_map(rng, cities, width, height))


def setup(board: Json, base: Setup) -> Setup:
    """The name of a packaged map stands in the setup as it is; a map may be larger than what can be drawn on."""
    return setup_on_map(board, base)


# -- clicks ------------------------------------------------------------------------------------


def edited(drawing: Json, tool: str, click: str, text: str) -> Json:
    found, (name, value) = read(drawing), element(click)
    match tool, name:
        case "city", "spot":
            return written(with_city(found, pair(value), text.strip()))
        case "city", "city":
            return written(renamed(found, found.city(value), text.strip()))
        case "move", "spot":
            return written(moved(found, pair(value)))
        case "remove", "city":
            return written(without_city(found, found.city(value)))
        case "remove", "line":
            return written(without_line(found, found.line(value)))
        case _, "city" if tool in LINES and found.marked not in (None, value):
            return written(connected(found, found.city(value), *LINES[tool]))
        case _, "city" if tool == MOVE.key or tool in LINES:
            return written(marked(found, found.city(value)))
        case _, "line" if tool in LINES:
            return written(relaid(found, found.line(value), *LINES[tool]))
        case _:
            raise UsageError(wrong_click(tool))


def wrong_click(tool: str) -> str:
    """What one would have to click."""
    if tool in LINES:
        return "a connection joins two cities: click one, then the other, or a connection that is to change"
    return {
        ADD.key: "click a free spot for a new city, or a city to give it another name",
        MOVE.key: "click the city that is to move, then a free spot",
        REMOVE.key: "click the city or the connection that is to go",
    }.get(tool, f"there is no tool {shortened(tool)!r} for this map")


def with_city(drawing: Drawing, spot: tuple[int, int], name: str) -> Drawing:
    map = drawing.map
    if len(map.cities) >= MOST_CITIES:
        raise UsageError(f"a map has room for {MOST_CITIES} cities")
    name = name or next(name for name in made_up_names() if name not in {city.name for city in map.cities})
    city = City(checked_name(drawing, name), checked_spot(drawing, spot))
    return Drawing(replace(map, cities=(*map.cities, city)), drawing.marked)


@cache
def made_up_names() -> list[str]:
    return invent_names(derived(0, "trains", "names"), MOST_CITIES)


def checked_name(drawing: Drawing, name: str) -> str:
    """Trains 1.3; raises UsageError."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"a city cannot be called {shortened(name)!r}: "
            "names have 1 to 25 ASCII letters, digits, spaces, dots and commas"
        )
    if name in (city.name for city in drawing.map.cities):
        raise UsageError(f"there is a city {name} already")
    return name


def checked_spot(drawing: Drawing, spot: tuple[int, int], moving: str | None = None) -> tuple[int, int]:
    """Where a city may lie, on the sheet and not too near to another; raises UsageError."""
    map = drawing.map
    if spot[0] > map.width or spot[1] > map.height:
        raise UsageError(f"the spot {spot[0]},{spot[1]} is off the sheet of {map.width} by {map.height}")
    for city in map.cities:
        if near(map, spot, city.spot) and city.name != moving:
            raise UsageError(f"the spot {spot[0]},{spot[1]} is too near to {city.name}")
    return spot


def renamed(drawing: Drawing, city: City, name: str) -> Drawing:
    if not name:
        raise UsageError(f"write another name for {city.name} first, then click it")
    checked_name(drawing, name)
    new = {city.name: name}
    lines = tuple(
        laid(new.get(one.first, one.first), new.get(one.second, one.second), one.colour, one.length)
        for one in drawing.map.connections
    )
    cities = tuple(City(new.get(other.name, other.name), other.spot) for other in drawing.map.cities)
    chosen = None if drawing.marked is None else new.get(drawing.marked, drawing.marked)
    return Drawing(replace(drawing.map, cities=cities, connections=lines), chosen)


def moved(drawing: Drawing, spot: tuple[int, int]) -> Drawing:
    """The drawing with the marked city elsewhere."""
    if drawing.marked is None:
        raise UsageError("click the city first that is to move")
    checked_spot(drawing, spot, drawing.marked)
    cities = (City(city.name, spot) if city.name == drawing.marked else city for city in drawing.map.cities)
    return Drawing(replace(drawing.map, cities=tuple(cities)))


def marked(drawing: Drawing, city: City) -> Drawing:
    """The drawing with this city marked, or none where it was marked already."""
    return Drawing(drawing.map, None if drawing.marked == city.name else city.name)


def without_city(drawing: Drawing, city: City) -> Drawing:
    """The city goes, and with it all that leads there."""
    cities = tuple(other for other in drawing.map.cities if other != city)
    lines = tuple(one for one in drawing.map.connections if city.name not in (one.first, one.second))
    chosen = None if drawing.marked == city.name else drawing.marked
    return Drawing(replace(drawing.map, cities=cities, connections=lines), chosen)


def without_line(drawing: Drawing, line: Connection) -> Drawing:
    lines = tuple(one for one in drawing.map.connections if one != line)
    return Drawing(replace(drawing.map, connections=lines), drawing.marked)


def connected(drawing: Drawing, city: City, colour: Colour, length: int) -> Drawing:
    """The drawing with the marked city joined to `city`; a connection of that colour between them gives way."""
    assert drawing.marked is not None
    new = laid(drawing.marked, city.name, colour, length)
    lines = [one for one in drawing.map.connections if line_value(one) != line_value(new)]
    if len(lines) >= MOST_CONNECTIONS:
        raise UsageError(f"a map has room for {MOST_CONNECTIONS} connections")
    return Drawing(replace(drawing.map, connections=(*lines, new)))


def relaid(drawing: Drawing, line: Connection, colour: Colour, length: int) -> Drawing:
    """The drawing with another connection in the place of `line`."""
    from_first = Drawing(without_line(drawing, line).map, line.first)
    return connected(from_first, from_first.city(line.second), colour, length)._replace(marked=drawing.marked)


def laid(one: str, other: str, colour: Colour, length: int) -> Connection:
    """Trains 1.4: the smaller name first."""
    return Connection(min(one, other), max(one, other), colour, length)


# -- how it looks ------------------------------------------------------------------------------


def sheet(drawing: Json) -> Sheet:
    found = read(drawing)
    drawn = Chart(found.map)
    prompt = "" if found.marked is None else f"{found.marked} is chosen."
    return Sheet(describe_map(drawn), picture(found, drawn), tuple(problems(drawn)), room(drawn), TOOLS, prompt=prompt)


def preview(board: Json) -> Preview:
    """A map of any size, without the spots where cities may be added."""
    map = map_from_json(board)
    drawn = chart(map)
    return Preview(describe_map(drawn), picture_of_map(map), tuple(problems(drawn)), room(drawn))


def describe_map(drawn: Chart) -> str:
    return f"a map of {len(drawn.names)} cities and {drawn.destination_count} destinations"


def room(drawn: Chart) -> tuple[int, ...]:
    """How many can play on a map (Trains 2.2)."""
    return tuple(seats for seats in SEATS if needed(Setup(), seats) <= drawn.destination_count)


def problems(drawn: Chart) -> Iterator[str]:
    """Trains 2.2."""
    enough = needed(Setup(), SEATS[0])
    if drawn.destination_count >= enough:
        return
    yield (
        f"Two players need {enough} destinations: pairs of cities with a way from one to the other."
        f" This map has {drawn.destination_count}."
    )
    joined = {name for one in drawn.connections for name in (one.first, one.second)}
    if lonely := [name for name in drawn.names if name not in joined]:
        more = f" and {len(lonely) - 5} more" if len(lonely) > 5 else ""
        yield f"No connection leads to {', '.join(lonely[:5])}{more}."


DRAWING_STYLE: Final = "".join(
    f".trains-drawing {rule}"
    for rule in (
        ".dot{fill:#2b2a26;opacity:.3}",
        ".room{fill:transparent}",
        ".grip{stroke:transparent;stroke-width:16}",
        ".ring{fill:none;stroke:#2b2a26;stroke-width:3;stroke-dasharray:4 3}",
    )
)

SCALES: Final = (1.0, 1.5, 2.0, 3.0)


def scale_of(drawn: Chart) -> float:
    """In few steps, so that a new city seldom changes the size of everything."""
    wanted = chosen_scale(drawn)
    return next((scale for scale in SCALES if scale >= wanted), wanted)


def picture(drawing: Drawing, drawn: Chart) -> Picture:
    scale = scale_of(drawn)
    paper = laid_out(drawn, scale)
    size = f'width="{paper.width:g}" height="{paper.height:g}"'
    sheet = f'x="8" y="8" width="{paper.width - 16:g}" height="{paper.height - 16:g}" rx="10"'
    label = f"a map of {len(drawing.map.cities)} cities and {len(drawing.map.connections)} connections"
    parts = [*spots(drawing.map, scale), *lines(drawn, paper), *cities(drawing, drawn, paper)]
    return Picture(
        '<svg xmlns="http://www.w3.org/2000/svg" class="trains-board trains-drawing"'
        f' viewBox="0 0 {paper.width:g} {paper.height:g}" {size} role="group" aria-label="{label}">'
        f'<style>{STYLE}{DRAWING_STYLE}</style><defs>{DEFINITIONS}</defs><rect class="paper" {size} rx="16"/>'
        f'<rect class="sheet" {sheet}/>{"".join(parts)}</svg>'
    )


def spots(map: Map, scale: float) -> Iterator[str]:
    """Where a city may come to lie: a grid, without what is too near to a city."""
    step = spacing(map)
    yield (
        f'<defs><g id="trains-spot" class="trains-drawing"><circle class="room" r="{step * scale * 0.45:g}"/>'
        '<circle class="dot" r="2.5"/></g></defs>'
    )
    taken = set().union(*(spots_near(city.spot, step) for city in map.cities))
    for y in range(0, map.height + 1, step):
        for x in range(0, map.width + 1, step):
            if (x, y) not in taken:
                place = f'x="{MARGIN + x * scale:g}" y="{MARGIN + y * scale:g}"'
                yield (
                    f'<g data-spot="{x},{y}"><title>a free spot, {x} from the left, {y} from the top</title>'
                    f'<use href="#trains-spot" {place}/></g>'
                )


def spots_near(at: tuple[int, int], step: int) -> Iterator[tuple[int, int]]:
    """The spots of the grid that are too near to a city: one, two or four."""
    for x in {at[0] // step, -(-at[0] // step)}:
        for y in {at[1] // step, -(-at[1] // step)}:
            yield x * step, y * step


def lines(drawn: Chart, paper: Layout) -> Iterator[str]:
    for one, strip in zip(drawn.connections, paper.strips, strict=True):
        yield f'<g data-line="{line_value(one)}"><title>{one}</title>{grip(strip)}{track(one, strip)}</g>'


def grip(strip: Strip) -> str:
    """What is hit by a click near the connection."""
    (x, y), (to_x, to_y), _ = strip
    return f'<line class="grip" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def cities(drawing: Drawing, drawn: Chart, paper: Layout) -> Iterator[str]:
    """A click hits the city, its name, or what lies between them."""
    for name, spot, box in zip(drawn.names, paper.cities, paper.names, strict=True):
        at = f'cx="{spot.x:.1f}" cy="{spot.y:.1f}"'
        ring = f'<circle class="ring" {at} r="{CITY + 5:g}"/>' if name == drawing.marked else ""
        middle, base = (box.left + box.right) / 2, box.bottom - 3
        reach = f'<path class="grip" d="M{spot.x:.1f} {spot.y:.1f}L{middle:.1f} {(box.top + box.bottom) / 2:.1f}"/>'
        yield (
            f'<g data-city="{name}"><title>{name}{", chosen" if ring else ""}</title>'
            f'<circle class="room" {at} r="13"/>{reach}{ring}<circle class="city" {at} r="{CITY:g}"/>'
            f'<text class="name" x="{middle:.1f}" y="{base:.1f}">{name}</text></g>'
        )
