"""Tournaments: list, plan, start, show, stop and resume them; the API and the pages."""

import asyncio
import tempfile
from pathlib import Path
from random import Random
from time import monotonic
from typing import Annotated, Literal

import structlog
from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from fairplay.contest.contest import LOST_PAIRING, OPEN_FORMATS, Contest, Entrant, Stop
from fairplay.contest.formats.formats import FORMATS, option_types
from fairplay.contest.planning import ContestTerms, Machine, plan
from fairplay.contest.schedule import count_matches
from fairplay.contest.specs import connection_numbers
from fairplay.core import AbsentError, AnyGame, UsageError
from fairplay.core.names import check_name
from fairplay.match.players import house_strategy
from fairplay.report.text_table import format_csv
from fairplay.run.house_players import resolve_player
from fairplay.setups import draw_chance
from fairplay.store.history import MatchRow
from fairplay.store.store import Store
from fairplay.store.transfer import export_contest
from fairplay.web.games import SetupRequest, choose_setup, default_game, describe_games, find_game
from fairplay.web.http import endpoints
from fairplay.web.http.endpoints import Empty, Endpoint, RequestError, Services
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.http.sockets import Outbox, SocketLimit, open_socket, send_messages, wants_gzip
from fairplay.web.matches.tables import PlayerName, PlayerSpec
from fairplay.web.rendering.pages import render_page
from fairplay.web.tournaments import cache
from fairplay.web.tournaments.cache import TournamentCache, TournamentDetails, TournamentInfo
from fairplay.web.tournaments.runner import TournamentRunner

MAX_MATCHES = 200_000
"""Matches of a tournament that is started from the page."""

Count = Annotated[int, Meta(ge=1, le=100_000)]


class EntrantRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A house player, such as `minimax:depth=2`, perhaps under a name of its own."""

    player: PlayerSpec
    name: PlayerName = ""


class TournamentRequest(SetupRequest, frozen=True, forbid_unknown_fields=True):
    """A new tournament; options that are left out have the defaults of the format."""

    players: Annotated[tuple[EntrantRequest, ...], Meta(min_length=2, max_length=200)]
    format: Literal["knock-out", "round-robin", "swiss", "gauntlet", "ladder"] = "round-robin"
    games: Count | None = None  # deals that each line-up plays
    size: Annotated[int, Meta(ge=2, le=10)] | None = None  # players in one match
    rounds: Count | None = None  # of a Swiss tournament
    matches: Count | None = None  # stop after this many; a ladder needs it
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


def plan_contest(game: AnyGame, setup: object, wanted: TournamentRequest) -> Contest:
    """The contest that is asked for; raises UsageError if it cannot be played, or not to its end."""
    options = {"games": wanted.games, "size": wanted.size, "rounds": wanted.rounds}
    terms = ContestTerms(
        format=wanted.format,
        options={name: value for name, value in options.items() if value is not None},
        stop=Stop(wanted.matches),
        seed=wanted.seed,
        mark="",
    )
    names = [check_name(entrant.name) if entrant.name.strip() else entrant.player for entrant in wanted.players]
    entrants = map(Entrant, names, [entrant.player for entrant in wanted.players])
    return plan(game, setup, entrants, terms, draw_chance(), Machine(resolve_player, _check_page_contest))


def _check_page_contest(game: AnyGame, contest: Contest) -> None:
    """Refuse what the page must not start, or would never finish; raises UsageError."""
    check_house_players(game, [spec for _, spec in contest.entrants])
    total = count_matches(contest, game.seats)
    if contest.format == "ladder" and total is None:
        raise UsageError("A ladder does not end by itself. Say after how many matches it should stop.")
    if total is not None and total > MAX_MATCHES:
        raise UsageError(f"That would be {total} matches; the limit is {MAX_MATCHES}.")


def check_house_players(game: AnyGame, specs: list[str]) -> None:
    """Raises UsageError unless all are house players: the page must not start bot files or programs."""
    for spec in specs:
        house_strategy(game, spec, Random(0), monotonic)


# -- the API ------------------------------------------------------------------------------------

PAGE_SIZE = 100
"""Matches or tournaments in one list."""

_REMOTE_PLAYERS = "Its players signed up over a network."
_NOT_RESUMED = "The page cannot resume it, but you can export what was played."


class TournamentCreated(Struct, frozen=True):
    """The number of a new tournament."""

    id: int


class TournamentQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which tournaments to list: the newest, or the newest before a number."""

    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    before: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class PageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches to list: those after a number."""

    after: Annotated[int, Meta(ge=-1, le=2**53)] = -1
    limit: Annotated[int, Meta(ge=1, le=500)] = PAGE_SIZE


async def list_tournaments(services: Services, request: Request, query: TournamentQuery) -> list[TournamentInfo]:
    """GET /api/tournaments: newest first."""
    summaries = await asyncio.to_thread(services[Store].newest, query.limit, query.before)
    return [
        TournamentInfo(
            id=summary.id,
            game=summary.game,
            format=summary.format,
            players=summary.players,
            matches=summary.matches,
            status=cache.tournament_status(summary, services[TournamentRunner].state(summary.id)),
            created=summary.created,
            finished=summary.finished,
        )
        for summary in summaries
    ]


async def _find_unfinished(services: Services, request: Request) -> int:
    """The number of the tournament in the path; raises RequestError if it is finished."""
    id: int = request.path_params["id"]
    summary = await asyncio.to_thread(services[Store].summary, id)
    if summary.format in OPEN_FORMATS:
        raise RequestError(404, f"There is no tournament {id}.")
    if summary.finished is not None:
        raise RequestError(409, "This tournament is finished.")
    return id


async def _post_tournament(services: Services, request: Request, body: TournamentRequest) -> TournamentCreated:
    """POST /api/tournaments"""
    game = find_game(body.game, 422)
    setup = await choose_setup(services[Store], game, body)
    contest = await asyncio.to_thread(plan_contest, game, setup, body)
    return TournamentCreated(await services[TournamentRunner].create(contest))


async def _cancel_tournament(services: Services, request: Request) -> Empty:
    """POST /api/tournaments/{id}/cancel"""
    await services[TournamentRunner].cancel(await _find_unfinished(services, request))
    return Empty()


async def _resume_tournament(services: Services, request: Request) -> Empty:
    """POST /api/tournaments/{id}/go-on: only with house players, also if it was started elsewhere with others."""
    id = await _find_unfinished(services, request)
    contest = await asyncio.to_thread(services[Store].contest, id)
    if contest.has_lost_pairing:
        raise RequestError(409, f"{LOST_PAIRING[0].upper()}{LOST_PAIRING[1:]}. {_NOT_RESUMED}")
    if connection_numbers(contest):
        raise RequestError(409, f"{_REMOTE_PLAYERS} {_NOT_RESUMED}")
    check_house_players(cache.find_contest_game(contest), [spec for _, spec in contest.entrants])
    await services[TournamentRunner].resume(id)
    return Empty()


async def _get_tournament(services: Services, request: Request) -> TournamentDetails:
    """GET /api/tournaments/{id}"""
    return (await services[TournamentCache].get(request.path_params["id"])).details


async def _get_tournament_matches(services: Services, request: Request, query: PageQuery) -> list[MatchRow]:
    """GET /api/tournaments/{id}/matches"""
    id = request.path_params["id"]
    return await asyncio.to_thread(services[Store].history.matches, id, after=query.after, limit=query.limit)


async def _get_csv(services: Services, request: Request) -> Response:
    """GET /api/tournaments/{id}/table.csv"""
    details = (await services[TournamentCache].get(request.path_params["id"])).details
    if details.tables is None:
        raise RequestError(409, "This tournament is too large to be counted before it is finished.")
    return endpoints.attach_file(format_csv(details.tables), f"tournament-{details.id}.csv", "text/csv")


async def _get_export(services: Services, request: Request) -> Response:
    """GET /api/tournaments/{id}/export"""
    id = request.path_params["id"]
    content = await asyncio.to_thread(_export_tournament, services[Store], id)
    return endpoints.attach_file(content, f"tournament-{id}.fairplay", "application/gzip")


def _export_tournament(store: Store, id: int) -> bytes:
    """A tournament with all its records, as a file for another store."""
    with tempfile.TemporaryDirectory(prefix="fairplay-") as folder:
        path = Path(folder, "tournament.fairplay")
        export_contest(store, id, path)
        return path.read_bytes()


# -- pages, and the sockets that keep them up to date -------------------------------------------


async def _show_tournaments(request: Request) -> Response:
    """/tournaments"""
    query = TournamentQuery(PAGE_SIZE, endpoints.parse_number(request, "before"))
    tournaments = await list_tournaments(endpoints.services_of(request), request, query)
    more = tournaments[-1].id if len(tournaments) == PAGE_SIZE else None
    return render_page(request, "tournaments.html", tournaments=tournaments, more=more)


async def _show_tournament(request: Request) -> Response:
    """/tournaments/{id}"""
    snapshot = await endpoints.services_of(request)[TournamentCache].get(request.path_params["id"])
    return render_page(request, "tournament.html", tournament=snapshot.details, results=Markup(snapshot.html))


async def _show_tournament_matches(request: Request) -> Response:
    """/tournaments/{id}/matches"""
    services, id = endpoints.services_of(request), request.path_params["id"]
    details = (await services[TournamentCache].get(id)).details
    after = endpoints.parse_number(request, "after")
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


async def _show_new_tournament(request: Request) -> Response:
    """/tournaments/new"""
    game, services = find_game(request.query_params.get("game", default_game())), endpoints.services_of(request)
    if not services[OwnerAuth].is_owner(request):
        return RedirectResponse("/sign-in", 303)
    formats = {format: [*option_types(format)] for format in FORMATS}
    left_out = {game.players.reviewer, *game.players.rogues}  # the first thinks for long, the others only ever fault
    ticked = game.players.strategies.keys() - left_out
    return render_page(
        request, "tournament_new.html", games=describe_games(), game=game, formats=formats, ticked=ticked
    )


_UPDATE_INTERVAL = 1.0
"""Seconds between two looks at a tournament."""

_NOT_FOUND = 4404
"""How a socket is closed if there is no such tournament."""

LOG = structlog.get_logger("fairplay.web")


async def _stream_tournament(socket: WebSocket) -> None:
    """`/api/tournaments/{id}/live`: updates until the tournament is finished."""
    services, id = endpoints.services_of(socket), socket.path_params["id"]
    outbox = Outbox(gzipped=wants_gzip(socket))
    async with open_socket(services[SocketLimit], socket, outbox):
        following = asyncio.create_task(_follow_tournament(services[TournamentCache], id, outbox))
        try:
            await send_messages(socket, outbox)
        finally:
            following.cancel()


async def _follow_tournament(tournaments: TournamentCache, id: int, outbox: Outbox) -> None:
    """Offer an update whenever the page has changed, until the tournament is finished."""
    shown = ""
    try:
        while True:
            snapshot = await tournaments.get(id)
            if snapshot.html != shown:
                shown = snapshot.html
                outbox.offer(snapshot.message)
            if snapshot.details.status == "finished":
                break
            await asyncio.sleep(_UPDATE_INTERVAL)
        outbox.end()
    except AbsentError as error:
        outbox.close_code, outbox.close_reason = _NOT_FOUND, endpoints.as_sentence(str(error))
        outbox.end()
    except Exception as error:
        LOG.error("a tournament cannot be shown", tournament=id, reason=str(error))
        outbox.drop()


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/tournaments",
        "List tournaments, newest first.",
        list_tournaments,
        list[TournamentInfo],
        query=TournamentQuery,
    ),
    Endpoint(
        "POST",
        "/api/tournaments",
        "Start a tournament of house players.",
        _post_tournament,
        TournamentCreated,
        TournamentRequest,
        status=201,
        owner_only=True,
        errors=(404,),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}",
        "Show a tournament: its progress, its tables, its bracket.",
        _get_tournament,
        TournamentDetails,
        errors=(404,),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/matches",
        "List the matches of a tournament, in order.",
        _get_tournament_matches,
        list[MatchRow],
        query=PageQuery,
        errors=(404,),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/table.csv",
        "Download the table of a tournament for a spreadsheet.",
        _get_csv,
        media_type="text/csv",
        errors=(404, 409),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/export",
        "Download a tournament with all its records, for another store.",
        _get_export,
        media_type="application/gzip",
        owner_only=True,
        errors=(404,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id:number}/cancel",
        "Stop a tournament.",
        _cancel_tournament,
        owner_only=True,
        errors=(404, 409),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id:number}/go-on",
        "Resume a tournament.",
        _resume_tournament,
        owner_only=True,
        errors=(404, 409, 422),
    ),
)

ROUTES: list[Route | WebSocketRoute] = [
    Route("/tournaments", _show_tournaments),
    Route("/tournaments/new", _show_new_tournament),
    Route("/tournaments/{id:number}", _show_tournament),
    Route("/tournaments/{id:number}/matches", _show_tournament_matches),
    WebSocketRoute("/api/tournaments/{id:number}/live", _stream_tournament),
]
