"""The native protocol as JSON Schema, for authors of programs."""

from collections.abc import Iterable
from inspect import cleandoc
from typing import Any

import msgspec
from msgspec import Struct

from fairplay.core import AnyGame, Began, Json, Seen
from fairplay.match import protocol

_PREFIX = "#/$defs/{name}"


def message_schema() -> Json:
    """The messages that are the same for every game, as JSON Schema."""
    return _schema_definitions(
        [
            protocol.Hello,
            protocol.Heard,
            protocol.Answer,
            protocol.Joined,
            protocol.Refused,
            protocol.Welcome,
            Seen,
            protocol.Past,
            protocol.TellMessage,
            protocol.AskMessage,
            protocol.Bye,
            protocol.Out,
            protocol.Over,
        ]
    )


def game_schema(game: AnyGame) -> Json:
    """The view, the actions and the news of one game, as JSON Schema."""
    view = game.codec.ViewJson
    return _schema_definitions([view, *game.actions, *(_tag_news(kind, view) for kind in game.news)])


def _tag_news(kind: type[Struct], view: object) -> type[Struct]:
    """A news struct as it is written: with its name as the tag `news`."""
    fields = [
        (field.encode_name, view if kind is Began and field.name == "view" else field.type)
        for field in msgspec.structs.fields(kind)
    ]
    written = msgspec.defstruct(kind.__name__, fields, tag_field="news", tag=kind.__name__)
    written.__doc__ = kind.__doc__
    return written


def _schema_definitions(types: Iterable[Any]) -> Json:
    """The JSON Schema of `types`, the same with every Python: from 3.13 on, docstrings are not indented."""
    _, found = msgspec.json.schema_components(types, ref_template=_PREFIX)
    for definition in found.values():
        if "description" in definition:
            definition["description"] = cleandoc(definition["description"])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": found}
