"""The tables that the program uses are those that the migrations make."""

from __future__ import annotations

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from fairplay.store import opening
from fairplay.store.schema import VERSION, VERSION_TABLE, metadata
from fairplay.store.store import Store


def test_the_migrations_make_exactly_the_tables_that_the_program_uses(store: Store) -> None:
    with store.database.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert context.get_current_revision() == VERSION


def test_the_newest_migration_is_the_version_that_the_program_knows() -> None:
    folder = Path(opening.__file__).parent / "migrations"
    assert ScriptDirectory(str(folder)).get_current_head() == VERSION
