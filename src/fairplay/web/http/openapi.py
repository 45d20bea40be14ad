"""The description of the API (OpenAPI), made from the endpoints and their types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import NODEFAULT

from fairplay import __version__
from fairplay.web.http.endpoints import PATH_NUMBER_LIMIT, Endpoint
from fairplay.web.http.errors import Problem

__all__ = ["build_openapi"]

REF_TEMPLATE: Final = "#/components/schemas/{name}"

ABOUT: Final = (
    "List, start, watch and replay matches and tournaments.  Live matches are streamed over a WebSocket at "
    "/api/matches/{id}/live?as=public.  The key of a seat is sent in the header Fairplay-Seat or in a cookie."
)

ERRORS: Final = {
    400: "The request is malformed.",
    401: "Only the owner may do this.",
    403: "You may not see or do this.",
    404: "Not found.",
    409: "Not possible at the moment.",
    413: "The request is too large.",
    422: "The request makes no sense: a value is invalid.",
    429: "Too many requests.",
    503: "The server is busy.",
}


def build_openapi(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole description."""
    kinds = [Problem, *(kind for each in endpoints for kind in (each.response, each.body) if kind is not None)]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF_TEMPLATE)
    schema_of = {repr(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for endpoint in endpoints:
        operation = describe_operation(endpoint, schema_of)
        paths.setdefault(endpoint.template, {})[endpoint.method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fairplay", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"owner": {"type": "http", "scheme": "bearer"}},
        },
    }


def describe_operation(endpoint: Endpoint, schema_of: dict[str, Any]) -> dict[str, Any]:
    """One method of one path; `schema_of` maps the name of a type to its schema."""
    is_json = endpoint.media_type == "application/json"
    content = {endpoint.media_type: {"schema": schema_of[repr(endpoint.response)]} if is_json else {}}
    operation: dict[str, Any] = {
        "summary": endpoint.summary,
        "parameters": [*path_parameters(endpoint.path), *query_parameters(endpoint.query)],
        "responses": {
            str(endpoint.status): {"description": "Success.", "content": content},
            **error_responses(endpoint, schema_of),
        },
    }
    if endpoint.body is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": schema_of[repr(endpoint.body)]}},
        }
    if endpoint.owner_only:
        operation["security"] = [{"owner": []}]
    return operation


def path_parameters(path: str) -> list[dict[str, Any]]:
    """The parameters in a path, such as ``{id}`` or ``{number:number}``."""
    found = re.findall(r"\{(\w+)(?::(\w+))?\}", path)
    text, number = {"type": "string"}, {"type": "integer", "minimum": 0, "maximum": PATH_NUMBER_LIMIT - 1}
    schemas = {"number": number, "path": text, "": text}
    return [{"name": name, "in": "path", "required": True, "schema": schemas[kind]} for name, kind in found]


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
        }
        for field in msgspec.structs.fields(query)
    ]


def error_responses(endpoint: Endpoint, schema_of: dict[str, Any]) -> dict[str, Any]:
    """The errors that an endpoint may answer with."""
    statuses = {*endpoint.errors, 429}
    statuses |= {400} if endpoint.query is not None else set()
    statuses |= {400, 413, 422} if endpoint.body is not None else set()
    statuses |= {401} if endpoint.owner_only else set()
    content = {"application/json": {"schema": schema_of[repr(Problem)]}}
    return {str(status): {"description": ERRORS[status], "content": content} for status in sorted(statuses)}
