"""Tournaments: many matches, one table."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Self

from fairplay.api.contests import build_contest, hide_store, open_keeper
from fairplay.api.games import LoadedGame, load
from fairplay.api.players import PYTHON_KINDS, Players, enter_players, is_object
from fairplay.api.tables import ResultTable
from fairplay.contest.contest import Contest, Hidden, Result
from fairplay.contest.schedule import count_matches
from fairplay.core import UsageError
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Engine, Inline, Pool

if TYPE_CHECKING:
    from rich.progress import Progress


def tournament(
    game: LoadedGame[Any, Any, Any, Any] | str,
    players: Players,
    *,
    games: int | None = None,
    matches: int | None = None,
    seed: int | None = None,
    format: str = "round-robin",
    seats: int | None = None,
    patience: float | None = None,
    think: float | None = None,
    ponder: bool = False,
    trust: bool = False,
    jobs: int = 1,
    progress: bool = True,
    db: str | Path | None = None,
    **options: Any,
) -> ResultTable:
    """Let players meet many times, and return the table.

    game, players, patience, think, ponder, trust: as for `play`; here players are those who take part, in any number.
    games: how often each line-up meets in each order of the seats.  Default: as often as the format says.
    matches: stop after this many matches; a ladder has no other end.
    seed: the same seed gives the same deals, here and on the command line.  None draws one.
    format: ``"round-robin"``, ``"gauntlet"``, ``"swiss"``, ``"knock-out"``, ``"ladder"`` or ``"series"``.
    seats: how many sit at a table.  Default: the fewest that the game allows.
    jobs: processes to play in.  Functions and classes cannot leave this process, so with them it stays at 1.
    progress: show a bar on a terminal if it takes longer than two seconds.
    db: keep every match in this store as well.  Nothing is written unless asked.
    options: more options of the format, such as ``rounds=5``.

    Raises UsageError if the players or options do not fit, SetupError if the game cannot be dealt, EngineError if the
    rule book of the game fails; all matches in which it does not are played before.
    """
    chosen = load(game) if isinstance(game, str) else game
    if format == "ladder" and matches is None:
        raise UsageError("a ladder has no end of its own; say after how many matches to stop: matches=100")
    wanted = {"games": games, "size": seats, **options}
    with enter_players(players, trust=trust) as entrants:
        hidden = hide_store(db)
        engine = _choose_engine(jobs, any(is_object(spec) for _, spec in entrants), hidden)
        given = {name: value for name, value in wanted.items() if value is not None}
        contest = build_contest(
            chosen, entrants, format, given, seed, patience, matches, think, ponder=ponder, hidden=hidden
        )
        with open_keeper(contest, db) as keeper, _ProgressBar(chosen, contest, shown=progress) as bar:
            competition, results = Competition(chosen.game, contest, keeper), list[Result]()
            for result in competition.results(engine):
                results.append(result)
                bar.advance()
    assert competition.tables is not None, "it is over"
    return ResultTable(chosen, contest, competition.tables, sorted(results, key=lambda one: one.number))


def _choose_engine(jobs: int, has_objects: bool, hidden: Hidden) -> Engine:
    """What plays the matches; raises UsageError."""
    if jobs < 1:
        raise UsageError("jobs: expected at least 1")
    if jobs > 1 and has_objects:
        raise UsageError("jobs: functions and classes play in this process alone; put them in a file to use more")
    if jobs > 1:
        return Pool(jobs, hidden=hidden)
    return Inline(printing=nullcontext, hidden=hidden, kinds=PYTHON_KINDS)


class _ProgressBar:
    """A bar on the terminal, if there is one, which comes once a tournament takes long."""

    def __init__(self, game: LoadedGame[Any, Any, Any, Any], contest: Contest, *, shown: bool) -> None:
        self._bar: Progress | None = None
        if not shown or not sys.stderr.isatty():
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn(f"playing {game.name}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=count_matches(contest, game.game.seats))
        self._due = monotonic() + QUIET_SECONDS

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def advance(self) -> None:
        """Count one more match."""
        if self._bar is None:
            return
        self._bar.advance(self._task)
        if monotonic() >= self._due:
            self._bar.start()


QUIET_SECONDS = 2.0
"""A tournament that is over sooner needs no bar."""
