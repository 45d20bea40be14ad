"""Playing by clicks: what a person can click in a picture, and what the clicks mean."""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct

from fairplay.core.faults import UsageError

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
