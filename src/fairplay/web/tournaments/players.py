"""Players: what each of them did in all tournaments, how strong it was from one to the next, and its last words."""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.core import AbsentError
from fairplay.report.charts import Moment, ratings_over_time
from fairplay.store.careers import Career
from fairplay.store.history import LastWords, Rated
from fairplay.web.context import Server, server_of
from fairplay.web.http.endpoints import Endpoint
from fairplay.web.rendering import rendered
from fairplay.web.tournaments.results import estimate, told

__all__ = ["ENDPOINTS", "ROUTES", "PlayerNow"]

SHOWN: Final = 250
"""Players on a page."""

RATINGS: Final = 100
FAULTS: Final = 50


class Whose(Struct, frozen=True, forbid_unknown_fields=True):
    """Which players."""

    game: Annotated[str, Meta(max_length=40)] | None = None


class PlayerNow(Struct, frozen=True):
    """A player of a game: all that went under its name."""

    game: str
    player: str
    careers: tuple[Career, ...]  # one for each spec
    ratings: tuple[Rated, ...]  # of the last finished tournaments, oldest first
    faults: tuple[LastWords, ...]  # newest first; what a player said last is text of a stranger, who may know secrets


async def listed(server: Server, game: str | None) -> list[Career]:
    """Those who won most first, game by game."""
    found = await asyncio.to_thread(careers, server, game, None)
    return sorted(found, key=lambda each: (each.game, -each.wins / max(1, each.matches), each.player))


async def list_players(server: Server, request: Request, query: Whose) -> list[Career]:
    return await listed(server, query.game)


async def look(server: Server, request: Request) -> PlayerNow:
    game, name, owner = request.path_params["game"], request.path_params["name"], server.owners.knows(request)
    return await asyncio.to_thread(found, server, game, name, owner=owner)


def found(server: Server, game: str, name: str, *, owner: bool) -> PlayerNow:
    """A player; raises AbsentError where nobody of this name played the game.

    Last words may tell what a seat knew.  Strangers are told them when the tournament is over.
    """
    lines = [] if "\0" in game + name else careers(server, game, name)  # no database can look for that
    if not lines:
        raise AbsentError("there is no such player")
    ratings, words = server.store.ratings(game, name, RATINGS), server.store.last_words(game, name, FAULTS)
    faults = [each if owner or each.over else replace(each, detail="") for each in words]
    return PlayerNow(game, name, tuple(lines), tuple(ratings), tuple(faults))


def careers(server: Server, game: str | None, name: str | None) -> list[Career]:
    return [replace(career, spec=told(career.spec)) for career in server.store.players(game, name)]


# -- pages -------------------------------------------------------------------------------------


async def players_page(request: Request) -> Response:
    by_game: dict[str, list[Career]] = {}
    everybody = await listed(server_of(request), None)
    for career in everybody[:SHOWN]:
        by_game.setdefault(career.game, []).append(career)
    return rendered(request, "players.html", careers=by_game, count=len(everybody), shown=SHOWN)


async def player_page(request: Request) -> Response:
    player = await look(server_of(request), request)
    moments = [
        Moment(f"#{rated.contest}", estimate((rated.rating, rated.low, rated.high)), f"/tournaments/{rated.contest}")
        for rated in player.ratings
        if rated.matches
    ]
    chart = ratings_over_time(moments) if moments else None
    return rendered(request, "player.html", player=player, chart=chart, most_faults=FAULTS)


ROUTES = [Route("/players", players_page), Route("/players/{game}/{name:path}", player_page)]

ENDPOINTS = (
    Endpoint("GET", "/api/players", "Every player and what it did.", list_players, list[Career], query=Whose),
    Endpoint(
        "GET",
        "/api/players/{game}/{name:path}",
        "A player: its record, its ratings over time, its faults with its last words.",
        look,
        PlayerNow,
        refusals=(404,),
    ),
)
