"""Tournaments: many matches, and the table of who won how often and how sure that is."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, Self, overload

from fairplay.api import contests
from fairplay.api.games import AnyLoadedGame, load
from fairplay.api.matches import AnyMatch, PlayedMatch, write_file
from fairplay.contest.contest import Contest, Hidden, Result
from fairplay.contest.schedule import count_matches
from fairplay.contest.scoreboard import Tables, group_faults
from fairplay.core import UsageError
from fairplay.core.names import escape_controls
from fairplay.match.packing import unpacked
from fairplay.report.terminal import describe_faults, make_bar, standings_table
from fairplay.report.text_table import find_width, flatten_row, format_csv, format_table
from fairplay.report.tournament_report import render_tables
from fairplay.run.competition import Competition
from fairplay.run.engines.pool import Engine, Inline, Pool

if TYPE_CHECKING:
    from rich.progress import Progress


def tournament(
    game: AnyLoadedGame | str,
    players: contests.Players,
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
    **options: object,
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
    with contests.enter_players(players, trust=trust) as entrants:
        hidden = contests.hide_store(db)
        engine = _choose_engine(jobs, any(contests.is_object(spec) for _, spec in entrants), hidden)
        given = {name: value for name, value in wanted.items() if value is not None}
        contest = contests.build_contest(
            chosen, entrants, format, given, seed, patience, matches, think, ponder=ponder, hidden=hidden
        )
        with contests.open_keeper(contest, db) as keeper, _ProgressBar(chosen, contest, shown=progress) as bar:
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
    return Inline(printing=nullcontext, hidden=hidden, kinds=contests.PYTHON_KINDS)


class _ProgressBar:
    """A bar on the terminal, if there is one, which comes once a tournament takes long."""

    def __init__(self, game: AnyLoadedGame, contest: Contest, *, shown: bool) -> None:
        self._bar: Progress | None = None
        if not shown or not sys.stderr.isatty():
            return
        self._bar = make_bar(f"playing {game.name}")
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


# -- the tables --------------------------------------------------------------------------------


class ResultTable:
    """The result of a tournament, the strongest player first.

    A notebook shows it as tables; `print` shows the standings.

    >>> import fairplay
    >>> table = fairplay.tournament("fish", ["random", "greedy"], games=2, seed=1)
    >>> table
    <ResultTable fish: 4 matches of 2 players, greedy first>
    >>> [row["player"] for row in table.rows()]
    ['greedy', 'random']
    """

    def __init__(self, game: AnyLoadedGame, contest: Contest, tables: Tables, results: Sequence[Result]) -> None:
        self.game, self.contest, self.tables = game, contest, tables
        self.matches = _MatchList(game, results)
        self.faults = group_faults(contest.names, ((one.number, one.line_up, one.outcome.faults) for one in results))

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, the strongest first."""
        return tuple(row.player for row in self.tables.standings)

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary per player, the strongest first.

        Ratings, shares and averages have the bounds of their 95 % intervals beside them: ``rating``, ``rating_low``,
        ``rating_high``.  What is not known is None.  The last column says what the player was removed for.
        """
        return [flatten_row(row, self.faults) for row in self.tables.standings]

    def frame(self) -> Any:
        """The rows as a pandas DataFrame if pandas is installed, else as they are: a list of dictionaries."""
        try:
            import pandas
        except ImportError:
            return self.rows()
        return pandas.DataFrame(self.rows())

    def to_csv(self, path: str | Path) -> Path:
        """Write the table for a spreadsheet."""
        return write_file(Path(path), format_csv(self.tables, self.faults).encode())

    def __str__(self) -> str:
        width = find_width()
        table = format_table(standings_table(self.game.game, self.tables.standings, width))
        removed = escape_controls("\n".join(describe_faults(self.faults, width)), keep="\n")
        return f"{table}\n{removed}".rstrip()

    def __repr__(self) -> str:
        count = f"{self.tables.matches} matches of {len(self.players)} players"
        return f"<ResultTable {self.game.name}: {count}, {self.players[0]} first>"

    def _repr_html_(self) -> str:
        return render_tables(self.tables, self.game.game.unit)


class _MatchList(Sequence[AnyMatch]):
    """The matches of a tournament in order, each read from its record when it is asked for."""

    def __init__(self, game: AnyLoadedGame, results: Sequence[Result]) -> None:
        self._game, self._results = game, results

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> AnyMatch: ...
    @overload
    def __getitem__(self, index: slice) -> _MatchList: ...
    def __getitem__(self, index: int | slice) -> AnyMatch | _MatchList:
        if isinstance(index, slice):
            return _MatchList(self._game, self._results[index])
        return PlayedMatch(self._game, unpacked(self._results[index].record))

    def __iter__(self) -> Iterator[AnyMatch]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<MatchList of {len(self)} matches of {self._game.name}>"
