"""Another match of the same people, everyone one seat further."""

import asyncio

from msgspec.structs import replace

from fairplay.core import AbsentError, Seat
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry
from fairplay.web.matches.tables import TableDefinition, rotate_table


class Rematches:
    """Opens the next match once somebody asks for it, and hands everyone of the last one their seat."""

    def __init__(self, registry: MatchRegistry) -> None:
        self._registry = registry
        self._lock = asyncio.Lock()  # two who ask at the same time want the same match

    async def join(self, id: str, game: str, me: Seat, address: str | None) -> tuple[str, str]:
        """The id of the match after `id` and the account that has one's seat there, empty if that is not to be had.

        me: the seat that one had.
        address: who asks, and pays for the house players of a new match; None: somebody without limits.
        Raises FairplayError.
        """
        async with self._lock:
            definition = await self._registry.find_definition(id)
            assert definition is not None, "somebody has a seat"
            match = self._registry.running.get(definition.next)
            if match is None and definition.next and await self._is_there(definition.next):
                return definition.next, ""  # it is over, or another server plays it
            if match is None:
                match = await self._registry.open_table(game, rotate_table(definition), address)
            asked = tuple(sorted({*definition.rematch, int(me)}))
            await self._keep(id, replace(definition, next=match.id, rematch=asked))
            account, seat = definition.seats[me].account, Seat((me + 1) % len(definition.seats))
            return match.id, await self._hand_over(match, seat, account)

    async def _is_there(self, id: str) -> bool:
        """Is anything left of a match?  Nothing is if nobody came."""
        try:
            return await self._registry.find_definition(id) is not None
        except AbsentError:
            return False

    async def _keep(self, id: str, definition: TableDefinition) -> None:
        """Keep in the store which match comes next, and tell those who are still there."""
        await self._registry.keep_definition(id, definition)
        ended = self._registry.find_ended(id)
        if ended is not None:
            ended.definition = definition
            ended.publish_presence()

    async def _hand_over(self, match: LiveMatch, seat: Seat, account: str) -> str:
        if not match.definition.seats[seat].person:
            return ""  # a house player has it
        match.hand_over(seat, account)
        await self._registry.keep_table(match)
        return account
