"""The description of the API (OpenAPI), made from the endpoints and their types, with examples, and its pages."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
from msgspec import NODEFAULT, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay import __version__
from fairplay.catalog import GAMES
from fairplay.web.games import default_player
from fairplay.web.http.endpoints import PATH_NUMBER_LIMIT, Endpoint, Problem, json_response
from fairplay.web.rendering.pages import render_page
from fairplay.web.tournaments.cache import TournamentUpdate
from fairplay.web.watching.feed import FirstMessage, MomentMessage, PresenceMessage

_REF_TEMPLATE = "#/components/schemas/{name}"

_ABOUT = (
    "List, start, watch and replay matches and tournaments.  Live matches are streamed over WebSockets, which "
    "`x-websockets` describes.  Anyone who opens a table or takes a seat gets its key, and sends it in the header "
    "Fairplay-Seat; browsers send it in a cookie.  Every error is JSON with one sentence in `error`."
)

_SECURITY_SCHEMES = {
    "owner": {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of the server.  Browsers of the owner send a cookie instead.",
    },
    "seat": {
        "type": "apiKey",
        "in": "header",
        "name": "Fairplay-Seat",
        "description": "The key of a seat.  Browsers send it in the cookie `seat-ID`, where ID is that of the match.",
    },
}

_ERRORS = {
    400: "The request is malformed.",
    401: "Only the owner may do this.",
    403: "You may not see or do this.",
    404: "Not found.",
    409: "Not possible at the moment.",
    413: "The request is too large.",
    422: "The request makes no sense: a value is invalid.",
    429: "Too many requests.",
    501: "This server lacks what is needed for it.",
    503: "The server is busy.",
}


class SocketDescription(Struct, frozen=True):
    """A WebSocket: what it sends, and how it is closed."""

    path: str
    summary: str
    query: Mapping[str, str]  # parameters, each with what it is for
    messages: tuple[type[Struct], ...]  # the server's; a client has nothing to say
    codes: Mapping[int, str]  # with which it is closed, each with what it means
    seat: bool = False  # whether the key of a seat shows more


Part: TypeAlias = dict[str, Any]
Schema: TypeAlias = Mapping[str, Any]
"""A part of the description, and one that is read: JSON that says itself what it is."""


def build_openapi(endpoints: Sequence[Endpoint], sockets: Sequence[SocketDescription] = ()) -> Part:
    kinds = [Problem, *(kind for each in endpoints for kind in (each.response, each.body) if kind is not None)]
    kinds += [message for socket in sockets for message in socket.messages]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REF_TEMPLATE)
    schema_of = {repr(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, Part] = {}
    for endpoint in endpoints:
        operation = _describe_operation(endpoint, schema_of, components)
        paths.setdefault(endpoint.template, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fairplay", "version": __version__, "description": _ABOUT},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": _SECURITY_SCHEMES,
        },
        "x-websockets": [_describe_socket(socket, schema_of) for socket in sockets],
    }


def _describe_operation(endpoint: Endpoint, schema_of: Schema, components: Schema) -> Part:
    """One method of one path; `schema_of` maps the name of a type to its schema."""
    is_json = endpoint.media_type == "application/json"
    content = {endpoint.media_type: _describe_json(schema_of[repr(endpoint.response)], components) if is_json else {}}
    operation: Part = {
        "summary": endpoint.summary,
        "operationId": _name_operation(endpoint),
        "tags": [_find_tag(endpoint)],
        "parameters": [*path_parameters(endpoint.path), *_query_parameters(endpoint.query)],
        "responses": {
            str(endpoint.status): {"description": "Success.", "content": content},
            **_error_responses(endpoint, schema_of),
        },
    }
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": _describe_json(schema_of[repr(endpoint.body)], components)},
        }
    if security := _find_security(endpoint):
        operation["security"] = security
    return operation


def _describe_json(schema: Schema, components: Schema) -> Part:
    """A value as JSON, with an example."""
    return {"schema": schema, "example": _build_example(schema, components)}


def _name_operation(endpoint: Endpoint) -> str:
    """A name that no other operation has, such as `postMatchesIdSit`."""
    words = re.findall(r"[A-Za-z]+", endpoint.template.removeprefix("/api"))
    return endpoint.method.lower() + "".join(word.capitalize() for word in words)


def _find_tag(endpoint: Endpoint) -> str:
    """What an operation is about: the first word of its path."""
    found = re.match(r"(?:/api)?/(\w+)", endpoint.path)
    return found[1] if found else "server"


def _find_security(endpoint: Endpoint) -> list[dict[str, list[str]]]:
    """Who may call an operation, if not everyone; a status of 403 means that a seat is missing, or the right one."""
    if endpoint.owner_only:
        return [{"owner": []}]
    if 403 not in endpoint.errors or "key" in _field_names(endpoint.body):
        return []
    return [{}, {"seat": []}] if "as" in _field_names(endpoint.query) else [{"seat": []}]


def _field_names(kind: Any) -> Iterable[str]:
    """The names of a struct's fields, as requests spell them."""
    return () if kind is None else {field.encode_name for field in msgspec.structs.fields(kind)}


def _describe_socket(socket: SocketDescription, schema_of: Schema) -> Part:
    return {
        "path": socket.path,
        "summary": socket.summary,
        "query": dict(socket.query),
        "messages": [schema_of[repr(message)] for message in socket.messages],
        "closeCodes": {str(code): meaning for code, meaning in socket.codes.items()},
        "security": [{}, {"seat": []}] if socket.seat else [],
    }


def path_parameters(path: str) -> list[Part]:
    """The parameters in a path, such as ``{id}`` or ``{number:number}``."""
    found = re.findall(r"\{(\w+)(?::(\w+))?\}", path)
    text, number = {"type": "string"}, {"type": "integer", "minimum": 0, "maximum": PATH_NUMBER_LIMIT - 1}
    schemas = {"number": number, "path": text, "": text}
    numbers = {"id": 1, "number": 0}
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "schema": schemas[kind],
            "example": numbers.get(name, 1) if kind == "number" else WORDS.get(name, name),
        }
        for name, kind in found
    ]


def _query_parameters(query: Any) -> list[Part]:
    """The parameters after the question mark: the fields of a struct."""
    if query is None:
        return []
    (reference,), schemas = msgspec.json.schema_components([query], ref_template=_REF_TEMPLATE)
    properties = schemas[reference["$ref"].rpartition("/")[2]]["properties"]
    return [
        {
            "name": field.encode_name,
            "in": "query",
            "required": field.default is NODEFAULT,
            "schema": properties[field.encode_name],
            "example": _build_example(properties[field.encode_name], schemas, field.encode_name),
        }
        for field in msgspec.structs.fields(query)
    ]


def _error_responses(endpoint: Endpoint, schema_of: Schema) -> Part:
    """The errors that an endpoint may answer with."""
    statuses = {*endpoint.errors, 429}
    statuses |= {400} if endpoint.query is not None else set()
    statuses |= {400, 413, 422} if endpoint.body is not None else set()
    statuses |= {401} if endpoint.owner_only else set()
    problem = schema_of[repr(Problem)]
    return {
        str(status): {
            "description": _ERRORS[status],
            "content": {"application/json": {"schema": problem, "example": {"error": _ERRORS[status]}}},
        }
        for status in sorted(statuses)
    }


GAME = next(iter(GAMES.values()))
PLAYER = default_player(GAME)

WORDS: Schema = {
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

BODIES: Schema = {
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

_MAX_DEPTH = 8


def _build_example(schema: Schema, components: Schema, name: str = "", depth: int = 0) -> object:
    """A value that fits a JSON schema; `name` is that of the field it is for."""
    if "$ref" in schema:
        kind = schema["$ref"].rpartition("/")[2]
        return BODIES.get(kind) or _build_example(components[kind], components, name, depth + 1)
    if "anyOf" in schema:
        return _build_choice(schema, components, name, depth)
    for fixed in ("const", "default"):
        if fixed in schema:
            return schema[fixed]
    if "enum" in schema:
        return WORDS[name] if WORDS.get(name) in schema["enum"] else schema["enum"][0]
    build = _BUILDERS.get(schema.get("type", ""))
    return WORDS.get(name) if build is None else build(schema, components, name, depth)


def _build_choice(schema: Schema, components: Schema, name: str, depth: int) -> object:
    """The first kind of value that says something."""
    kinds = [kind for kind in schema["anyOf"] if kind.get("type") != "null"]
    if depth > _MAX_DEPTH or not kinds:
        return None
    return _build_example(kinds[0], components, name, depth)


def _build_object(schema: Schema, components: Schema, name: str, depth: int) -> Part:
    """All fields; of a mapping one entry."""
    properties = schema.get("properties")
    if properties is not None:
        return {field: _build_example(kind, components, field, depth + 1) for field, kind in properties.items()}
    values = schema.get("additionalProperties")
    if not isinstance(values, dict) or depth > _MAX_DEPTH:
        return {}
    return {"standard": _build_example(values, components, "", depth + 1)}


def _build_array(schema: Schema, components: Schema, name: str, depth: int) -> list[object]:
    """One element, or as many as there have to be."""
    if "prefixItems" in schema:
        return [_build_example(kind, components, "", depth + 1) for kind in schema["prefixItems"]]
    count = max(schema.get("minItems", 0), 1 if depth <= _MAX_DEPTH else 0)
    items = schema.get("items")
    if not isinstance(items, dict):
        return []
    return [_build_example(items, components, name.removesuffix("s"), depth + 1) for _ in range(count)]


def _build_string(schema: Schema, components: Schema, name: str, depth: int) -> str:
    word = WORDS.get(name, name or GAME.unit)
    text = word if isinstance(word, str) else GAME.unit
    return text[: schema.get("maxLength", len(text))]


def _build_integer(schema: Schema, components: Schema, name: str, depth: int) -> int:
    word = WORDS.get(name, 1)
    return max(int(schema.get("minimum", 0)), word if isinstance(word, int) else 1)


def _build_number(schema: Schema, components: Schema, name: str, depth: int) -> float:
    word = WORDS.get(name, 1.5)
    return max(float(schema.get("minimum", 0.0)), float(word) if isinstance(word, int | float) else 1.5)


_BUILDERS: Mapping[str, Callable[[Schema, Schema, str, int], object]] = {
    "object": _build_object,
    "array": _build_array,
    "string": _build_string,
    "integer": _build_integer,
    "number": _build_number,
    "boolean": lambda schema, components, name, depth: False,
    "null": lambda schema, components, name, depth: None,
}


_GZIP = {"encoding": "`gzip`: messages come as gzipped bytes instead of text."}

SOCKETS = (
    SocketDescription(
        path="/api/matches/{id}/live",
        summary="Follow a match: one message for every turn, and one whenever something else has changed.",
        query={
            "as": "As whom to look: `public`, the number of your seat, or `all`; by default your own seat.",
            "after": "The number of the newest moment that you have seen: what you missed is sent first.",
            **_GZIP,
        },
        messages=(MomentMessage, PresenceMessage),
        codes={
            1000: "The match is over.",
            1013: "Come back later.",
            4403: "You may not see this.",
            4404: "No such match.",
        },
        seat=True,
    ),
    SocketDescription(
        path="/api/live",
        summary="Follow the newest running matches, as everyone sees them.",
        query={"seen": "`ID:NUMBER`, repeated: the newest moment that you have seen of a match.", **_GZIP},
        messages=(FirstMessage, MomentMessage, PresenceMessage),
        codes={1013: "Come back later."},
    ),
    SocketDescription(
        path="/api/tournaments/{id}/live",
        summary="Follow a tournament: the part of its page that changes, about once a second.",
        query=_GZIP,
        messages=(TournamentUpdate,),
        codes={1000: "The tournament is finished.", 1013: "Come back later.", 4404: "No such tournament."},
    ),
)


def build_api_routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """The description of the API, for people and for programs."""
    description = build_openapi(endpoints, SOCKETS)

    async def show_api(request: Request) -> Response:
        return render_page(request, "api.html", endpoints=endpoints, sockets=SOCKETS)

    async def show_try(request: Request) -> Response:
        return render_page(request, "api_try.html", endpoints=endpoints)

    async def get_openapi(request: Request) -> Response:
        return json_response(description)

    return [Route("/api", show_api), Route("/api/try", show_try), Route("/api/openapi.json", get_openapi)]
