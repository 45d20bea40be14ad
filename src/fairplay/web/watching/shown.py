"""A match that is not over, as people see it: its timeline, its watchers, and what they are sent."""

import asyncio
from collections.abc import Callable

import structlog
from msgspec import Struct

from fairplay.core import AnyGame, Seat
from fairplay.web.http.limits import BoundedDict
from fairplay.web.http.sockets import SocketMessage, encode_message
from fairplay.web.matches.tables import TableDefinition
from fairplay.web.watching.feed import Feed, Watcher
from fairplay.web.watching.timeline import CACHED_MOMENTS, Moment, Presence, Timeline, Viewer

LOG = structlog.get_logger("fairplay.web")

CATCH_UP_LIMIT = 8
"""A watcher who comes back is sent this many missed moments one by one; after more of them, only the newest."""

COUNT_INTERVAL = 1.0
"""Seconds after which a changed number of watchers is shown: many come at once, and nobody waits for it."""


class MomentMessage(Struct, frozen=True):
    """What a watcher is sent when there is a new moment."""

    id: str
    moment: Moment
    presence: Presence


class FirstMessage(Struct, frozen=True):
    """What a watcher of many matches is sent when there is another one."""

    id: str
    moment: Moment
    presence: Presence
    game: str
    head: str  # how every picture of the match begins


class PresenceMessage(Struct, frozen=True):
    """What a watcher is sent when anything else has changed."""

    id: str
    presence: Presence


class ShownMatch:
    """A match with its watchers; who plays it, and where, is not its concern."""

    def __init__(self, id: str, game: AnyGame, definition: TableDefinition, timeline: Timeline) -> None:
        self.id, self.game, self.definition, self.timeline = id, game, definition, timeline
        self.feed = Feed()
        self.watchers = 0  # as they were last counted
        self._count_soon: asyncio.TimerHandle | None = None
        self._messages: BoundedDict[tuple[int, Viewer, Presence], SocketMessage] = BoundedDict(CACHED_MOMENTS)

    @property
    def has_people(self) -> bool:
        """Does any seat belong to a person?"""
        return any(seat.person for seat in self.definition.seats)

    def presence(self) -> Presence:
        """The clock, who is here, how the match stands."""
        raise NotImplementedError

    def moment(self, number: int, viewer: Viewer) -> Moment:
        """A moment as a viewer may see it."""
        return self.timeline.moment(number, viewer)

    # -- watchers ------------------------------------------------------------------------------

    def add_watcher(self, watcher: Watcher, seat: Seat | None = None, known: int | None = None) -> None:
        """Join the watchers, as the person on `seat` if it is given.

        A watcher who comes back and has seen the moments up to `known` gets those after it, if they are not too many.
        """
        for message in self._first_messages(watcher, known):
            watcher.offer(message)
        self.feed.join(watcher)
        self._recount()

    def _first_messages(self, watcher: Watcher, known: int | None) -> list[SocketMessage]:
        last, presence = self.timeline.last, self.presence()
        missed = last - known if known is not None else -1
        if not missed:
            return [encode_message(PresenceMessage(self.id, presence))]
        if watcher.many_matches:
            moment = self.moment(last, None)
            return [encode_message(FirstMessage(self.id, moment, presence, self.game.name, self.timeline.head))]
        first = last - missed + 1 if 0 <= missed <= CATCH_UP_LIMIT else last
        return [self._frame(number, watcher.viewer, presence) for number in range(first, last + 1)]

    def remove_watcher(self, watcher: Watcher, seat: Seat | None = None) -> None:
        self.feed.leave(watcher)
        self._recount()

    def _recount(self) -> None:
        """Count the watchers again, before long."""
        if self._count_soon is None:
            self._count_soon = asyncio.get_running_loop().call_later(COUNT_INTERVAL, self._show_count)

    def _show_count(self) -> None:
        self._count_soon = None
        self.watchers = self.feed.count_onlookers()
        self.publish_presence()

    def publish_moment(self) -> None:
        """Send everyone the newest moment, with the presence."""
        self.publish_frame(self.timeline.last)

    def publish_frame(self, number: int) -> None:
        """Send everyone a moment, with the presence as it is now."""
        if not self.feed:
            return
        presence = self.presence()
        self._publish(lambda viewer: self._frame(number, viewer, presence))

    def publish_presence(self) -> None:
        if not self.feed:
            return
        message = encode_message(PresenceMessage(self.id, self.presence()))
        self._publish(lambda _: message)

    def _publish(self, build_message: Callable[[Viewer], SocketMessage]) -> None:
        """Whatever goes wrong with showing a match does not stop it."""
        try:
            self.feed.publish(build_message)
        except Exception:
            LOG.exception("a match cannot be shown", table=self.id)

    def _frame(self, number: int, viewer: Viewer, presence: Presence) -> SocketMessage:
        """A moment with the presence, encoded once for all who get the same."""
        which = number, viewer, presence
        message = self._messages.get(which)
        if message is None:
            frame = MomentMessage(self.id, self.moment(number, viewer), presence)
            message = self._messages[which] = encode_message(frame)
        return message
