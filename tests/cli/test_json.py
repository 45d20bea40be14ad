"""What `--json` prints is a document of a known schema, whatever the command."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Union

import msgspec
import pytest
from click.testing import Result

from fairplay.report.json_output.catalog import GamesDocument, KeysDocument
from fairplay.report.json_output.matches import ReplayDocument, SeriesDocument
from fairplay.report.json_output.schemas import DOCUMENTS
from fairplay.report.json_output.tournaments import (
    DeletionDocument,
    ExportDocument,
    FaultsDocument,
    ImportDocument,
    MatchesDocument,
    TournamentDocument,
    TournamentsDocument,
)

Fairplay = Callable[..., Result]

SMALL = ("--setup", '{"rows": 4, "columns": 4}', "--seed", "3")
RUN = ("tournament", "run", "fish", "random", "greedy", *SMALL, "--games", "1", "--jobs", "1")

DECODER: msgspec.json.Decoder[Any] = msgspec.json.Decoder(Union[DOCUMENTS])


@pytest.fixture
def read(fairplay: Fairplay) -> Callable[..., Any]:
    """The document that `fairplay` prints with these arguments and `--json`."""

    def decode(*arguments: str) -> Any:
        result = fairplay(*arguments, "--json")
        assert result.exit_code == 0, result.output
        return DECODER.decode(result.stdout)

    return decode


def test_games_matches_and_keys(read: Callable[..., Any]) -> None:
    games = read("games")
    assert isinstance(games, GamesDocument) and "fish" in {game.name for game in games.games}
    series = read("play", "fish", "random", "greedy", *SMALL)
    assert isinstance(series, SeriesDocument)
    (match,) = series.matches
    assert (match.players, match.record) == (("random", "greedy"), "fairplay.db#1/0")
    replayed = read("replay", "1/0", "--verify", "--house")
    assert isinstance(replayed, ReplayDocument)
    assert replayed.outcome is not None and replayed.outcome.ranking == match.ranking
    assert replayed.signed is not None and replayed.signed.key == read("keys", "show").key
    assert isinstance(read("keys", "new"), KeysDocument)


def test_a_tournament_from_its_beginning_to_its_end(read: Callable[..., Any]) -> None:
    ran = read(*RUN)
    assert isinstance(ran, TournamentDocument) and ran.finished is not None
    assert ran.players == ("random", "greedy") and ran.tables.matches == 2
    for time in (ran.created, ran.finished):
        assert abs(datetime.now(UTC) - time) < timedelta(hours=1)
    assert ran.efforts and {*ran.efforts} == {"random", "greedy"}
    kept = msgspec.structs.replace(ran, efforts=msgspec.UNSET)  # nobody keeps how long answers took
    assert read("tournament", "show", "1") == read("tournament", "resume", "1") == kept, "nothing has changed"
    listed = read("tournament", "list")
    assert isinstance(listed, TournamentsDocument) and listed.tournaments[0].finished == ran.finished
    matches = read("tournament", "matches", "1")
    assert isinstance(matches, MatchesDocument)
    assert [match.reference for match in matches.matches] == ["1/0", "1/1"]
    assert read("tournament", "faults", "1") == FaultsDocument(1, "fairplay.db", 2, ())
    assert read("tournament", "export", "1", "a.fairplay") == ExportDocument(1, "a.fairplay", 2, 2, 0)
    taken = read("tournament", "import", "a.fairplay", "--db", "other.db")
    assert isinstance(taken, ImportDocument) and (taken.id, taken.new, taken.consistent) == (1, 2, 2)
    assert read("tournament", "delete", "1", "--yes") == DeletionDocument(1, "fairplay.db", "fish", 2)
    assert read("tournament", "list").tournaments == ()


def test_faults_are_told_with_their_reasons(read: Callable[..., Any], fairplay: Fairplay, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(view):\n    raise ValueError('no\\nidea')\n")
    arguments = ("tournament", "run", "fish", "bot.py", "greedy", *SMALL, "--games", "1", "--jobs", "1", "--trust")
    (group,) = read(*arguments, "--csv", "table.csv").faults
    assert (group.player, group.kind, group.count, group.match) == ("bot.py", "crashed", 2, 0)
    assert group.reason.startswith("ValueError: no\nidea\nbot.py:2 in choose")
    assert read("tournament", "faults", "1").faults == (group,)
    assert (tmp_path / "table.csv").read_text().endswith(",trusted,2 x crashed: ValueError: no ...\n")
    shown = fairplay("tournament", "show", "1").output
    assert "\nThrown out:\n  bot.py: 2 x crashed: ValueError: no ...\n" in shown
    assert "tournament faults 1" in shown
    told = fairplay("tournament", "faults", "1").output
    assert told.startswith("bot.py: crashed in 2 matches\n    ValueError: no\n    idea\n    bot.py:2 in choose")
    assert "replay 1/0\n" in told
    assert fairplay(*arguments, "--strict").exit_code == 1
    assert fairplay("tournament", "resume", "2", "--strict").exit_code == 1
    assert fairplay("tournament", "resume", "2").exit_code == 0
    played = fairplay("play", "fish", "bot.py", "greedy", *SMALL, "--trust", "--strict", "--games", "2")
    assert "\nThrown out:\n  bot.py (red): 2 x crashed: ValueError: no ...\n" in played.stdout
    assert played.exit_code == 1 and played.stderr.endswith("--strict: thrown out: bot.py\n")
    assert fairplay("play", "fish", "random", "greedy", *SMALL, "--strict").exit_code == 0
