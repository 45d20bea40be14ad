"""Looking at tournaments: read once for everybody who looks within the same second."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from time import monotonic
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from fairplay.catalog import GAMES
from fairplay.contest.bracket import Pairing, bracket
from fairplay.contest.conduct import tables_of, total_of, verdict_of
from fairplay.contest.contest import Contest
from fairplay.core import AbsentError, AnyGame
from fairplay.store.store import Store, Summary
from fairplay.web.tournaments.results import Status, Tables, TournamentNow, tables_in, tables_like, told, variant_of
from fairplay.web.tournaments.runner import BURDEN, Contests

__all__ = ["Look", "Looks", "status_of"]

FRESH: Final = 1.0
"""Seconds for which a look at a tournament is good enough for others, too."""

KEPT: Final = 64
"""Tournaments whose last look is remembered."""

COUNTABLE: Final = 5_000
CROWD: Final = 30
"""Matches and players of an unfinished tournament, run by somebody else, up to which its tables are made for a page."""

LATEST: Final = 12
"""Matches that are shown, the last ones first."""

T = TypeVar("T")


class Look(Struct, frozen=True):
    """A tournament as it is now, and the part of its page that changes."""

    now: TournamentNow
    html: str


class Counted(Struct, frozen=True):
    """The tables of so many matches, and when they may be made again."""

    matches: int
    tables: Tables
    verdict: str
    due: float


class Looks:
    """All looks at the tournaments of a store."""

    def __init__(self, store: Store, contests: Contests, draw: Callable[[TournamentNow], str]) -> None:
        self.store, self.contests, self.draw = store, contests, draw
        self._kept: OrderedDict[int, tuple[float, asyncio.Task[Look]]] = OrderedDict()
        self._counted: OrderedDict[int, Counted] = OrderedDict()

    async def at(self, id: int) -> Look:
        """A tournament now, or a moment ago; raises StoreError."""
        due, looking = self._kept.get(id, (0.0, None))
        if looking is None or (looking.done() and due < monotonic()):
            looking = asyncio.create_task(asyncio.to_thread(self._look, id))
            remember(self._kept, id, (monotonic() + FRESH, looking))
        return await asyncio.shield(looking)

    def _look(self, id: int) -> Look:
        now = self._now(id)
        return Look(now, self.draw(now))

    def _now(self, id: int) -> TournamentNow:
        reported, state = self.contests.tables.get(id), self.contests.state(id)
        summary, contest = self.store.summary(id), self.store.contest(id)
        game = known_game(contest)
        tables, verdict = self._tables(summary, contest, game, reported)
        return TournamentNow(
            id=id,
            game=game.name,
            format=contest.format,
            variant=variant_of(contest),
            players=contest.names,
            specs=tuple(told(spec) for _, spec in contest.players),
            seed=None if summary.finished is None else contest.seed,
            matches=summary.matches if tables is None else tables.matches,
            total=total_of(contest, game.seats),
            status=status_of(summary, state),
            created=summary.created,
            finished=summary.finished,
            unit=game.unit,
            tables=tables,
            rounds=self._rounds(contest, game, id),
            latest=tuple(self.store.encounters(id, limit=LATEST, last_first=True)),
            verdict=verdict,
        )

    def _rounds(self, contest: Contest, game: AnyGame, id: int) -> tuple[tuple[Pairing, ...], ...]:
        if contest.format != "knock-out":
            return ()
        drawn = bracket(contest, game.seats, lambda numbers: self.store.outcomes(id, numbers))
        return tuple(map(tuple, drawn))

    def _tables(
        self, summary: Summary, contest: Contest, game: AnyGame, reported: msgspec.Raw | None
    ) -> tuple[Tables | None, str]:
        """The tables, and the verdict of the test: kept, as reported by the process that plays, or counted here."""
        lines = self.store.standings(summary.id) if summary.finished is not None else reported
        tables = tables_in(lines) if lines else None
        if (tables is not None and not contest.stop.candidate) or not countable(summary):
            return tables, ""
        counted = self._count(summary, contest, game)
        return tables or counted.tables, counted.verdict

    def _count(self, summary: Summary, contest: Contest, game: AnyGame) -> Counted:
        """What all matches say, counted anew only when there are more, and not all the time."""
        counted, started = self._counted.get(summary.id), monotonic()
        if counted is None or (counted.matches != summary.matches and counted.due < started):
            made, trial = tables_of(contest, self.store.results(summary.id), game.seats)
            told = verdict_of(contest, trial)
            due = monotonic() + BURDEN * (monotonic() - started)
            counted = Counted(summary.matches, tables_like(made), told["sentence"] if told else "", due)
            remember(self._counted, summary.id, counted)
        return counted


def remember(kept: OrderedDict[int, T], id: int, value: T) -> None:
    """Keep `value`, and forget what was kept longest."""
    kept.pop(id, None)
    kept[id] = value
    while len(kept) > KEPT:
        kept.popitem(last=False)


def countable(summary: Summary) -> bool:
    return summary.matches <= COUNTABLE and len(summary.players) <= CROWD


def known_game(contest: Contest) -> AnyGame:
    if contest.game not in GAMES:
        raise AbsentError(f"this is a tournament of {contest.game}, which is not known here")
    return GAMES[contest.game]


def status_of(summary: Summary, state: Status | None) -> Status:
    """What becomes of a tournament; `state` is what this server does with it."""
    return "finished" if summary.finished is not None else state or "unfinished"
