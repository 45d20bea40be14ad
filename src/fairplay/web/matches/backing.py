"""What a match gets from its server, and what is kept of it when it has ended."""

import asyncio
from collections.abc import Callable

import msgspec
from msgspec import Struct

from fairplay.core import Outcome
from fairplay.store.web.tables import WebTable, WebTables
from fairplay.web.house.pool import HousePool, Payer
from fairplay.web.house.worker import HouseQuestion, HouseReply
from fairplay.web.matches.tables import TableDefinition
from fairplay.web.watching.timeline import Timeline


class MatchSummary(Struct, frozen=True):
    """How a match at a table ended, as it is kept in the store."""

    names: tuple[str, ...]
    winners: tuple[int, ...]  # seats
    scores: tuple[int | None, ...]  # by seat, the first number of each
    ending: str
    moments: int
    cut_off: str = ""  # why it was broken off; empty: it was played to its end


def summarize_match(timeline: Timeline, outcome: Outcome | None, reason: str = "") -> MatchSummary:
    """The summary of a match; without an outcome it was broken off, for a reason."""
    if outcome is None:
        nothing = (None,) * len(timeline.names)
        return MatchSummary(timeline.names, (), nothing, "", timeline.last, reason)
    scores = tuple(None if score is None else score[0] for score in outcome.scores)
    return MatchSummary(timeline.names, outcome.winners, scores, outcome.ending, timeline.last)


def read_summary(table: WebTable) -> MatchSummary:
    """The summary of a match that has ended."""
    assert table.summary is not None
    return msgspec.json.decode(table.summary, type=MatchSummary)


def change_table(tables: WebTables, id: str, definition: TableDefinition, server: int | None) -> None:
    """Replace what the store has of a table; raises StoreError."""
    tables.change(id, msgspec.json.encode(definition), server, players=definition.names)


class TableBacking:
    """What one match gets from the server: its table is kept, and its house players think."""

    def __init__(self, id: str, tables: WebTables, server: int | None, pool: HousePool, payer: Payer) -> None:
        """`server`: our number."""
        self.payer = payer
        self._id, self._tables, self._server, self._pool = id, tables, server, pool

    async def begin(self, definition: TableDefinition) -> None:
        """The line-up is known: the table is a fixture now."""
        await asyncio.to_thread(self._tables.begin, self._id, definition.line_up, definition.seed, self._server)

    async def keep(self, definition: TableDefinition) -> None:
        """Replace what the store has of the table."""
        await asyncio.to_thread(change_table, self._tables, self._id, definition, self._server)

    async def think(self, question: HouseQuestion, on_slow: Callable[[bool], object]) -> HouseReply:
        """What a house player does."""
        return await self._pool.choose(question, self.payer, on_slow)
