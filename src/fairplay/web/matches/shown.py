"""A match that is not over, as people see it: its timeline, its watchers, and what they are sent."""

from __future__ import annotations

from collections.abc import Callable

import structlog
from msgspec import Struct

from fairplay.core import AnyGame, Seat
from fairplay.web.bounded import BoundedDict
from fairplay.web.http.sockets import SocketMessage, encode_message
from fairplay.web.matches.feed import Feed, Watcher
from fairplay.web.matches.tables import TableDefinition, key_matches
from fairplay.web.matches.timeline import CACHED_MOMENTS, Moment, Presence, Timeline, Viewer

__all__ = ["ShownMatch"]

LOG = structlog.get_logger("fairplay.web")

CATCH_UP_LIMIT = 8
"""A watcher who comes back is sent this many missed moments one by one; after more of them, only the newest."""


class MomentMessage(Struct, frozen=True):
    """What a watcher is sent when there is a new moment.  It also means that the clock is not running."""

    id: str
    moment: Moment


class PresenceMessage(Struct, frozen=True):
    """What a watcher is sent when anything else has changed."""

    id: str
    presence: Presence


class ShownMatch:
    """A match with its watchers; who plays it, and where, is not its concern."""

    def __init__(self, id: str, game: AnyGame, definition: TableDefinition, timeline: Timeline) -> None:
        self.id, self.game, self.definition, self.timeline = id, game, definition, timeline
        self.feed = Feed()
        self._messages: BoundedDict[Moment, SocketMessage] = BoundedDict(CACHED_MOMENTS)

    @property
    def has_people(self) -> bool:
        """Does any seat belong to a person?"""
        return any(seat.person for seat in self.definition.seats)

    def presence(self) -> Presence:
        """The clock, who is here, how the match stands."""
        raise NotImplementedError

    def find_seat(self, key: str) -> Seat | None:
        """The seat that `key` is for; every seat is compared, so that the time reveals nothing."""
        found = [Seat(number) for number, seat in enumerate(self.definition.seats) if key_matches(key, seat.key)]
        return found[0] if found else None

    # -- watchers ------------------------------------------------------------------------------

    def add_watcher(self, watcher: Watcher, seat: Seat | None = None, known: int | None = None) -> None:
        """Join the watchers, as the person on `seat` if it is given.

        A watcher who comes back and has seen the moments up to `known` gets those after it, if they are not too many.
        """
        last = self.timeline.last
        missed = last - known if known is not None else -1
        for number in range(last - missed + 1 if 0 <= missed <= CATCH_UP_LIMIT else last, last + 1):
            watcher.offer(self._moment_message(number, watcher.viewer))
        watcher.offer(self._presence_message())
        self.feed.join(watcher)

    def remove_watcher(self, watcher: Watcher, seat: Seat | None = None) -> None:
        """Leave the watchers."""
        self.feed.leave(watcher)

    def publish_moment(self) -> None:
        """Send everyone the newest moment."""
        number = self.timeline.last
        self._publish(lambda viewer: self._moment_message(number, viewer))

    def publish_presence(self) -> None:
        """Send everyone the presence."""
        message = self._presence_message()
        self._publish(lambda _: message)

    def _publish(self, build_message: Callable[[Viewer], SocketMessage]) -> None:
        """Whatever goes wrong with showing a match does not stop it."""
        try:
            self.feed.publish(build_message)
        except Exception:
            LOG.exception("a match cannot be shown", table=self.id)

    def _moment_message(self, number: int, viewer: Viewer) -> SocketMessage:
        moment = self.timeline.moment(number, viewer)
        message = self._messages.get(moment)
        if message is None:
            message = self._messages[moment] = encode_message(MomentMessage(self.id, moment))
        return message

    def _presence_message(self) -> SocketMessage:
        return encode_message(PresenceMessage(self.id, self.presence()))
