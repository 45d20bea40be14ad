"""Random maps that look like maps: cities well apart, lines that do not cross, longer ones for longer distances."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import ceil, hypot, sqrt
from random import Random

from fairplay.core import UsageError
from fairplay.core.chance import below, choice, shuffled
from fairplay.games.trains.map import COLORS, SIDES, City, Color, Connection, Map, connection_order, find_components

_Spot = tuple[int, int]

_FEWEST_CITIES = 7  # joined, they have 21 destinations, enough for eight seats (Trains 2.2)
MOST_CITIES = 300
_AREA_PER_CITY = 9_500  # square pixels
MARGIN = 25  # pixels between a city and the edge of the sheet
_DOUBLE_EVERY = 5  # one line in five is double, on average

_BEGINNINGS = (
    *("Al", "Bar", "Bel", "Bran", "Cal", "Cor", "Dal", "Dor", "El", "Fal", "Far", "Gal", "Gar", "Hal", "Har", "Ist"),
    *("Jor", "Kal", "Kar", "Lan", "Lor", "Mal", "Mar", "Mer", "Mor", "Nar", "Nor", "Or", "Pal", "Per", "Quil", "Ran"),
    *("Ros", "Sal", "Sar", "Sel", "Tal", "Tar", "Tor", "Ul", "Val", "Var", "Ver", "Wel", "Win", "Yar", "Zan", "Zor"),
)
_ENDS = (
    *("a", "an", "bridge", "burg", "by", "dale", "den", "e", "en", "field", "ford", "gate", "ham", "haven", "holm"),
    *("ia", "ine", "is", "mar", "mere", "mont", "mouth", "na", "ness", "o", "on", "or", "port", "ra", "stad", "stead"),
    *("ta", "ton", "um", "vale", "vik", "ville", "wick", "worth", "yn"),
)


def generate_map(rng: Random, cities: int, width: int | None = None, height: int | None = None) -> Map:
    """A connected map with enough destinations for eight seats; raises UsageError if it cannot be made.

    A side that is None or 0 depends on the number of cities.
    """
    if not _FEWEST_CITIES <= cities <= MOST_CITIES:
        raise UsageError(f"a map for eight seats has {_FEWEST_CITIES} to {MOST_CITIES} cities, not {cities}")
    side = sqrt(_AREA_PER_CITY * cities)
    width, height = width or _clamp_side(side * 1.25), height or _clamp_side(side * 0.8)
    for name, length in (("width", width), ("height", height)):
        if length not in SIDES:
            raise UsageError(f"{name} must be between {SIDES[0]} and {SIDES[-1]}, not {length}")
    spots = _scatter_cities(rng, cities, width, height)
    names = invent_names(rng, cities)
    lines = _choose_lines(rng, spots)
    connections = _build_connections(rng, spots, names, lines)
    return Map(width, height, tuple(map(City, names, spots)), tuple(sorted(connections, key=connection_order)))


def _clamp_side(length: float) -> int:
    """The length, or the nearest one that a sheet can have."""
    return min(SIDES[-1], max(SIDES[0], round(length)))


def _scatter_cities(rng: Random, count: int, width: int, height: int) -> list[_Spot]:
    """Spots far apart: each is the loneliest of thirty random ones; raises UsageError if there is no room."""
    edge = MARGIN if min(width, height) >= 6 * MARGIN else 0
    spots: list[_Spot] = []
    while len(spots) < count:
        tries = [(edge + below(rng, width - 2 * edge + 1), edge + below(rng, height - 2 * edge + 1)) for _ in range(30)]
        best = max(tries, key=lambda spot: min((_squared_distance(spot, other) for other in spots), default=0))
        if best in spots:
            raise UsageError(f"{count} cities do not fit on {width} by {height} pixels")
        spots.append(best)
    return sorted(spots)


def invent_names(rng: Random, count: int) -> list[str]:
    """Names that sound like places, all different."""
    every = [beginning + end for beginning in _BEGINNINGS for end in _ENDS]
    return shuffled(rng, every)[:count]


def _squared_distance(a: _Spot, b: _Spot) -> int:
    """Of two spots.  Unlike a distance, it is a whole number, the same on every machine."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


# -- where lines run ---------------------------------------------------------------------------


def _choose_lines(rng: Random, spots: Sequence[_Spot]) -> list[tuple[int, int]]:
    """Pairs of cities to connect: short lines first, none across another; then about a third are dropped again."""
    near = sorted(near_pairs(spots), key=lambda pair: (_squared_distance(spots[pair[0]], spots[pair[1]]), pair))
    lines: list[tuple[int, int]] = []
    for first, second in near:
        apart = all(not lines_cross(spots[first], spots[second], spots[one], spots[other]) for one, other in lines)
        if apart and not passes_city(spots, first, second):
            lines.append((first, second))
    wanted = max(len(spots), ceil(len(spots) * 1.9))
    for line in shuffled(rng, lines):
        rest = [other for other in lines if other != line]
        if len(lines) > wanted and max(find_components(len(spots), rest)) == 0:
            lines = rest
    return lines


def near_pairs(spots: Sequence[_Spot]) -> Iterator[tuple[int, int]]:
    """Pairs worth connecting: each city with its nearest, and cities of groups that would otherwise stay apart."""
    numbers = range(len(spots))
    pairs = set()
    for city in numbers:
        nearest = sorted(numbers, key=lambda other: _squared_distance(spots[city], spots[other]))[1:13]
        pairs |= {(min(city, other), max(city, other)) for other in nearest}
    groups = find_components(len(spots), pairs)
    yield from pairs
    if max(groups) > 0:
        yield from (pair for pair in combinations(numbers, 2) if groups[pair[0]] != groups[pair[1]])


def lines_cross(a: _Spot, b: _Spot, c: _Spot, d: _Spot) -> bool:
    """Do the lines a-b and c-d cross, other than at a common end?"""
    if {a, b} & {c, d}:
        return False
    return _side_of_line(a, b, c) * _side_of_line(a, b, d) <= 0 and _side_of_line(c, d, a) * _side_of_line(c, d, b) <= 0


def _side_of_line(a: _Spot, b: _Spot, c: _Spot) -> int:
    """Positive on one side of the line a-b, negative on the other, 0 if `c` is on it."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def passes_city(spots: Sequence[_Spot], first: int, second: int) -> bool:
    """Would a line run into a third city, or so close that it looks like it?"""
    a, b = spots[first], spots[second]
    length = sqrt(_squared_distance(a, b))
    for other, spot in enumerate(spots):
        if other in (first, second):
            continue
        along = ((spot[0] - a[0]) * (b[0] - a[0]) + (spot[1] - a[1]) * (b[1] - a[1])) / length**2
        if 0 < along < 1:
            foot = (a[0] + along * (b[0] - a[0]), a[1] + along * (b[1] - a[1]))
            if hypot(spot[0] - foot[0], spot[1] - foot[1]) < min(20.0, length / 5):
                return True
    return False


# -- what is built on the lines ----------------------------------------------------------------


def _build_connections(
    rng: Random, spots: Sequence[_Spot], names: Sequence[str], lines: Sequence[tuple[int, int]]
) -> Iterator[Connection]:
    """Connections on `lines`: longer ones for longer distances, colours spread evenly, some lines double."""
    by_distance = sorted(lines, key=lambda line: (_squared_distance(spots[line[0]], spots[line[1]]), line))
    palette: list[Color] = []
    for rank, (first, second) in enumerate(by_distance):
        length = 3 + rank * 3 // len(by_distance)
        low, high = sorted((names[first], names[second]))
        double = below(rng, _DOUBLE_EVERY) == 0
        if len(palette) < 2:
            palette += shuffled(rng, COLORS)
        colors = [palette.pop()]
        if double:
            colors.append(choice(rng, [color for color in COLORS if color != colors[0]]))
        for color in colors:
            yield Connection(low, high, color, length)
