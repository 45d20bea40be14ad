"""The list of matches, filtered by game, player and date, with a small picture of each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.web.games.listing import find_game
from fairplay.web.http.endpoints import Endpoint, Services, services_of
from fairplay.web.http.errors import RequestError
from fairplay.web.matches.access import find_access
from fairplay.web.matches.listing import MAX_NAMES, MatchQuery, find_matches
from fairplay.web.rendering.draw_queue import DrawQueue
from fairplay.web.rendering.pages import render_page

PAGE_SIZE: Final = 24
DAY: Final = 86_400.0
FILTERS: Final = ("game", "player", "from", "to")


async def show_matches(request: Request) -> Response:
    """/matches"""
    asked = {name: value[:60] for name, value in request.query_params.items()}
    page = await find_matches(services_of(request), parse_query(asked))
    chosen = {name: asked.get(name, "") for name in FILTERS}
    kept = {name: asked[name] for name in (*FILTERS, "zone") if asked.get(name)}
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


def parse_query(asked: dict[str, str]) -> MatchQuery:
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


async def get_newest_picture(services: Services, request: Request) -> Response:
    """GET /api/matches/{id}/picture.svg"""
    access = await find_access(services, request, request.path_params["id"])
    picture = await services[DrawQueue].draw(access.timeline.draw, access.timeline.last, None)
    response = Response(str(picture), media_type="image/svg+xml")
    if access.live is None:
        response.headers["Cache-Control"] = "public, max-age=3600"
    return response


ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/matches/{id}/picture.svg",
        "Draw the newest moment of a match, as everybody may see it.",
        get_newest_picture,
        media_type="image/svg+xml",
        errors=(404, 503),
    ),
)

ROUTES = [Route("/matches", show_matches)]
