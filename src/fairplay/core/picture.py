"""What people are shown of a game: a drawing as SVG text that shows itself in a notebook, cards beside it, lessons.

A game's ``picture(shown, last=None, *, open=False, seats=True, lit=(), chosen=())`` draws a state as everyone may see
it, with `open` everything in it, or a view as its owner may see it.  Without `seats` the list of seats is left out, for
pages that show it in their own way.  `lit` are the keys of elements that can be clicked (see core/clicks.py), `chosen`
those of elements that have been.  Every CSS rule begins with the class of the game's pictures, and every id with the
name of the game, so that several pictures can share a page.

Pages show change as motion.  They compare the elements of two drawings that have the same ``data-key``, which no two
elements of one drawing share:

- An element whose place changed glides there.  Its place is where the origin of its own coordinates lies, so a keyed
  element carries its own ``transform="translate(x y)"``; with ``data-path="x,y x,y"`` it passes through these points,
  in units of the drawing, and then comes to rest.
- ``data-enter`` says how an element appears that was not there before: ``fade``, ``grow``, ``drop``, or ``from KEY``,
  flying from where the element with that key is.
- ``data-leave`` says how one disappears: ``fade``, ``shrink``, ``sink``, or ``to KEY``.
- ``data-step="1"`` waits until everything of step 0 has come to rest, and so on.
- ``data-ride="x,y"`` is where the step before its own takes an element: a pawn rides on a row that slides in step 1 and
  walks in step 2.
- ``data-jump`` lets an element fade where it was and appear where it is taken, instead of gliding there.
- ``data-order="3"`` on elements that appear: one after the other, in this order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct


class Picture(str):
    """SVG text: write it to a file, put it into a page, or let a notebook show it.

    `head` is how it begins, up to everything that stays the same for a whole match and for every viewer, and `body` is
    what changes from moment to moment: a page sends the head once.  A picture that is made of plain text is all body.
    """

    head: str
    body: str
    label: str  # what it shows, for those who cannot see it

    def __new__(cls, text: str) -> Picture:
        picture = super().__new__(cls, text)
        picture.head, picture.body, picture.label = "", text, ""
        return picture

    @classmethod
    def build(cls, kind: str, width: float, height: float, label: str, base: str, body: str) -> Picture:
        """A picture of this size and CSS class, with `base` below `body`.

        LAW: all pictures of a match that leave out the seats share kind, width, height and base.
        """
        frame = f'xmlns="http://www.w3.org/2000/svg" class="{kind}" viewBox="0 0 {width:g} {height:g}"'
        head = f'<svg {frame} width="{width:g}" height="{height:g}" role="img">{base}'
        labelled = head.replace(' role="img">', f' role="img" aria-label="{label}">', 1)
        picture = cls(f"{labelled}{body}</svg>")
        picture.head, picture.body, picture.label = head, body, label
        return picture

    def _repr_svg_(self) -> str:
        return str(self)


# -- cards beside the board --------------------------------------------------------------------


class SideCard(Struct, frozen=True, omit_defaults=True):
    """A card, or a pile of equal ones.

    `click` is the key of what it stands for when it is clicked (see core/clicks.py), `highlights` are keys of elements
    of the picture that are shown while one points at it, ``data-key=NAME`` among them.
    """

    title: str
    detail: str = ""
    count: int | None = None  # of a pile; None: it is a single card
    key: str = ""  # its ``data-key``, for motion
    click: str = ""
    highlights: tuple[str, ...] = ()
    picture: str = ""  # a small drawing: SVG
    kind: str = ""  # words that the page makes CSS classes of, such as ``red`` or ``done``
    enter: str = ""  # how it appears, as in ``data-enter``


class CardGroup(Struct, frozen=True, omit_defaults=True):
    """Cards that lie together, under a title."""

    title: str
    cards: tuple[SideCard, ...]
    detail: str = ""


# -- teaching ----------------------------------------------------------------------------------


class Lesson(Struct, frozen=True):
    """A picture with one sentence, under a short title."""

    title: str
    words: str
    picture: Picture


class TurnAdvice(Struct, frozen=True):
    """What a beginner should do now, and why; `action` is shown by highlighting the clicks that lead to it."""

    title: str
    words: str
    action: Any = None  # None: do as you like


class Teaching(Struct, frozen=True):
    """What a game offers to those who have never played it."""

    minutes: str  # how long a match takes, such as "5 to 10"
    lessons: Callable[[], tuple[Lesson, ...]]  # five of them
    advise: Callable[[Any, int], TurnAdvice | None]
    """What to do in a view of the person who is to move, and how often it has moved before; None: no more to say."""
    explain: Callable[[Any, Any], str] | None = None
    """What speaks for an action in a view of the person who is to move, in sentences; empty: nothing in particular."""
