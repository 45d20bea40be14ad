"""Opening: what is no store of ours is refused in one sentence, and left as it was."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from sqlalchemy import text

from fairplay.core import MissingStoreError, StoreError, UsageError
from fairplay.store import db_errors, default_url, open_store
from fairplay.store.schema import VERSION, VERSION_TABLE
from fairplay.store.store import Store
from store.postgres import Server
from store.samples import CONTEST, results, sample_results

NOBODY = 65534


def refused(url: str | Path) -> str:
    """The sentence with which a URL is refused."""
    with pytest.raises(StoreError) as error, open_store(url, patience=0.2):
        pass
    sentence = str(error.value)
    assert "\n" not in sentence and "sqlalche.me" not in sentence
    return sentence


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# -- tables ------------------------------------------------------------------------------------


def test_a_newer_database_is_refused(url: str) -> None:
    with open_store(url) as store:
        id = store.create(CONTEST)
        with store.database.engine.begin() as connection:
            connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '0999'"))
    sentence = refused(url)
    assert f"was written by a newer version of Fairplay (tables 0999, known here up to {VERSION})" in sentence
    assert id == 1


def test_a_database_of_something_else_is_refused_and_not_touched(url: str, tmp_path: Path) -> None:
    statement = "CREATE TABLE matches (name text)"
    if url.endswith(".db"):
        with closing(sqlite3.connect(url)) as other:
            other.execute(statement)
    else:
        with psycopg.connect(url) as other_server:
            other_server.execute(statement)
    before = snapshot(tmp_path)
    assert "holds tables that are not Fairplay's; give it a database of its own" in refused(url)
    assert snapshot(tmp_path) == before


# -- addresses ---------------------------------------------------------------------------------


def test_a_file_can_be_named_in_three_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ways: list[str | Path] = [tmp_path / "a 100%.db", "a 100%.db", f"sqlite:///{tmp_path}/a 100%.db"]
    for number, url in enumerate(ways):
        with open_store(url) as store:
            assert len(store.contests()) == number
            store.create(CONTEST)
    assert [path.name for path in tmp_path.iterdir()] == ["a 100%.db"]


def test_the_default_is_a_file_of_the_current_folder_unless_the_environment_names_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("FAIRPLAY_DB", raising=False)
    assert default_url() == "fairplay.db"
    monkeypatch.setenv("FAIRPLAY_DB", "")
    assert default_url() == "fairplay.db"
    monkeypatch.setenv("FAIRPLAY_DB", "postgresql://somebody@host/name")
    assert default_url() == "postgresql://somebody@host/name"


@pytest.mark.parametrize(
    "url",
    ["mysql://host/name", "sqlite://", "sqlite:///:memory:", "postgresql+asyncpg://host/name", "://", "http://x:y/"],
)
def test_another_kind_of_url_is_refused(url: str) -> None:
    with pytest.raises(UsageError, match=r"is not a store|cannot be read"):
        open_store(url)


def test_postgresql_without_its_driver_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UsageError, match=r"pip install 'psycopg\[binary\]'"):
        open_store("postgresql://host/name")


def test_a_server_that_cannot_be_reached_is_told_without_the_password(server: Server) -> None:
    sentence = refused(f"postgresql://fairplay:secret@/nowhere?host={server.folder}")
    assert 'database "nowhere" does not exist' in sentence
    assert "secret" not in sentence
    assert "cannot be used" in refused("postgresql://fairplay@127.0.0.1:1/name")


def test_postgresql_keeps_results_durable_even_where_its_owner_does_not_care(server: Server) -> None:
    with server.database() as url:
        name = url.split("/")[3].split("?")[0]
        server.execute(f"ALTER DATABASE {name} SET synchronous_commit = off")
        with open_store(url) as store, store.database.engine.connect() as connection:
            assert connection.execute(text("SHOW synchronous_commit")).scalar() == "on"


def test_sqlite_is_set_to_lose_nothing(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store, store.database.engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert settings == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}


# -- files -------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [b"x", b"no database\n" * 500, b"SQLite format 3\0" + b"\x07" * 5_000])
def test_a_file_that_is_no_database_is_refused_and_not_touched(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file.db").write_bytes(content)
    sentence = refused(tmp_path / "file.db")
    assert "file.db is not a database" in sentence or "file.db is damaged" in sentence
    assert (tmp_path / "file.db").read_bytes() == content


def test_a_damaged_database_is_told_in_words(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    with open_store(file) as store:
        id = store.create(CONTEST)
        store.add(id, results(range(300)))
    content = bytearray(file.read_bytes())
    content[4096 * 3 :] = b"\xa5" * (len(content) - 4096 * 3)
    file.write_bytes(content)
    with pytest.raises(StoreError, match=r"store\.db is damaged|holds tables that are not"), open_store(file) as store:
        list(store.results(id))


def test_a_store_that_is_not_there_is_not_made_unless_asked_for(url: str, tmp_path: Path) -> None:
    with pytest.raises(MissingStoreError, match=r"there is no file .*store.db$|is empty$"):
        open_store(url, create=False)
    empty = tmp_path / "empty.db"
    empty.touch()
    for name in (str(empty), f"sqlite:///{empty}"):
        with pytest.raises(MissingStoreError, match=r"is empty$"):
            open_store(name, create=False)
    assert [path.name for path in tmp_path.iterdir()] == ["empty.db"]
    assert empty.stat().st_size == 0
    open_store(url).close()
    open_store(url, create=False).close()


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "file.db").touch()
    with open_store(tmp_path / "file.db") as store:
        assert store.contests() == []


def test_a_folder_is_no_database_and_a_missing_one_is_named(tmp_path: Path) -> None:
    assert refused(tmp_path) == f"{tmp_path} is a folder, not a database"
    assert refused(tmp_path / "gone" / "store.db") == f"the folder {tmp_path}/gone for the database is not there"


@contextmanager
def unprivileged() -> Iterator[None]:
    """Do without the rights of root, to which no file is read-only."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody may enter; those of pytest are closed to others."""
    with TemporaryDirectory(prefix="fairplay-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def test_a_read_only_database_is_refused(public: Path) -> None:
    file = public / "store.db"
    with open_store(file) as store:
        store.create(CONTEST)
    file.chmod(0o444)
    public.chmod(0o555)
    before = snapshot(public)
    try:
        with unprivileged():
            assert refused(file) == f"{file} is read-only; a store must be writable"
            assert "cannot be opened" in refused(public / "new.db")
    finally:
        public.chmod(0o755)
    assert snapshot(public) == before


def test_a_folder_that_cannot_be_written_is_refused_even_if_the_file_could_be(public: Path) -> None:
    file = public / "store.db"
    open_store(file).close()
    file.chmod(0o666)
    with unprivileged():
        assert refused(file) == f"{file} is read-only; a store must be writable"


def test_a_folder_that_may_not_be_entered_is_refused(public: Path) -> None:
    file = public / "closed" / "store.db"
    file.parent.mkdir(mode=0)
    with unprivileged():
        assert refused(file) == f"{file} cannot be opened: Permission denied"


@pytest.mark.parametrize("name", ["/dev/full", "pipe", "file/store.db", "link", "x" * 300])
def test_what_can_never_hold_a_database_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to(tmp_path / "gone" / "store.db")
    assert str(tmp_path / name.partition("/")[0]) in refused(tmp_path / name) or "/dev/full" in refused(name)


def test_a_database_that_may_not_be_read_is_refused(public: Path) -> None:
    file = public / "store.db"
    open_store(file).close()
    file.chmod(0)
    with unprivileged():
        assert refused(file) == f"{file} cannot be opened: Permission denied"


def test_a_locked_database_is_refused_and_works_again_afterwards(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    with open_store(file, patience=0.2) as store, closing(sqlite3.connect(file, isolation_level=None)) as other:
        id = store.create(CONTEST)
        other.execute("BEGIN IMMEDIATE")
        assert refused(file) == f"{file} is locked by another program; try again when that has finished"
        with pytest.raises(StoreError, match="locked by another program"):
            store.add(id, sample_results())
        assert list(store.results(id)) == []  # reading goes on
        other.execute("ROLLBACK")
        store.add(id, sample_results())
        assert store.summary(id).matches == len(sample_results())


def test_a_database_that_another_begins_to_write_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "store.db"
    open_store(file).close()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")  # as while the store is made
        other.execute("BEGIN IMMEDIATE")
        assert refused(file) == f"{file} is locked by another program; try again when that has finished"
        monkeypatch.setattr(db_errors, "sleep", lambda seconds: other.in_transaction and other.execute("ROLLBACK"))
        with open_store(file, patience=60) as store:
            assert store.contests() == []


def test_a_locked_table_of_postgresql_is_told_in_words(server: Server) -> None:
    with server.database() as url, open_store(f"{url}&options=-clock_timeout%3D200") as store:
        id = store.create(CONTEST)
        with psycopg.connect(url) as other:
            other.execute("LOCK TABLE matches IN EXCLUSIVE MODE")
            with pytest.raises(StoreError, match="is locked by another program"):
                store.add(id, sample_results())
        store.add(id, sample_results())
        assert store.summary(id).matches == len(sample_results())


def test_a_read_only_postgresql_is_refused(server: Server) -> None:
    with server.database() as url:
        open_store(url).close()
        name = url.split("/")[3].split("?")[0]
        server.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
        assert "is read-only; a store must be writable" in refused(url)
        server.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = off")


# -- a full disk -------------------------------------------------------------------------------


def fill(store: Store, server: Server | None, url: str) -> None:
    """Let the next growth of the database fail as a full disk lets it."""
    if server is None:
        # The limit belongs to a connection, and the pool hands the one that is given back out again.
        with store.database.engine.connect() as connection:
            used = connection.exec_driver_sql("PRAGMA page_count").scalar()
            connection.exec_driver_sql(f"PRAGMA max_page_count={used}")
    else:
        with psycopg.connect(url) as connection:
            connection.execute(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.number >= 150 THEN "
                "RAISE SQLSTATE '53100' USING MESSAGE = 'could not extend file'; END IF; RETURN NEW; END $$"
            )
            connection.execute(
                "CREATE TRIGGER full_disk BEFORE INSERT ON matches FOR EACH ROW EXECUTE FUNCTION full_disk()"
            )


def test_a_full_disk_is_told_in_words_and_stores_nothing_by_halves(
    url: str, store: Store, request: pytest.FixtureRequest
) -> None:
    id = store.create(CONTEST)
    store.add(id, results(range(100)))
    fill(store, None if url.endswith(".db") else request.getfixturevalue("server"), url)
    with pytest.raises(StoreError, match=r"^the disk of .* is full; free some space and resume$"):
        store.add(id, results(range(100, 600)))
    assert [each.number for each in store.results(id)] == list(range(100))


SMALL_QUOTA = """
import resource, signal, sys
from store.samples import CONTEST, results
from fairplay.core import StoreError
from fairplay.store import open_store
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
try:
    with open_store(sys.argv[1]) as store:
        id = store.create(CONTEST)
        for number in range(0, 10_000, 20):
            store.add(id, results(range(number, number + 20)))
            print(number + 20, flush=True)
except StoreError as error:
    print(error)
"""


@pytest.mark.parametrize("quota", [2_000, 30_000, 300_000])
def test_a_quota_is_told_in_words_and_what_was_reported_is_there(tmp_path: Path, quota: int) -> None:
    file, tests = tmp_path / "store.db", Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", SMALL_QUOTA, str(file), str(quota)],
        env={**os.environ, "PYTHONPATH": str(tests)},
        capture_output=True,
        text=True,
        check=True,
    )
    *stored, sentence = done.stdout.splitlines()
    assert sentence.startswith((f"{file} can no longer be read or written", f"the disk of {file} is full"))
    with open_store(file) as store:
        there = store.summary(1).matches if store.contests() else 0
    assert there == (int(stored[-1]) if stored else 0)


# -- imports -----------------------------------------------------------------------------------


def test_nothing_loads_the_database_library_before_a_store_is_opened() -> None:
    check = "import sys, fairplay.store, fairplay.store.transfer, fairplay.cli; print('sqlalchemy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
