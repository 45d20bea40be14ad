"""A match as one SVG that moves: every element that several moments share is written once.

A style says when each element is visible.  If people want no motion, the last moment stands still.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from sys import intern
from xml.etree import ElementTree

_SECONDS = 0.7
"""How long a moment is shown; the last one five times as long."""

_LAST = 5
_SVG = "http://www.w3.org/2000/svg"
_DEPTH = 3
_MANY = 8
"""Groups within groups that are taken apart, so that what stays the same in them is written once; if they are large."""

_AS_A_WHOLE = ("opacity", "filter", "mask", "clip-path", "data-key")
"""Attributes that make a group more than the sum of its elements."""


def sample_moments(last: int, most: int) -> list[int]:
    """The numbers of at most `most` moments from 0 to `last`, evenly spread, both of these among them."""
    count = min(last + 1, most)
    return [*range(last + 1)] if count > last else [round(step * last / (count - 1)) for step in range(count)]


def animate_pictures(pictures: Sequence[str], label: str) -> str:
    """Put pictures of the same size one after the other into a single one."""
    trees = [ElementTree.fromstring(picture) for picture in pictures]
    elements, shown = _merge_elements([[*_write_elements(tree)] for tree in trees])
    classes, style = _time_elements(shown, len(trees))
    parts = [f'<g class="{name}">{text}</g>' if name else text for name, text in zip(classes, elements, strict=True)]
    root = trees[-1]
    head = f'viewBox="{root.get("viewBox")}" width="{root.get("width")}" height="{root.get("height")}"'
    return (
        f'<svg xmlns="{_SVG}" class="{root.get("class")}" {head} role="img" aria-label="{escape(label)}">'
        f"<style>{style}</style>{''.join(parts)}</svg>\n"
    )


def _merge_elements(pictures: Sequence[Sequence[str]]) -> tuple[list[str], list[list[int]]]:
    """Every element of every picture, in an order that suits all of them, and the pictures that have it."""
    elements: list[str] = []
    shown: list[list[int]] = []
    for number, texts in enumerate(pictures):
        place = 0
        for text in texts:
            try:
                place = elements.index(text, place)
            except ValueError:
                elements.insert(place, text)
                shown.insert(place, [])
            shown[place].append(number)
            place += 1
    return elements, shown


# -- elements ----------------------------------------------------------------------------------


def _write_elements(tree: ElementTree.Element, depth: int = _DEPTH) -> Iterator[str]:
    """The elements of a picture or a group as text; a large group is taken apart into groups of one element."""
    for child in tree:
        if depth and len(child) >= _MANY and _is_plain_group(child):
            start, end = _write_frame(child)
            yield from (intern(f"{start}{part}{end}") for part in _write_elements(child, depth - 1))
        else:
            yield intern(_write_element(child))


def _is_plain_group(element: ElementTree.Element) -> bool:
    """Does a group look the same if each of its elements is in a group of its own?"""
    return element.tag == f"{{{_SVG}}}g" and not any(name in element.attrib for name in _AS_A_WHOLE)


def _write_frame(group: ElementTree.Element) -> tuple[str, str]:
    """The tags around the elements of a group."""
    empty = ElementTree.Element(group.tag, group.attrib)
    empty.text = "|"
    start, _, end = _clean(ElementTree.tostring(empty, "unicode")).partition("|")
    return start, end


def _write_element(element: ElementTree.Element) -> str:
    """An element without the words that only a mouse would show."""
    for child in [*element.iter()]:
        for title in child.findall(f"{{{_SVG}}}title"):
            child.remove(title)
    return _clean(ElementTree.tostring(element, "unicode"))


def _clean(text: str) -> str:
    """An element as it stands within an SVG, without what only pages need."""
    text = text.replace("ns0:", "").replace(":ns0", "")
    return re.sub(rf' xmlns="{_SVG}"| data-[a-z-]+="[^"]*"', "", text)


# -- times -------------------------------------------------------------------------------------


def _time_elements(shown: Sequence[Sequence[int]], count: int) -> tuple[list[str], str]:
    """For each element the class that times it, none if it is always there; and the style of these classes."""
    total = count - 1 + _LAST
    names: dict[tuple[int, ...], str] = {}
    rules = [f".m{{animation:{total * _SECONDS:.1f}s step-end infinite;visibility:hidden}}"]
    classes = []
    for moments in map(tuple, shown):
        if len(moments) == count:
            classes.append("")
            continue
        if moments not in names:
            name = names[moments] = f"m{len(names)}"
            rules.append(f"@keyframes {name}{{{''.join(_keyframes(moments, count))}}}.{name}{{animation-name:{name}}}")
        classes.append(f"m {names[moments]}" + (" last" if count - 1 in moments else ""))
    rules.append(".last{visibility:visible}@media (prefers-reduced-motion:reduce){.m{animation:none}}")
    return classes, "".join(rules)


def _keyframes(moments: Sequence[int], count: int) -> Iterator[str]:
    """Say when an element appears and disappears."""
    visible, total, those = None, count - 1 + _LAST, frozenset(moments)
    for number in range(count):
        if (number in those) is not visible:
            visible = number in those
            yield f"{100 * number / total:.2f}%{{visibility:{'visible' if visible else 'hidden'}}}"
