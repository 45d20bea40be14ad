"""The pages of tournaments, and the sockets that keep them up to date."""

import asyncio

import structlog
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from fairplay.catalog import GAMES
from fairplay.contest.formats.formats import FORMATS, option_types
from fairplay.core import AbsentError
from fairplay.store.store import Store
from fairplay.web.games.listing import describe_games, find_game
from fairplay.web.http.endpoints import parse_number, services_of
from fairplay.web.http.errors import as_sentence
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.http.sockets import Outbox, SocketLimit, open_socket, send_messages, wants_gzip
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


UPDATE_INTERVAL = 1.0
"""Seconds between two looks at a tournament."""

NOT_FOUND = 4404
"""How a socket is closed if there is no such tournament."""

LOG = structlog.get_logger("fairplay.web")


async def stream_tournament(socket: WebSocket) -> None:
    """`/api/tournaments/{id}/live`: updates until the tournament is finished."""
    services, id = services_of(socket), socket.path_params["id"]
    outbox = Outbox(gzipped=wants_gzip(socket))
    async with open_socket(services[SocketLimit], socket, outbox):
        following = asyncio.create_task(follow_tournament(services[TournamentCache], id, outbox))
        try:
            await send_messages(socket, outbox)
        finally:
            following.cancel()


async def follow_tournament(cache: TournamentCache, id: int, outbox: Outbox) -> None:
    """Offer an update whenever the page has changed, until the tournament is finished."""
    shown = ""
    try:
        while True:
            snapshot = await cache.get(id)
            if snapshot.html != shown:
                shown = snapshot.html
                outbox.offer(snapshot.message)
            if snapshot.details.status == "finished":
                break
            await asyncio.sleep(UPDATE_INTERVAL)
        outbox.end()
    except AbsentError as error:
        outbox.close_code, outbox.close_reason = NOT_FOUND, as_sentence(str(error))
        outbox.end()
    except Exception as error:
        LOG.error("a tournament cannot be shown", tournament=id, reason=str(error))
        outbox.drop()


ROUTES: list[Route | WebSocketRoute] = [
    Route("/tournaments", show_tournaments),
    Route("/tournaments/new", show_new_tournament),
    Route("/tournaments/{id:number}", show_tournament),
    Route("/tournaments/{id:number}/matches", show_tournament_matches),
    WebSocketRoute("/api/tournaments/{id:number}/live", stream_tournament),
]
