"""The API of tournaments: list, start, show, stop and resume them."""

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from fairplay.contest.contest import LOST_PAIRING, OPEN_FORMATS
from fairplay.contest.specs import connection_numbers
from fairplay.report.csv_table import format_csv
from fairplay.store.history import MatchRow
from fairplay.store.store import Store
from fairplay.store.transfer import export_contest
from fairplay.web.games.listing import find_game
from fairplay.web.games.setups import choose_setup
from fairplay.web.http.endpoints import Empty, Endpoint, Services, attach_file
from fairplay.web.http.errors import RequestError
from fairplay.web.tournaments.cache import TournamentCache, find_contest_game, tournament_status
from fairplay.web.tournaments.planning import TournamentRequest, check_house_players, plan_contest
from fairplay.web.tournaments.results import TournamentDetails, TournamentInfo
from fairplay.web.tournaments.runner import TournamentRunner

PAGE_SIZE = 100
"""Matches or tournaments in one list."""

REMOTE_PLAYERS = "Its players signed up over a network."
NOT_RESUMED = "The page cannot resume it, but you can export what was played."


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
            status=tournament_status(summary, services[TournamentRunner].state(summary.id)),
            created=summary.created,
            finished=summary.finished,
        )
        for summary in summaries
    ]


async def find_unfinished(services: Services, request: Request) -> int:
    """The number of the tournament in the path; raises RequestError if it is finished."""
    id: int = request.path_params["id"]
    summary = await asyncio.to_thread(services[Store].summary, id)
    if summary.format in OPEN_FORMATS:
        raise RequestError(404, f"There is no tournament {id}.")
    if summary.finished is not None:
        raise RequestError(409, "This tournament is finished.")
    return id


# -- handlers ----------------------------------------------------------------------------------


async def post_tournament(services: Services, request: Request, body: TournamentRequest) -> TournamentCreated:
    """POST /api/tournaments"""
    game = find_game(body.game, 422)
    setup = await choose_setup(services[Store], game, body)
    contest = await asyncio.to_thread(plan_contest, game, setup, body)
    return TournamentCreated(await services[TournamentRunner].create(contest))


async def cancel_tournament(services: Services, request: Request) -> Empty:
    """POST /api/tournaments/{id}/cancel"""
    await services[TournamentRunner].cancel(await find_unfinished(services, request))
    return Empty()


async def resume_tournament(services: Services, request: Request) -> Empty:
    """POST /api/tournaments/{id}/go-on: only with house players, also if it was started elsewhere with others."""
    id = await find_unfinished(services, request)
    contest = await asyncio.to_thread(services[Store].contest, id)
    if contest.has_lost_pairing:
        raise RequestError(409, f"{LOST_PAIRING[0].upper()}{LOST_PAIRING[1:]}. {NOT_RESUMED}")
    if connection_numbers(contest):
        raise RequestError(409, f"{REMOTE_PLAYERS} {NOT_RESUMED}")
    check_house_players(find_contest_game(contest), [spec for _, spec in contest.entrants])
    await services[TournamentRunner].resume(id)
    return Empty()


async def get_tournament(services: Services, request: Request) -> TournamentDetails:
    """GET /api/tournaments/{id}"""
    return (await services[TournamentCache].get(request.path_params["id"])).details


async def get_tournament_matches(services: Services, request: Request, query: PageQuery) -> list[MatchRow]:
    """GET /api/tournaments/{id}/matches"""
    id = request.path_params["id"]
    return await asyncio.to_thread(services[Store].history.matches, id, after=query.after, limit=query.limit)


async def get_csv(services: Services, request: Request) -> Response:
    """GET /api/tournaments/{id}/table.csv"""
    details = (await services[TournamentCache].get(request.path_params["id"])).details
    if details.tables is None:
        raise RequestError(409, "This tournament is too large to be counted before it is finished.")
    return attach_file(format_csv(details.tables), f"tournament-{details.id}.csv", "text/csv")


async def get_export(services: Services, request: Request) -> Response:
    """GET /api/tournaments/{id}/export"""
    id = request.path_params["id"]
    content = await asyncio.to_thread(export_tournament, services[Store], id)
    return attach_file(content, f"tournament-{id}.fairplay", "application/gzip")


def export_tournament(store: Store, id: int) -> bytes:
    """A tournament with all its records, as a file for another store."""
    with tempfile.TemporaryDirectory(prefix="fairplay-") as folder:
        path = Path(folder, "tournament.fairplay")
        export_contest(store, id, path)
        return path.read_bytes()


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
        post_tournament,
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
        get_tournament,
        TournamentDetails,
        errors=(404,),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/matches",
        "List the matches of a tournament, in order.",
        get_tournament_matches,
        list[MatchRow],
        query=PageQuery,
        errors=(404,),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/table.csv",
        "Download the table of a tournament for a spreadsheet.",
        get_csv,
        media_type="text/csv",
        errors=(404, 409),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/export",
        "Download a tournament with all its records, for another store.",
        get_export,
        media_type="application/gzip",
        owner_only=True,
        errors=(404,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id:number}/cancel",
        "Stop a tournament.",
        cancel_tournament,
        owner_only=True,
        errors=(404, 409),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id:number}/go-on",
        "Resume a tournament.",
        resume_tournament,
        owner_only=True,
        errors=(404, 409, 422),
    ),
)
