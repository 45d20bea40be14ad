"""Players: what each of them did in all tournaments, against whom, its ratings, its faults; the API and the pages."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from fairplay.contest.statistics import Estimate
from fairplay.core import AbsentError, Picture, Score
from fairplay.report.charts import ChartPoint, rating_history_chart
from fairplay.store.history import MatchRow, PlayerFault, PlayerTotals, RatingPoint
from fairplay.store.store import Store
from fairplay.web.http.endpoints import Endpoint, Services, services_of
from fairplay.web.http.owner import OwnerAuth
from fairplay.web.rendering.pages import render_page
from fairplay.web.tournaments.cache import name_played, public_spec

_ENOUGH = 3
"""Matches against an opponent that say something."""


class HeadToHead(Struct, frozen=True):
    """What a player did against one opponent: who had the better score won."""

    opponent: str
    matches: int
    wins: int
    ties: int

    @property
    def losses(self) -> int:
        """How often the opponent was better."""
        return self.matches - self.wins - self.ties

    @property
    def share(self) -> float:
        """The share of the points, from 0 to 1: a tie is half a point."""
        return (self.wins + self.ties / 2) / self.matches


def compare_opponents(players: Collection[str], matches: Iterable[MatchRow]) -> tuple[HeadToHead, ...]:
    """The opponents of a player, who has these names, those first whom it met most often."""
    met, wins, ties = Counter[str](), Counter[str](), Counter[str]()
    for match in matches:
        scores = dict(zip(match.names, match.scores, strict=True))
        own = max((_order_score(scores.pop(name)) for name in players if name in scores), default=_order_score(None))
        for opponent, score in scores.items():
            met[opponent] += 1
            wins[opponent] += own > _order_score(score)
            ties[opponent] += own == _order_score(score)
    return tuple(HeadToHead(name, count, wins[name], ties[name]) for name, count in met.most_common())


def _order_score(score: Score | None) -> tuple[bool, Score]:
    """A score that can be compared: that of a player who was removed is below all others."""
    return (False, ()) if score is None else (True, score)


def find_extremes(opponents: Iterable[HeadToHead]) -> tuple[HeadToHead, HeadToHead] | None:
    """The opponents against whom a player did best and worst; None if no two were met often enough."""
    known = sorted((each for each in opponents if each.matches >= _ENOUGH), key=lambda each: each.share)
    return (known[-1], known[0]) if known and known[-1].share > known[0].share else None


MAX_LISTED = 250
"""Players on a page."""

_MAX_RATINGS = 100
MAX_FAULTS = 50
_MAX_MATCHES = 500
"""Of one player, the newest."""

_MAX_KEY = 16
"""Characters of a key."""

_SHOWN_MATCHES = 12
_SHOWN_OPPONENTS = 40
"""On the page of a player."""


class PlayerQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which players to list."""

    game: Annotated[str, Meta(max_length=40)] | None = None


class KeyQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which of those who played under a name: by the key in its totals; otherwise all of them."""

    key: Annotated[str, Meta(max_length=_MAX_KEY)] = ""


class PlayerRating(Struct, frozen=True):
    """A player's rating in a finished tournament; the ends of the interval are null if it is unbounded."""

    contest: int
    played: str  # what was played: ratings in unlike games are not comparable
    finished: float
    matches: int
    rating: float
    low: float | None
    high: float | None


class RatingCurve(NamedTuple):
    """The ratings of a player in all tournaments in which the same was played, and their chart if there are several."""

    played: str
    last: PlayerRating
    chart: Picture | None


class PlayerDetails(Struct, frozen=True):
    """A player of a game: everything that was played under its name, or by who has a key, under any name."""

    game: str
    player: str
    totals: tuple[PlayerTotals, ...]  # one for each spec and each key
    ratings: tuple[PlayerRating, ...]  # in the last finished tournaments, oldest first
    faults: tuple[PlayerFault, ...]  # newest first; the words are a stranger's, who may know secrets
    opponents: tuple[HeadToHead, ...]  # in the newest matches, those first whom it met most often
    matches: tuple[MatchRow, ...]  # newest first


async def _list_players(services: Services, request: Request, query: PlayerQuery) -> list[PlayerTotals]:
    """GET /api/players: game by game, those who won most often first."""
    players = await asyncio.to_thread(_read_totals, services[Store], query.game, None)
    return sorted(players, key=lambda each: (each.game, -each.wins / max(1, each.matches), each.player))


def _read_totals(store: Store, game: str | None, name: str | None, key: str = "") -> list[PlayerTotals]:
    """What players did, each spec as strangers may see it."""
    found = store.history.names(game, name, key) if key and game and name else store.history.players(game, name)
    return [replace(totals, spec=public_spec(totals.spec)) for totals in found]


def find_player(store: Store, game: str, name: str, key: str = "", *, is_owner: bool) -> PlayerDetails:
    """A player; raises AbsentError if nobody played the game under this name, or with this key.

    Last words may reveal what a seat knew.  Only the owner sees them before the tournament is finished.
    """
    totals = [] if "\0" in game + name else _read_totals(store, game, name, key)  # which no database can look for
    if not totals:
        raise AbsentError("there is no such player")
    history = store.history
    ratings = tuple(rate(game, point) for point in history.ratings(game, name, _MAX_RATINGS, key))
    words = history.faults(game, name, MAX_FAULTS, key)
    faults = [each if is_owner or each.over else replace(each, detail="") for each in words]
    matches = tuple(history.player_matches(game, name, _MAX_MATCHES, key))
    opponents = compare_opponents({each.player for each in totals}, matches)
    return PlayerDetails(game, name, tuple(totals), ratings, tuple(faults), opponents, matches)


def rate(game: str, point: RatingPoint) -> PlayerRating:
    """A rating, with what was played in words."""
    played = name_played(game, point.setup)
    return PlayerRating(point.contest, played, point.finished, point.matches, point.rating, point.low, point.high)


def _draw_curves(ratings: Iterable[PlayerRating]) -> list[RatingCurve]:
    """A curve for each setup that was played, the one that was played last first."""
    by_setup: dict[str, list[PlayerRating]] = {}
    for rating in ratings:
        if rating.matches:
            by_setup.setdefault(rating.played, []).append(rating)
    curves = [RatingCurve(played, found[-1], draw_curve(found)) for played, found in by_setup.items()]
    return sorted(curves, key=lambda curve: -curve.last.contest)


def draw_curve(ratings: Sequence[PlayerRating]) -> Picture | None:
    """The chart of these ratings; one alone needs none."""
    if len(ratings) < 2:
        return None
    return rating_history_chart(
        [
            ChartPoint(f"#{each.contest}", Estimate(each.rating, each.low, each.high), f"/tournaments/{each.contest}")
            for each in ratings
        ]
    )


# -- handlers ----------------------------------------------------------------------------------


async def _get_player(services: Services, request: Request, query: KeyQuery) -> PlayerDetails:
    """GET /api/players/{game}/{name}"""
    game, name = request.path_params["game"], request.path_params["name"]
    is_owner = services[OwnerAuth].is_owner(request)
    return await asyncio.to_thread(find_player, services[Store], game, name, query.key, is_owner=is_owner)


ENDPOINTS = (
    Endpoint("GET", "/api/players", "List all players.", _list_players, list[PlayerTotals], query=PlayerQuery),
    Endpoint(
        "GET",
        "/api/players/{game}/{name:path}",
        "Show a player: its results, opponents, matches, ratings over time and faults.",
        _get_player,
        PlayerDetails,
        query=KeyQuery,
        errors=(404,),
    ),
)


# -- pages -------------------------------------------------------------------------------------


async def _show_players(request: Request) -> Response:
    """/players"""
    by_game: dict[str, list[PlayerTotals]] = {}
    players = await _list_players(services_of(request), request, PlayerQuery())
    for totals in players[:MAX_LISTED]:
        by_game.setdefault(totals.game, []).append(totals)
    called = Counter((game, name) for game, name, _ in {(each.game, each.player, each.key) for each in players})
    shared = {name for name, count in called.items() if count > 1}  # by players who are not the same
    return render_page(
        request, "players.html", by_game=by_game, count=len(players), max_listed=MAX_LISTED, shared=shared
    )


async def _show_player(request: Request) -> Response:
    """/players/{game}/{name}"""
    query = KeyQuery(request.query_params.get("key", "")[:_MAX_KEY])
    player = await _get_player(services_of(request), request, query)
    return render_page(
        request,
        "player.html",
        player=player,
        curves=_draw_curves(player.ratings),
        extremes=find_extremes(player.opponents),
        opponents=player.opponents[:_SHOWN_OPPONENTS],
        matches=player.matches[:_SHOWN_MATCHES],
        max_matches=_MAX_MATCHES,
        max_faults=MAX_FAULTS,
    )


ROUTES = [Route("/players", _show_players), Route("/players/{game}/{name:path}", _show_player)]
