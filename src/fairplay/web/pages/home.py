"""The home page, with a board that moves and what goes on, and the lobby, where people who want to play meet."""

from __future__ import annotations

import asyncio

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.web.games.demo import build_demo, show_board
from fairplay.web.games.listing import LevelInfo, quick_levels
from fairplay.web.http.endpoints import Services, services_of
from fairplay.web.http.errors import RequestError
from fairplay.web.matches.listing import MatchInfo, MatchQuery, describe_running, find_matches
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.rendering.pages import render_page
from fairplay.web.sharing.meta import list_games
from fairplay.web.teaching import find_rules
from fairplay.web.tournaments.api import TournamentQuery, list_tournaments

MAX_RUNNING = 6
MAX_RECENT = 6


class GameCard(Struct, frozen=True):
    """A game as the home page offers it."""

    name: str
    about: str
    seats: tuple[int, int]  # fewest and most
    minutes: str
    levels: tuple[LevelInfo, ...]
    moment: int | None  # of its demonstration, for the picture; None: its rule book cannot deal one
    is_playable: bool  # by clicks
    has_rules: bool
    has_lessons: bool


class Hero(Struct, frozen=True):
    """The board that moves: a running match, or a demonstration if `id` is empty."""

    id: str
    number: int  # of the moment
    board: str  # SVG
    words: str  # what happened last
    games: tuple[str, ...] = ()  # whose demonstrations follow each other


async def show_home(request: Request) -> Response:
    """/"""
    services = services_of(request)
    cards = await asyncio.to_thread(describe_cards)  # which plays the demonstrations, the first time
    hero = choose_hero(find_newest(services), tuple(card.name for card in cards if card.moment is not None))
    recent = await find_matches(services, MatchQuery(running=False, limit=MAX_RECENT))
    return render_page(
        request,
        "home.html",
        games_here=list_games(),
        cards=cards,
        hero=hero,
        running=[match for match in list_running(services) if match.id != hero.id],
        recent=recent.matches,
        tournaments=await list_tournaments(services, request, TournamentQuery(3)),
    )


def describe_cards() -> list[GameCard]:
    return [
        GameCard(
            name=game.name,
            about=game.about,
            seats=(game.seats[0], game.seats[-1]),
            minutes="" if game.shown.teaching is None else game.shown.teaching.minutes,
            levels=quick_levels(game),
            moment=find_highlight(game.name),
            is_playable=game.shown.clicks is not None,
            has_rules=find_rules(game.name) is not None,
            has_lessons=game.shown.teaching is not None,
        )
        for game in GAMES.values()
    ]


def find_highlight(game: str) -> int | None:
    """The number of the best moment of a demonstration; None if there is no demonstration."""
    try:
        return build_demo(game).highlight
    except RequestError:
        return None


def find_newest(services: Services) -> LiveMatch | None:
    """The newest match that is being played."""
    playing = (match for match in reversed(services[MatchRegistry].running.values()) if match.status == "playing")
    return next(playing, None)


def list_running(services: Services) -> list[MatchInfo]:
    """The newest matches that are being played here."""
    found = [match for match in reversed(services[MatchRegistry].running.values()) if match.status == "playing"]
    return [describe_running(match) for match in found[: MAX_RUNNING + 1]]


def choose_hero(match: LiveMatch | None, games: tuple[str, ...]) -> Hero:
    """The board that moves: of this match, or the demonstrations of `games` if there is none."""
    if match is not None:
        shown = match.timeline.moment(match.timeline.last, None)
        return Hero(match.id, shown.number, show_board(match.timeline.head, shown.picture), shown.words)
    demo = build_demo(games[0])
    moment = demo.moment(demo.highlight)
    return Hero("", moment.number, show_board(moment.head, moment.picture), moment.words, games)


async def show_lobby(request: Request) -> Response:
    """/lobby"""
    cards = await asyncio.to_thread(describe_cards)
    games = [card for card in cards if card.is_playable]
    return render_page(request, "lobby.html", games=games, running=list_running(services_of(request)))


ROUTES = [Route("/", show_home), Route("/lobby", show_lobby)]
