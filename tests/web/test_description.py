"""The API as it is described: with examples that fit, who may call what, and its sockets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import jsonschema
import msgspec
import pytest

from fairplay.web.app import ENDPOINTS, PAGES
from fairplay.web.description import SOCKETS, build_openapi
from web.people import open_table

API: Any = msgspec.json.decode(msgspec.json.encode(build_openapi(ENDPOINTS, SOCKETS)))


def operations() -> Iterator[tuple[str, str, Any]]:
    """Method, path and description."""
    for path, methods in API["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


def check_example(example: Any, schema: Any) -> None:
    jsonschema.validate(example, {**schema, "components": API["components"]})


@pytest.mark.parametrize(("method", "path", "operation"), [*operations()])
def test_every_operation_has_examples_that_fit(method: str, path: str, operation: Any) -> None:
    for parameter in operation["parameters"]:
        check_example(parameter["example"], parameter["schema"])
    for part in (operation.get("requestBody", {}), *operation["responses"].values()):
        for content in part.get("content", {}).values():
            if "schema" in content:
                check_example(content["example"], content["schema"])


def test_no_two_operations_share_a_name() -> None:
    names = [operation["operationId"] for _, _, operation in operations()]
    assert len({*names}) == len(names) == len(ENDPOINTS)


def test_who_may_call_what_is_said() -> None:
    assert API["components"]["securitySchemes"]["seat"]["name"] == "Fairplay-Seat"
    found = {(method, path): operation.get("security") for method, path, operation in operations()}
    assert found["POST", "/api/matches/{id}/wish"] == [{"seat": []}]
    assert found["GET", "/api/matches/{id}"] == [{}, {"seat": []}]
    assert found["POST", "/api/matches/{id}/sit"] is None, "the key is in the body"
    assert found["POST", "/api/tournaments"] == [{"owner": []}]
    assert found["GET", "/api/games"] is None


def test_every_socket_is_described() -> None:
    from starlette.routing import WebSocketRoute

    served = {route.path.replace(":number", "") for route in PAGES if isinstance(route, WebSocketRoute)}
    assert served == {socket["path"] for socket in API["x-websockets"]}
    for socket in API["x-websockets"]:
        assert socket["messages"] and all(message["$ref"] for message in socket["messages"])


@pytest.mark.parametrize("path", ["/api/matches", "/api/editor/fish"])
def test_examples_can_be_sent_as_they_stand(client: httpx.Client, path: str) -> None:
    template = path.replace("/fish", "/{game}")
    example = API["paths"][template]["post"]["requestBody"]["content"]["application/json"]["example"]
    assert client.post(path, json=example).is_success


def test_the_page_lists_sockets_and_its_tables_are_reached_by_keyboard(client: httpx.Client) -> None:
    page = client.get("/api").raise_for_status().text
    assert all(socket.path in page for socket in SOCKETS)
    for part in page.split('class="scroll"')[1:]:
        assert 'tabindex="0"' in part.split(">", 1)[0]


def test_the_page_to_try_it_offers_every_operation(client: httpx.Client) -> None:
    open_table(client, "fish", "greedy", "random")
    page = client.get("/api/try").raise_for_status().text
    assert all(f'value="{endpoint.method} {endpoint.template}"' in page for endpoint in ENDPOINTS)
