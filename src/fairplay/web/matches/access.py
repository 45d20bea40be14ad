"""Who may see what of a match: decided here and nowhere else."""

from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import HTTPConnection, Request

from fairplay.core import AbsentError, Picture, Seat
from fairplay.web.http.endpoints import RequestError, Services
from fairplay.web.http.owner import OwnerAuth, visitor_of
from fairplay.web.matches.live import LiveMatch
from fairplay.web.matches.registry import MatchRegistry, RunningMatch
from fairplay.web.matches.tables import TableDefinition
from fairplay.web.watching.timeline import EVERYTHING, Moment, Offers, Presence, Timeline, Viewer, parse_viewer


class MatchAccess(Struct, frozen=True):
    """A match and what one visitor may see of it."""

    timeline: Timeline
    live: RunningMatch | None  # None: the match is over
    me: Seat | None  # the visitor's seat
    owner: bool
    in_open_tournament: bool = False  # the match is over, but its deal is played again in the same tournament
    definition: TableDefinition | None = None  # of the table; None: it is a match of a tournament

    @property
    def is_revealed(self) -> bool:
        """Are there no secrets any more?"""
        return self.live is None and not self.in_open_tournament

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """All viewers of the match, whether or not they are allowed yet."""
        return (None, *map(Seat, range(len(self.timeline.names))), EVERYTHING)

    def may_view_as(self, viewer: Viewer) -> bool:
        """May the visitor see what `viewer` sees?  While people play, not even the owner sees what is hidden."""
        if self.is_revealed or viewer is None or viewer == self.me:
            return True
        return self.owner and (self.live is None or not self.live.definition.has_people)

    def require_revealed(self, over: str, shared: str) -> None:
        """Raises RequestError if what is asked for would tell what is hidden.

        over: why it is refused while the match runs.
        shared: why it is refused while other matches of a tournament have the same deal.
        """
        if self.live is not None:
            raise RequestError(409, over)
        if not self.may_view_as(EVERYTHING):
            raise RequestError(409, shared)

    def choose_viewer(self, name: str | None) -> Viewer:
        """The viewer of this name; raises RequestError.

        By default it is the visitor's seat or the public, and once there are no secrets any more, everyone sees all.
        """
        if name is None:
            return EVERYTHING if self.is_revealed else self.me if self.live is not None else None
        try:
            viewer = parse_viewer(name, len(self.timeline.names))
        except ValueError as error:
            raise RequestError(400, str(error)) from None
        if not self.may_view_as(viewer):
            until = "the tournament is finished" if self.in_open_tournament else "the match is over"
            raise RequestError(403, f"Until {until}, you see only what your own seat may know.")
        return viewer

    def moment(self, number: int, viewer: Viewer) -> Moment:
        """A moment of the match; raises RequestError if there is no such moment."""
        self._check_number(number)
        return self.timeline.moment(number, viewer, self.me) if self.live is None else self.live.moment(number, viewer)

    def draw(self, number: int, viewer: Viewer) -> Picture:
        """The whole picture of a moment; raises RequestError if there is no such moment."""
        self._check_number(number)
        return self.timeline.draw(number, viewer)

    def _check_number(self, number: int) -> None:
        if not 0 <= number <= self.timeline.last:
            raise RequestError(404, f"There is no such moment; the last one is {self.timeline.last}.")

    def presence(self) -> Presence:
        """The clock, who is here, how the match stands."""
        if self.live is not None:
            return self.live.feed.presence()
        if self.definition is None:
            return self.timeline.presence()
        offers = Offers(rematch=self.definition.rematch)
        return replace(self.timeline.presence(), offers=offers, next=self.definition.next)

    def list_turns(self, viewer: Viewer) -> tuple[str, ...]:
        """All that has happened in words, moment by moment."""
        timeline = self.timeline
        return tuple(timeline.describe_event(number, viewer, self.me) for number in range(timeline.last + 1))


async def find_access(services: Services, connection: HTTPConnection, id: str) -> MatchAccess:
    """The match `id` and what this visitor may see of it; raises StoreError if there is none."""
    registry, owner = services[MatchRegistry], services[OwnerAuth].is_owner(connection)
    id = await registry.resolve(id)
    live = await registry.find_shown(id)
    if live is not None:
        me = find_own_seat(connection, id, live.definition)
        return MatchAccess(live.timeline, live, me, owner, definition=live.definition)
    timeline, definition = await registry.find_timeline(id), await registry.find_definition(id)
    me = None if definition is None else find_own_seat(connection, id, definition)
    return MatchAccess(timeline, None, me, owner, await registry.has_open_tournament(id), definition)


async def find_running(services: Services, id: str) -> LiveMatch:
    """The match `id` that this server plays; raises RequestError if there is none, or another server plays it."""
    live = services[MatchRegistry].running.get(id)
    if live is None:
        with suppress(AbsentError):
            if await services[MatchRegistry].find_shown(id) is not None:
                raise RequestError(409, "Another server plays this match at the moment. Try again soon.")
        raise RequestError(404, "There is no such running match.")
    return live


def find_own_seat(connection: HTTPConnection, id: str, definition: TableDefinition) -> Seat | None:
    """The visitor's seat, who has shown the key to it, in a cookie or in the header `Fairplay-Seat`, or an account."""
    return definition.find_seat(visitor_of(connection).accounts_at(id))


def require_seat(request: Request, match: LiveMatch) -> Seat:
    """The visitor's seat; raises RequestError if there is none."""
    seat = find_own_seat(request, match.id, match.table.definition)
    if seat is None:
        raise RequestError(403, "You have no seat at this table.")
    return seat
