"""What people are shown of a game: drawings that notebooks show, cards, lessons, and what can be clicked.

A game's ``picture(shown, last=None, *, open=False, seats=True, lit=(), chosen=())`` draws a state as everyone may see
it, with `open` everything in it, or a view as its owner may see it.  Without `seats` the list of seats is left out, for
pages that show it in their own way.  `lit` are the keys of elements that can be clicked (see `Choice`), `chosen`
those of elements that have been.  Every CSS rule begins with the class of the game's pictures, and every id with the
name of the game, so that several pictures can share a page.

A game's ``cards(shown, *, open=False)`` lists what lies beside the board, of a state or a view, with the same `open`.

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

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from fairplay.core.faults import UsageError


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

    `click` is the key of what it stands for when it is clicked (see `Choice`), `highlights` are keys of elements
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


# -- playing by clicks: what a person can click in a picture, and what the clicks mean ----------

A = TypeVar("A")
P = TypeVar("P")  # what a game makes of the clicks so far


class Choice(Struct, frozen=True):
    """Something that can be clicked next.

    `key` is an attribute of the picture or of a card without its ``data-``: ``at=2,3`` stands for every element with
    ``data-at="2,3"``.  If there is no such element, the page shows a button with the label instead.
    """

    key: str
    label: str
    highlights: tuple[str, ...] = ()  # keys of what it would lead to or cost: shown while one points at it


class Placement(Struct, frozen=True):
    """Where an element of the picture goes while a person is choosing, such as a tile of a row that is slid."""

    key: str  # its ``data-key``
    transform: str  # the attribute, as SVG writes it


class PartialMove(Struct, frozen=True):
    """What a person has clicked so far, and what can be clicked next."""

    prompt: str
    choices: tuple[Choice, ...]
    chosen: tuple[str, ...] = ()  # keys of what has been clicked, to be marked in the picture
    places: tuple[Placement, ...] = ()  # what lies elsewhere than the picture of the position shows it


class CompleteMove(Struct, Generic[A], frozen=True):
    """The clicks make up an action."""

    action: A


def parse_click(click: str) -> tuple[str, str]:
    """Split the key of a clicked element into name and value: ``at=2,3`` is ``at`` and ``2,3``."""
    name, _, value = click.partition("=")
    return name, value


def follow_clicks(
    clicks: Sequence[str], start: P, step: Callable[[P, str, str], P | CompleteMove[A]]
) -> P | CompleteMove[A]:
    """Apply `step` to each click in turn, beginning with `start`; raises UsageError for a click after the last one.

    `step` takes what the clicks before came to and the name and value of the next one.
    """
    so_far = start
    for number, click in enumerate(clicks, 1):
        after = step(so_far, *parse_click(click))
        if isinstance(after, CompleteMove):
            if number < len(clicks):
                raise UsageError("the turn is complete; there is nothing left to click")
            return after
        so_far = after
    return so_far


# -- everything that can be clicked in a turn --------------------------------------------------

COMPLETE = -1
"""Instead of the number of a node: this click completes the move."""

UNKNOWN = -2
"""Instead of the number of a node: the tree ends here, and only the server knows what comes next."""


class ClickNode(Struct, frozen=True, omit_defaults=True):
    """A partial move as pages are sent it; labels and highlights of its choices are in the tree."""

    prompt: str
    next: dict[str, int]  # by key, in the order of the choices: the node that a click leads to, COMPLETE or UNKNOWN
    chosen: tuple[str, ...] = ()
    places: tuple[tuple[str, str], ...] = ()  # keys and transforms


class ClickTree(Struct, frozen=True):
    """All that a person can click in a turn: with it, choosing never waits for the network.  Node 0 is the first."""

    nodes: tuple[ClickNode, ...]
    labels: dict[str, str]  # by key, if a label is the same in every node
    odd_labels: dict[str, str]  # by "NODE KEY", if it is not
    highlights: dict[str, tuple[str, ...]]  # by "NODE KEY"


def build_click_tree(interpret: Callable[[tuple[str, ...]], PartialMove | Any], limit: int = 120) -> ClickTree:
    """Explore what clicks lead to, up to `limit` different partial moves.

    interpret: what some clicks come to, as a game's `clicks` does with the view and the last turn given.
    """
    first = interpret(())
    found: dict[PartialMove, int] = {first: 0}
    after: list[dict[str, int]] = []
    waiting: deque[tuple[tuple[str, ...], PartialMove]] = deque([((), first)])
    while waiting:
        clicks, move = waiting.popleft()
        after.append({})
        for choice in move.choices:
            made = interpret((*clicks, choice.key))
            if not isinstance(made, PartialMove):
                after[-1][choice.key] = COMPLETE
            elif made in found or len(found) < limit:
                if made not in found:
                    waiting.append(((*clicks, choice.key), made))
                after[-1][choice.key] = found.setdefault(made, len(found))
            else:
                after[-1][choice.key] = UNKNOWN
    return _pack_tree(list(found), after)


def _pack_tree(moves: Sequence[PartialMove], after: Sequence[dict[str, int]]) -> ClickTree:
    labels: dict[str, str] = {}
    odd_labels: dict[str, str] = {}
    highlights: dict[str, tuple[str, ...]] = {}
    for number, move in enumerate(moves):
        for choice in move.choices:
            if labels.setdefault(choice.key, choice.label) != choice.label:
                odd_labels[f"{number} {choice.key}"] = choice.label
            if choice.highlights:
                highlights[f"{number} {choice.key}"] = choice.highlights
    nodes = tuple(
        ClickNode(move.prompt, next, move.chosen, tuple((place.key, place.transform) for place in move.places))
        for move, next in zip(moves, after, strict=True)
    )
    return ClickTree(nodes, labels, odd_labels, highlights)
