"""Which server plays which table, and by which keys the owner is known after a restart."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the tables of servers and of the owner's keys; no server plays the tables that are there."""
    op.create_table(
        "servers",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("started", sa.Double, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "owner_keys",
        sa.Column("hash", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
    )
    op.add_column("tables", sa.Column("server", sa.Integer))
