"""The description of the API (OpenAPI), made from the endpoints and their types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT, Struct

from fairplay import __version__
from fairplay.web.description.examples import WORDS, build_example
from fairplay.web.http.endpoints import PATH_NUMBER_LIMIT, Endpoint
from fairplay.web.http.errors import Problem

__all__ = ["SocketDescription", "build_openapi"]

REF_TEMPLATE: Final = "#/components/schemas/{name}"

ABOUT: Final = (
    "List, start, watch and replay matches and tournaments.  Live matches are streamed over WebSockets, which "
    "`x-websockets` describes.  Anyone who opens a table or takes a seat gets its key, and sends it in the header "
    "Fairplay-Seat; browsers send it in a cookie.  Every error is JSON with one sentence in `error`."
)

SECURITY_SCHEMES: Final = {
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

ERRORS: Final = {
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


def build_openapi(endpoints: Sequence[Endpoint], sockets: Sequence[SocketDescription] = ()) -> dict[str, Any]:
    kinds = [Problem, *(kind for each in endpoints for kind in (each.response, each.body) if kind is not None)]
    kinds += [message for socket in sockets for message in socket.messages]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF_TEMPLATE)
    schema_of = {repr(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        operation = describe_operation(endpoint, schema_of, components)
        paths.setdefault(endpoint.template, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fairplay", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": SECURITY_SCHEMES,
        },
        "x-websockets": [describe_socket(socket, schema_of) for socket in sockets],
    }


def describe_operation(
    endpoint: Endpoint, schema_of: Mapping[str, Any], components: Mapping[str, Any]
) -> dict[str, Any]:
    """One method of one path; `schema_of` maps the name of a type to its schema."""
    is_json = endpoint.media_type == "application/json"
    content = {endpoint.media_type: describe_json(schema_of[repr(endpoint.response)], components) if is_json else {}}
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "operationId": name_operation(endpoint),
        "tags": [find_tag(endpoint)],
        "parameters": [*path_parameters(endpoint.path), *query_parameters(endpoint.query)],
        "responses": {
            str(endpoint.status): {"description": "Success.", "content": content},
            **error_responses(endpoint, schema_of),
        },
    }
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": describe_json(schema_of[repr(endpoint.body)], components)},
        }
    if security := find_security(endpoint):
        operation["security"] = security
    return operation


def describe_json(schema: Mapping[str, Any], components: Mapping[str, Any]) -> dict[str, Any]:
    """A value as JSON, with an example."""
    return {"schema": schema, "example": build_example(schema, components)}


def name_operation(endpoint: Endpoint) -> str:
    """A name that no other operation has, such as `postMatchesIdSit`."""
    words = re.findall(r"[A-Za-z]+", endpoint.template.removeprefix("/api"))
    return endpoint.method.lower() + "".join(word.capitalize() for word in words)


def find_tag(endpoint: Endpoint) -> str:
    """What an operation is about: the first word of its path."""
    found = re.match(r"(?:/api)?/(\w+)", endpoint.path)
    return found[1] if found else "server"


def find_security(endpoint: Endpoint) -> list[dict[str, list[str]]]:
    """Who may call an operation, if not everyone; a status of 403 means that a seat is missing, or the right one."""
    if endpoint.owner_only:
        return [{"owner": []}]
    if 403 not in endpoint.errors or "key" in field_names(endpoint.body):
        return []
    return [{}, {"seat": []}] if "as" in field_names(endpoint.query) else [{"seat": []}]


def field_names(kind: Any) -> Iterable[str]:
    """The names of a struct's fields, as requests spell them."""
    return () if kind is None else {field.encode_name for field in msgspec.structs.fields(kind)}


def describe_socket(socket: SocketDescription, schema_of: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "path": socket.path,
        "summary": socket.summary,
        "query": dict(socket.query),
        "messages": [schema_of[repr(message)] for message in socket.messages],
        "closeCodes": {str(code): meaning for code, meaning in socket.codes.items()},
        "security": [{}, {"seat": []}] if socket.seat else [],
    }


def path_parameters(path: str) -> list[dict[str, Any]]:
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


def query_parameters(query: Any) -> list[dict[str, Any]]:
    """The parameters after the question mark: the fields of a struct."""
    if query is None:
        return []
    (reference,), schemas = msgspec.json.schema_components([query], ref_template=REF_TEMPLATE)
    properties = schemas[reference["$ref"].rpartition("/")[2]]["properties"]
    return [
        {
            "name": field.encode_name,
            "in": "query",
            "required": field.default is NODEFAULT,
            "schema": properties[field.encode_name],
            "example": build_example(properties[field.encode_name], schemas, field.encode_name),
        }
        for field in msgspec.structs.fields(query)
    ]


def error_responses(endpoint: Endpoint, schema_of: Mapping[str, Any]) -> dict[str, Any]:
    """The errors that an endpoint may answer with."""
    statuses = {*endpoint.errors, 429}
    statuses |= {400} if endpoint.query is not None else set()
    statuses |= {400, 413, 422} if endpoint.body is not None else set()
    statuses |= {401} if endpoint.owner_only else set()
    problem = schema_of[repr(Problem)]
    return {
        str(status): {
            "description": ERRORS[status],
            "content": {"application/json": {"schema": problem, "example": {"error": ERRORS[status]}}},
        }
        for status in sorted(statuses)
    }
