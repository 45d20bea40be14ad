"""What a contest with awaited players needs after its server was killed: turns of unfinished matches, and sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables of turns and sessions."""
    op.create_table(
        "turns",
        sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("match", sa.BigInteger, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("line", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("player", sa.Integer, primary_key=True),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("hello", sa.LargeBinary, nullable=False),
    )
