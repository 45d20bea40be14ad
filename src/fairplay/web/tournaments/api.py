"""Tournaments: the API to list, start, follow and stop them, and their pages."""

from __future__ import annotations

import asyncio
import secrets
import tempfile
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, Literal
from urllib.parse import quote

import msgspec
from markupsafe import Markup
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from fairplay.catalog import GAMES
from fairplay.contest.conduct import check, total_of
from fairplay.contest.contest import Contest, Stop
from fairplay.contest.formats.formats import FORMATS, chosen_options, option_types
from fairplay.contest.scoreboard import written_csv
from fairplay.core import AbsentError, AnyGame, UsageError
from fairplay.play.players import house
from fairplay.report.charts import rating_chart
from fairplay.store.history import Encounter
from fairplay.store.transfer import export_contest
from fairplay.web.context import Server, server_of
from fairplay.web.http.endpoints import Endpoint, Nothing, RequestError
from fairplay.web.matches.api import chosen_setup, games
from fairplay.web.matches.feed import Watcher
from fairplay.web.matches.sockets import SLOW, following
from fairplay.web.matches.tables import Name, SeatWish, Spec, TableWish
from fairplay.web.rendering import page, rendered, templates
from fairplay.web.tournaments.cache import status_of
from fairplay.web.tournaments.results import Tournament, TournamentNow, rating_of, whole

__all__ = ["ENDPOINTS", "ROUTES", "Entry", "Newest", "TournamentWish", "fragment", "listed", "player_path"]

MOST: Final = 200_000
"""Matches of a tournament that is started from the page."""

PAGE: Final = 100
SHOWN: Final = 40
"""Players in a chart or a table of a page; the rest can be had from the API."""

CROSSED: Final = 20
"""Players up to whom a page shows the cross-table."""

DRAWN: Final = 64
"""Matches of a round that a page draws."""

LOOK_AGAIN: Final = 1.0
"""Seconds after which those who follow a tournament are told what is new."""


# -- what is said ------------------------------------------------------------------------------

Number = Annotated[int, Meta(ge=1, le=100_000)]


class Entry(Struct, frozen=True, forbid_unknown_fields=True):
    """A house player, such as `minimax:depth=2`, under a name of its own or its own name."""

    player: Spec
    name: Name = ""


class TournamentWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament that the owner wants; without options as the format has them."""

    game: Annotated[str, Meta(max_length=40)]
    players: Annotated[tuple[Entry, ...], Meta(min_length=2, max_length=200)]
    format: Literal["knock-out", "round-robin", "swiss", "gauntlet", "ladder"] = "round-robin"
    variant: Annotated[str, Meta(max_length=40)] | None = None
    map: Annotated[str, Meta(max_length=60)] | None = None
    board: Annotated[str, Meta(max_length=40)] | None = None
    quick: bool = False
    games: Number | None = None  # deals that every line-up plays
    size: Annotated[int, Meta(ge=2, le=10)] | None = None  # players of one match
    rounds: Number | None = None  # of a Swiss tournament
    matches: Number | None = None  # after which it ends; a ladder needs it
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


class Begun(Struct, frozen=True):
    """A tournament that will be played."""

    id: int


class Newest(Struct, frozen=True, forbid_unknown_fields=True):
    """Which tournaments."""

    limit: Annotated[int, Meta(ge=1, le=200)] = 50
    before: Annotated[int, Meta(ge=1, le=2**31 - 1)] | None = None


class After(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches: those after a number."""

    after: Annotated[int, Meta(ge=-1, le=2**53)] = -1
    limit: Annotated[int, Meta(ge=1, le=500)] = PAGE


# -- starting ----------------------------------------------------------------------------------


def planned(game: AnyGame, setup: Any, wish: TournamentWish) -> Contest:
    """The tournament that is wished for; raises UsageError where it cannot be played, or not to its end."""
    given = {"games": wish.games, "size": wish.size, "rounds": wish.rounds}
    contest = Contest(
        game.name,
        entered(game, wish),
        wish.format,
        chosen_options(wish.format, {name: value for name, value in given.items() if value is not None}),
        msgspec.Raw(msgspec.json.encode(setup)),
        secrets.randbits(53) if wish.seed is None else wish.seed,
        game.patience,
        Stop(wish.matches),
    )
    total = total_of(contest, game.seats)
    if contest.format == "ladder" and total is None:
        raise UsageError("a ladder has no end of its own: say after how many matches it stops")
    if total is not None and total > MOST:
        raise UsageError(f"that would be {total} matches; expected at most {MOST}")
    check(game, contest, setup)
    return contest


def entered(game: AnyGame, wish: TournamentWish) -> tuple[tuple[str, str], ...]:
    """Names and specs.  Only house players: a page must not start programs."""
    for entry in wish.players:
        house(game, entry.player, Random(0))
    names = [entry.name.strip() or entry.player for entry in wish.players]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UsageError(f"two players are called '{twice}'; give one of them another name")
    return tuple((name, entry.player) for name, entry in zip(names, wish.players, strict=True))


async def start(server: Server, request: Request, body: TournamentWish) -> Begun:
    if body.game not in GAMES:
        raise RequestError(422, f"there is no game '{body.game}'; there are {', '.join(GAMES)}")
    game = GAMES[body.game]
    table = TableWish(game.name, (SeatWish("house"),), body.variant, body.map, body.board, body.quick)
    setup = await chosen_setup(server, game, table)
    contest = await asyncio.to_thread(planned, game, setup, body)
    return Begun(await server.contests.begin(contest))


async def cancel(server: Server, request: Request) -> Nothing:
    await server.contests.cancel(await unfinished(server, request))
    return Nothing()


async def go_on(server: Server, request: Request) -> Nothing:
    """Only with house players: the bot files of a tournament that began elsewhere are none of the page's business."""
    id = await unfinished(server, request)
    contest = await asyncio.to_thread(server.store.contest, id)
    if contest.game not in GAMES:
        raise AbsentError(f"this is a tournament of {contest.game}, which is not known here")
    for _, spec in contest.players:
        house(GAMES[contest.game], spec, Random(0))
    await server.contests.go_on(id)
    return Nothing()


async def unfinished(server: Server, request: Request) -> int:
    """The number of the tournament in the address; raises RequestError where it is over."""
    id: int = request.path_params["id"]
    if (await asyncio.to_thread(server.store.summary, id)).finished is not None:
        raise RequestError(409, "this tournament is finished")
    return id


# -- looking -----------------------------------------------------------------------------------


async def listed(server: Server, query: Newest) -> list[Tournament]:
    """The newest tournaments first."""
    found = await asyncio.to_thread(server.store.newest, query.limit, query.before)
    return [
        Tournament(
            each.id,
            each.game,
            each.format,
            each.players,
            each.matches,
            status_of(each, server.contests.state(each.id)),
            each.created,
            each.finished,
        )
        for each in found
    ]


async def list_tournaments(server: Server, request: Request, query: Newest) -> list[Tournament]:
    return await listed(server, query)


async def look(server: Server, request: Request) -> TournamentNow:
    return (await server.looks.at(request.path_params["id"])).now


async def list_matches(server: Server, request: Request, query: After) -> list[Encounter]:
    id = request.path_params["id"]
    return await asyncio.to_thread(server.store.encounters, id, after=query.after, limit=query.limit)


async def sheet(server: Server, request: Request) -> Response:
    now = (await server.looks.at(request.path_params["id"])).now
    if now.tables is None:
        raise RequestError(409, "this tournament is too large to be counted before it is finished")
    name = {"Content-Disposition": f'attachment; filename="tournament-{now.id}.csv"'}
    return Response(written_csv(whole(now.tables)), media_type="text/csv", headers=name)


async def export(server: Server, request: Request) -> Response:
    id = request.path_params["id"]
    name = {"Content-Disposition": f'attachment; filename="tournament-{id}.fairplay"'}
    return Response(await asyncio.to_thread(exported, server, id), media_type="application/gzip", headers=name)


def exported(server: Server, id: int) -> bytes:
    with tempfile.TemporaryDirectory(prefix="fairplay-") as folder:
        path = Path(folder, "tournament.fairplay")
        export_contest(server.store, id, path)
        return path.read_bytes()


class Update(Struct, frozen=True):
    """What those who follow a tournament are sent."""

    status: str
    html: str


async def follow(socket: WebSocket) -> None:
    """`/api/tournaments/{id}/live`: the page's changing part whenever it has changed, until there is no more."""
    server, id, watcher, sent = server_of(socket), socket.path_params["id"], Watcher(None), ""
    async with following(server, socket, watcher):
        try:
            while not watcher.dropped:
                look = await server.looks.at(id)
                if look.html != sent:
                    async with asyncio.timeout(SLOW):
                        await socket.send_text(msgspec.json.encode(Update(look.now.status, look.html)).decode())
                    sent = look.html
                if look.now.status == "finished":
                    await socket.close(1000)
                    return
                await asyncio.sleep(LOOK_AGAIN)
            if watcher.code is not None:
                await socket.close(watcher.code)
        except AbsentError as absent:
            await socket.close(4404, str(absent))
        except (TimeoutError, WebSocketDisconnect, RuntimeError, OSError):
            return


# -- pages -------------------------------------------------------------------------------------


async def tournaments_page(request: Request) -> Response:
    before = page_number(request, "before")
    found = await listed(server_of(request), Newest(PAGE, before))
    more = found[-1].id if len(found) == PAGE else None
    return rendered(request, "tournaments.html", tournaments=found, more=more)


async def tournament_page(request: Request) -> Response:
    look = await server_of(request).looks.at(request.path_params["id"])
    return rendered(request, "tournament.html", now=look.now, html=Markup(look.html))


async def matches_page(request: Request) -> Response:
    server, id = server_of(request), request.path_params["id"]
    now = (await server.looks.at(id)).now
    after = page_number(request, "after")
    found = await page(server.store.encounters, id, after=-1 if after is None else after, limit=PAGE)
    more = found[-1].number if len(found) == PAGE else None
    return rendered(request, "tournament_matches.html", now=now, encounters=found, more=more, first=after is None)


async def new_page(request: Request) -> Response:
    name = request.query_params.get("game", next(iter(GAMES)))
    if name not in GAMES:
        raise RequestError(404, f"there is no game '{name[:40]}'")
    server = server_of(request)
    if server.settings.token and not server.owners.knows(request):
        return RedirectResponse("/sign-in", 303)
    options = {format: [*option_types(format)] for format in FORMATS}
    return rendered(request, "tournament_new.html", games=games(), game=GAMES[name], formats=options)


def page_number(request: Request, name: str) -> int | None:
    asked = request.query_params.get(name, "")
    if not asked:
        return None
    if not (asked.isascii() and asked.isdigit() and len(asked) < 10):
        raise RequestError(400, f"{name} must be a number")
    return int(asked)


def fragment(now: TournamentNow) -> str:
    """The part of the page of a tournament that changes while it runs."""
    tables = now.tables
    chart = tables and rating_chart(
        [rating_of(line) for line in tables.ratings[:SHOWN]], lambda name: player_path(now.game, name)
    )
    template = templates().get_template("tournament_now.html")
    return template.render(now=now, tables=tables, chart=chart, shown=SHOWN, crossed=CROSSED, drawn=DRAWN)


def player_path(game: str, name: str) -> str:
    """The address of a player's page."""
    return f"/players/{quote(game, safe='')}/{quote(name, safe='')}"


templates().globals["player_path"] = player_path

ROUTES = [
    Route("/tournaments", tournaments_page),
    Route("/tournaments/new", new_page),
    Route("/tournaments/{id:number}", tournament_page),
    Route("/tournaments/{id:number}/matches", matches_page),
    WebSocketRoute("/api/tournaments/{id:number}/live", follow),
]

ENDPOINTS = (
    Endpoint("GET", "/api/tournaments", "Tournaments, newest first.", list_tournaments, list[Tournament], query=Newest),
    Endpoint(
        "POST",
        "/api/tournaments",
        "Start a tournament of house players.",
        start,
        Begun,
        TournamentWish,
        status=201,
        owner=True,
        refusals=(404,),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}",
        "A tournament: how far it is, its tables, its bracket.",
        look,
        TournamentNow,
        refusals=(404,),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/matches",
        "The matches of a tournament, in order.",
        list_matches,
        list[Encounter],
        query=After,
        refusals=(404,),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/table.csv",
        "The table of a tournament for a spreadsheet.",
        sheet,
        media="text/csv",
        refusals=(404, 409),
    ),
    Endpoint(
        "GET",
        "/api/tournaments/{id:number}/export",
        "A tournament with all its records, for another store.",
        export,
        media="application/gzip",
        owner=True,
        refusals=(404,),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id:number}/cancel",
        "Play no more of a tournament.",
        cancel,
        owner=True,
        refusals=(404, 409),
    ),
    Endpoint(
        "POST",
        "/api/tournaments/{id:number}/go-on",
        "Play what is missing of a tournament.",
        go_on,
        owner=True,
        refusals=(404, 409, 422),
    ),
)
