"""Maps as JSON (Trains 10.1, 10.3, 10.9) and the maps that come with the package, by name."""

from collections.abc import Mapping
from functools import cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import Json, SetupError, WireError
from fairplay.core.convert import as_type
from fairplay.games.trains.map import SIDES, City, Connection, Map, MapFlaw, connection_order, find_map_flaws
from fairplay.games.trains.state import Setup


class _MapForm(Struct):
    """The JSON form of a map; unknown keys are ignored (Trains 10.5)."""

    width: int
    height: int
    cities: list[tuple[str, tuple[int, int]]]
    connections: dict[str, dict[str, dict[str, int]]]


class _CitiesForm(Struct):
    """The cities of a map as some servers write them: with fractions."""

    cities: list[tuple[str, tuple[float, float]]]


def round_spots(value: Json) -> Json:
    """The JSON form of a map with every city on a whole spot, different ones on different spots; raises WireError."""
    form: _CitiesForm = as_type(value, _CitiesForm)
    taken: dict[tuple[int, int], tuple[float, float]] = {}
    cities: list[Json] = []
    for name, exact in form.cities:
        spot = round(exact[0]), round(exact[1])
        while taken.setdefault(spot, exact) != exact and spot[0] in range(SIDES[-1]):
            spot = spot[0] + 1, spot[1]
        cities.append([name, [*spot]])
    assert isinstance(value, dict), "what has cities is an object"
    return {**value, "cities": cities}


def map_from_json(value: Json, *, ordered: bool = True) -> Map:
    """The map that `value` spells; raises WireError saying what is wrong and where.

    With ``ordered=False`` a reversed pair is put in order (Trains 12.2).
    """
    map = _read_map(value, ordered=ordered)
    for flaw in find_map_flaws(map):
        raise WireError(flaw.what, flaw.where)
    return map


def find_flaws(value: Json) -> list[MapFlaw]:
    """Everything that is wrong with the JSON form of a map; a form that cannot be read has one flaw."""
    try:
        return list(find_map_flaws(_read_map(value, ordered=True)))
    except WireError as error:
        return [MapFlaw(error.path, str(error).removesuffix(f" at {error.path}"))]


def _read_map(value: Json, *, ordered: bool) -> Map:
    """The map that `value` spells, which may still have flaws; raises WireError if it spells none."""
    form: _MapForm = as_type(value, _MapForm)
    connections = [
        Connection(*((first, second) if ordered or first < second else (second, first)), color, length)  # type: ignore[arg-type]  # find_map_flaws checks the color
        for first, target in form.connections.items()
        for second, segment in target.items()
        for color, length in segment.items()
    ]
    if ordered:
        # A city named as a key without any connection must still be one of the map, and in order (Trains 10.3).
        _check_city_names(form)
    cities = tuple(City(name, spot) for name, spot in form.cities)
    return Map(form.width, form.height, cities, tuple(sorted(connections, key=connection_order)))


def _check_city_names(form: _MapForm) -> None:
    """Raises WireError if the connections name what is not a city, or the wrong one of a pair first."""
    cities = {name for name, _ in form.cities}
    for first, target in form.connections.items():
        if first not in cities:
            raise WireError(f"{first!r} is not a city of this map", f"$.connections.{first}")
        for second, segment in target.items():
            if second not in cities:
                raise WireError(f"{second!r} is not a city of this map", f"$.connections.{first}.{second}")
            if not segment and first >= second:
                raise WireError(f"{second!r} must be written before {first!r}", f"$.connections.{first}.{second}")


def map_to_json(map: Map) -> Json:
    """`map` in the canonical form (Trains 10.9)."""
    connections: dict[str, dict[str, dict[str, int]]] = {name: {} for name in sorted(city.name for city in map.cities)}
    for one in sorted(map.connections, key=lambda one: (one.first, one.second, one.color)):
        connections[one.first].setdefault(one.second, {})[one.color] = one.length
    cities = [[city.name, list(city.spot)] for city in map.cities]
    return {"width": map.width, "height": map.height, "cities": cities, "connections": connections}


# -- the maps of the package -------------------------------------------------------------------


class _PackagedMap(Struct, frozen=True):
    """A packaged map with what its file says about it; other readers ignore these keys (Trains 10.5)."""

    map: Map
    about: str
    seats: int  # at most


@cache
def packaged_maps() -> Mapping[str, _PackagedMap]:
    """The packaged maps by name, in alphabetical order; read when somebody asks: most bots do not."""
    from importlib.resources import files

    maps: dict[str, _PackagedMap] = {}
    for file in files("fairplay.games.trains").joinpath("maps").iterdir():
        name, dot, _ = file.name.partition(".json")
        if dot:
            value = msgspec.json.decode(file.read_bytes())
            maps[name] = _PackagedMap(map_from_json(value), value["about"], value["seats"])
    return dict(sorted(maps.items()))


def find_map(name: str) -> Map:
    """The packaged map of this name; raises SetupError."""
    maps = packaged_maps()
    if name not in maps:
        raise SetupError(f"there is no map {name!r}; the maps are {', '.join(maps)}")
    return maps[name].map


def setup_on_map(value: Json, base: Setup | None = None) -> Setup:
    """The game on a map: the name of a packaged one, or JSON in either form; raises SetupError and WireError."""
    if isinstance(value, str):
        find_map(value)
        return replace(base or Setup(), map=value)
    listed = isinstance(value, dict) and isinstance(value.get("connections"), list | tuple)
    map: Map = as_type(value, Map) if listed else map_from_json(value)  # setups list connections, map files nest them
    return replace(base or Setup(), map=map)
