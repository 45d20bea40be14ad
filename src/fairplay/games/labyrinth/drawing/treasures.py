"""The treasures of the original game: for each of the 24 gems a thing of gold in which it is set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from fairplay.games.labyrinth.drawing.gems import draw_gem
from fairplay.games.labyrinth.tiles import Gem

__all__ = ["TREASURE_SHAPES", "define_treasures", "draw_treasure", "name_treasure", "treasure_icon"]


class TreasureShape(NamedTuple):
    """What a treasure looks like, in a square of 40 units around (0, 0)."""

    noun: str
    gold: str  # its outline, as a path that is filled
    gems: tuple[tuple[float, float, float], ...]  # x, y and radius
    marks: str = ""  # thin dark lines on the gold
    cord: str = ""  # a line of gold


TREASURE_SHAPES: Final[Mapping[Gem, TreasureShape]] = {
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
