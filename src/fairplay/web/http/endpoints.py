"""What an endpoint of the API is: a typed question and a typed answer, from which its description is made as well."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final

import msgspec
import structlog
from msgspec import Struct
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.core import AbsentError, FairplayError, RecordError, StoreError
from fairplay.web.context import server_of
from fairplay.web.matches.registry import BusyError

__all__ = [
    "NUMBERS",
    "Endpoint",
    "Nothing",
    "Problem",
    "RequestError",
    "answer",
    "problem",
    "reason_of",
    "routes",
    "status_of",
]

LONGEST: Final = 500
"""Characters of a reason: it may quote what was asked for."""

NUMBERS: Final = 10**9
"""No number in a path is that large."""


class Problem(Struct, frozen=True):
    """Why a request was refused."""

    error: str


class Nothing(Struct, frozen=True):
    """An answer that says no more than that it was done."""


class RequestError(FairplayError):
    """A request that cannot be served, with its HTTP status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Number(Convertor[int]):
    """A number in a path: of a moment, of a tournament."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", Number())


class Endpoint(Struct, frozen=True):
    """One question of the API.  `serve` takes the request and the decoded body, and gives the answer or a response."""

    method: str
    path: str
    about: str
    serve: Callable[..., Awaitable[Any]]
    answer: Any = Nothing
    body: Any = None
    query: Any = None  # a struct whose fields are the parameters
    status: int = 200
    media: str = "application/json"
    owner: bool = False  # only the owner may ask
    refusals: tuple[int, ...] = ()  # further statuses that it may answer with

    @property
    def address(self) -> str:
        """The path as people write it: without the kinds of what stands in braces."""
        return re.sub(r"\{(\w+):\w+\}", r"{\1}", self.path)


def routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """The endpoints for Starlette: those of one path together, so that a wrong method is told all that are right."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for one in endpoints:
        paths.setdefault(one.path, {})[one.method] = one
    return [Route(path, responder(methods), methods=[*methods]) for path, methods in paths.items()]


def responder(methods: Mapping[str, Endpoint]) -> Callable[[Request], Awaitable[Response]]:
    async def respond(request: Request) -> Response:
        endpoint = methods["GET" if request.method == "HEAD" else request.method]
        try:
            return await served(endpoint, request)
        except Exception as error:
            return problem(error)

    return respond


async def served(endpoint: Endpoint, request: Request) -> Response:
    server = server_of(request)
    if endpoint.owner and not server.owners.knows(request):
        raise RequestError(401, "this needs the owner's token, as Authorization: Bearer TOKEN")
    given: dict[str, Any] = {}
    if endpoint.query is not None:
        given["query"] = asked(endpoint.query, request)
    if endpoint.body is not None:
        given["body"] = decoded(endpoint.body, await request.body())
    found = await endpoint.serve(server, request, **given)
    return found if isinstance(found, Response) else answer(found, endpoint.status)


def asked(kind: Any, request: Request) -> Any:
    """The parameters after the question mark; raises RequestError."""
    names = names_of(kind)
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in names or name in given:
            expected = ", ".join(sorted(names)) or "none"
            raise RequestError(
                400, f"the parameter '{name[:40]}' is not known here or given twice; expected {expected}"
            )
        given[name] = value
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise RequestError(400, f"a parameter is wrong: {plain(error)}") from None


@cache
def names_of(kind: Any) -> frozenset[str]:
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind))


def decoded(kind: Any, body: bytes) -> Any:
    """The body of a request; raises RequestError."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise RequestError(422, plain(error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise RequestError(400, "the body is not JSON") from None


def plain(error: Exception) -> str:
    return str(error).replace("`", "")


LOG = structlog.get_logger("fairplay.web")

ENCODER: Final = msgspec.json.Encoder()


def answer(value: Any, status: int = 200) -> Response:
    return Response(ENCODER.encode(value), status, media_type="application/json")


def problem(error: Exception) -> Response:
    """An error as an answer: one sentence, never a traceback or a path; raises it again where it is a bug of ours."""
    status = status_of(error)
    if status is None:
        raise error
    response = answer(Problem(reason_of(error)), status)
    if status in (429, 503):
        response.headers["Retry-After"] = "10"
    return response


def reason_of(error: Exception) -> str:
    """What went wrong, in words for strangers: where the store lies is none of their business."""
    if isinstance(error, StoreError) and not isinstance(error, AbsentError):
        LOG.error("the store failed", reason=str(error))
        return "the store cannot be used at the moment"
    reason = str(error.detail) if isinstance(error, HTTPException) else str(error)
    return reason if len(reason) <= LONGEST else f"{reason[:LONGEST]}…"


def status_of(error: Exception) -> int | None:
    match error:
        case RequestError(status=status):
            return status
        case HTTPException(status_code=status):
            return status
        case BusyError():
            return 503
        case AbsentError():
            return 404
        case StoreError():
            return 503
        case RecordError():
            return 409
        case FairplayError():
            return 422
        case _:
            return None
