"""Clicks of a person: what may be clicked next, which move they make up, and why they do not."""

import re
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import UsageError, WireError
from fairplay.core.clicks import Choice, PartialMove, Placement
from fairplay.web.http.errors import as_sentence

Interpret: TypeAlias = Callable[[tuple[str, ...]], Any]
"""What a game makes of some clicks in a position: a PartialMove or an action; raises UsageError or WireError."""

MAX_EXPLORED = 5_000
"""Partial moves that are looked through for the clicks that lead to an action."""


class ClickResult(Struct, frozen=True, omit_defaults=True):
    """The result of some clicks: what may be clicked next, or that the move is made, or why it is not allowed."""

    done: bool = False
    refusal: str = ""
    prompt: str = ""
    choices: tuple[Choice, ...] = ()
    chosen: tuple[str, ...] = ()
    places: tuple[Placement, ...] = ()


def interpret_clicks(interpret: Interpret, clicks: Sequence[str]) -> Any:
    """The action that clicks make up, or a ClickResult; raises UsageError or WireError if nothing can be clicked."""
    try:
        result = interpret(tuple(clicks))
    except (UsageError, WireError) as error:
        if not clicks:
            raise
        return refuse_clicks(interpret, clicks, explain_error(error))
    if not isinstance(result, PartialMove):
        return result
    return ClickResult(prompt=result.prompt, choices=result.choices, chosen=result.chosen, places=result.places)


def refuse_clicks(interpret: Interpret, clicks: Sequence[str], refusal: str) -> ClickResult:
    """What may be clicked instead of the last click: those before it stay."""
    before = interpret_clicks(interpret, clicks[:-1])
    if not isinstance(before, ClickResult):
        raise UsageError("The turn is complete; there is nothing left to click.")
    return replace(before, refusal=before.refusal or form_sentence(refusal))


def explain_error(error: UsageError | WireError) -> str:
    """What is wrong with a click, without where in the request it stands."""
    return str(error).removesuffix(f" at {error.path}") if isinstance(error, WireError) else str(error)


def form_sentence(words: str) -> str:
    """A reason as people read it: with places as the board names them, such as (2,3), and a full stop."""
    return as_sentence(re.sub(r"\[(-?\d+), ?(-?\d+)\]", r"(\1,\2)", words))


def find_clicks(interpret: Interpret, action: Any) -> tuple[str, ...]:
    """The shortest clicks that make up an action; none if it cannot be clicked."""
    first = interpret(())
    seen: set[Any] = {first}
    waiting: deque[tuple[tuple[str, ...], Any]] = deque([((), first)])
    while waiting and len(seen) < MAX_EXPLORED:
        clicks, move = waiting.popleft()
        for choice in move.choices:
            further = (*clicks, choice.key)
            made = interpret(further)
            if made == action:
                return further
            if isinstance(made, PartialMove) and made not in seen:
                seen.add(made)
                waiting.append((further, made))
    return ()
