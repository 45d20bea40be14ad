"""The pages that belong to no part of the server: home, signing in and out, the list of endpoints."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.web.context import services_of
from fairplay.web.games import describe_games
from fairplay.web.http.endpoints import Endpoint, client_address, json_response
from fairplay.web.http.errors import RequestError
from fairplay.web.http.openapi import build_openapi
from fairplay.web.http.owner import OWNER_COOKIE, SESSION_SECONDS
from fairplay.web.matches.api import MatchQuery, list_matches
from fairplay.web.matches.sockets import featured_ids
from fairplay.web.rendering import render_page
from fairplay.web.tournaments.api import TournamentQuery, list_tournaments

__all__ = ["ROUTES", "build_api_routes"]


async def show_home(request: Request) -> Response:
    """/"""
    services = services_of(request)
    running = services.registry.running
    newest = [running[id] for id in running if id in featured_ids(services.registry)]
    return render_page(
        request,
        "home.html",
        games=describe_games(),
        boards=[(match, match.timeline.moment(match.timeline.last, None)) for match in reversed(newest)],
        recent=await list_matches(services, request, MatchQuery(running=False, limit=8)),
        tournaments=await list_tournaments(services, request, TournamentQuery(4)),
    )


async def sign_in(request: Request) -> Response:
    """/sign-in: with the token, or with the key of the link that `fairplay serve` printed."""
    if request.method == "GET":
        return render_page(request, "sign_in.html", problem="")
    form = await request.form(max_files=0, max_fields=4)
    token, key = str(form.get("token", "")), str(form.get("key", ""))
    try:
        session = await services_of(request).owner.sign_in(client_address(request), token, key)
    except RequestError as refused:
        return render_page(request, "sign_in.html", refused.status, problem=str(refused))
    response = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    response.set_cookie(OWNER_COOKIE, session, max_age=SESSION_SECONDS, httponly=True, samesite="strict", secure=secure)
    return response


async def sign_out(request: Request) -> Response:
    """/sign-out"""
    await services_of(request).owner.close_session(request)
    response = RedirectResponse("/", 303)
    response.delete_cookie(OWNER_COOKIE)
    return response


ROUTES = [
    Route("/", show_home),
    Route("/sign-in", sign_in, methods=["GET", "POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
]


def build_api_routes(endpoints: Sequence[Endpoint]) -> list[Route]:
    """The description of the API, for people and for programs."""

    async def show_api(request: Request) -> Response:
        return render_page(request, "api.html", endpoints=endpoints)

    async def get_openapi(request: Request) -> Response:
        return json_response(build_openapi(endpoints))

    return [Route("/api", show_api), Route("/api/openapi.json", get_openapi)]
