"""The 102 gems: each has the colour of its kind, and a cut that no other gem of that colour has."""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Final, TypeAlias

from fairplay.games.labyrinth.tiles import GEMS, Gem

__all__ = ["GEM_LOOKS", "draw_gem"]

Points: TypeAlias = tuple[tuple[float, float], ...]


def polygon_points(corners: int, turned: float = 0, wide: float = 1, high: float = 1) -> Points:
    """The corners of a regular polygon in the unit circle, the first one on top, stretched."""
    angles = (turned + 2 * pi * corner / corners for corner in range(corners))
    return tuple((wide * sin(angle), -high * cos(angle)) for angle in angles)


def star_points(points: int) -> Points:
    """The corners of a star in the unit circle, the first one on top."""
    spokes = ((pi * spoke / points, 1 if spoke % 2 == 0 else 0.5) for spoke in range(2 * points))
    return tuple((far * sin(angle), -far * cos(angle)) for angle, far in spokes)


CUTS: Final[Mapping[str, Points | str]] = {
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

FAMILIES: Final[Mapping[str, str]] = {
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

NAMED_CUTS: Final[Mapping[str, str]] = {
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


GEM_LOOKS: Final = assign_looks()


def outline_path(shape: Points | str) -> str:
    """The outline of a cut as an SVG path."""
    if isinstance(shape, str):
        return shape
    return "M" + "L".join(f"{x:.2g} {y:.2g}" for x, y in shape) + "z"


OUTLINES: Final = {cut: outline_path(shape) for cut, shape in CUTS.items()}


def draw_gem(name: Gem, x: float, y: float, radius: float) -> str:
    """Draw one gem around (x, y), with a bright face and a glint."""
    color, cut = GEM_LOOKS[name]
    outline = OUTLINES[cut]
    return (
        f'<g transform="translate({x:g} {y:g})scale({radius:g})"><path d="{outline}" fill="{color}" stroke="#1c1206"'
        f' stroke-width="{1.5 / radius:.2g}"/><path d="{outline}" transform="scale(.55)" fill="#fff" opacity=".38"/>'
        '<circle cx="-.36" cy="-.4" r=".16" fill="#fff"/></g>'
    )
