"""Gems, each with the colour of its kind and a cut of its own, and the things of gold that 24 of them are set in."""

from collections.abc import Mapping
from math import cos, pi, sin
from typing import NamedTuple, TypeAlias

from fairplay.games.labyrinth.tiles import GEMS, Gem

# -- the 102 gems -----------------------------------------------------------------------------


Points: TypeAlias = tuple[tuple[float, float], ...]


def polygon_points(corners: int, turned: float = 0, wide: float = 1, high: float = 1) -> Points:
    """The corners of a regular polygon in the unit circle, the first one on top, stretched."""
    angles = (turned + 2 * pi * corner / corners for corner in range(corners))
    return tuple((wide * sin(angle), -high * cos(angle)) for angle in angles)


def star_points(points: int) -> Points:
    """The corners of a star in the unit circle, the first one on top."""
    spokes = ((pi * spoke / points, 1 if spoke % 2 == 0 else 0.5) for spoke in range(2 * points))
    return tuple((far * sin(angle), -far * cos(angle)) for angle, far in spokes)


CUTS: Mapping[str, Points | str] = {
    "round": "M0-1A1 1 0 0 1 0 1A1 1 0 0 1 0-1z",
    "oval": "M0-1A.72 1 0 0 1 0 1A.72 1 0 0 1 0-1z",
    "square": polygon_points(4, pi / 4, 1.2, 1.2),
    "heart": "M0 1C-1.6-.1-.95-1.1-.45-.95Q-.1-.85 0-.45Q.1-.85.45-.95C.95-1.1 1.6-.1 0 1z",
    "trillion": "M0-1Q.85-.3.95.7Q0 1.05-.95.7Q-.85-.3 0-1z",
    "marquise": "M0-1.1Q1.25 0 0 1.1Q-1.25 0 0-1.1z",
    "pear": "M0-1.05Q1.05.1.62.66A.75.75 0 0 1-.62.66Q-1.05.1 0-1.05z",
    "emerald": ((-0.4, -1), (0.4, -1), (0.75, -0.65), (0.75, 0.65), (0.4, 1), (-0.4, 1), (-0.75, 0.65), (-0.75, -0.65)),
    "hexagon": polygon_points(6),
    "diamond": ((-0.55, -0.8), (0.55, -0.8), (1, -0.25), (0, 1), (-1, -0.25)),
    "cushion": "M-.5-.9Q0-1 .5-.9Q.9-.9.9-.5Q1 0 .9.5Q.9.9.5.9Q0 1-.5.9Q-.9.9-.9.5Q-1 0-.9-.5Q-.9-.9-.5-.9z",
    "baguette": ((-0.5, -1.05), (0.5, -1.05), (0.5, 1.05), (-0.5, 1.05)),
    "raw": ((-0.35, -1), (0.45, -0.85), (0.95, -0.1), (0.6, 0.85), (-0.3, 1), (-0.95, 0.35), (-0.75, -0.5)),
    "star": star_points(5),
    "kite": ((0, -1.1), (0.8, 0), (0, 1.1), (-0.8, 0)),
    "pentagon": polygon_points(5),
    "octagon": polygon_points(8, pi / 8),
    "burst": star_points(8),
}
"""Outlines around the origin, with a radius of about 1."""

FAMILIES: Mapping[str, str] = {
    "#d0263f": "almandine-garnet garnet jasper jaspilite red-diamond red-spinel-square-emerald-cut ruby "
    "ruby-diamond-profile spinel",
    "#ef7d22": "apricot-square-radiant carnelian clinohumite goldstone mexican-opal orange-radiant padparadscha-oval "
    "padparadscha-sapphire sphalerite sunstone zircon",
    "#f4c81c": "chrysoberyl-cushion citrine citrine-checkerboard golden-diamond-cut lemon-quartz-briolette raw-citrine "
    "yellow-baguette yellow-beryl-oval yellow-heart yellow-jasper",
    "#22a04b": "aventurine chrome-diopside emerald green-aventurine green-beryl green-beryl-antique green-princess-cut "
    "grossular-garnet heliotrope tourmaline zoisite",
    "#9ccb3b": "beryl chrysolite moss-agate peridot prasiolite prehnite raw-beryl unakite",
    "#16b3ab": "alexandrite alexandrite-pear-shape apatite aquamarine color-change-oval grandidierite "
    "tourmaline-laser-cut",
    "#2d74dd": "azurite blue-ceylon-sapphire blue-cushion blue-pear-shape blue-spinel-heart cordierite dumortierite "
    "iolite-emerald-cut labradorite lapis-lazuli tanzanite-trillion",
    "#8a4fd0": "amethyst ametrine fancy-spinel-marquise hackmanite purple-cabochon purple-oval purple-spinel-trillion "
    "purple-square-cushion star-cabochon super-seven",
    "#ef6fae": "kunzite kunzite-oval morganite-oval pink-emerald-cut pink-opal pink-round pink-spinel-cushion "
    "rhodonite rose-quartz stilbite",
    "#eef2f5": "aplite diamond gray-agate magnesite moonstone rock-quartz white-square",
    "#34353f": "black-obsidian black-onyx black-spinel-cushion hematite",
    "#a86a34": "ammolite australian-marquise bulls-eye tigers-eye",
}
"""Gems by the colour of their kind."""

NAMED_CUTS: Mapping[str, str] = {
    "diamond-profile": "kite",
    "emerald-cut": "emerald",
    "princess": "square",
    "radiant": "octagon",
    "briolette": "pear",
    "cabochon": "round",
    "laser": "burst",
    "antique": "cushion",
    **{cut: cut for cut in ("heart", "oval", "pear", "trillion", "marquise", "baguette", "raw", "star", "round")},
    "cushion": "cushion",
    "square": "square",
    "diamond": "diamond",
    "eye": "oval",
}
"""Words in the name of a gem that say how it is cut; the first match counts."""


def assign_looks() -> dict[Gem, tuple[str, str]]:
    """Give each gem a colour and a cut: the one its name asks for if that is free, otherwise the next free one."""
    found: dict[Gem, tuple[str, str]] = {}
    for color, names in FAMILIES.items():
        free = list(CUTS)
        members = names.split()
        preferred = {gem: next((cut for word, cut in NAMED_CUTS.items() if word in gem), None) for gem in members}
        for gem in sorted(members, key=lambda gem: preferred[gem] is None):
            choice = preferred[gem]
            cut = choice if choice in free else free[0]
            free.remove(cut)
            found[gem] = color, cut
    return {gem: found[gem] for gem in GEMS}


GEM_LOOKS = assign_looks()


def outline_path(shape: Points | str) -> str:
    """The outline of a cut as an SVG path."""
    if isinstance(shape, str):
        return shape
    return "M" + "L".join(f"{x:.2g} {y:.2g}" for x, y in shape) + "z"


OUTLINES = {cut: outline_path(shape) for cut, shape in CUTS.items()}


def draw_gem(name: Gem, x: float, y: float, radius: float) -> str:
    """Draw one gem around (x, y), with a bright face and a glint."""
    color, cut = GEM_LOOKS[name]
    outline = OUTLINES[cut]
    return (
        f'<g transform="translate({x:g} {y:g})scale({radius:g})"><path d="{outline}" fill="{color}" stroke="#1c1206"'
        f' stroke-width="{1.5 / radius:.2g}"/><path d="{outline}" transform="scale(.55)" fill="#fff" opacity=".38"/>'
        '<circle cx="-.36" cy="-.4" r=".16" fill="#fff"/></g>'
    )


# -- treasures --------------------------------------------------------------------------------


class TreasureShape(NamedTuple):
    """What a treasure looks like, in a square of 40 units around (0, 0)."""

    noun: str
    gold: str  # its outline, as a path that is filled
    gems: tuple[tuple[float, float, float], ...]  # x, y and radius
    marks: str = ""  # thin dark lines on the gold
    cord: str = ""  # a line of gold


TREASURE_SHAPES: Mapping[Gem, TreasureShape] = {
    "alexandrite": TreasureShape(
        "ring", "M-12 7A12 12 0 1 1 12 7A12 12 0 1 1-12 7zM-8 7A8 8 0 1 0 8 7A8 8 0 1 0-8 7z", ((0, -9, 9.5),)
    ),
    "alexandrite-pear-shape": TreasureShape(
        "amulet", "M0-9Q15 2 13 9A13 12 0 0 1-13 9Q-15 2 0-9z", ((0, 7, 9),), cord="M-15-18Q-10-8 0-9Q10-8 15-18"
    ),
    "almandine-garnet": TreasureShape(
        "crown", "M-18 14V-9L-9 1 0-16 9 1 18-9V14z", ((0, 6, 6), (-11, 8, 3.4), (11, 8, 3.4))
    ),
    "amethyst": TreasureShape(
        "goblet", "M-13-17H13Q13 2 3 4V11Q10 12 11 17H-11Q-10 12-3 11V4Q-13 2-13-17z", ((0, -7, 7),)
    ),
    "ametrine": TreasureShape("key", "M-3-2A10 10 0 1 1 3-2V19H-3zM3 8H11V12H3zM3 15H9V19H3z", ((0, -11, 6),)),
    "ammolite": TreasureShape(
        "shell",
        "M16 17H-4A15 15 0 1 1 13 0Q14 11 16 17z",
        ((-3, 1, 5),),
        "M9 3A11 11 0 1 0-4 12",
    ),
    "apatite": TreasureShape("fish", "M-19 0Q-5-16 9-3L19-11V11L9 3Q-5 16-19 0z", ((-6, 0, 6.5),)),
    "aplite": TreasureShape(
        "mask", "M-17-13Q0-19 17-13Q17 14 0 18Q-17 14-17-13zM-12-1H-4V3Q-8 5-12 3zM12-1H4V3Q8 5 12 3z", ((0, -9, 4.5),)
    ),
    "apricot-square-radiant": TreasureShape(
        "lamp", "M-19-4Q-10-1-6-6H7Q9-12 15-9Q21-4 12 3Q8 11 0 11H-3Q-14 8-19-4zM-7 11H4L8 17H-11z", ((0, 2, 6),)
    ),
    "aquamarine": TreasureShape(
        "anchor",
        "M-2.5-7H2.5V12Q9 11 11 5L7 6 14-4 19 7 15 6Q12 19 0 19Q-12 19-15 6L-19 7-14-4-7 6-11 5Q-9 11-2.5 12z"
        "M-10-5H10V-1H-10z",
        ((0, -12, 6.5),),
    ),
    "australian-marquise": TreasureShape("shield", "M-15-17H15V0Q15 13 0 19Q-15 13-15 0z", ((0, -2, 11),)),
    "aventurine": TreasureShape("snake", "", ((9, -13, 6),), cord="M-16 15Q-4 21 1 12T-5-1T4-12"),
    "azurite": TreasureShape("book", "M-15-17H14V17H-15z", ((2, 0, 7.5),), "M-10-17V17"),
    "beryl": TreasureShape(
        "clover",
        "M1 2Q-3-5-8-3A7 7 0 0 1-8-13A7.5 7.5 0 0 1 0-16A7.5 7.5 0 0 1 8-13A7 7 0 0 1 8-3Q16-6 17 3A8 8 0 0 1 4 6"
        "Q4 13 9 19H4Q-1 12-1 6A8 8 0 0 1-17 3Q-16-6-8-3z",
        ((0, -3, 6),),
    ),
    "black-obsidian": TreasureShape(
        "sword", "M-3.5-15L0-21 3.5-15V5H12V9H3V16H-3V9H-12V5H-3.5z", ((0, 16, 4.5), (0, 6, 3))
    ),
    "black-onyx": TreasureShape(
        "cat", "M-15-18L-6-10H6L15-18V4Q13 17 0 17Q-13 17-15 4z", ((-7, 0, 4.5), (7, 0, 4.5)), "M-4 10Q0 13 4 10"
    ),
    "black-spinel-cushion": TreasureShape(
        "hourglass",
        "M-13-19H13V-14H11Q10-4 3 0Q10 4 11 14H13V19H-13V14H-11Q-10 4-3 0Q-10-4-11-14H-13z",
        ((0, -9, 5), (0, 10, 5)),
    ),
    "blue-ceylon-sapphire": TreasureShape(
        "sceptre", "M-18 15L-15 18 5-1 12-1Q20-4 19-13L13-19Q4-20 1-12L1-5z", ((9, -9, 7),)
    ),
    "blue-cushion": TreasureShape("chest", "M-18-3Q-18-15-7-15H7Q18-15 18-3zM-18 0H18V16H-18z", ((0, 0, 6.5),)),
    "blue-pear-shape": TreasureShape(
        "flask", "M-5-20H5V-15H3.5V-8Q15-2 15 7Q15 18 0 18Q-15 18-15 7Q-15-2-3.5-8V-15H-5z", ((0, 6, 8.5),)
    ),
    "blue-spinel-heart": TreasureShape(
        "locket", "M0 19C-27 0-16-19-7-16Q-2-14 0-8Q2-14 7-16C16-19 27 0 0 19z", ((0, 1, 10),)
    ),
    "bulls-eye": TreasureShape("medal", "M-10-20H10L6-7A13.5 13.5 0 1 1-6-7z", ((0, 6, 9),), "M-4-19L-2-8M4-19L2-8"),
    "carnelian": TreasureShape(
        "bell",
        "M0-20Q3-20 3-16Q12-13 12 1Q12 7 17 12H-17Q-12 7-12 1Q-12-13-3-16Q-3-20 0-20zM-5 14H5Q4 19 0 19Q-4 19-5 14z",
        ((0, 0, 7),),
    ),
    "chrome-diopside": TreasureShape(
        "helmet", "M-15 18V-2Q-15-18 0-18Q15-18 15-2V18zM-11 1H11V5H2.5V14H-2.5V5H-11z", ((0, -9, 5.5),)
    ),
}
"""Each looks unlike all others by its outline alone; the colour is that of the gem."""


def name_treasure(gem: Gem) -> str:
    """The treasure in words, such as ``amethyst goblet``."""
    shape = TREASURE_SHAPES.get(gem)
    return gem.replace("-", " ") + (f" {shape.noun}" if shape else "")


def treasure_art(gem: Gem) -> str:
    """Draw a treasure around (0, 0): gold with its gem, or the gem alone if it is set in nothing."""
    shape = TREASURE_SHAPES.get(gem)
    if shape is None:
        return draw_gem(gem, 0, 0, 15)
    edge, gold = 'stroke="#4a2f08" stroke-linejoin="round"', "#f3c452"
    parts = [f'<path d="{shape.gold}" fill="{gold}" fill-rule="evenodd" {edge} stroke-width="1.8"/>']
    if shape.marks:
        parts.append(f'<path d="{shape.marks}" fill="none" {edge} stroke-width="1.6"/>')
    if shape.cord:
        line = f'd="{shape.cord}" fill="none" stroke-linecap="round"'
        parts.append(f'<path {line} {edge} stroke-width="7"/><path {line} stroke="{gold}" stroke-width="4"/>')
    return "".join([*parts, *(draw_gem(gem, *place) for place in shape.gems)])


def define_treasures() -> str:
    """Define the treasures of the original game."""
    return "".join(
        f'<g id="labyrinth-treasure-{gem}" transform="scale(1.2)">{treasure_art(gem)}</g>' for gem in TREASURE_SHAPES
    )


def draw_treasure(gem: Gem) -> str:
    """Draw a treasure around (0, 0); ASSUME treasures are defined."""
    return f'<use href="#labyrinth-treasure-{gem}"/>' if gem in TREASURE_SHAPES else treasure_art(gem)


def treasure_icon(gem: Gem) -> str:
    """Draw a treasure as a small picture of its own."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-23 -23 46 46" width="46" height="46" aria-hidden="true">'
        f"{treasure_art(gem)}</svg>"
    )
