"""The first tables: contests, their players, their matches, their standings."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables of contests and their matches."""
    json = sa.JSON().with_variant(JSONB(), "postgresql")
    op.create_table(
        "contests",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("fingerprint", sa.String(32), nullable=False, unique=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("format", sa.Text, nullable=False),
        sa.Column("definition", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
        sa.Column("finished", sa.Double),
    )
    op.create_table(
        "players",
        sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
    )
    op.create_table(
        "matches",
        sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("number", sa.BigInteger, primary_key=True),
        sa.Column("deal", sa.BigInteger, nullable=False),
        sa.Column("line_up", json, nullable=False),
        sa.Column("winners", json, nullable=False),
        sa.Column("faulty", json, nullable=False),
        sa.Column("ranking", json, nullable=False),
        sa.Column("scores", json, nullable=False),
        sa.Column("faults", sa.JSON),
        sa.Column("ending", sa.Text, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("stored", sa.Double, nullable=False),
        sa.Column("record", sa.LargeBinary),
    )
    op.create_table(
        "standings",
        sa.Column("contest", sa.Integer, sa.ForeignKey("contests.id"), primary_key=True),
        sa.Column("lines", sa.Text, nullable=False),
    )
