"""`python -m tools.moving_picture`: a match as one SVG that moves, for README and the front page of the documentation.

Every moment of the match is drawn by its game.  An element that several moments share is written once, and a style
says when it is visible; where people want no motion, the last moment stands still.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

import msgspec

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Turn
from fairplay.core.chance import derived
from fairplay.match.players import house_strategy
from fairplay.match.record import deal_state

__all__ = ["animate", "draw_match", "draw_moments"]

TARGET: Final = Path(__file__).parent.parent / "docs" / "pictures" / "match.svg"
SECONDS: Final = 0.7
"""How long a moment is shown; the last one five times as long."""

LAST: Final = 5
SVG: Final = "http://www.w3.org/2000/svg"


def draw_moments(game: AnyGame, players: Sequence[str], setup: dict[str, object], seed: int) -> Iterator[str]:
    """Draw every moment of a match of house players."""
    strategies = [house_strategy(game, name, derived(seed, "player", seat)) for seat, name in enumerate(players)]
    state = deal_state(game, msgspec.convert(setup, game.setup), seed, len(players))
    yield game.picture(state)
    while (seat := game.rules.to_move(state)) is not None:
        action = strategies[seat](game.rules.view(state, seat))
        before, state = state, game.rules.apply(state, action)
        yield game.picture(state, Turn(before, seat, action, state))


def animate(pictures: Sequence[str], label: str) -> str:
    """Put pictures of the same size one after the other into a single one."""
    trees = [ElementTree.fromstring(picture) for picture in pictures]
    elements: list[str] = []  # every element of every picture, in an order that suits all of them
    shown: list[list[int]] = []  # for each of them, the pictures that have it
    for number, tree in enumerate(trees):
        place = 0
        for text in map(write_element, tree):
            if text in elements[place:]:
                place = elements.index(text, place)
            else:
                elements.insert(place, text)
                shown.insert(place, [])
            shown[place].append(number)
            place += 1
    classes, style = time_elements(shown, len(trees))
    parts = [f'<g class="{name}">{text}</g>' if name else text for name, text in zip(classes, elements, strict=True)]
    root = trees[-1]
    head = f'viewBox="{root.get("viewBox")}" width="{root.get("width")}" height="{root.get("height")}"'
    return (
        f'<svg xmlns="{SVG}" class="{root.get("class")}" {head} role="img" aria-label="{label}">'
        f"<style>{style}</style>{''.join(parts)}</svg>\n"
    )


def write_element(element: ElementTree.Element) -> str:
    """Write an element without the words that only a mouse would show."""
    for child in [*element.iter()]:
        for title in child.findall(f"{{{SVG}}}title"):
            child.remove(title)
    text = ElementTree.tostring(element, "unicode").replace("ns0:", "").replace(":ns0", "")
    return re.sub(rf' xmlns="{SVG}"| data-[a-z-]+="[^"]*"', "", text)


def time_elements(shown: Sequence[Sequence[int]], count: int) -> tuple[list[str], str]:
    """For each element the class that times it, none where it is always there; and the style of these classes."""
    total = count - 1 + LAST
    names: dict[tuple[int, ...], str] = {}
    rules = [f".m{{animation:{total * SECONDS:.1f}s step-end infinite;visibility:hidden}}"]
    classes = []
    for moments in map(tuple, shown):
        if len(moments) == count:
            classes.append("")
            continue
        if moments not in names:
            name = names[moments] = f"m{len(names)}"
            rules.append(f"@keyframes {name}{{{''.join(keyframes(moments, count))}}}.{name}{{animation-name:{name}}}")
        classes.append(f"m {names[moments]}" + (" last" if count - 1 in moments else ""))
    rules.append(".last{visibility:visible}@media (prefers-reduced-motion:reduce){.m{animation:none}}")
    return classes, "".join(rules)


def keyframes(moments: Sequence[int], count: int) -> Iterator[str]:
    """Say when an element appears and disappears."""
    visible, total = None, count - 1 + LAST
    for number in range(count):
        if (number in moments) is not visible:
            visible = number in moments
            yield f"{100 * number / total:.2f}%{{visibility:{'visible' if visible else 'hidden'}}}"


def draw_match() -> str:
    """The match of the front page."""
    setup: dict[str, object] = {"rows": 6, "columns": 5}
    pictures = [*draw_moments(GAMES["fish"], ["greedy", "minimax:depth=2"], setup, 4)]
    return animate(pictures, "A match of Fish from the first penguin to the last move")


if __name__ == "__main__":
    TARGET.write_text(draw_match(), "utf-8")
