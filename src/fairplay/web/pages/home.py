"""The pages on which people arrive: home, the lobby, the list of matches; and what is known of a visitor."""

import asyncio
from datetime import UTC, datetime, timedelta, timezone
from typing import Annotated
from urllib.parse import urlencode

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.core.game import find_mover
from fairplay.web.games import LevelInfo, build_demo, find_game, order_demos, quick_levels, show_board
from fairplay.web.http.endpoints import Endpoint, RequestError, Services, client_address, services_of
from fairplay.web.http.owner import OWNER_COOKIE, SESSION_SECONDS, OwnerAuth, visitor_of
from fairplay.web.matches.access import find_access
from fairplay.web.matches.listing import MAX_NAMES, MatchInfo, MatchQuery, describe_running, find_matches
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.tables import check_player_name
from fairplay.web.rendering.pages import DrawQueue, OwnGame, render_page
from fairplay.web.sharing.links import list_games
from fairplay.web.tournaments.api import TournamentQuery, list_tournaments

_MAX_RUNNING = 6
_MAX_RECENT = 6


class GameCard(Struct, frozen=True):
    """A game as the home page offers it."""

    name: str
    about: str
    seats: tuple[int, int]  # fewest and most
    minutes: str
    levels: tuple[LevelInfo, ...]
    moment: int | None  # of its demonstration, for the picture; None: its rule book cannot deal one
    is_playable: bool  # by clicks


class Hero(Struct, frozen=True):
    """The board that moves: a running match, or a demonstration if `id` is empty."""

    id: str
    number: int  # of the moment
    board: str  # SVG
    words: str  # what happened last
    games: tuple[str, ...] = ()  # whose demonstrations follow each other


async def _show_home(request: Request) -> Response:
    """/"""
    services = services_of(request)
    cards = await asyncio.to_thread(_describe_cards)  # which plays the demonstrations, the first time
    demos = order_demos(card.name for card in cards if card.moment is not None)
    hero = _choose_hero(_find_newest(services), demos)
    recent = await find_matches(services, MatchQuery(running=False, limit=_MAX_RECENT))
    return render_page(
        request,
        "home.html",
        games_here=list_games(),
        cards=cards,
        hero=hero,
        running=[match for match in _list_running(services) if match.id != hero.id],
        recent=recent.matches,
        tournaments=await list_tournaments(services, request, TournamentQuery(3)),
    )


def _describe_cards() -> list[GameCard]:
    return [
        GameCard(
            name=game.name,
            about=game.about,
            seats=(game.seats[0], game.seats[-1]),
            minutes="" if game.shown.teaching is None else game.shown.teaching.minutes,
            levels=quick_levels(game),
            moment=_find_highlight(game.name),
            is_playable=game.shown.clicks is not None,
        )
        for game in GAMES.values()
    ]


def _find_highlight(game: str) -> int | None:
    """The number of the best moment of a demonstration; None if there is no demonstration."""
    try:
        return build_demo(game).highlight
    except RequestError:
        return None


def _find_newest(services: Services) -> LiveMatch | None:
    """The newest match that is being played."""
    playing = (match for match in reversed(services[MatchRegistry].running.values()) if match.table.status == "playing")
    return next(playing, None)


def _list_running(services: Services) -> list[MatchInfo]:
    """The newest matches that are being played here."""
    found = [match for match in reversed(services[MatchRegistry].running.values()) if match.table.status == "playing"]
    return [describe_running(match) for match in found[: _MAX_RUNNING + 1]]


def _choose_hero(match: LiveMatch | None, games: tuple[str, ...]) -> Hero:
    """The board that moves: of this match, or the demonstrations of `games` if there is none."""
    if match is not None:
        shown = match.timeline.moment(match.timeline.last, None)
        return Hero(match.id, shown.number, show_board(match.timeline.head, shown.picture), shown.words)
    demo = build_demo(games[0])
    moment = demo.moment(demo.highlight)
    return Hero("", moment.number, show_board(moment.head, moment.picture), moment.words, games)


async def _show_lobby(request: Request) -> Response:
    """/lobby"""
    cards = await asyncio.to_thread(_describe_cards)
    games = [card for card in cards if card.is_playable]
    return render_page(request, "lobby.html", games=games, running=_list_running(services_of(request)))


PAGE_SIZE = 24
DAY = 86_400.0
_FILTERS = ("game", "player", "from", "to")


async def _show_matches(request: Request) -> Response:
    """/matches"""
    asked = {name: value[:60] for name, value in request.query_params.items()}
    page = await find_matches(services_of(request), _parse_query(asked))
    chosen = {name: asked.get(name, "") for name in _FILTERS}
    kept = {name: asked[name] for name in (*_FILTERS, "zone") if asked.get(name)}
    return render_page(
        request,
        "matches.html",
        games=[*GAMES],
        matches=page.matches,
        chosen=chosen,
        is_filtered=any(chosen.values()),
        is_first="before" not in asked,
        newest=f"/matches?{urlencode(kept)}",
        max_names=MAX_NAMES if page.has_more_names else None,
        older=page.older and f"/matches?{urlencode({**kept, 'before': repr(page.older)})}",
    )


def _parse_query(asked: dict[str, str]) -> MatchQuery:
    """What the parameters ask for; raises RequestError."""
    game, zone = asked.get("game", ""), parse_zone(asked.get("zone", ""))
    since, until = (parse_day(asked.get(name, ""), zone) for name in ("from", "to"))
    before = None if until is None else until + DAY
    if cursor := asked.get("before"):
        try:
            before = min(float(cursor), float("inf") if before is None else before)
        except ValueError:
            raise RequestError(400, "The parameter 'before' must be a number.") from None
    return MatchQuery(
        game=find_game(game).name if game else None,
        player=asked.get("player", ""),
        since=since,
        before=before,
        limit=PAGE_SIZE,
    )


def parse_day(text: str, zone: timezone = UTC) -> float | None:
    """The beginning of a day in seconds since 1970; None if none is given; raises RequestError."""
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=zone).timestamp()
    except ValueError:
        raise RequestError(400, "A date is written like 2026-11-18.") from None


def parse_zone(text: str) -> timezone:
    """A time zone as minutes ahead of UTC; raises RequestError."""
    try:
        return timezone(timedelta(minutes=int(text or 0)))
    except (ValueError, OverflowError):
        raise RequestError(400, "The parameter 'zone' must be the minutes that a time zone is ahead of UTC.") from None


async def _get_newest_picture(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/picture.svg"""
    access = await find_access(services, request, request.path_params["id"])
    picture = await services[DrawQueue].draw(access.timeline.draw, access.timeline.last, None)
    response = Response(str(picture), media_type="image/svg+xml")
    if access.live is None:
        response.headers["Cache-Control"] = "public, max-age=3600"
    return response


# -- who visits: own games, a name, the owner ---------------------------------------------------


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
    found = [game for match in matches if (game := _describe_own_game(match, account)) is not None]
    return sorted(found, key=lambda game: not game.is_my_turn)


def _describe_own_game(match: LiveMatch, account: str) -> OwnGame | None:
    """A running match as an account knows it; None if it has no seat there, has left for good or resigned."""
    seat = None if match.table.status in ("over", "cut off") else match.definition.find_seat({account})
    if seat is None or match.definition.seats[seat].gone:
        return None
    timeline = match.timeline
    rivals = tuple(name for number, name in enumerate(timeline.names) if number != seat)
    is_my_turn = match.table.status == "playing" and find_mover(timeline.game, timeline.states[-1]) == seat
    return OwnGame(match.id, timeline.game.name, rivals, is_my_turn)


async def _check_visitor_name(services: Services, request: Request, query: NameQuery) -> VisitorName:
    """GET /api/name"""
    return VisitorName(check_player_name(query.name))


async def _sign_in(request: Request) -> Response:
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


async def _sign_out(request: Request) -> Response:
    """/sign-out"""
    await services_of(request)[OwnerAuth].close_session(request)
    response = RedirectResponse("/", 303)
    response.delete_cookie(OWNER_COOKIE)
    return response


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/matches/{id}/picture.svg",
        "Draw the newest moment of a match, as everybody may see it.",
        _get_newest_picture,
        media_type="image/svg+xml",
        errors=(404, 503),
    ),
    Endpoint(
        "GET",
        "/api/name",
        "Check a name that a person would like to have.",
        _check_visitor_name,
        VisitorName,
        query=NameQuery,
        errors=(422,),
    ),
)

ROUTES = [
    Route("/", _show_home),
    Route("/lobby", _show_lobby),
    Route("/matches", _show_matches),
    Route("/sign-in", _sign_in, methods=["GET", "POST"]),
    Route("/sign-out", _sign_out, methods=["POST"]),
]
