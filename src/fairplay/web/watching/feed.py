"""Who watches a match: each message is made once for all viewers of a kind, and nobody is waited for."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Protocol, TypeAlias

import structlog
from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import AnyGame
from fairplay.web.http.limits import BoundedDict
from fairplay.web.http.sockets import Outbox, SocketMessage, encode_message
from fairplay.web.watching.timeline import CACHED_MOMENTS, Moment, Presence, Timeline, Viewer

LOG = structlog.get_logger("fairplay.web")

CATCH_UP_LIMIT = 8
"""A watcher who comes back is sent this many missed moments one by one; after more of them, only the newest."""

COUNT_INTERVAL = 1.0
"""Seconds after which a changed number of watchers is shown: many come at once, and nobody waits for it."""

Situation: TypeAlias = tuple[Presence, float | None]
"""The presence without the passing of time, and when the time of the person who is asked is up, if one is."""


class Watcher(Outbox):
    """A client that watches as a certain viewer."""

    def __init__(
        self, viewer: Viewer, *, gzipped: bool = False, many_matches: bool = False, at_table: bool = False
    ) -> None:
        super().__init__(gzipped=gzipped)
        self.viewer = viewer
        self.many_matches = many_matches  # and so goes on when one of them ends
        self.at_table = at_table  # somebody who has a seat


class Watchers:
    """All watchers of one match."""

    def __init__(self) -> None:
        self._watchers: dict[Viewer, set[Watcher]] = {}
        self.dropped = 0  # watchers that lagged too far behind

    def __len__(self) -> int:
        return sum(map(len, self._watchers.values()))

    def count_onlookers(self) -> int:
        """How many look on at this match alone, and have no seat."""
        everyone = (watcher for watchers in self._watchers.values() for watcher in watchers)
        return sum(not watcher.many_matches and not watcher.at_table for watcher in everyone)

    def join(self, watcher: Watcher) -> None:
        """Send a watcher everything from now on."""
        self._watchers.setdefault(watcher.viewer, set()).add(watcher)

    def leave(self, watcher: Watcher) -> None:
        """Send a watcher nothing more; the second time nothing happens."""
        others = self._watchers.get(watcher.viewer, set())
        others.discard(watcher)
        if not others:
            self._watchers.pop(watcher.viewer, None)

    def tell(self, build_message: Callable[[Viewer], SocketMessage]) -> None:
        """Offer each watcher the message for its viewer."""
        for viewer, watchers in tuple(self._watchers.items()):
            message = build_message(viewer)
            for watcher in tuple(watchers):
                watcher.offer(message)
                if watcher.dropped:
                    self.dropped += watcher.lagged
                    self.leave(watcher)

    def release_many(self) -> None:
        """Send nothing more to those who watch other matches as well."""
        for watcher in [each for watchers in self._watchers.values() for each in watchers if each.many_matches]:
            self.leave(watcher)

    def drop(self) -> None:
        """Tell everyone to come back, to something else."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                if not watcher.many_matches:
                    watcher.drop()
        self._watchers.clear()

    def end(self) -> None:
        """Tell everyone that nothing more will come."""
        for watchers in self._watchers.values():
            for watcher in watchers:
                if not watcher.many_matches:
                    watcher.end()
        self._watchers.clear()


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


class ShownMatch(Protocol):
    """What a feed needs of a match; who plays it, and where, is not its concern."""

    id: str
    game: AnyGame
    timeline: Timeline

    def situation(self) -> Situation:
        """How the match stands, and who is here."""
        ...

    def moment(self, number: int, viewer: Viewer) -> Moment:
        """A moment as a viewer may see it."""
        ...


class Feed:
    """What watchers of a match are sent."""

    def __init__(self, match: ShownMatch) -> None:
        self.watchers = Watchers()
        self.onlookers = 0  # as they were last counted
        self._match = match
        self._sent = 0  # the newest moment that watchers were sent
        self._published: Situation | None = None  # what they know besides the moments
        self._count_soon: asyncio.TimerHandle | None = None
        self._messages: BoundedDict[tuple[int, Viewer, Presence], SocketMessage] = BoundedDict(CACHED_MOMENTS)

    def presence(self) -> Presence:
        """The clock, who is here, how the match stands."""
        return tell_time(self._match.situation())

    # -- coming and going ----------------------------------------------------------------------

    def join(self, watcher: Watcher, known: int | None = None) -> None:
        """Send a watcher how it stands, and everything from now on.

        One who comes back and has seen the moments up to `known` gets those after it, if they are not too many.
        """
        for message in self._first_messages(watcher, known):
            watcher.offer(message)
        self.watchers.join(watcher)
        self._recount()

    def _first_messages(self, watcher: Watcher, known: int | None) -> list[SocketMessage]:
        match, presence = self._match, self.presence()
        last = match.timeline.last
        missed = last - known if known is not None else -1
        if not missed:
            return [encode_message(PresenceMessage(match.id, presence))]
        if watcher.many_matches:
            moment = match.moment(last, None)
            return [encode_message(FirstMessage(match.id, moment, presence, match.game.name, match.timeline.head))]
        first = last - missed + 1 if 0 <= missed <= CATCH_UP_LIMIT else last
        return [self._frame(number, watcher.viewer, presence) for number in range(first, last + 1)]

    def leave(self, watcher: Watcher) -> None:
        """Send a watcher nothing more."""
        self.watchers.leave(watcher)
        self._recount()

    def _recount(self) -> None:
        """Count the watchers again, before long."""
        if self._count_soon is None:
            self._count_soon = asyncio.get_running_loop().call_later(COUNT_INTERVAL, self._show_count)

    def _show_count(self) -> None:
        self._count_soon = None
        self.onlookers = self.watchers.count_onlookers()
        self.publish()

    # -- news ----------------------------------------------------------------------------------

    def publish(self, *, again: bool = False) -> None:
        """Send everyone the moments that they have not got, or else the presence, if it has changed.

        again: the newest moment in any case.
        """
        if again:
            self.repeat()
        situation, last = self._match.situation(), self._match.timeline.last
        if self._sent < last:
            first = max(self._sent + 1, last - CATCH_UP_LIMIT)
            self._sent, self._published = last, situation
            for number in range(first, last + 1):
                self._publish_moment(number, situation)
        elif situation != self._published:
            self._published = situation
            if self.watchers:
                message = encode_message(PresenceMessage(self._match.id, tell_time(situation)))
                self._tell(lambda _: message)

    def repeat(self) -> None:
        """Send the newest moment again with the next news: it is not as it was."""
        self._sent = min(self._sent, self._match.timeline.last - 1)

    def _publish_moment(self, number: int, situation: Situation) -> None:
        """Send everyone a moment, with the presence as it is now."""
        if self.watchers:
            presence = tell_time(situation)
            self._tell(lambda viewer: self._frame(number, viewer, presence))

    def _tell(self, build_message: Callable[[Viewer], SocketMessage]) -> None:
        """Whatever goes wrong with showing a match does not stop it."""
        try:
            self.watchers.tell(build_message)
        except Exception:
            LOG.exception("a match cannot be shown", table=self._match.id)

    def _frame(self, number: int, viewer: Viewer, presence: Presence) -> SocketMessage:
        """A moment with the presence, encoded once for all who get the same."""
        which = number, viewer, presence
        message = self._messages.get(which)
        if message is None:
            frame = MomentMessage(self._match.id, self._match.moment(number, viewer), presence)
            message = self._messages[which] = encode_message(frame)
        return message


def tell_time(situation: Situation) -> Presence:
    """The presence at this moment."""
    presence, due = situation
    return presence if due is None else replace(presence, clock=round(max(0.0, due - monotonic()), 1))
