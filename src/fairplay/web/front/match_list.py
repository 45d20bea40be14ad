"""The list of matches: filtered by game, player and date, page by page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Final
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.catalog import GAMES
from fairplay.web.games import find_game
from fairplay.web.http.endpoints import services_of
from fairplay.web.http.errors import RequestError
from fairplay.web.matches.listing import MAX_NAMES, MatchQuery, find_matches
from fairplay.web.rendering.pages import render_page

__all__ = ["ROUTES"]

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


ROUTES = [Route("/matches", show_matches)]
