"""Examples for the description of the API: for every type one value that fits it, with words that mean something."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from fairplay.catalog import GAMES
from fairplay.web.games.listing import default_player

GAME: Final = next(iter(GAMES.values()))
PLAYER: Final = default_player(GAME)

WORDS: Final[Mapping[str, Any]] = {
    "about": GAME.about,
    "as": "public",
    "board": "small",
    "click": "at=0,1",
    "created": 1767225600.0,
    "ending": "nobody can move",
    "error": "There is no such running match.",
    "finished": 1767226200.0,
    "format": "round-robin",
    "game": GAME.name,
    "id": "k3f9a2b7cd",
    "key": "Zp2v8sQmT1yB",
    "label": GAME.unit,
    "name": "Ann",
    "number": 3,
    "picture": "<path d='M0 0h9'/>",
    "player": PLAYER,
    "prompt": "Choose what to move.",
    "spec": PLAYER,
    "start": "random",
    "status": "playing",
    "text": "https://play.example/matches/k3f9a2b7cd",
    "title": f"{GAME.name.capitalize()}: Ann and {PLAYER}",
    "token": "<svg xmlns='http://www.w3.org/2000/svg'/>",
    "tool": "3",
    "unit": GAME.unit,
    "url": "https://play.example/matches/k3f9a2b7cd",
    "variant": next(iter(GAME.variants)),
    "version": "1.0.0",
    "words": "Ann took the first turn",
}
"""What a field of this name holds, if that fits its type."""

BODIES: Final[Mapping[str, Any]] = {
    "TableRequest": {
        "game": GAME.name,
        "seats": [{"who": "me", "name": "Ann"}, {"who": "house", "player": PLAYER}],
        "quick": True,
    },
    "ClickRequest": {"number": 0, "clicks": ["at=0,1"]},
    "TournamentRequest": {"game": GAME.name, "players": [{"player": PLAYER}, {"player": "random"}], "games": 2},
    "EditRequest": {"start": "random"},
    "Address": {"text": "https://play.example/matches/k3f9a2b7cd"},
}
"""Requests that can be sent as they stand, by the names of their types."""

MAX_DEPTH: Final = 8


def build_example(schema: Mapping[str, Any], components: Mapping[str, Any], name: str = "", depth: int = 0) -> Any:
    """A value that fits a JSON schema; `name` is that of the field it is for."""
    if "$ref" in schema:
        kind = schema["$ref"].rpartition("/")[2]
        return BODIES.get(kind) or build_example(components[kind], components, name, depth + 1)
    if "anyOf" in schema:
        return build_choice(schema, components, name, depth)
    for fixed in ("const", "default"):
        if fixed in schema:
            return schema[fixed]
    if "enum" in schema:
        return WORDS[name] if WORDS.get(name) in schema["enum"] else schema["enum"][0]
    build = BUILDERS.get(schema.get("type", ""))
    return WORDS.get(name) if build is None else build(schema, components, name, depth)


def build_choice(schema: Mapping[str, Any], components: Mapping[str, Any], name: str, depth: int) -> Any:
    """The first kind of value that says something."""
    kinds = [kind for kind in schema["anyOf"] if kind.get("type") != "null"]
    if depth > MAX_DEPTH or not kinds:
        return None
    return build_example(kinds[0], components, name, depth)


def build_object(schema: Mapping[str, Any], components: Mapping[str, Any], name: str, depth: int) -> dict[str, Any]:
    """All fields; of a mapping one entry."""
    properties = schema.get("properties")
    if properties is not None:
        return {field: build_example(kind, components, field, depth + 1) for field, kind in properties.items()}
    values = schema.get("additionalProperties")
    if not isinstance(values, dict) or depth > MAX_DEPTH:
        return {}
    return {"standard": build_example(values, components, "", depth + 1)}


def build_array(schema: Mapping[str, Any], components: Mapping[str, Any], name: str, depth: int) -> list[Any]:
    """One element, or as many as there have to be."""
    if "prefixItems" in schema:
        return [build_example(kind, components, "", depth + 1) for kind in schema["prefixItems"]]
    count = max(schema.get("minItems", 0), 1 if depth <= MAX_DEPTH else 0)
    items = schema.get("items")
    if not isinstance(items, dict):
        return []
    return [build_example(items, components, name.removesuffix("s"), depth + 1) for _ in range(count)]


def build_string(schema: Mapping[str, Any], components: Mapping[str, Any], name: str, depth: int) -> str:
    word = WORDS.get(name, name or GAME.unit)
    text = word if isinstance(word, str) else GAME.unit
    return text[: schema.get("maxLength", len(text))]


def build_integer(schema: Mapping[str, Any], components: Mapping[str, Any], name: str, depth: int) -> int:
    word = WORDS.get(name, 1)
    return max(int(schema.get("minimum", 0)), word if isinstance(word, int) else 1)


def build_number(schema: Mapping[str, Any], components: Mapping[str, Any], name: str, depth: int) -> float:
    word = WORDS.get(name, 1.5)
    return max(float(schema.get("minimum", 0.0)), float(word) if isinstance(word, int | float) else 1.5)


BUILDERS: Final[Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any], str, int], Any]]] = {
    "object": build_object,
    "array": build_array,
    "string": build_string,
    "integer": build_integer,
    "number": build_number,
    "boolean": lambda schema, components, name, depth: False,
    "null": lambda schema, components, name, depth: None,
}
