"""An endpoint of the API: a typed request and a typed response, from which its description is made as well.

Errors are answered by an HTTP status and one sentence, never by a traceback or a path.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias, TypeVar

import msgspec
import structlog
from msgspec import Struct
from starlette.convertors import Convertor, register_url_convertor
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.core import AbsentError, FairplayError, RecordError, RuleBookError, StoreError
from fairplay.net.strangers import address_group
from fairplay.web.http.middleware import allow_compression

# -- errors ------------------------------------------------------------------------------------

MAX_REASON = 500
"""Characters of a reason; it may quote the request."""

LOG = structlog.get_logger("fairplay.web")


class Problem(Struct, frozen=True):
    """Why a request was refused."""

    error: str


class RequestError(FairplayError):
    """A request that cannot be served, with its HTTP status."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class BusyError(FairplayError):
    """The server is doing as much of this as it is willing to."""


def reason_of(error: Exception) -> str:
    """What went wrong, for strangers: where the store is, is logged but not told."""
    if isinstance(error, StoreError) and not isinstance(error, AbsentError):
        LOG.error("the store failed", reason=str(error))
        return "The database is not available at the moment. Try again later."
    reason = str(error.detail) if isinstance(error, HTTPException) else str(error)
    return as_sentence(reason) if len(reason) <= MAX_REASON else f"{reason[:MAX_REASON]}…"


def as_sentence(text: str) -> str:
    """The message of an error as people read it: with a capital letter and a full stop."""
    return f"{text[:1].upper()}{text[1:]}" + ("" if text.endswith((".", "!", "?", "…")) else ".")


def status_of(error: Exception) -> int | None:
    """The HTTP status of an error; None if the error is a bug of ours."""
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
        case RuleBookError():
            return 500
        case FairplayError():
            return 422
        case _:
            return None


# -- endpoints ---------------------------------------------------------------------------------

PATH_NUMBER_LIMIT = 10**9
"""Every number in a path is smaller."""

_ENCODER = msgspec.json.Encoder()

IsOwner: TypeAlias = Callable[[HTTPConnection], bool]

T = TypeVar("T")


class Services:
    """The parts of a running server, by their types: each module asks for those that it needs, and knows no others."""

    def __init__(self, *parts: object) -> None:
        self._parts: dict[type, Any] = {type(part): part for part in parts}

    def __getitem__(self, kind: type[T]) -> T:
        part: T = self._parts[kind]
        return part


def services_of(connection: HTTPConnection) -> Services:
    """The parts of the server that serves this request."""
    services: Services = connection.app.state.services
    return services


class Empty(Struct, frozen=True):
    """A response that says only that the request was carried out."""


class PathNumber(Convertor[int]):
    """A number in a path: of a moment, of a tournament."""

    regex = "[0-9]{1,9}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("number", PathNumber())


class Endpoint(Struct, frozen=True):
    """One method of one path.

    `handler` is called with the services of the server, the request and, if there are such, `query` and `body`.  It
    returns a value of the type `response`, or a Response.
    """

    method: str
    path: str
    summary: str
    handler: Callable[..., Awaitable[object]]
    response: Any = Empty
    body: Any = None
    query: Any = None  # a struct whose fields are the parameters
    status: int = 200
    media_type: str = "application/json"
    owner_only: bool = False
    compress: bool = False  # even if it is not a GET: the response never holds a key
    errors: tuple[int, ...] = ()  # further statuses that it may answer with

    @property
    def template(self) -> str:
        """The path as OpenAPI writes it: without the types of its parameters."""
        return re.sub(r"\{(\w+):\w+\}", r"{\1}", self.path)


def build_routes(
    endpoints: Sequence[Endpoint], services: Services, is_owner: Callable[[HTTPConnection], bool]
) -> list[Route]:
    """The endpoints as routes: one for each path, so that a wrong method is told all the right ones."""
    paths: dict[str, dict[str, Endpoint]] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method] = endpoint
    return [
        Route(path, _build_handler(methods, services, is_owner), methods=[*methods]) for path, methods in paths.items()
    ]


def _build_handler(
    methods: Mapping[str, Endpoint], services: Services, is_owner: IsOwner
) -> Callable[[Request], Awaitable[Response]]:
    """Serves all methods of one path."""

    async def handle(request: Request) -> Response:
        endpoint = methods["GET" if request.method == "HEAD" else request.method]
        try:
            if endpoint.owner_only and not is_owner(request):
                raise RequestError(401, "Only the owner may do this. Send the token as Authorization: Bearer TOKEN.")
            if endpoint.compress:
                allow_compression(request)
            result = await endpoint.handler(services, request, **await _parse_input(endpoint, request))
        except Exception as error:
            return _problem_response(error)
        return result if isinstance(result, Response) else json_response(result, endpoint.status)

    return handle


# -- requests ----------------------------------------------------------------------------------


async def _parse_input(endpoint: Endpoint, request: Request) -> dict[str, object]:
    """The parameters and the body of a request, as the endpoint declares them; raises RequestError."""
    given: dict[str, object] = {}
    if endpoint.query is not None:
        given["query"] = parse_query(endpoint.query, request)
    if endpoint.body is not None:
        given["body"] = _parse_body(endpoint.body, await request.body())
    return given


def parse_query(kind: Any, request: Request) -> Any:
    """The parameters after the question mark; raises RequestError."""
    names = _parameter_names(kind)
    given: dict[str, str] = {}
    for name, value in request.query_params.multi_items():
        if name not in names or name in given:
            expected = ", ".join(sorted(names)) or "none"
            raise RequestError(400, f"The parameter '{name[:40]}' is unknown or given twice; expected: {expected}.")
        given[name] = value
    try:
        return msgspec.convert(given, kind, strict=False)
    except msgspec.ValidationError as error:
        raise RequestError(400, f"A parameter is wrong: {_plain_text(error)}") from None


@cache
def _parameter_names(kind: Any) -> frozenset[str]:
    """The names of a struct's fields, as requests spell them."""
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind))


def _parse_body(kind: Any, body: bytes) -> Any:
    """The body of a request; raises RequestError."""
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise RequestError(422, _plain_text(error)) from None
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise RequestError(400, "The body is not JSON.") from None


def _plain_text(error: msgspec.ValidationError) -> str:
    """What is wrong with a value, and in brackets where it is."""
    what, _, where = str(error).replace("`", "").partition(" - at ")
    return f"{what} ({where})" if where else what


def parse_number(request: Request, name: str) -> int | None:
    """A parameter that is a number, None if it is missing; raises RequestError."""
    text = request.query_params.get(name, "")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise RequestError(400, f"The parameter '{name}' must be a number.")
    return int(text)


def client_address(connection: HTTPConnection) -> str:
    """The network address that a request comes from, as limits are counted by it."""
    return address_group(connection.client.host) if connection.client else ""


# -- responses ---------------------------------------------------------------------------------


def json_response(value: object, status: int = 200) -> Response:
    return Response(_ENCODER.encode(value), status, media_type="application/json")


def attach_file(content: bytes | str, name: str, media_type: str) -> Response:
    """A file that a browser saves under `name`."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


def _problem_response(error: Exception) -> Response:
    """An error as a response; raises it again if it is a bug of ours."""
    status = status_of(error)
    if status is None:
        raise error
    response = json_response(Problem(reason_of(error)), status)
    if status in (429, 503):
        response.headers["Retry-After"] = "10"
    return response


HOST = re.compile(r"(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?")
"""A host and maybe a port; SecurityMiddleware has refused hosts that are not ours."""


def site_origin(connection: HTTPConnection) -> str:
    """Scheme, host and port, such as ``https://play.example``; empty if the host is malformed."""
    host = connection.headers.get("host", "")
    scheme = "https" if connection.url.scheme in ("https", "wss") else "http"
    return f"{scheme}://{host}" if HOST.fullmatch(host) else ""
