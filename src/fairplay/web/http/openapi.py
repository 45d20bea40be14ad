"""The API described by itself: OpenAPI out of the endpoints and their types."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import NODEFAULT

from fairplay import __version__
from fairplay.web.http.endpoints import NUMBERS, Endpoint, Problem

__all__ = ["described"]

REFS = "#/components/schemas/{name}"

REFUSALS = {
    400: "The request is not of the expected form.",
    401: "Only the owner may ask for this.",
    403: "You may not see or do this.",
    404: "There is no such thing.",
    409: "Not now.",
    413: "The request is too large.",
    422: "What is asked for cannot be.",
    429: "Too many requests.",
    503: "The server is busy.",
}


def described(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The whole description."""
    kinds = [Problem, *(kind for one in endpoints for kind in (one.answer, one.body) if kind is not None)]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REFS)
    forms = {repr(kind): schema for kind, schema in zip(kinds, schemas, strict=True)}
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        paths.setdefault(one.address, {})[one.method.lower()] = operation(one, forms)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Fairplay", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"owner": {"type": "http", "scheme": "bearer"}},
        },
    }


ABOUT = (
    "List, start, watch and replay matches and tournaments.  Live moments come over WebSocket at "
    "/api/matches/{id}/live?as=public.  A person's seat is proved by the header Fairplay-Seat or a cookie."
)


def operation(one: Endpoint, forms: dict[str, Any]) -> dict[str, Any]:
    content = {one.media: {"schema": forms[repr(one.answer)]} if one.media == "application/json" else {}}
    described: dict[str, Any] = {
        "summary": one.about,
        "parameters": [*path_parameters(one.path), *query_parameters(one.query)],
        "responses": {str(one.status): {"description": "Done.", "content": content}, **refusals(one, forms)},
    }
    if one.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": forms[repr(one.body)]}},
        }
    if one.owner:
        described["security"] = [{"owner": []}]
    return described


def path_parameters(path: str) -> list[dict[str, Any]]:
    found = re.findall(r"\{(\w+)(?::(\w+))?\}", path)
    text, number = {"type": "string"}, {"type": "integer", "minimum": 0, "maximum": NUMBERS - 1}
    kinds = {"number": number, "path": text, "": text}
    return [{"name": name, "in": "path", "required": True, "schema": kinds[kind]} for name, kind in found]


def query_parameters(query: Any) -> list[dict[str, Any]]:
    if query is None:
        return []
    (reference,), found = msgspec.json.schema_components([query], ref_template=REFS)
    properties = found[reference["$ref"].rpartition("/")[2]]["properties"]
    return [
        {
            "name": field.encode_name,
            "in": "query",
            "required": field.default is NODEFAULT,
            "schema": properties[field.encode_name],
        }
        for field in msgspec.structs.fields(query)
    ]


def refusals(one: Endpoint, forms: dict[str, Any]) -> dict[str, Any]:
    """What else may be answered."""
    statuses = {*one.refusals, 429}
    statuses |= {400} if one.query is not None else set()
    statuses |= {400, 413, 422} if one.body is not None else set()
    statuses |= {401} if one.owner else set()
    schema = {"application/json": {"schema": forms[repr(Problem)]}}
    return {str(status): {"description": REFUSALS[status], "content": schema} for status in sorted(statuses)}
