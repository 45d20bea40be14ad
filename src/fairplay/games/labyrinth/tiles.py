"""One tile: four open or closed sides as four bits, and a pair of gems."""

from collections.abc import Mapping
from itertools import combinations
from typing import Literal, TypeAlias, get_args

Tile: TypeAlias = int
"""The open sides of a tile, as bits."""

Gem: TypeAlias = str
Pair: TypeAlias = tuple[Gem, Gem]

Degree: TypeAlias = Literal[0, 90, 180, 270]
Connector: TypeAlias = Literal["│", "─", "┐", "└", "┌", "┘", "┬", "├", "┴", "┤", "┼"]

NORTH, EAST, SOUTH, WEST = 1, 2, 4, 8

# Labyrinth 1.4, in the order of its table
OPEN_SIDES: Mapping[Connector, Tile] = {
    "│": NORTH | SOUTH,
    "─": EAST | WEST,
    "┐": SOUTH | WEST,
    "└": NORTH | EAST,
    "┌": EAST | SOUTH,
    "┘": NORTH | WEST,
    "┬": EAST | SOUTH | WEST,
    "├": NORTH | EAST | SOUTH,
    "┴": NORTH | EAST | WEST,
    "┤": NORTH | SOUTH | WEST,
    "┼": NORTH | EAST | SOUTH | WEST,
}

TILES: Mapping[str, Tile] = dict(OPEN_SIDES.items())
"""The same for any string, for connectors read from a text."""

CONNECTORS: Mapping[Tile, Connector] = {tile: connector for connector, tile in OPEN_SIDES.items()}

DEGREES: tuple[Degree, ...] = get_args(Degree)


def rotate_tile(tile: Tile, degree: Degree) -> Tile:
    """Turn a tile counter-clockwise (Labyrinth 1.6)."""
    quarters = degree // 90
    return (tile >> quarters | tile << 4 - quarters) & 15


def tile_rotations(tile: Tile) -> tuple[tuple[Tile, tuple[Degree, ...]], ...]:
    """The different ways a tile can be turned, each with the degrees that lead there."""
    found: dict[Tile, tuple[Degree, ...]] = {}
    for degree in DEGREES:
        turned = rotate_tile(tile, degree)
        found[turned] = (*found.get(turned, ()), degree)
    return tuple(found.items())


ROTATIONS = tuple(tile_rotations(tile) for tile in range(16))
"""For each tile the different ways it can be turned, each with the degrees that lead there, smallest first."""

# Labyrinth 10.6
GEMS: tuple[Gem, ...] = (
    "alexandrite", "alexandrite-pear-shape", "almandine-garnet", "amethyst", "ametrine", "ammolite", "apatite",
    "aplite", "apricot-square-radiant", "aquamarine", "australian-marquise", "aventurine", "azurite", "beryl",
    "black-obsidian", "black-onyx", "black-spinel-cushion", "blue-ceylon-sapphire", "blue-cushion",
    "blue-pear-shape", "blue-spinel-heart", "bulls-eye", "carnelian", "chrome-diopside", "chrysoberyl-cushion",
    "chrysolite", "citrine", "citrine-checkerboard", "clinohumite", "color-change-oval", "cordierite", "diamond",
    "dumortierite", "emerald", "fancy-spinel-marquise", "garnet", "golden-diamond-cut", "goldstone",
    "grandidierite", "gray-agate", "green-aventurine", "green-beryl", "green-beryl-antique", "green-princess-cut",
    "grossular-garnet", "hackmanite", "heliotrope", "hematite", "iolite-emerald-cut", "jasper", "jaspilite",
    "kunzite", "kunzite-oval", "labradorite", "lapis-lazuli", "lemon-quartz-briolette", "magnesite",
    "mexican-opal", "moonstone", "morganite-oval", "moss-agate", "orange-radiant", "padparadscha-oval",
    "padparadscha-sapphire", "peridot", "pink-emerald-cut", "pink-opal", "pink-round", "pink-spinel-cushion",
    "prasiolite", "prehnite", "purple-cabochon", "purple-oval", "purple-spinel-trillion", "purple-square-cushion",
    "raw-beryl", "raw-citrine", "red-diamond", "red-spinel-square-emerald-cut", "rhodonite", "rock-quartz",
    "rose-quartz", "ruby", "ruby-diamond-profile", "sphalerite", "spinel", "star-cabochon", "stilbite", "sunstone",
    "super-seven", "tanzanite-trillion", "tigers-eye", "tourmaline", "tourmaline-laser-cut", "unakite",
    "white-square", "yellow-baguette", "yellow-beryl-oval", "yellow-heart", "yellow-jasper", "zircon", "zoisite",
)  # fmt: skip

GEM_NUMBERS: Mapping[Gem, int] = {gem: number for number, gem in enumerate(GEMS)}
PAIRS: tuple[Pair, ...] = tuple(combinations(GEMS, 2))
"""All pairs of two different gems, the earlier one first."""
