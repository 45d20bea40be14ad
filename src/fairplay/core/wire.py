"""The vocabulary of the established protocols: JSON values and calls."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

import msgspec

from fairplay.core.faults import WireError

__all__ = ["VOID", "Call", "Json", "Wire", "acknowledged", "as_type", "text"]

Json: TypeAlias = Any
"""What JSON can say: None, bool, int, float, str, lists and dicts of these."""

VOID = "void"
"""The answer to a call that asks for nothing."""

T = TypeVar("T")
V_contra = TypeVar("V_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)


class Call(NamedTuple):
    """One call of a protocol: a method name with its arguments."""

    method: str
    arguments: list[Json]


class Wire(Protocol[V_contra, A_co]):
    """How a game's established protocol spells the referee's orders; a *module* satisfies it."""

    CONVERSATION: str
    """What one seat is called with over one match: a regular expression, a blank after each method name."""

    def asked(self, view: V_contra) -> Call:
        """The call that asks for the decision that `view` awaits."""
        ...

    def told(self, news: object) -> Call | None:
        """The call that tells `news`; None where the protocol has no word for it."""
        ...

    def action(self, view: V_contra, answer: Json) -> A_co:
        """The action that `answer` spells; raises WireError."""
        ...

    def acknowledge(self, news: object, answer: Json) -> None:
        """Accept the answer to a call that told something; raises WireError."""
        ...


def acknowledged(answer: Json) -> None:
    """Accept "void" and nothing else; raises WireError."""
    if answer != VOID or not isinstance(answer, str):
        raise WireError(f'expected "{VOID}"')


def as_type(value: Json, kind: Any) -> Any:
    """`value` as the type `kind`; raises WireError with the path to what is wrong."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        raise WireError(message.replace("`", ""), path.replace("`", "") or "$") from None


def text(value: Json) -> str:
    """`value` as JSON without white space outside strings."""
    return msgspec.json.encode(value).decode()
