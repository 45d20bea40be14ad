"""From a URL to an engine whose tables are there and up to date; whatever is not a store of ours is left untouched."""

import logging
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, create_engine, event, inspect, text
from sqlalchemy.engine import URL, Engine, make_url
from sqlalchemy.exc import ArgumentError

from fairplay.core import MissingStoreError, StoreError, UsageError
from fairplay.store.db_errors import database_name, explain_errors, is_locked, retry_while
from fairplay.store.leases import close_in_children
from fairplay.store.schema import VERSION, VERSION_TABLE

MIGRATION_LOCK = 0x46414952
"""The advisory lock of PostgreSQL under which tables are made."""

DRIVER = "postgresql+psycopg"

SETTINGS = {
    # So that the server finds out within a minute that our machine is gone, and frees the locks we had.
    "tcp_keepalives_idle": "20",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
    # Results are read page by page along the key.  While a table is new, and the server has no statistics of it, it
    # would rather collect and sort all the rest for every page.
    "enable_bitmapscan": "off",
}
"""What we change for our own connections to PostgreSQL."""

MAGIC = b"SQLite format 3\0"


def open_engine(url: str | Path, patience: float, *, create: bool = True) -> Engine:
    """An engine for the store at `url`, its tables made or brought up to date; raises StoreError.

    If there is no store and none is to be made, raises MissingStoreError.
    """
    address = parse_url(url)
    if not create and is_missing_file(address):
        raise MissingStoreError(f"there is no file {address.database}")
    make_engine = sqlite_engine if address.get_backend_name() == "sqlite" else postgresql_engine
    engine = make_engine(address, patience)
    try:
        with explain_errors(engine):
            prepare_tables(engine, patience, create=create)
    except BaseException:
        engine.dispose()
        raise
    return engine


def parse_url(url: str | Path) -> URL:
    """`url` as SQLAlchemy wants it; raises UsageError if it is of another kind."""
    if isinstance(url, Path) or "://" not in url:
        return URL.create("sqlite", database=str(url))
    try:
        address = make_url(url)
    except (ArgumentError, ValueError):
        raise UsageError("this database URL cannot be read; expected FILE or postgresql://USER@HOST/NAME") from None
    if address.drivername in ("postgres", "postgresql", DRIVER):
        return address.set(drivername=DRIVER)
    if address.drivername == "sqlite" and address.database not in (None, "", ":memory:"):
        return address
    raise UsageError(f"'{address.drivername}' is not a store; expected FILE or postgresql://USER@HOST/NAME")


def is_missing_file(address: URL) -> bool:
    """Is this a file of SQLite that is not there?  Opening it would make it."""
    file = address.database or ""
    return address.get_backend_name() == "sqlite" and not address.query and not Path(file).exists()


# -- engines -----------------------------------------------------------------------------------


def sqlite_engine(address: URL, patience: float) -> Engine:
    """An engine for a file of SQLite, which loses nothing that it was given; raises StoreError."""
    engine = create_engine(address, **JSON, connect_args={"timeout": patience})
    if not address.query:  # else the file name may be a URI with options of its own
        check_file(Path(address.database or ""))

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions are begun below, so that tables are made inside one too
        for setting in ("synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        # A transaction that reads first and writes later could fail half-way when another writes in between.
        kind = connection.get_execution_options().get("begin", "DEFERRED")
        if kind is not None:
            connection.exec_driver_sql(f"BEGIN {kind}")

    return engine


def check_file(file: Path) -> None:
    """Refuse what SQLite would explain badly, or would overwrite: it takes a very short file for an empty database."""
    try:
        if file.is_dir():
            raise StoreError(f"{file} is a folder, not a database")
        if not file.parent.is_dir():
            raise StoreError(f"the folder {file.parent} for the database is not there")
        if file.exists() and file.stat().st_size and read_magic(file) != MAGIC:
            raise StoreError(f"{file} is not a database")
    except OSError as error:
        raise StoreError(f"{file} cannot be opened: {error.strerror}") from None


def read_magic(file: Path) -> bytes:
    """The first bytes of a file, by which its kind is known."""
    with file.open("rb") as stream:
        return stream.read(len(MAGIC))


def postgresql_engine(address: URL, patience: float) -> Engine:
    """An engine for a server of PostgreSQL; raises UsageError if its driver is not installed."""
    try:
        engine = create_engine(
            address,
            **JSON,
            connect_args={
                "application_name": "fairplay",
                "connect_timeout": max(2, round(patience)),
                "tcp_user_timeout": round(1000 * max(2, patience)),  # so that a dead line is an error, not a silence
            },
        )
    except ModuleNotFoundError:
        raise UsageError("for PostgreSQL, install its driver: pip install 'psycopg[binary]'") from None

    # It warns of connections that break, which we hear of anyway; a program that collects logs still gets it.
    logging.getLogger("psycopg").addHandler(logging.NullHandler())

    @event.listens_for(engine, "connect")
    def configure(connection: Any, _: object) -> None:
        close_in_children(connection)
        # What is reported stored must survive a crash of the server, whatever its owner finds good enough elsewhere.
        connection.execute(
            "SELECT set_config(name, 'on', false) FROM pg_settings "
            "WHERE name = 'synchronous_commit' AND setting = 'off'"
        )
        for setting in SETTINGS.items():
            connection.execute("SELECT set_config(%s, %s, false)", setting)
        connection.execute(
            "SELECT set_config(name, %s, false) FROM pg_settings WHERE name = 'lock_timeout' AND setting = '0'",
            [f"{max(1, round(1000 * patience))}ms"],  # SQLite waits as long for the locks of others
        )
        connection.commit()

    return engine


def encode_json(value: object) -> str:
    """`value` as JSON without whitespace."""
    return msgspec.json.encode(value).decode()


JSON: dict[str, Any] = {"json_serializer": encode_json, "json_deserializer": msgspec.json.decode}


def writing_engine(engine: Engine) -> Engine:
    """The same engine, whose transactions are begun to write."""
    return engine.execution_options(begin="IMMEDIATE")


# -- tables ------------------------------------------------------------------------------------


def prepare_tables(engine: Engine, patience: float, *, create: bool) -> None:
    """Make the tables or bring them up to date; raises StoreError if the database is another's or a newer one."""
    with engine.connect() as connection:
        version = read_version(connection, database_name(engine))
    if version is None and not create:
        raise MissingStoreError(f"{database_name(engine)} is empty")
    if engine.dialect.name == "sqlite":
        retry_while(is_locked, lambda: set_journal(engine), patience)
    with writing_engine(engine).begin() as connection:  # even if the tables are there: shows what cannot be written
        if engine.dialect.name == "postgresql":
            if connection.execute(text("SHOW transaction_read_only")).scalar() == "on":
                raise StoreError(f"{database_name(engine)} is read-only; a store must be writable")
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
        if version != VERSION and read_version(connection, database_name(engine)) != VERSION:  # no one else was quicker
            migrate_tables(connection)


def set_journal(engine: Engine) -> None:
    """Let readers of an SQLite file go on while another writes.  Fails at once while another makes the store."""
    with engine.execution_options(begin=None).connect() as connection:  # it cannot be set inside a transaction
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")


def read_version(connection: Connection, place: str) -> str | None:
    """The version of the tables, None if there is nothing yet."""
    tables = inspect(connection).get_table_names()
    if VERSION_TABLE not in tables:
        if tables:
            raise StoreError(f"{place} holds tables that are not Fairplay's; give it a database of its own")
        return None
    version = connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one_or_none()
    if version is not None and version > VERSION:
        raise StoreError(
            f"{place} was written by a newer version of Fairplay (tables {version}, known here up to {VERSION}); "
            "update Fairplay"
        )
    return version


def migrate_tables(connection: Connection, version: str = VERSION) -> None:
    """Run the steps that are missing up to a version, all in the transaction of `connection`."""
    from alembic import command
    from alembic.config import Config

    steps = Config()
    folder = str(Path(__file__).parent / "migrations")
    steps.set_main_option("script_location", folder.replace("%", "%%"))
    steps.set_main_option("path_separator", "os")
    steps.attributes["connection"] = connection
    command.upgrade(steps, version)
