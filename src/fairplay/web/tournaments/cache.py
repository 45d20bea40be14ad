"""Tournaments as the API and the pages show them: read and drawn once for everyone who looks within a second."""

import asyncio
from contextlib import suppress
from functools import lru_cache, partial
from hashlib import sha256
from pathlib import PurePath
from time import monotonic
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from fairplay.catalog import GAMES
from fairplay.contest.contest import Contest, Deals
from fairplay.contest.planning import describe_conditions
from fairplay.contest.schedule import Pairing, count_matches, draw_bracket
from fairplay.contest.scoreboard import FIT, Tables, read_tables, tables_of
from fairplay.contest.sequential import verdict_of
from fairplay.contest.specs import BotFileSpec, ProgramSpec, are_house_players, parse_spec
from fairplay.core import AbsentError, AnyGame
from fairplay.report.charts import rating_chart
from fairplay.report.tournament_report import describe_unproven
from fairplay.setups import name_setup
from fairplay.store.history import MatchRow
from fairplay.store.store import ContestSummary, Store
from fairplay.web.http.limits import BoundedDict
from fairplay.web.http.sockets import SocketMessage, encode_message
from fairplay.web.rendering.pages import player_path, render_template
from fairplay.web.tournaments.runner import TABLE_COST_RATIO, TournamentRunner

TournamentStatus: TypeAlias = Literal["waiting", "running", "unfinished", "finished"]
"""Queued on this server, running on it, stopped or run elsewhere, complete."""


class TournamentInfo(Struct, frozen=True):
    """A tournament in a list."""

    id: int
    game: str
    format: str
    players: tuple[str, ...]
    matches: int
    status: TournamentStatus
    created: float  # seconds since 1970
    finished: float | None


class TournamentDetails(Struct, frozen=True):
    """A tournament and its results."""

    id: int
    game: str
    format: str
    variant: str  # or `quick`
    played: str  # what is played: the variant, and in which way its setup differs from it
    players: tuple[str, ...]
    specs: tuple[str, ...]
    seed: int | None  # fixes every deal; null until the tournament is finished
    deals: Deals
    remarks: tuple[str, ...]  # what a reader must know about deals and time, a sentence each
    matches: int
    unproven: int  # of them, without a record: nothing shows that they were played
    total: int | None  # null if it is not known how many there will be
    status: TournamentStatus
    created: float
    finished: float | None
    unit: str  # what the scores count
    tables: Tables | None  # null if it is too large to count before it is finished
    rounds: tuple[tuple[Pairing, ...], ...]  # of a knock-out
    latest: tuple[MatchRow, ...]  # the last matches, newest first
    verdict: str  # of its sequential test, if it has one


def public_spec(spec: str) -> str:
    """What a player is, for strangers: without the path of its file or the command of its program."""
    match parse_spec(spec):
        case ProgramSpec():
            return "a program"
        case BotFileSpec(path):
            return PurePath(path).name
    return spec


def name_played(game: str, setup: msgspec.Raw) -> str:
    """What is played, in words; of a game that is not installed, or in a form of another version, the variant."""
    return _name_encoded(game, bytes(setup))


@lru_cache(maxsize=256)
def _name_encoded(game: str, setup: bytes) -> str:
    """The same; players' pages ask for one setup again and again."""
    if game in GAMES:
        with suppress(msgspec.ValidationError, KeyError):
            return name_setup(GAMES[game], msgspec.json.decode(setup, type=GAMES[game].setup))
    variant = msgspec.json.decode(setup).get("variant", "unknown")
    return f"{variant} (#{sha256(setup).hexdigest()[:8]})"


# -- snapshots ----------------------------------------------------------------------------------

_MAX_PLAYERS = 40
"""Players in the chart and in the standings; the API has all of them."""

_MAX_CROSS_TABLE = 20
"""A cross-table is shown for up to this many players."""

_MAX_PAIRINGS = 64
"""Matches shown of one round of a bracket."""


def _render_fragment(tournament: TournamentDetails) -> str:
    """The HTML of progress, bracket, ratings, standings and latest matches."""
    tables, link = tournament.tables, partial(player_path, tournament.game)
    return render_template(
        "tournament_results.html",
        tournament=tournament,
        tables=tables,
        chart=tables and rating_chart(tables.standings[:_MAX_PLAYERS], link),
        link=link,
        unproven=describe_unproven(tournament.unproven, tournament.matches),
        max_players=_MAX_PLAYERS,
        max_cross_table=_MAX_CROSS_TABLE,
        max_pairings=_MAX_PAIRINGS,
    )


CACHE_SECONDS = 1.0
"""How long a snapshot is good enough."""

_CACHE_SIZE = 64
"""Tournaments that are cached."""

MAX_MATCHES_COUNTED = 5_000
MAX_PLAYERS_COUNTED = 30
"""Tables of an unfinished tournament that is run elsewhere are built only if it is no larger than this."""

_READ_ATTEMPTS = 5
"""How often a tournament is read until no match was stored meanwhile."""

_LATEST_MATCHES = 12
"""Matches in a snapshot."""


class TournamentUpdate(Struct, frozen=True):
    """What those who follow a tournament are sent."""

    status: TournamentStatus
    html: str


class TournamentSnapshot(Struct, frozen=True):
    """A tournament as it stands, the part of its page that changes, and that part as a message."""

    details: TournamentDetails
    html: str
    message: SocketMessage


class CountedTables(Struct, frozen=True):
    """The tables of this many matches, and when they may be built again."""

    matches: int
    tables: Tables
    verdict: str
    due: float


class TournamentCache:
    """The latest snapshots of the tournaments in a store."""

    def __init__(self, store: Store, runner: TournamentRunner) -> None:
        self.store, self.runner = store, runner
        self._snapshots: BoundedDict[int, tuple[float, asyncio.Task[TournamentSnapshot]]] = BoundedDict(_CACHE_SIZE)
        self._counted: BoundedDict[int, CountedTables] = BoundedDict(_CACHE_SIZE)
        self._unproven: BoundedDict[tuple[int, int], int] = BoundedDict(_CACHE_SIZE)  # by tournament and its matches

    async def get(self, id: int) -> TournamentSnapshot:
        """A tournament as it stands, or stood a moment ago; raises StoreError if there is none."""
        due, reading = self._snapshots.get(id, (0.0, None))
        if reading is None or (reading.done() and due < monotonic()):
            reading = asyncio.create_task(asyncio.to_thread(self._read_snapshot, id))
            self._snapshots[id] = (monotonic() + CACHE_SECONDS, reading)
        return await asyncio.shield(reading)

    def _read_snapshot(self, id: int) -> TournamentSnapshot:
        details = self._read_consistently(id)
        html = _render_fragment(details)
        return TournamentSnapshot(details, html, encode_message(TournamentUpdate(details.status, html)))

    def _read_consistently(self, id: int) -> TournamentDetails:
        """A tournament whose count, list and bracket know the same matches."""
        details = self._read_details(id)
        for _ in range(_READ_ATTEMPTS):
            if self.store.summary(id).matches == details.matches:
                break
            details = self._read_details(id)
        return details

    def _read_details(self, id: int) -> TournamentDetails:
        reported, state = self.runner.tables.get(id), self.runner.state(id)
        summary, contest = self.store.summary(id), self.store.contest(id)
        if contest.is_open:
            raise AbsentError(f"there is no tournament {id}")
        game = find_contest_game(contest)
        tables, verdict = self._find_tables(summary, contest, game, reported)
        played = name_played(contest.game, contest.setup)
        return TournamentDetails(
            id=id,
            game=game.name,
            format=contest.format,
            variant=played.partition(" (")[0],
            played=played,
            players=contest.names,
            specs=tuple(public_spec(spec) for _, spec in contest.entrants),
            seed=None if summary.finished is None else contest.seed,
            deals=contest.deals,
            remarks=tuple(describe_conditions(contest, all_house=are_house_players(contest.entrants))),
            matches=summary.matches,
            unproven=self._count_unproven(summary),
            total=count_matches(contest, game.seats),
            status=tournament_status(summary, state),
            created=summary.created,
            finished=summary.finished,
            unit=game.unit,
            tables=tables,
            rounds=self._read_bracket(contest, game, id),
            latest=tuple(self.store.history.matches(id, limit=_LATEST_MATCHES, last_first=True)),
            verdict=verdict,
        )

    def _count_unproven(self, summary: ContestSummary) -> int:
        """Matches without a record; of a large tournament, counted once it is finished."""
        if summary.finished is None and summary.matches > MAX_MATCHES_COUNTED:
            return 0
        key = (summary.id, summary.matches)
        if key not in self._unproven:
            self._unproven[key] = self.store.history.count_unproven(summary.id)
        return self._unproven[key]

    def _read_bracket(self, contest: Contest, game: AnyGame, id: int) -> tuple[tuple[Pairing, ...], ...]:
        """The rounds of a knock-out."""
        if contest.format != "knock-out":
            return ()
        return draw_bracket(contest, game.seats, lambda numbers: self.store.outcomes(id, numbers)).rounds

    def _find_tables(
        self, summary: ContestSummary, contest: Contest, game: AnyGame, reported: msgspec.Raw | None
    ) -> tuple[Tables | None, str]:
        """The tables and the verdict of the test: as stored, as reported by the process that plays, or counted here.

        If the tables that were reported lag behind the store, they are counted here if that is cheap.
        """
        lines = self.store.standings(summary.id) if summary.finished is not None else reported
        tables = read_tables(lines) if lines else None
        if tables is not None and tables.fit != FIT:
            tables = None  # an earlier version fitted it in another way
        lags = summary.finished is None and tables is not None and tables.matches != summary.matches
        if (tables is not None and not lags and not contest.stop.candidate) or not _is_countable(summary):
            return tables, ""
        counted = self._count_tables(summary, contest, game)
        if tables is None or (lags and counted.tables.matches > tables.matches):
            tables = counted.tables
        return tables, counted.verdict

    def _count_tables(self, summary: ContestSummary, contest: Contest, game: AnyGame) -> CountedTables:
        """The tables of all matches, counted again only when there are more, and not all the time."""
        counted, started = self._counted.get(summary.id), monotonic()
        if counted is None or (counted.matches != summary.matches and counted.due < started):
            tables, trial = tables_of(contest, self.store.results(summary.id), game.seats)
            verdict = verdict_of(contest, trial)
            due = monotonic() + TABLE_COST_RATIO * (monotonic() - started)
            counted = CountedTables(summary.matches, tables, verdict.sentence if verdict else "", due)
            self._counted[summary.id] = counted
        return counted


def _is_countable(summary: ContestSummary) -> bool:
    """Is a tournament small enough to build its tables for a page?"""
    return summary.matches <= MAX_MATCHES_COUNTED and len(summary.players) <= MAX_PLAYERS_COUNTED


def find_contest_game(contest: Contest) -> AnyGame:
    """The game of a tournament; raises AbsentError if it is not installed."""
    if contest.game not in GAMES:
        raise AbsentError(f"this is a tournament of {contest.game}, which is not installed here")
    return GAMES[contest.game]


def tournament_status(summary: ContestSummary, state: TournamentStatus | None) -> TournamentStatus:
    """The status of a tournament; `state` is what this server is doing with it."""
    return "finished" if summary.finished is not None else state or "unfinished"
