"""A map of Trains while people draw it: as JSON, and what each edit does to it."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Annotated, NamedTuple, TypeAlias

from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.core import Json, UsageError, WireError
from fairplay.core.chance import derived
from fairplay.core.convert import as_type
from fairplay.core.editor import shorten_text
from fairplay.games.trains.map import CITY_NAME, City, CityName, Color, Connection, Map
from fairplay.games.trains.maps.files import map_from_json, map_to_json
from fairplay.games.trains.maps.generator import invent_names

MAX_CITIES = 100
MAX_CONNECTIONS = 250

_Spot: TypeAlias = tuple[int, int]
_Side: TypeAlias = Annotated[int, Meta(ge=10, le=800)]  # Trains 1.5
_Pixel: TypeAlias = Annotated[int, Meta(ge=0, le=800)]
_Length: TypeAlias = Annotated[int, Meta(ge=3, le=5)]


class _DrawingForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The JSON form of a map (Trains 10.1), and the city that was clicked first."""

    width: _Side
    height: _Side
    cities: Annotated[tuple[tuple[CityName, tuple[_Pixel, _Pixel]], ...], Meta(max_length=MAX_CITIES)]
    connections: Annotated[
        dict[CityName, dict[CityName, Annotated[dict[Color, _Length], Meta(max_length=4)]]],
        Meta(max_length=MAX_CITIES),
    ]
    marked: CityName | None = None


class MapDrawing(NamedTuple):
    """A map, and the city that was clicked first of two."""

    map: Map
    marked: str | None = None

    def find_city(self, name: str) -> City:
        """The city of this name; raises UsageError."""
        for city in self.map.cities:
            if city.name == name:
                return city
        raise UsageError(f"there is no city {shorten_text(name)!r} on this map")

    def find_line(self, value: str) -> Connection:
        """The connection that an element of the picture stands for; raises UsageError."""
        for one in self.map.connections:
            if line_value(one) == value:
                return one
        raise UsageError(f"there is no connection {shorten_text(value)!r} on this map")


def line_value(one: Connection) -> str:
    """What stands for a connection in the picture: there is one of each colour between two cities."""
    return f"{one.first}|{one.second}|{one.color}"


def spot_spacing(map: Map) -> int:
    """The distance of neighbouring spots, and the least distance of cities, so that names stay readable."""
    return -(-max(map.width, map.height) // 20)


def _are_near(map: Map, one: _Spot, other: _Spot) -> bool:
    """Are two spots too near to each other for two cities?"""
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) < spot_spacing(map)


# -- as JSON -----------------------------------------------------------------------------------


def drawing_to_json(drawing: MapDrawing) -> Json:
    """Write a drawing as JSON."""
    return {**map_to_json(drawing.map), "marked": drawing.marked}


def drawing_from_json(value: Json) -> MapDrawing:
    """Read a drawing; raises WireError."""
    form: _DrawingForm = as_type(value, _DrawingForm)
    drawing = MapDrawing(map_from_json(value), form.marked)
    if len(drawing.map.connections) > MAX_CONNECTIONS:
        raise WireError(f"expected at most {MAX_CONNECTIONS} connections", "$.connections")
    for (_, city), (index, other) in combinations(enumerate(drawing.map.cities), 2):
        if _are_near(drawing.map, city.spot, other.spot):
            raise WireError(f"{other.name} is too near to {city.name}", f"$.cities[{index}][1]")
    if form.marked is not None and form.marked not in (city.name for city in drawing.map.cities):
        raise WireError(f"{form.marked!r} is not a city of this map", "$.marked")
    return drawing


# -- cities ------------------------------------------------------------------------------------


def mark_city(drawing: MapDrawing, city: City) -> MapDrawing:
    """Mark this city, or none if it was marked already."""
    return MapDrawing(drawing.map, None if drawing.marked == city.name else city.name)


def add_city(drawing: MapDrawing, spot: _Spot, name: str) -> MapDrawing:
    """Put a city on a spot; an empty name stands for any that is free."""
    map = drawing.map
    if len(map.cities) >= MAX_CITIES:
        raise UsageError(f"a map has room for {MAX_CITIES} cities")
    name = name or next(name for name in _made_up_names() if name not in {city.name for city in map.cities})
    city = City(_check_name(drawing, name), _check_spot(drawing, spot))
    return MapDrawing(replace(map, cities=(*map.cities, city)), drawing.marked)


@cache
def _made_up_names() -> list[str]:
    """Names for cities that people do not name."""
    return invent_names(derived(0, "trains", "names"), MAX_CITIES)


def _check_name(drawing: MapDrawing, name: str) -> str:
    """Return `name`; raises UsageError if a new city cannot have it (Trains 1.3)."""
    if not CITY_NAME.fullmatch(name):
        raise UsageError(
            f"a city cannot be called {shorten_text(name)!r}: "
            "names have 1 to 25 ASCII letters, digits, spaces, dots and commas"
        )
    if name in (city.name for city in drawing.map.cities):
        raise UsageError(f"there is already a city called {name}")
    return name


def _check_spot(drawing: MapDrawing, spot: _Spot, moving: str | None = None) -> _Spot:
    """Return `spot`; raises UsageError if it is off the map or too near to a city other than `moving`."""
    map = drawing.map
    if spot[0] > map.width or spot[1] > map.height:
        raise UsageError(f"the spot {spot[0]},{spot[1]} is off the map of {map.width} by {map.height}")
    for city in map.cities:
        if _are_near(map, spot, city.spot) and city.name != moving:
            raise UsageError(f"the spot {spot[0]},{spot[1]} is too near to {city.name}")
    return spot


def list_spots(map: Map) -> Iterator[_Spot]:
    """The spots of the grid on which cities are drawn."""
    step = spot_spacing(map)
    for y in range(0, map.height + 1, step):
        for x in range(0, map.width + 1, step):
            yield x, y


def snap_spot(drawing: MapDrawing, spot: _Spot, moving: str | None = None) -> _Spot:
    """Return `spot`, or the free spot of the grid that is nearest to it if it is too near to a city."""
    map = drawing.map
    others = [city.spot for city in map.cities if city.name != moving]

    def is_free(at: _Spot) -> bool:
        return not any(_are_near(map, at, other) for other in others)

    if is_free(spot):
        return spot
    free = filter(is_free, list_spots(map))
    return min(free, key=lambda at: (at[0] - spot[0]) ** 2 + (at[1] - spot[1]) ** 2, default=spot)


def city_near(drawing: MapDrawing, spot: _Spot) -> City | None:
    """The city that a click on this spot of the grid may mean: the nearest one of those that keep others off it."""
    near = (city for city in drawing.map.cities if _are_near(drawing.map, spot, city.spot))
    return min(near, key=lambda city: (city.spot[0] - spot[0]) ** 2 + (city.spot[1] - spot[1]) ** 2, default=None)


def rename_city(drawing: MapDrawing, city: City, name: str) -> MapDrawing:
    """Give a city another name, on all its connections too."""
    if not name:
        raise UsageError(f"type another name for {city.name} first, then click it")
    _check_name(drawing, name)
    new = {city.name: name}
    lines = tuple(
        _make_connection(new.get(one.first, one.first), new.get(one.second, one.second), one.color, one.length)
        for one in drawing.map.connections
    )
    cities = tuple(City(new.get(other.name, other.name), other.spot) for other in drawing.map.cities)
    marked = None if drawing.marked is None else new.get(drawing.marked, drawing.marked)
    return MapDrawing(replace(drawing.map, cities=cities, connections=lines), marked)


def move_city(drawing: MapDrawing, spot: _Spot) -> MapDrawing:
    """Move the marked city to another spot."""
    if drawing.marked is None:
        raise UsageError("click the city that is to move first")
    _check_spot(drawing, spot, drawing.marked)
    cities = (City(city.name, spot) if city.name == drawing.marked else city for city in drawing.map.cities)
    return MapDrawing(replace(drawing.map, cities=tuple(cities)))


def remove_city(drawing: MapDrawing, city: City) -> MapDrawing:
    """Remove a city with all its connections."""
    cities = tuple(other for other in drawing.map.cities if other != city)
    lines = tuple(one for one in drawing.map.connections if city.name not in (one.first, one.second))
    marked = None if drawing.marked == city.name else drawing.marked
    return MapDrawing(replace(drawing.map, cities=cities, connections=lines), marked)


# -- connections -------------------------------------------------------------------------------


def _make_connection(one: str, other: str, color: Color, length: int) -> Connection:
    """Make a connection with the smaller name first (Trains 1.4)."""
    return Connection(min(one, other), max(one, other), color, length)


def connect_marked(drawing: MapDrawing, city: City, color: Color, length: int) -> MapDrawing:
    """Join the marked city to `city`; this replaces a connection of that colour between them."""
    assert drawing.marked is not None
    new = _make_connection(drawing.marked, city.name, color, length)
    lines = [one for one in drawing.map.connections if line_value(one) != line_value(new)]
    if len(lines) >= MAX_CONNECTIONS:
        raise UsageError(f"a map has room for {MAX_CONNECTIONS} connections")
    return MapDrawing(replace(drawing.map, connections=(*lines, new)))


def replace_line(drawing: MapDrawing, line: Connection, color: Color, length: int) -> MapDrawing:
    """Put another connection in the place of `line`."""
    from_first = MapDrawing(remove_line(drawing, line).map, line.first)
    joined = connect_marked(from_first, from_first.find_city(line.second), color, length)
    return joined._replace(marked=drawing.marked)


def remove_line(drawing: MapDrawing, line: Connection) -> MapDrawing:
    lines = tuple(one for one in drawing.map.connections if one != line)
    return MapDrawing(replace(drawing.map, connections=lines), drawing.marked)
