"""Lists of matches, newest first: all that the pages and the API show is found here."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from fairplay.store.store import Store
from fairplay.store.web.table_players import TableFilter, player_key
from fairplay.store.web.tables import WebTable, WebTables
from fairplay.web.http.endpoints import Services
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.tables import read_summary
from fairplay.web.watching.timeline import Status

MAX_NAMES = 20
"""Names with the same beginning whose matches are listed together."""


class MatchInfo(Struct, frozen=True):
    """A match in a list."""

    id: str
    game: str
    names: tuple[str, ...]
    status: Status
    moments: int
    created: float  # seconds since 1970
    winners: tuple[int, ...] = ()  # seats
    scores: tuple[int | None, ...] = ()
    watchers: int = 0  # while it is played


class MatchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which matches to list."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    running: bool | None = None
    player: Annotated[str, Meta(max_length=60)] = ""  # how a name begins; the first 20 such names are listed
    since: Annotated[float, Meta(ge=0, le=1e12)] | None = None  # opened at this time or later, in seconds since 1970
    before: Annotated[float, Meta(ge=0, le=1e12)] | None = None  # opened earlier: the last `created` of a page
    limit: Annotated[int, Meta(ge=1, le=200)] = 50


class MatchListPage(Struct, frozen=True):
    """Some matches, newest first."""

    matches: tuple[MatchInfo, ...]
    older: float | None  # the next page is of matches opened before this time; None: there is none
    has_more_names: bool = False  # other names begin as the player's, too


class TableNames(Struct, frozen=True, rename={"seats": "chairs"}):
    """What is read of a table's definition to name its players."""

    seats: tuple[SeatName, ...]


class SeatName(Struct, frozen=True):
    """What is read of a seat."""

    name: str


async def find_matches(services: Services, query: MatchQuery) -> MatchListPage:
    """The newest matches that are asked for."""
    tables, has_more_names = await asyncio.to_thread(read_tables, services[Store].tables, query)
    shown = tables[: query.limit]
    older = shown[-1].created if len(tables) > len(shown) else None
    return MatchListPage(tuple(describe_match(services, table) for table in shown), older, has_more_names)


def read_tables(tables: WebTables, query: MatchQuery) -> tuple[list[WebTable], bool]:
    """The newest tables, one more than asked for if there are as many, and whether names were left out."""
    keys = tables.player_keys(query.player, MAX_NAMES + 1) if player_key(query.player) else None
    wanted = TableFilter(
        running=query.running,
        game=query.game,
        players=None if keys is None else tuple(keys[:MAX_NAMES]),
        since=query.since,
        before=query.before,
        limit=query.limit + 1,
    )
    return tables.newest(wanted), keys is not None and len(keys) > MAX_NAMES


def describe_running(match: LiveMatch, created: float = 0.0) -> MatchInfo:
    """A match that is being played, for a list; without the time at which it was opened if that is not shown."""
    return MatchInfo(
        id=match.id,
        game=match.game.name,
        names=match.timeline.names,
        status=match.table.status,
        moments=match.timeline.last,
        created=created,
        watchers=match.feed.onlookers,
    )


def describe_match(services: Services, table: WebTable) -> MatchInfo:
    """A match at a table, for a list."""
    live = services[MatchRegistry].running.get(table.id)
    if live is not None:
        return describe_running(live, table.created)
    if table.summary is None:
        names = tuple(seat.name for seat in msgspec.json.decode(table.definition, type=TableNames).seats)
        elsewhere = services[MatchRegistry].is_played_elsewhere(table)
        return MatchInfo(table.id, table.game, names, "playing" if elsewhere else "cut off", 0, table.created)
    end = read_summary(table)
    status: Status = "cut off" if end.cut_off else "over"
    return MatchInfo(table.id, table.game, end.names, status, end.moments, table.created, end.winners, end.scores)
