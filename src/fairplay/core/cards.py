"""What lies beside the board: hands, destinations, treasures, as cards that a page shows in its own way."""

from msgspec import Struct


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
