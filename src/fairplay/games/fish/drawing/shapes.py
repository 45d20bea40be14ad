"""Ice and fish: the slabs of both layouts, the water where one sank, and schools of fish, each drawn once."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from fairplay.games.fish.board import Layout

Point: TypeAlias = tuple[float, float]

THICKNESS = 13  # of the ice above the water
DRAUGHT = 11  # of the ice that shines through the water
GAP = 0.965  # tiles are this much smaller than their place


class Hexagon(NamedTuple):
    """A tile seen from its middle: its corners clockwise from the top left one, and which of them the front joins."""

    name: str
    corners: Sequence[Point]
    front: Sequence[int]  # from right to left

    def outline(self, scale: float = GAP, down: float = 0) -> str:
        """The corners as SVG writes them."""
        return write_points([(scale * x, scale * y + down) for x, y in self.corners])

    def front_edge(self) -> list[Point]:
        """The corners that a side of the slab hangs from, from right to left."""
        return [(GAP * x, GAP * y) for x, y in (self.corners[number] for number in self.front)]


SHAPES = {
    Layout.STANDARD: Hexagon(  # Fish 1.8
        "flat", ((-13, -40), (13, -40), (39, 0), (13, 40), (-13, 40), (-39, 0)), (2, 3, 4, 5)
    ),
    Layout.ORIGINAL: Hexagon("tall", ((-36, -19), (0, -38), (36, -19), (36, 19), (0, 38), (-36, 19)), (3, 4, 5)),
}


def write_points(points: Sequence[Point]) -> str:
    """Points as SVG writes them."""
    return " ".join(f"{x:.4g},{y:.4g}" for x, y in points)


# -- ice ---------------------------------------------------------------------------------------


def define_ice(shape: Hexagon) -> str:
    """Define a slab, a ring around its top, and the water where it sank.

    The top takes fill and stroke of the element that uses it, so that a style can light it up.
    """
    sides = "".join(draw_side(edge) for edge in pairwise(shape.front_edge()))
    return (
        f'<g id="fish-ice-{shape.name}"><g stroke="none" stroke-dasharray="none">{draw_draught(shape)}{sides}</g>'
        f'<polygon points="{shape.outline()}"/>{draw_snow(shape)}</g>'
        f'<polygon id="fish-ring-{shape.name}" points="{shape.outline(0.87)}"/>'
        f'<g id="fish-hole-{shape.name}">{draw_hole(shape)}</g>'
    )


def draw_side(edge: tuple[Point, Point]) -> str:
    """Draw one side of a slab; light comes from the left."""
    (x, y), (to_x, to_y) = edge
    middle = (x + to_x) / 2
    color = "#79bcd8" if middle > 1 else "#b4e0ee" if middle < -1 else "#96d0e4"
    low = [(to_x, to_y + THICKNESS), (x, y + THICKNESS)]
    return f'<polygon fill="{color}" points="{write_points([(x, y), (to_x, to_y), *low])}"/>'


def draw_draught(shape: Hexagon) -> str:
    """Draw what shines through the water, and the foam above it."""
    edge = shape.front_edge()
    foam = write_points([(x, y + THICKNESS) for x, y in edge])
    deep = [(x * 0.94, y + THICKNESS + DRAUGHT) for x, y in reversed(edge)]
    return (
        f'<polygon fill="#54cfe0" opacity=".45" points="{foam} {write_points(deep)}"/>'
        f'<polyline fill="none" stroke="#f2fdff" stroke-width="3.5" stroke-linejoin="round" opacity=".85"'
        f' points="{foam}"/>'
    )


def draw_snow(shape: Hexagon) -> str:
    """Draw the light on the far edges of a slab, and scratches on it."""
    points = [(0.9 * x, 0.9 * y) for x, y in shape.corners]
    far = write_points([points[-1], *points[:3]])
    scratches = "M-25 12l7 12M-20 13l3 5M19-21l6 11" if shape.name == "flat" else "M-27 10l8 5M-22 9l4 2M14-20l9 5"
    return (
        f'<g fill="none" stroke="#fff" stroke-dasharray="none" stroke-linecap="round" stroke-linejoin="round">'
        f'<polyline stroke-width="2" opacity=".9" points="{far}"/>'
        f'<path stroke="#b5d9ea" stroke-width="1.3" d="{scratches}"/></g>'
    )


def draw_hole(shape: Hexagon) -> str:
    """Draw open water with the tile far below."""
    return (
        f'<polygon fill="#06294a" opacity=".38" points="{shape.outline(0.99)}"/>'
        f'<polygon fill="#06294a" opacity=".3" points="{shape.outline(0.8, 3)}"/>'
        f'<polygon fill="#8fe3ee" opacity=".16" points="{shape.outline(0.56, 7)}"/>'
        '<path fill="none" stroke="#c9f4fa" stroke-linecap="round" stroke-width="1.4" opacity=".3"'
        ' d="M-20-7q5-4 10 0t10 0M2 13q4-3 8 0t8 0"/>'
    )


# -- fish --------------------------------------------------------------------------------------

COLORS = {
    1: ("#7d9db3", "#c9dbe6"),
    2: ("#2d86c0", "#a6d6f2"),
    3: ("#148577", "#8fdcc9"),
    4: ("#dd7d12", "#ffd591"),
    5: ("#c8324b", "#ffb3a6"),
}
"""Back and belly of the fish of a tile with this many: the richest can be seen from afar."""

SCHOOLS = {
    1: ((0, 0),),
    2: ((-6, -12), (6, 13)),
    3: ((0, -18), (-15, 9), (15, 9)),
    4: ((0, -22), (-16, 0), (16, 0), (0, 22)),
    5: ((-12, -20), (12, -20), (0, 0), (-12, 20), (12, 20)),
}
"""Where the fish of a tile lie, seen from its middle."""

SIZES = {1: 1.8, 2: 1.4, 3: 1.02, 4: 1.02, 5: 0.84}


def define_fish(count: int) -> str:
    """Define a fish of a tile with this many: tail and fins, back, belly, gill, eye."""
    back, belly = COLORS[count]
    return (
        f'<g id="fish-{count}-one" stroke="none"><path fill="{back}" d="M6 0l8.5-6q1.5 6 0 12zM-3-5q4-5 8-2l-2 3z'
        'M-2 5l5 4v-4zM-13 .5Q-5-8 4-3.5 8-1 9 0 4 6-3 6T-13 .5z"/>'
        f'<path fill="{belly}" d="M-13 .5Q-4 3 8 .5 3 6-3 6T-13 .5z"/>'
        '<path fill="none" stroke="#fff" stroke-width="1.1" opacity=".75" d="M-4.5-4q2.5 4 0 8.5M2-2l1.5 2M5-1l1 1.5"/>'
        '<circle fill="#fff" cx="-8" cy="-1" r="1.9"/><circle fill="#0d2b45" cx="-8.2" cy="-1" r="1.1"/></g>'
    )


def define_tiles(shape: Hexagon) -> Iterator[str]:
    """Define tiles with 1 to 5 fish: free ones with their school, and ones to stand on with the number of fish."""
    for count, places in SCHOOLS.items():
        school = "".join(place_fish(count, at) for at in places)
        ice = f'<use href="#fish-ice-{shape.name}"/>'
        yield define_fish(count)
        yield f'<g id="fish-tile-{count}-{shape.name}">{ice}{school}</g>'
        yield f'<g id="fish-stand-{count}-{shape.name}">{ice}{draw_count(count)}</g>'


def place_fish(count: int, at: Point) -> str:
    """Put one fish of a school on its tile."""
    x, y = at
    return f'<use href="#fish-{count}-one" transform="translate({x:g} {y:g})scale({SIZES[count]})"/>'


def draw_count(count: int) -> str:
    """Draw a fish with a number beside a penguin."""
    return (
        f'<g stroke="none"><use href="#fish-{count}-one" transform="translate(18 10)scale(.9)"/>'
        f'<text fill="#12324a" font-size="20" font-weight="800" x="23" y="-4" text-anchor="middle">{count}</text></g>'
    )
