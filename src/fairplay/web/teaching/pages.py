"""The pages on which people learn a game: `/how-to-play` and `/rules`."""

from __future__ import annotations

import asyncio
from functools import cache

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.core import AnyGame
from fairplay.core.teaching import Lesson
from fairplay.web.games.listing import find_game
from fairplay.web.http.errors import RequestError
from fairplay.web.rendering.pages import render_page
from fairplay.web.teaching.rules import find_rules

__all__ = ["ROUTES"]

CACHE = "public, max-age=3600"


async def show_lessons(request: Request) -> Response:
    """/how-to-play/{game}: five pictures with a sentence each."""
    game = find_game(request.path_params["game"])
    rules = await asyncio.to_thread(find_rules, game.name)
    if game.shown.teaching is None and rules is not None:
        return RedirectResponse(f"/rules/{game.name}", 303)
    lessons = await asyncio.to_thread(list_lessons, game.name)
    return render_page(request, "how_to_play.html", games=[*GAMES], game=game, lessons=lessons, rules=rules)


async def show_first_lessons(request: Request) -> Response:
    """/how-to-play: those of the first game."""
    return RedirectResponse(f"/how-to-play/{next(iter(GAMES))}", 303)


async def get_lesson_picture(request: Request) -> Response:
    """/how-to-play/{game}/{number}.svg"""
    game, number = find_game(request.path_params["game"]), request.path_params["number"]
    lessons = await asyncio.to_thread(list_lessons, game.name)
    if not 0 < number <= len(lessons):
        raise RequestError(404, f"There is no such picture; there are {len(lessons)}.")
    return Response(str(lessons[number - 1].picture), media_type="image/svg+xml", headers={"Cache-Control": CACHE})


async def show_rules(request: Request) -> Response:
    """/rules/{game}: the full rules."""
    game = find_game(request.path_params["game"])
    rules = await asyncio.to_thread(find_rules, game.name)
    if rules is None:
        raise RequestError(404, f"There are no rules of {game.name} here.")
    return render_page(request, "rules.html", games=list_games_with_rules(), game=game, rules=rules)


@cache
def list_lessons(name: str) -> tuple[Lesson, ...]:
    """What a game teaches beginners; nothing if it does not."""
    game: AnyGame = GAMES[name]
    return () if game.shown.teaching is None else game.shown.teaching.lessons()


@cache
def list_games_with_rules() -> tuple[str, ...]:
    """The games whose rules are here."""
    return tuple(name for name in GAMES if find_rules(name) is not None)


ROUTES = [
    Route("/how-to-play", show_first_lessons),
    Route("/how-to-play/{game}", show_lessons),
    Route("/how-to-play/{game}/{number:number}.svg", get_lesson_picture),
    Route("/rules/{game}", show_rules),
]
