"""What the server knows of a visitor: the games that go on, whether a name can be used, and whether it is the owner."""

from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.web.http.endpoints import Endpoint, Services, client_address, services_of
from fairplay.web.http.errors import RequestError
from fairplay.web.http.owner import OWNER_COOKIE, SESSION_SECONDS, OwnerAuth, visitor_of
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.tables import check_player_name
from fairplay.web.rendering.pages import OwnGame, render_page


class NameQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """A name that somebody would like to have."""

    name: Annotated[str, Meta(min_length=1, max_length=24)]


class VisitorName(Struct, frozen=True):
    """A name as it is shown."""

    name: str


def find_own_games(services: Services, request: Request) -> list[OwnGame]:
    """The running matches in which the visitor has a seat, those first that wait for the visitor."""
    account = visitor_of(request).account
    if account is None:
        return []
    matches = services[MatchRegistry].running.values()
    found = [game for match in matches if (game := describe_own_game(match, account)) is not None]
    return sorted(found, key=lambda game: not game.is_my_turn)


def describe_own_game(match: LiveMatch, account: str) -> OwnGame | None:
    """A running match as an account knows it; None if it has no seat there, has left for good or resigned."""
    seat = None if match.table.status in ("over", "cut off") else match.definition.find_seat({account})
    if seat is None or match.definition.seats[seat].gone:
        return None
    timeline = match.timeline
    rivals = tuple(name for number, name in enumerate(timeline.names) if number != seat)
    is_my_turn = match.table.status == "playing" and timeline.game.rules.to_move(timeline.states[-1]) == seat
    return OwnGame(match.id, timeline.game.name, rivals, is_my_turn)


async def check_visitor_name(services: Services, request: Request, query: NameQuery) -> VisitorName:
    """GET /api/name"""
    return VisitorName(check_player_name(query.name))


async def sign_in(request: Request) -> Response:
    """/sign-in: with the token, or with the key of the link that `fairplay serve` printed."""
    if request.method == "GET":
        return render_page(request, "sign_in.html", problem="")
    form = await request.form(max_files=0, max_fields=4)
    token, key = str(form.get("token", "")), str(form.get("key", ""))
    try:
        session = await services_of(request)[OwnerAuth].sign_in(client_address(request), token, key)
    except RequestError as refused:
        return render_page(request, "sign_in.html", refused.status, problem=str(refused))
    response = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(OWNER_COOKIE, session, max_age=SESSION_SECONDS, httponly=True, samesite="strict", secure=secure)
    return response


async def sign_out(request: Request) -> Response:
    """/sign-out"""
    await services_of(request)[OwnerAuth].close_session(request)
    response = RedirectResponse("/", 303)
    response.delete_cookie(OWNER_COOKIE)
    return response


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/name",
        "Check a name that a person would like to have.",
        check_visitor_name,
        VisitorName,
        query=NameQuery,
        errors=(422,),
    ),
)

ROUTES = [
    Route("/sign-in", sign_in, methods=["GET", "POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
]
