"""The API of matches: list, start, watch, replay, play."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, Seat, UsageError
from fairplay.store.tables import Table
from fairplay.web.context import Server
from fairplay.web.http.endpoints import Endpoint, Nothing, RequestError, answer
from fairplay.web.http.owner import may_see, seat_cookie, seat_held
from fairplay.web.matches.live import LiveMatch, Wished
from fairplay.web.matches.registry import Summary
from fairplay.web.matches.setups import QUICK, named_setup, on_drawing
from fairplay.web.matches.tables import TableWish, laid
from fairplay.web.matches.timeline import Film, Frame, Looker, looker_named, name_of

__all__ = [
    "ENDPOINTS",
    "GameInfo",
    "MatchInfo",
    "Sight",
    "chosen_setup",
    "games",
    "listed",
    "opened",
    "remember_seat",
    "sight",
]


# -- what is said ------------------------------------------------------------------------------


class GameInfo(Struct, frozen=True):
    """A game that can be played."""

    name: str
    about: str
    seats: tuple[int, int]  # fewest and most
    variants: tuple[str, ...]
    maps: tuple[str, ...]
    players: tuple[str, ...]  # of the house
    editor: bool


class MatchInfo(Struct, frozen=True):
    """A match in a list."""

    id: str
    game: str
    names: tuple[str, ...]
    status: Literal["waiting", "playing", "over", "cut off"]
    moments: int
    created: float  # seconds since 1970
    winners: tuple[int, ...] = ()  # seats
    scores: tuple[int | None, ...] = ()


class MatchNow(Struct, frozen=True):
    """A match to look at."""

    id: str
    game: str
    names: tuple[str, ...]
    status: Literal["waiting", "playing", "over", "cut off"]
    me: int | None  # the seat whose key came along
    lookers: tuple[str, ...]  # the ways in which you may look at it
    looker: str  # the way in which this answer looks at it
    turns: tuple[str, ...]  # in words, moment by moment


class Listing(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    running: bool | None = None
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class Looking(Struct, frozen=True, forbid_unknown_fields=True, rename={"looker": "as"}):
    """How to look at it: `public`, a seat, or `all`; without it as you may."""

    looker: Annotated[str, Meta(max_length=10, pattern="^(public|all|[0-9]{1,3})$")] | None = None


class Opened(Struct, frozen=True):
    """A table that is laid, and the secrets of its seats: your own key, and an invitation for each friend."""

    id: str
    keys: tuple[str, ...]  # by seat; empty where the house plays


class Key(Struct, frozen=True, forbid_unknown_fields=True):
    """The key of a seat, or an invitation to one."""

    key: Annotated[str, Meta(min_length=1, max_length=64)]


class Sat(Struct, frozen=True):
    """The seat that is yours, and its key from now on."""

    seat: int
    key: str


class Clicked(Struct, frozen=True, forbid_unknown_fields=True):
    """What was clicked at a moment, in order."""

    number: Annotated[int, Meta(ge=0, le=10_000_000)]
    clicks: Annotated[tuple[Annotated[str, Meta(max_length=200)], ...], Meta(max_length=50)]


# -- who looks at what -------------------------------------------------------------------------


class Sight(Struct, frozen=True):
    """A match as one visitor may see it."""

    film: Film
    live: LiveMatch | None  # None: it is over
    me: Seat | None
    owner: bool
    contested: bool = False  # it is over, but not the tournament in which its deal is played again

    def may(self, looker: Looker) -> bool:
        return self.revealed or may_see(looker, self.me, owner=self.owner)

    @property
    def revealed(self) -> bool:
        """Are there no secrets any more?"""
        return self.live is None and not self.contested

    @property
    def lookers(self) -> tuple[Looker, ...]:
        """All ways of looking at it, also those that have to wait for its end."""
        return (None, *map(Seat, range(len(self.film.names))), "all")

    def looker(self, name: str | None) -> Looker:
        """Who looks, as asked for, or the most that is this visitor's own; raises RequestError."""
        if name is None:
            return self.me if self.live is not None else None
        try:
            looker = looker_named(name, len(self.film.names))
        except ValueError as error:
            raise RequestError(400, str(error)) from None
        if not self.may(looker):
            when = "until its tournament is over" if self.contested else "while the match runs"
            raise RequestError(403, f"{when}, everybody sees what their own seat may know")
        return looker

    def frame(self, number: int, looker: Looker) -> Frame:
        if not 0 <= number <= self.film.last:
            raise RequestError(404, f"there is no such moment; the last one is {self.film.last}")
        source = self.film if self.live is None else self.live
        return source.frame(number, looker)

    @property
    def status(self) -> Any:
        if self.live is not None:
            return self.live.status
        return "over" if self.film.outcome is not None else "cut off"


async def sight(server: Server, connection: HTTPConnection, id: str) -> Sight:
    """The match `id` as this visitor may see it; raises StoreError where there is none."""
    live, owner = server.hall.live.get(id), server.owners.knows(connection)
    if live is None:
        return Sight(await server.hall.film(id), None, None, owner, await server.hall.contested(id))
    return Sight(live.film, live, seat_held(connection, live), owner)


def running(server: Server, id: str) -> LiveMatch:
    live = server.hall.live.get(id)
    if live is None:
        raise RequestError(404, "no such match is running")
    return live


def own_seat(request: Request, live: LiveMatch) -> Seat:
    seat = seat_held(request, live)
    if seat is None:
        raise RequestError(403, "you have no seat at this table")
    return seat


# -- endpoints ---------------------------------------------------------------------------------


def games() -> list[GameInfo]:
    return [
        GameInfo(
            game.name,
            game.about,
            (game.seats[0], game.seats[-1]),
            (*game.variants,),
            game.maps,
            (*game.strategies,),
            game.editor is not None,
        )
        for game in GAMES.values()
    ]


async def list_games(server: Server, request: Request) -> list[GameInfo]:
    return games()


async def listed(server: Server, query: Listing) -> list[MatchInfo]:
    """Matches at tables, newest first."""
    read = server.store.tables
    tables = await asyncio.to_thread(read, running=query.running, game=query.game, limit=query.limit)
    return [info(server, table) for table in tables]


def info(server: Server, table: Table) -> MatchInfo:
    live = server.hall.live.get(table.id)
    if live is not None:
        return MatchInfo(table.id, table.game, live.film.names, live.status, live.film.last, table.created)
    if table.summary is None:
        return MatchInfo(table.id, table.game, (), "cut off", 0, table.created)
    end = msgspec.json.decode(table.summary, type=Summary)
    return MatchInfo(table.id, table.game, end.names, "over", end.moments, table.created, end.winners, end.scores)


async def list_matches(server: Server, request: Request, query: Listing) -> list[MatchInfo]:
    return await listed(server, query)


async def start(server: Server, request: Request, body: TableWish) -> Response:
    match, keys = await opened(server, request, body)
    response = answer(Opened(match.id, keys), 201)
    mine = [key for seat, key in zip(body.seats, keys, strict=True) if seat.who == "me"]
    if mine:
        remember_seat(response, request, match.id, mine[0])
    return response


async def opened(server: Server, request: Request, wish: TableWish) -> tuple[LiveMatch, tuple[str, ...]]:
    """A new table as wished for; raises FairplayError."""
    if wish.game not in GAMES:
        raise RequestError(422, f"there is no game '{wish.game}'; there are {', '.join(GAMES)}")
    if sum(seat.who == "me" for seat in wish.seats) > 1:
        raise RequestError(422, "you can sit on one seat only")
    if wish.seed is not None and any(seat.who != "house" for seat in wish.seats):
        raise RequestError(
            422, "where people play, the deal is left to chance: whoever knows the seed knows every secret"
        )
    game = GAMES[wish.game]
    definition, keys = laid(game, await chosen_setup(server, game, wish), wish)
    address = request.client.host if request.client else ""
    if not server.owners.knows(request) and not server.tables.allows(address):
        raise RequestError(429, "you opened many tables; wait a moment before the next one")
    return await server.hall.begin(game.name, definition), keys


async def chosen_setup(server: Server, game: AnyGame, wish: TableWish) -> Any:
    """What is played: a variant or the small game, perhaps on a drawing or a map; raises FairplayError."""
    variant = QUICK if wish.quick else wish.variant
    if wish.board is not None:
        board = await asyncio.to_thread(server.store.board, wish.board)
        if board.game != game.name or game.editor is None:
            raise UsageError(f"'{board.name}' is a board of {board.game}, not of {game.name}")
        return on_drawing(game, msgspec.json.decode(board.drawing), variant)
    setup = named_setup(game, variant)
    if wish.map is None:
        return setup
    if wish.map not in game.maps or game.on_map is None:
        raise UsageError(f"{game.name} has no map '{wish.map}'; it has {', '.join(game.maps) or 'none'}")
    return game.on_map(wish.map, setup)


async def look(server: Server, request: Request, query: Looking) -> MatchNow:
    id = request.path_params["id"]
    seen = await sight(server, request, id)
    looker = seen.looker(query.looker)
    film = seen.film
    turns = tuple(film.words(number, looker) for number in range(film.last + 1))
    me = None if seen.me is None else int(seen.me)
    lookers = tuple(name_of(one) for one in seen.lookers if seen.may(one))
    return MatchNow(id, film.game.name, film.names, seen.status, me, lookers, name_of(looker), turns)


async def moment(server: Server, request: Request, query: Looking) -> Response:
    seen = await sight(server, request, request.path_params["id"])
    response = answer(seen.frame(request.path_params["number"], seen.looker(query.looker)))
    if seen.live is None:
        response.headers["Cache-Control"] = "private, max-age=3600"
    return response


async def drawing(server: Server, request: Request, query: Looking) -> Response:
    seen = await sight(server, request, request.path_params["id"])
    frame = seen.frame(request.path_params["number"], seen.looker(query.looker))
    return Response(frame.picture, media_type="image/svg+xml")


async def record(server: Server, request: Request) -> Response:
    """The record holds the seed, and so every secret: nobody gets it before the match is over.

    The seed of a match of a tournament is that of others, too.  Strangers wait for the end of all of them.
    """
    id = request.path_params["id"]
    if id in server.hall.live:
        raise RequestError(409, "the record can be had once the match is over")
    if not server.owners.knows(request) and await server.hall.contested(id):
        raise RequestError(409, "the record can be had once the tournament is over")
    lines = await asyncio.to_thread(server.hall.record, id)
    name = {"Content-Disposition": f'attachment; filename="match-{id}.jsonl"'}
    return Response(lines, media_type="application/x-ndjson", headers=name)


async def sit(server: Server, request: Request, body: Key) -> Response:
    live = running(server, request.path_params["id"])
    seat = live.seat_of(body.key)
    claimed = await server.hall.claim(live, body.key) if seat is None else (seat, body.key)
    if claimed is None:
        raise RequestError(403, "this is no key of this table, or an invitation that was used already")
    response = answer(Sat(*claimed))
    remember_seat(response, request, live.id, claimed[1])
    return response


def remember_seat(response: Response, request: Request, id: str, key: str) -> None:
    """Let the browser keep the key: no script can read it, and no URL carries it."""
    secure = request.url.scheme == "https"
    response.set_cookie(seat_cookie(id), key, max_age=2 * 86_400, httponly=True, samesite="lax", secure=secure)


async def wish(server: Server, request: Request, body: Clicked) -> Wished:
    live = running(server, request.path_params["id"])
    return live.wish(own_seat(request, live), body.number, body.clicks)


async def begin(server: Server, request: Request) -> Nothing:
    live = running(server, request.path_params["id"])
    if not server.owners.knows(request):
        own_seat(request, live)
    live.begin()
    return Nothing()


ENDPOINTS = (
    Endpoint("GET", "/api/games", "The games that can be played.", list_games, list[GameInfo]),
    Endpoint("GET", "/api/matches", "Matches at tables, newest first.", list_matches, list[MatchInfo], query=Listing),
    Endpoint(
        "POST",
        "/api/matches",
        "Lay a table and start a match.",
        start,
        Opened,
        TableWish,
        status=201,
        refusals=(404, 503),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}",
        "A match: who plays, and what happened.",
        look,
        MatchNow,
        query=Looking,
        refusals=(403, 404),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/moments/{number:number}",
        "What the table looked like after so many events.",
        moment,
        Frame,
        query=Looking,
        refusals=(403, 404),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/moments/{number:number}/picture.svg",
        "The same as a drawing alone.",
        drawing,
        query=Looking,
        media="image/svg+xml",
        refusals=(403, 404),
    ),
    Endpoint(
        "GET",
        "/api/matches/{id}/record",
        "The record of a match that is over.",
        record,
        media="application/x-ndjson",
        refusals=(404, 409),
    ),
    Endpoint(
        "POST",
        "/api/matches/{id}/sit",
        "Take the seat that a key or an invitation is for.",
        sit,
        Sat,
        Key,
        refusals=(403, 404),
    ),
    Endpoint("POST", "/api/matches/{id}/wish", "Play by clicks.", wish, Wished, Clicked, refusals=(403, 404, 422)),
    Endpoint("POST", "/api/matches/{id}/begin", "Wait for absent people no longer.", begin, refusals=(403, 404)),
)
