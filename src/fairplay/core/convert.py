"""JSON values: reading them as types, saying what is wrong with them, writing them as text."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, get_args

import msgspec

from fairplay.core.faults import WireError

Json: TypeAlias = Any
"""What JSON can say: None, bool, int, float, str, lists and dicts of these."""


def as_type(value: Json, kind: object) -> Any:
    """`value` as the type `kind`; raises WireError with the path to what is wrong."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        message, _, path = str(error).partition(" - at `")
        raise WireError(message.replace("`", ""), path.replace("`", "") or "$") from None


def text(value: Json) -> str:
    """`value` as JSON without white space outside strings."""
    return msgspec.json.encode(value).decode()


def explain_mismatch(error: msgspec.ValidationError, kind: object) -> str:
    """What is wrong with a value that is not of the type `kind`; for an unknown field also which there are."""
    message, _, path = str(error).replace("`", "").partition(" - at $")
    where = f" at ${path}" if path else ""
    if not message.startswith(_UNKNOWN_FIELD):
        return message + where
    from fairplay.core.names import list_known  # only those who mistype a field wait for it

    structs = _find_structs(kind, [step.partition("[")[0] for step in path.split(".")[1:]])
    known = dict.fromkeys(field.encode_name for struct in structs for field in msgspec.structs.fields(struct))
    return f"{message}{where}; there are {list_known(message.removeprefix(_UNKNOWN_FIELD), known)}"


_UNKNOWN_FIELD = "Object contains unknown field "


def _find_structs(kind: Any, path: Sequence[str]) -> Iterator[Any]:
    """The structs that may stand where these fields lead to in a value of the type `kind`."""
    if hasattr(kind, "__struct_fields__"):
        if not path:
            yield kind
        for field in msgspec.structs.fields(kind) if path else ():
            if field.encode_name == path[0]:
                yield from _find_structs(field.type, path[1:])
    for inner in get_args(kind):
        yield from _find_structs(inner, path)


def as_whole_number(value: object) -> int | None:
    """A whole number of Python's, or of numpy's own types; None for everything else, classes made from them too."""
    if type(value) is int:
        return value
    numpy = sys.modules.get("numpy")  # a program that has one of its numbers has loaded it
    if numpy is not None and any(type(value) is numpy.dtype(code).type for code in numpy.typecodes["AllInteger"]):
        return int(value)  # type: ignore[call-overload, no-any-return]  # mypy cannot follow the types of another module
    return None
