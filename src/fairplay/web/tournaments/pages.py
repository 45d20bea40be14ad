"""The pages of tournaments."""

from __future__ import annotations

import asyncio

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.contest.formats.formats import FORMATS, option_types
from fairplay.store.store import Store
from fairplay.web.games.listing import describe_games, find_game
from fairplay.web.http.endpoints import parse_number, services_of
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.rendering.pages import render_page
from fairplay.web.tournaments.api import PAGE_SIZE, TournamentQuery, list_tournaments
from fairplay.web.tournaments.cache import TournamentCache


async def show_tournaments(request: Request) -> Response:
    """/tournaments"""
    query = TournamentQuery(PAGE_SIZE, parse_number(request, "before"))
    tournaments = await list_tournaments(services_of(request), request, query)
    more = tournaments[-1].id if len(tournaments) == PAGE_SIZE else None
    return render_page(request, "tournaments.html", tournaments=tournaments, more=more)


async def show_tournament(request: Request) -> Response:
    """/tournaments/{id}"""
    snapshot = await services_of(request)[TournamentCache].get(request.path_params["id"])
    return render_page(request, "tournament.html", tournament=snapshot.details, results=Markup(snapshot.html))


async def show_tournament_matches(request: Request) -> Response:
    """/tournaments/{id}/matches"""
    services, id = services_of(request), request.path_params["id"]
    details = (await services[TournamentCache].get(id)).details
    after = parse_number(request, "after")
    start = -1 if after is None else after
    matches = await asyncio.to_thread(services[Store].history.matches, id, after=start, limit=PAGE_SIZE)
    return render_page(
        request,
        "tournament_matches.html",
        tournament=details,
        encounters=matches,
        more=matches[-1].number if len(matches) == PAGE_SIZE else None,
        is_first_page=after is None,
    )


async def show_new_tournament(request: Request) -> Response:
    """/tournaments/new"""
    game, services = find_game(request.query_params.get("game", next(iter(GAMES)))), services_of(request)
    if not services[OwnerAuth].is_owner(request):
        return RedirectResponse("/sign-in", 303)
    formats = {format: [*option_types(format)] for format in FORMATS}
    left_out = {game.players.reviewer, *game.players.rogues}  # the first thinks for long, the others only ever fault
    ticked = game.players.strategies.keys() - left_out
    return render_page(
        request, "tournament_new.html", games=describe_games(), game=game, formats=formats, ticked=ticked
    )


ROUTES = [
    Route("/tournaments", show_tournaments),
    Route("/tournaments/new", show_new_tournament),
    Route("/tournaments/{id:number}", show_tournament),
    Route("/tournaments/{id:number}/matches", show_tournament_matches),
]
