"""Maps as JSON (Trains 10.1, 10.3, 10.9) and the maps that come with the package, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import Json, SetupError, WireError
from fairplay.core.convert import as_type, text
from fairplay.games.trains.map import City, Connection, Map, MapFlaw, connection_order, find_flaws
from fairplay.games.trains.state import Setup

__all__ = ["MAPS", "Sheet", "map_flaws", "map_from_json", "map_to_json", "map_to_text", "named", "setup_on"]


class Form(Struct):
    """The JSON form of a map; unknown keys are ignored (Trains 10.5)."""

    width: int
    height: int
    cities: list[tuple[str, tuple[int, int]]]
    connections: dict[str, dict[str, dict[str, int]]]


def map_from_json(value: Json, *, ordered: bool = True) -> Map:
    """The map that `value` spells; raises WireError saying what is wrong and where.

    With ``ordered=False`` a reversed pair is put in order (Trains 12.2).
    """
    map = unchecked(value, ordered=ordered)
    for flaw in find_flaws(map):
        raise WireError(flaw.what, flaw.where)
    return map


def map_flaws(value: Json) -> list[MapFlaw]:
    """Everything that is wrong with the JSON form of a map; a form that cannot be read has one flaw."""
    try:
        return list(find_flaws(unchecked(value, ordered=True)))
    except WireError as error:
        return [MapFlaw(error.path, str(error).removesuffix(f" at {error.path}"))]


def unchecked(value: Json, *, ordered: bool) -> Map:
    form: Form = as_type(value, Form)
    connections = [
        # Whether the colour is one is for `flaws` to say.
        Connection(*((first, second) if ordered or first < second else (second, first)), colour, length)  # type: ignore[arg-type]
        for first, target in form.connections.items()
        for second, segment in target.items()
        for colour, length in segment.items()
    ]
    if ordered:
        # A city named as a key without any connection must still be one of the map, and in order (Trains 10.3).
        check_keys(form)
    cities = tuple(City(name, spot) for name, spot in form.cities)
    return Map(form.width, form.height, cities, tuple(sorted(connections, key=connection_order)))


def check_keys(form: Form) -> None:
    cities = {name for name, _ in form.cities}
    for first, target in form.connections.items():
        if first not in cities:
            raise WireError(f"{first!r} is no city of this map", f"$.connections.{first}")
        for second, segment in target.items():
            if second not in cities:
                raise WireError(f"{second!r} is no city of this map", f"$.connections.{first}.{second}")
            if not segment and first >= second:
                raise WireError(f"{second!r} must be written before {first!r}", f"$.connections.{first}.{second}")


def map_to_json(map: Map) -> Json:
    """`map` in the canonical form (Trains 10.9)."""
    connections: dict[str, dict[str, dict[str, int]]] = {name: {} for name in sorted(city.name for city in map.cities)}
    for one in sorted(map.connections, key=lambda one: (one.first, one.second, one.color)):
        connections[one.first].setdefault(one.second, {})[one.color] = one.length
    cities = [[city.name, list(city.spot)] for city in map.cities]
    return {"width": map.width, "height": map.height, "cities": cities, "connections": connections}


def map_to_text(map: Map, **remarks: Json) -> str:
    """The canonical form laid out for people: a line for each city and for the connections of each city."""
    form = map_to_json(map)
    cities = ",\n".join(f"    {text(city)}" for city in form["cities"])
    connections = ",\n".join(f"    {text(name)}: {text(target)}" for name, target in form["connections"].items())
    head = "".join(f"  {text(key)}: {text(remark)},\n" for key, remark in remarks.items())
    size = f'  "width": {map.width},\n  "height": {map.height},\n'
    return f'{{\n{head}{size}  "cities": [\n{cities}\n  ],\n  "connections": {{\n{connections}\n  }}\n}}\n'


# -- the maps of the package -------------------------------------------------------------------

SUFFIX: Final = ".json"


class Sheet(Struct, frozen=True):
    """A packaged map with what its file says about it; other readers ignore these keys (Trains 10.5)."""

    map: Map
    about: str
    seats: int  # at most


class Sheets(Mapping[str, Sheet]):
    """The packaged maps by name, in alphabetical order, each read when it is first asked for."""

    def __getitem__(self, name: str) -> Sheet:
        if name not in names():
            raise KeyError(name)
        return packaged(name)

    def __iter__(self) -> Iterator[str]:
        return iter(names())

    def __len__(self) -> int:
        return len(names())


MAPS: Final = Sheets()


def folder() -> Traversable:
    return files("fairplay.games.trains") / "maps"


@cache
def names() -> tuple[str, ...]:
    return tuple(sorted(entry.name.removesuffix(SUFFIX) for entry in folder().iterdir() if entry.name.endswith(SUFFIX)))


@cache
def packaged(name: str) -> Sheet:
    value = msgspec.json.decode((folder() / f"{name}{SUFFIX}").read_bytes())
    return Sheet(map_from_json(value), value["about"], value["seats"])


def named(name: str) -> Map:
    """The packaged map of this name; raises SetupError."""
    if name not in MAPS:
        raise SetupError(f"there is no map {name!r}; the maps are {', '.join(MAPS)}")
    return MAPS[name].map


def setup_on(value: Json, base: Setup | None = None) -> Setup:
    """The game on a map: the name of a packaged one, or its JSON form; raises SetupError and WireError."""
    if isinstance(value, str):
        named(value)
        return replace(base or Setup(), map=value)
    return replace(base or Setup(), map=map_from_json(value))
