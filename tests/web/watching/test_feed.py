"""Who watches a match, and what they are sent."""

from __future__ import annotations

import asyncio

from fairplay.core import Seat
from fairplay.web.http.sockets import MAX_LAG, SocketMessage
from fairplay.web.watching.feed import Watcher, Watchers
from fairplay.web.watching.timeline import Viewer
from kit import spy


def message_for(viewer: Viewer) -> SocketMessage:
    return SocketMessage(str(viewer))


def waiting(watcher: Watcher) -> list[str | None]:
    """All that waits for a watcher; None is the end."""

    async def read() -> list[str | None]:
        found: list[str | None] = []
        while not watcher._waiting.empty():
            message = await watcher.next()
            found.append(None if message is None else message.text)
        return found

    return asyncio.run(read())


def test_a_message_is_made_once_for_each_kind_of_viewer() -> None:
    watching, made = Watchers(), list[Viewer]()
    watchers = [Watcher(viewer) for viewer in (None, None, Seat(1), "all", Seat(1))]
    for watcher in watchers:
        watching.join(watcher)
    watching.tell(spy(message_for, made.append))
    assert sorted(map(str, made)) == ["1", "None", "all"]
    assert [waiting(watcher) for watcher in watchers] == [["None"], ["None"], ["1"], ["all"], ["1"]]


def test_who_has_left_is_sent_nothing() -> None:
    watching, watcher = Watchers(), Watcher(None)
    watching.join(watcher)
    watching.leave(watcher)
    watching.leave(watcher)
    watching.tell(message_for)
    assert len(watching) == 0 and waiting(watcher) == []


def test_who_lags_is_dropped_and_counted_and_the_others_go_on() -> None:
    watching, slow, quick = Watchers(), Watcher(None), Watcher(None)
    watching.join(slow)
    watching.join(quick)
    for _ in range(MAX_LAG + 1):
        watching.tell(message_for)
        assert waiting(quick) == ["None"]
    assert (watching.dropped, len(watching), slow.dropped, quick.dropped) == (1, 1, True, False)


def test_the_end_of_a_match_ends_those_who_watch_nothing_else() -> None:
    watching, one, many = Watchers(), Watcher(None), Watcher(None, many_matches=True)
    watching.join(one)
    watching.join(many)
    watching.end()
    assert (waiting(one), waiting(many), len(watching)) == ([None], [], 0)
