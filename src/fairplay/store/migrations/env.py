"""What Alembic runs to migrate: with the connection, and inside the transaction, that it was handed."""

from alembic import context

from fairplay.store.schema import VERSION_TABLE, metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    transactional_ddl=True,  # SQLite can do it too, once transactions are begun by hand
)
context.run_migrations()
