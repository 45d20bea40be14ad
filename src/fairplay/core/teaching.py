"""How a game is taught: a few pictures with a sentence each, and advice turn by turn in a first match."""

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from fairplay.core.picture import Picture


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
