"""Endpoints without a network: what they are given, what they answer."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

import httpx
import pytest
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from fairplay.core import AbsentError, RecordError, SetupError, StoreError, UsageError
from fairplay.web.http.endpoints import (
    MAX_REASON,
    BusyError,
    Empty,
    Endpoint,
    RequestError,
    Services,
    as_sentence,
    attach_file,
    build_routes,
    parse_number,
    reason_of,
    status_of,
)


class Sum(Struct, frozen=True):
    total: int


class Terms(Struct, frozen=True, forbid_unknown_fields=True):
    first: int
    second: Annotated[int, Meta(ge=0)] = 0


async def add_query(services: Services, request: Request, query: Terms) -> Sum:
    return Sum(services[int] + query.first + query.second)


async def add_body(services: Services, request: Request, body: Terms) -> Sum:
    return Sum(services[int] + body.first + body.second)


async def fail(services: Services, request: Request) -> Empty:
    raise {"bug": ZeroDivisionError(), "usage": UsageError("no"), "busy": RequestError(503, "No.")}[
        request.path_params["how"]
    ]


async def say(services: Services, request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(request.path_params["number"]))


ENDPOINTS = (
    Endpoint("GET", "/sum", "Add.", add_query, Sum, query=Terms),
    Endpoint("POST", "/sum", "Add.", add_body, Sum, Terms, status=201),
    Endpoint("DELETE", "/sum", "Forget.", fail, owner_only=True),
    Endpoint("GET", "/fail/{how}", "Fail.", fail),
    Endpoint("GET", "/say/{number:number}", "Say.", say, media_type="text/plain"),
)


def ask(method: str, path: str, **given: Any) -> httpx.Response:
    """The response of a server whose only service is the number 100 and who knows its owner by a header."""
    app = Starlette(routes=build_routes(ENDPOINTS, Services(100), lambda request: "owner" in request.headers))

    async def send() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://x") as client:
            return await client.request(method, path, **given)

    return asyncio.run(send())


def test_parameters_and_bodies_are_decoded_and_the_result_is_encoded() -> None:
    assert ask("GET", "/sum?first=3&second=4").json() == {"total": 107}
    assert ask("HEAD", "/sum?first=3").status_code == 200
    posted = ask("POST", "/sum", json={"first": 3})
    assert (posted.status_code, posted.json()) == (201, {"total": 103})
    assert ask("GET", "/say/7").text == "7"


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("", "A parameter is wrong: Object missing required field first."),
        ("first=x", "A parameter is wrong: Expected int, got str ($.first)."),
        ("first=1&first=2", "The parameter 'first' is unknown or given twice; expected: first, second."),
        ("first=1&third=2", "The parameter 'third' is unknown or given twice; expected: first, second."),
    ],
)
def test_wrong_parameters_are_refused_in_words(query: str, reason: str) -> None:
    response = ask("GET", f"/sum?{query}")
    assert (response.status_code, response.json()) == (400, {"error": reason})


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        (b"{", 400, "The body is not JSON."),
        (b"\xff", 400, "The body is not JSON."),
        (b"[]", 422, "Expected object, got array."),
        (b'{"first":1,"second":-1}', 422, "Expected int >= 0 ($.second)."),
    ],
)
def test_wrong_bodies_are_refused_in_words(body: bytes, status: int, reason: str) -> None:
    response = ask("POST", "/sum", content=body)
    assert (response.status_code, response.json()) == (status, {"error": reason})


def test_what_is_the_owners_is_refused_to_others() -> None:
    assert ask("DELETE", "/sum").status_code == 401
    with pytest.raises(KeyError):
        ask("DELETE", "/sum", headers={"owner": "yes"})


def test_a_wrong_method_is_told_all_the_right_ones() -> None:
    response = ask("PUT", "/sum")
    assert response.status_code == 405 and {*response.headers["allow"].split(", ")} == {"GET", "HEAD", "POST", "DELETE"}


def test_errors_are_answers_and_bugs_are_raised() -> None:
    assert (ask("GET", "/fail/usage").status_code, ask("GET", "/fail/usage").json()) == (422, {"error": "No."})
    assert ask("GET", "/fail/busy").headers["retry-after"] == "10"
    with pytest.raises(ZeroDivisionError):
        ask("GET", "/fail/bug")


@pytest.mark.parametrize("number", ["-1", "x", "1234567890", "²"])
def test_a_number_in_a_path_is_a_number(number: str) -> None:
    assert ask("GET", f"/say/{number}").status_code == 404


def test_a_number_may_be_missing_from_a_query_but_not_wrong() -> None:
    def parse(query: bytes) -> int | None:
        return parse_number(Request({"type": "http", "query_string": query}), "turn")

    assert (parse(b""), parse(b"turn="), parse(b"turn=7")) == (None, None, 7)
    for wrong in (b"turn=x", b"turn=-1", b"turn=1234567890"):
        with pytest.raises(RequestError, match="'turn' must be a number"):
            parse(wrong)


def test_a_file_has_a_name() -> None:
    response = attach_file("a,b", "table.csv", "text/csv")
    assert response.headers["content-disposition"] == 'attachment; filename="table.csv"'


def test_the_template_of_a_path_has_no_types() -> None:
    assert ENDPOINTS[-1].template == "/say/{number}"


# -- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RequestError(418, "x"), 418),
        (HTTPException(405), 405),
        (BusyError("x"), 503),
        (AbsentError("x"), 404),
        (StoreError("x"), 503),
        (RecordError("x"), 409),
        (UsageError("x"), 422),
        (SetupError("x"), 422),
        (ZeroDivisionError(), None),
    ],
)
def test_each_kind_of_error_has_its_status_and_a_bug_has_none(error: Exception, status: int | None) -> None:
    assert status_of(error) == status


def test_a_reason_is_a_sentence_of_bounded_length() -> None:
    assert reason_of(UsageError("fish has no variant 'x'")) == "Fish has no variant 'x'."
    assert reason_of(RequestError(404, "There is none.")) == "There is none."
    assert reason_of(UsageError("x" * 1_000)) == "x" * MAX_REASON + "…"
    assert [as_sentence(text) for text in ("really?", "…", "")] == ["Really?", "…", "."]


def test_where_the_store_is_is_logged_and_not_told(log: list[dict[str, object]]) -> None:
    assert "postgres" not in reason_of(StoreError("postgresql://db.example does not answer"))
    assert log[0]["reason"] == "postgresql://db.example does not answer"
    assert reason_of(AbsentError("there is no tournament 9")) == "There is no tournament 9."
