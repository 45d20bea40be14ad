"""JSON values: reading them as types, writing them as text."""

from __future__ import annotations

from typing import Any, TypeAlias

import msgspec

from fairplay.core.faults import WireError

__all__ = ["Json", "as_type", "text"]

Json: TypeAlias = Any
"""What JSON can say: None, bool, int, float, str, lists and dicts of these."""


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
