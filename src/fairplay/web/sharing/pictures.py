"""Matches and games as pictures for strangers: SVG, and with the packages of the extra `pictures` PNG and GIF.

They show what everyone may see, and all that was hidden once there are no secrets.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from functools import cache
from html import escape
from importlib.util import find_spec
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from fairplay.catalog import GAMES
from fairplay.core import Picture
from fairplay.match.record import read_record
from fairplay.web.http.endpoints import RequestError
from fairplay.web.watching.timeline import Timeline, build_timeline

if TYPE_CHECKING:
    from PIL.Image import Image


_MAX_ANIMATED = 150
"""Moments of an animation; of a longer match it shows some of them."""


def draw_moment(timeline: Timeline, number: int, *, open: bool) -> Picture:
    """A moment as the public sees it, or with everything that is hidden."""
    return timeline.game.shown.picture(timeline.states[number], timeline.last_turn(number), open=open, seats=False)


def draw_record(record: bytes, most: int, *, open: bool) -> tuple[str, list[Picture]]:
    """At most `most` moments of a recorded match, and what they show in words; raises RecordError."""
    lines = read_record(record.splitlines(keepends=True))
    timeline = build_timeline(GAMES[lines.header.game], lines)
    numbers = sample_moments(timeline.last, most)
    return describe_players(timeline), [draw_moment(timeline, number, open=open) for number in numbers]


def animate_record(record: bytes, open: bool) -> bytes:
    """A recorded match as an SVG that moves."""
    label, pictures = draw_record(record, _MAX_ANIMATED, open=open)
    return animate_pictures(pictures, label).encode()


def describe_players(timeline: Timeline) -> str:
    """What is played, and by whom."""
    *others, last = timeline.names
    names = f"{', '.join(others)} and {last}" if others else last
    return f"A match of {timeline.game.name.capitalize()} between {names}"


MAX_FRAMES = 100
MAX_GIF_BYTES = 4 << 20
"""Of an animation that is larger, every second frame is left out."""

GIF_SIZE = 480
PNG_SIZE = 1200
"""Pixels of the longer side."""

_FRAME_MS = 600
_LAST_FRAME_MS = 3_000
"""How long a frame is shown."""

_FONTS = {
    "Noto Sans": "NotoSans-Regular",
    "DejaVu Sans": "DejaVuSans",
    "Liberation Sans": "LiberationSans-Regular",
    "Open Sans": "OpenSans-Regular",
    "Arial": "Arial",
}
"""Families, each with the name of its file; the first that is there is used."""

_FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts")

COLORS = 255
_BACKGROUND = "#ffffff"


def can_make_pictures() -> bool:
    """Is the extra `pictures` installed?"""
    return find_spec("resvg_py") is not None and find_spec("PIL") is not None


def require_pictures() -> None:
    """Raises RequestError if the extra `pictures` is not installed."""
    if not can_make_pictures():
        raise RequestError(501, "This server cannot make pictures: it lacks the extra 'pictures' (resvg_py, pillow).")


def render_png(svg: str, longest: int = PNG_SIZE) -> bytes:
    """A drawing as PNG, its longer side `longest` pixels long."""
    import resvg_py

    width, height = _size_of(svg)
    font = _find_font()
    pixels = resvg_py.svg_to_bytes(
        svg_string=svg,
        background=_BACKGROUND,
        width=longest if width >= height else None,
        height=None if width >= height else longest,
        font_family=font,
        sans_serif_family=font,
    )
    return bytes(pixels)


@cache
def _find_font() -> str | None:
    """A font without serifs that this machine has; drawings ask for any, but resvg knows only names."""
    files = {path.stem for folder in _FONT_FOLDERS for path in folder.rglob("*.[ot]tf")}
    return next((name for name, file in _FONTS.items() if file in files), None)


def _size_of(svg: str) -> tuple[float, float]:
    """The width and the height of a drawing; a square if it does not say them, which all of ours do."""
    found = re.search(r'viewBox="[-0-9.]+ [-0-9.]+ ([0-9.]+) ([0-9.]+)"', svg)
    return (1.0, 1.0) if found is None else (float(found[1]), float(found[2]))


def animate_gif(record: bytes, open: bool) -> bytes:
    """A recorded match as a GIF that moves; raises RecordError."""
    _, pictures = draw_record(record, MAX_FRAMES, open=open)
    frames = [read_frame(render_png(picture, GIF_SIZE)) for picture in pictures]
    made = write_gif(frames)
    while len(made) > MAX_GIF_BYTES and len(frames) > 2:
        frames = [*frames[:-1:2], frames[-1]]
        made = write_gif(frames)
    return made


def read_frame(png: bytes) -> Image:
    """A picture without its transparency."""
    from PIL import Image

    return Image.open(io.BytesIO(png)).convert("RGB")


def write_gif(frames: Sequence[Image]) -> bytes:
    """A GIF of frames of one size; all have the colours of the last one, so that nothing flickers."""
    from PIL import Image

    palette = frames[-1].quantize(COLORS)
    fitted = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    times = [_FRAME_MS] * (len(fitted) - 1) + [_LAST_FRAME_MS]
    file = io.BytesIO()
    fitted[0].save(file, "GIF", save_all=True, append_images=fitted[1:], duration=times, loop=0)
    return file.getvalue()


CARD_WIDTH = 1200
CARD_HEIGHT = 630

BOARD = (60, 140, 1080, 460)
"""Where the board is: left, top, width, height."""

_MAX_TITLE = 34
_MAX_LINE = 62
"""Letters that fit into the width."""

_FONT = "font-family=\"'DejaVu Sans',Verdana,sans-serif\""
ICON = (
    '<g transform="translate(60 20) scale(2.5)"><path fill="#fff" d="M16 1.5 28.6 8.75v14.5L16 30.5 3.4 23.25V8.75z"/>'
    '<path fill="none" stroke="#0f766e" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round" '
    'd="M16 8v15M9 11h14M9 11l-3 7h6zM23 11l-3 7h6zM11.5 23.5h9"/></g>'
)


def draw_card(board: str, title: str, line: str) -> str:
    """A board with a title and a line above it, as SVG."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {CARD_WIDTH} {CARD_HEIGHT}" width="{CARD_WIDTH}" '
        f'height="{CARD_HEIGHT}"><path fill="#f6f7f5" d="M0 0h{CARD_WIDTH}v{CARD_HEIGHT}H0z"/>'
        f'<path fill="#0f766e" d="M0 0h{CARD_WIDTH}v120H0z"/>{ICON}'
        f'<text x="160" y="64" {_FONT} font-size="42" font-weight="700" fill="#fff">{cut(title, _MAX_TITLE)}</text>'
        f'<text x="160" y="100" {_FONT} font-size="25" fill="#d9efec">{cut(line, _MAX_LINE)}</text>'
        f"{_place_board(board)}</svg>"
    )


def _place_board(board: str) -> str:
    """The board as large as fits, in the middle of its place."""
    left, top, wide, high = BOARD
    width, height = _size_of(board)
    scale = min(wide / width, high / height)
    x, y = left + (wide - scale * width) / 2, top + (high - scale * height) / 2
    place = f' x="{x:.1f}" y="{y:.1f}" width="{scale * width:.1f}" height="{scale * height:.1f}"'
    return re.sub(r' width="[^"]*" height="[^"]*"', place, board, count=1)


def cut(text: str, most: int) -> str:
    """As much of a text as fits, safe within SVG."""
    return escape(text if len(text) <= most else f"{text[: most - 1]}…")


# -- a match as one SVG that moves -------------------------------------------------------------
# Every element that several moments share is written once, and a style says when each element is visible.
# If people want no motion, the last moment stands still.

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
