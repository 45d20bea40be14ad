"""Who watches a match: each message is made once for all viewers of a kind, and nobody is waited for."""

from collections.abc import Callable

from fairplay.web.http.sockets import Outbox, SocketMessage
from fairplay.web.watching.timeline import Viewer


class Watcher(Outbox):
    """A client that watches as a certain viewer."""

    def __init__(
        self, viewer: Viewer, *, gzipped: bool = False, many_matches: bool = False, at_table: bool = False
    ) -> None:
        super().__init__(gzipped=gzipped)
        self.viewer = viewer
        self.many_matches = many_matches  # and so goes on when one of them ends
        self.at_table = at_table  # somebody who has a seat


class Feed:
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

    def publish(self, build_message: Callable[[Viewer], SocketMessage]) -> None:
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
