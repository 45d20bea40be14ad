"""Databases of every earlier version are brought up to date, and nothing in them is lost."""

from __future__ import annotations

import shutil
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner
from msgspec.structs import replace
from sqlalchemy import Column, Connection, column, insert, select, table, text

from fairplay.catalog import GAMES
from fairplay.cli import root
from fairplay.contest.scoreboard import StandingsRow, read_tables, tables_of
from fairplay.match.record import read_record
from fairplay.match.replay import replay_record
from fairplay.store import open_store, opening
from fairplay.store.schema import VERSION, VERSION_TABLE, contests, entrants, matches, metadata
from fairplay.store.store import Store
from fairplay.store.web.table_players import TableFilter
from store.samples import CONTEST, faulty, sample_results, tied

TALLIES = ("matches", "wins", "ties", "faults")
SINCE_0006 = ("topic", "server", "account", "identity", "broken")
NOW = {"contests": contests, "players": entrants, "matches": matches}


def columns_before(left_out: tuple[str, ...] = ()) -> dict[str, list[Column[Any]]]:
    """The columns that hold what was played, by what the tables were called before version 0006."""
    names = {*SINCE_0006, *left_out}
    return {name: [column for column in table.c if column.name not in names] for name, table in NOW.items()}


OLD: dict[str, dict[str, list[Column[Any]]]] = {
    "0001": {**columns_before(TALLIES), "matches": columns_before()["matches"]},
    **{version: columns_before() for version in ("0002", "0003", "0004", "0005")},
}
"""By version, the columns that hold what was played."""

FILES = Path(__file__).parent / "old"
FINISHED, UNFINISHED = 1, 2  # tournaments of each of these databases
EARLIER_PAIRING = ("0001", "0002", "0003")  # here the unfinished one was paired in a way that is gone


# -- the steps ---------------------------------------------------------------------------------


def test_an_interrupted_migration_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    migrate = opening.migrate_tables

    def interrupted(connection: Connection) -> None:
        migrate(connection)
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(opening, "migrate_tables", interrupted)
        with pytest.raises(KeyboardInterrupt):
            open_store(url)
    with open_store(url) as store:  # it would be refused if tables were there without a version
        assert store.contests() == []


@pytest.mark.parametrize("version", OLD)
def test_an_older_database_is_brought_up_to_date_and_loses_nothing(
    url: str, version: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = [*sample_results(), faulty(20), faulty(21), tied(22)]
    with open_store(url, patience=5) as fresh, monkeypatch.context() as patched:
        id = fresh.create(CONTEST)
        fresh.add(id, given)
        expected = fresh.history.players()
        with fresh.database.engine.connect() as connection:
            contents = {name: connection.execute(select(*columns)).all() for name, columns in OLD[version].items()}
        metadata.drop_all(fresh.database.engine)
        with fresh.database.engine.begin() as connection:
            connection.execute(text(f"DROP TABLE {VERSION_TABLE}"))
        patched.setattr(opening, "migrate_tables", partial(opening.migrate_tables, version=version))
        open_store(url).close()
        with fresh.database.engine.begin() as connection:
            for name, columns in OLD[version].items():
                old = table(name, *(column(each.name, each.type) for each in columns))
                connection.execute(insert(old), [row._asdict() for row in contents[name]])
    with open_store(url) as store:
        assert list(store.results(id)) == [msgspec.structs.replace(each, record=b"") for each in given]
        assert store.summary(id).matches == len(given)
        assert store.history.players() == expected
        assert {career.player: career.faults for career in expected} == {"first": 0, "second": 0, "third": 2}
        assert (store.tables.newest(), store.boards.newest(), store.queue.contests()) == ([], [], [])
        assert [words.number for words in store.history.faults("fish", "third")] == [21, 20]


def test_players_of_older_tables_are_found(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """More tables than are read at a time, and two that nobody can read."""
    seats = [
        b'{"chairs":[{"name":"Robin"},{"name":"robin"},{"name":"bot %d"}]}' % (number % 7) for number in range(2100)
    ]
    rows = [
        {"id": f"t{number}", "game": "fish", "definition": definition, "created": float(number)}
        for number, definition in enumerate([*seats, b"not JSON", b'{"chairs":7}'])
    ]
    with monkeypatch.context() as patched:
        patched.setattr(opening, "migrate_tables", partial(opening.migrate_tables, version="0004"))
        with open_store(url) as before, before.database.engine.begin() as connection:
            old = table("tables", *map(column, rows[0]))
            connection.execute(insert(old), rows)
    with open_store(url) as store:
        assert store.tables.player_keys("", 99) == [*(f"bot {number}" for number in range(7)), "robin"]
        found = store.tables.newest(TableFilter(players=("bot 3",), limit=2))
        assert [each.id for each in found] == ["t2096", "t2089"]
        assert len(store.tables.newest(TableFilter(players=("robin",), limit=3000))) == 2100


# -- databases that earlier programs made ------------------------------------------------------


@pytest.fixture(params=sorted(OLD))
def version(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def old(version: str, tmp_path: Path) -> Path:
    """A copy of the database that a program of this version made."""
    return Path(shutil.copy(FILES / f"{version}.sqlite", tmp_path / "old.db"))


def run_command(*arguments: object) -> str:
    """What the command line prints."""
    result = CliRunner().invoke(root, [*map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def check_records(store: Store, id: int) -> int:
    """Replay every record of a contest; how many there are."""
    game, count = GAMES[store.contest(id).game], 0
    for result in store.results(id):
        record = read_record(store.record(id, result.number).splitlines(keepends=True))
        assert record.outcome == result.outcome
        assert sum(1 for _ in replay_record(game, record)) > 0
        count += 1
    return count


def test_every_version_before_this_one_has_its_database() -> None:
    assert sorted(OLD) == [f"{number:04}" for number in range(1, int(VERSION))]
    assert sorted(path.stem for path in FILES.glob("*.sqlite")) == sorted(OLD)


def test_what_an_earlier_program_kept_is_there(old: Path) -> None:
    with open_store(old) as store:
        first, second = store.contests()
        assert (first.format, first.players, first.matches) == ("round-robin", ("random", "greedy", "lost"), 6)
        assert (second.format, second.players, second.matches) == ("swiss", ("a", "b", "c", "d"), 12)
        assert first.finished is not None and second.finished is None
        assert (store.contest(FINISHED).seed, store.contest(UNFINISHED).seed) == (5, 11)
        assert msgspec.json.decode(store.standings(FINISHED) or b"")["matches"] == 6
        assert store.standings(UNFINISHED) is None
        assert (check_records(store, FINISHED), check_records(store, UNFINISHED)) == (6, 12)
        assert (store.unfinished_turns(UNFINISHED), store.sessions(UNFINISHED)) == ({}, [])


def test_its_players_have_their_totals_faults_and_ratings(version: str, old: Path) -> None:
    page = int(version > "0001")  # a match of the page, which counts as every other
    with open_store(old) as store:
        (greedy,) = store.history.players(name="greedy")
        assert (greedy.matches, greedy.wins, greedy.ties, greedy.faults) == (4 + page, 4 + page, 0, 0)
        assert [each.faults for each in store.history.players(name="lost")] == [4]
        assert {fault.kind for fault in store.history.faults("fish", "lost")} == {"crashed"}
        assert [point.contest for point in store.history.ratings("fish", "greedy")] == [FINISHED]
        assert sum(row.faulty == ("lost",) for row in store.history.matches(FINISHED)) == 4


@pytest.mark.parametrize("version", sorted({*OLD} - {*EARLIER_PAIRING}))
def test_what_it_did_not_finish_is_resumed_to_the_same_tables(old: Path, tmp_path: Path) -> None:
    with open_store(old) as store, open_store(tmp_path / "new.db") as fresh:
        id = fresh.create(store.contest(UNFINISHED))
    resumed = run_command("tournament", "resume", UNFINISHED, "--db", old, "--jobs", 1, "--json")
    unbroken = run_command("tournament", "resume", id, "--db", tmp_path / "new.db", "--jobs", 1, "--json")
    assert msgspec.json.decode(resumed)["tables"]["matches"] == 20
    assert msgspec.json.decode(resumed)["tables"] == msgspec.json.decode(unbroken)["tables"]
    with open_store(old) as store, open_store(tmp_path / "new.db") as fresh:
        assert check_records(store, UNFINISHED) == 20
        assert store.standings(UNFINISHED) == fresh.standings(id)


@pytest.mark.parametrize("version", EARLIER_PAIRING)
def test_rounds_that_were_paired_in_another_way_are_shown_and_not_resumed(old: Path, tmp_path: Path) -> None:
    show = ("tournament", "show", UNFINISHED, "--db", old)
    shown = run_command(*show, "--json")
    result = CliRunner().invoke(root, ["tournament", "resume", str(UNFINISHED), "--db", str(old), "--jobs", "1"])
    assert result.exit_code == 2
    reason = "an earlier version paired its rounds in a way that is gone"
    assert f"tournament {UNFINISHED} cannot be resumed: {reason}; see it with" in result.output
    for command in ("show 2 --db", "export 2 --db"):
        assert f"tournament {command} {old}" in result.output
    assert run_command(*show, "--json") == shown
    points = {row["player"]: row["points"] for row in msgspec.json.decode(shown)["tables"]["swiss"]}
    assert points == pytest.approx({"c": 5 / 6, "d": 4 / 6, "b": 2 / 6, "a": 1 / 6})
    file = tmp_path / "kept.fairplay"
    run_command("tournament", "export", UNFINISHED, file, "--db", old)
    assert "12 of 12 new here" in run_command("tournament", "import", file, "--db", tmp_path / "new.db")


@pytest.mark.parametrize("version", EARLIER_PAIRING)
def test_rounds_that_were_paired_in_another_way_keep_their_tables_once_finished(old: Path) -> None:
    show = ("tournament", "show", UNFINISHED, "--db", old, "--json")
    before = msgspec.json.decode(run_command(*show))["tables"]
    with open_store(old) as store:
        contest = store.contest(UNFINISHED)
        tables, _ = tables_of(contest, [*store.results(UNFINISHED)], GAMES[contest.game].seats)
        store.finish(UNFINISHED, msgspec.json.encode(tables))
    assert msgspec.json.decode(run_command(*show))["tables"] == before
    assert "is finished: there is nothing to resume" in run_command("tournament", "resume", UNFINISHED, "--db", old)


def without_ends(row: StandingsRow) -> StandingsRow:
    average = row.average and replace(row.average, low=None, high=None)
    return replace(row, average=average, rating=None)


def test_its_export_can_be_imported_into_a_new_store_and_into_its_own(version: str, old: Path, tmp_path: Path) -> None:
    file = FILES / f"{version}.fairplay"
    assert "6 of 6 new here" in run_command("tournament", "import", file, "--db", tmp_path / "new.db")
    assert "0 of 6 new here" in run_command("tournament", "import", file, "--db", old)
    with open_store(old) as store, open_store(tmp_path / "new.db") as new:
        assert [*new.results(1, records=True)] == [*store.results(FINISHED, records=True)]
        kept, made = (read_tables(each.standings(id) or b"") for each, id in ((store, FINISHED), (new, 1)))
        assert kept is not None and made is not None and made.fit == "rankings"
        if version >= "0004":
            assert made == kept
        else:  # since then, two deals have no interval of their average, and ratings are fitted in another way
            assert kept.fit == "" and [*map(without_ends, made.standings)] == [*map(without_ends, kept.standings)]
        assert new.find_contest(store.summary(FINISHED).fingerprint) == 1


@pytest.mark.parametrize("version", sorted(OLD)[1:])
def test_what_an_earlier_web_server_kept_is_there(version: str, tmp_path: Path) -> None:
    old = Path(shutil.copy(FILES / f"{version}.sqlite", tmp_path / "old.db"))
    with open_store(old) as store:
        (over,), (runs,) = (
            store.tables.newest(TableFilter(running=False)),
            store.tables.newest(TableFilter(running=True)),
        )
        whole, part = read_record(store.tables.lines(over.id)), read_record(store.tables.lines(runs.id))
        assert whole.outcome is not None and part.outcome is None and len(part.entries) > 0
        for record in (whole, part):
            assert sum(1 for _ in replay_record(GAMES["fish"], record)) > 0
        (board,) = store.boards.newest()
        assert (board.game, board.name) == ("fish", "pond")
        assert msgspec.json.decode(board.drawing)["board"] == [[1, 2, 3], [4, 5, 1], [2, 3, 4]]
        assert store.queue.contests() == [UNFINISHED]
        assert store.tables.newest(TableFilter(players=("guest 1",))) == [runs]
