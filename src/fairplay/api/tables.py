"""The tables of a tournament: who won how often, how sure that is, and every match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, overload

from fairplay.api.games import LoadedGame
from fairplay.api.matches import PlayedMatch, write_file
from fairplay.contest.contest import Contest, Result
from fairplay.contest.scoreboard import Tables, group_faults
from fairplay.core.names import escape_controls
from fairplay.match.packing import unpacked
from fairplay.report.csv_table import flatten_row, format_csv
from fairplay.report.terminal import describe_faults, standings_table
from fairplay.report.text_table import find_width, format_table
from fairplay.report.tournament_report import render_tables


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

    def __init__(
        self, game: LoadedGame[Any, Any, Any, Any], contest: Contest, tables: Tables, results: Sequence[Result]
    ) -> None:
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


class _MatchList(Sequence[PlayedMatch[Any, Any, Any]]):
    """The matches of a tournament in order, each read from its record when it is asked for."""

    def __init__(self, game: LoadedGame[Any, Any, Any, Any], results: Sequence[Result]) -> None:
        self._game, self._results = game, results

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, index: int) -> PlayedMatch[Any, Any, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> _MatchList: ...
    def __getitem__(self, index: int | slice) -> PlayedMatch[Any, Any, Any] | _MatchList:
        if isinstance(index, slice):
            return _MatchList(self._game, self._results[index])
        return PlayedMatch(self._game, unpacked(self._results[index].record))

    def __iter__(self) -> Iterator[PlayedMatch[Any, Any, Any]]:
        return (self[index] for index in range(len(self)))

    def __repr__(self) -> str:
        return f"<MatchList of {len(self)} matches of {self._game.name}>"
