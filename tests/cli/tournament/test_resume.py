"""`fairplay tournament resume`: what it refuses, so that nobody loses matches that nobody played."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from click.testing import Result
from msgspec import Raw

from fairplay.contest.contest import Contest, Entrant
from fairplay.store import SessionRow, open_store

Fairplay = Callable[..., Result]

HELLO = b'{"type": "hello", "version": 1, "name": "ann"}'


def create(*entrants: Entrant, sessions: tuple[SessionRow, ...] = ()) -> None:
    with open_store("fairplay.db") as store:
        contest = Contest("fish", entrants, "round-robin", {"games": 1}, Raw(b"{}"), 1, 3.0)
        store.create(contest, sessions=sessions)


@pytest.mark.parametrize("port", [[], ["--port", "0"]])
@pytest.mark.parametrize("kind", ["established", "native"])
def test_players_who_cannot_come_back_are_not_played_as_gone(fairplay: Fairplay, kind: str, port: list[str]) -> None:
    """Those of the established protocols; and of the native one, if an earlier version or an import kept no session."""
    create(Entrant("ann", f"connection:{kind}"), Entrant("bob", f"connection:{kind}"), Entrant("greedy", "greedy"))
    result = fairplay("tournament", "resume", "1", *port)
    assert result.exit_code == 2
    assert "tournament 1 cannot be resumed: ann and bob signed up over a network and cannot come back" in result.output
    assert "tournament show 1`" in result.output and "tournament export 1 FILE`" in result.output
    with open_store("fairplay.db") as store:
        assert store.summary(1).finished is None and store.summary(1).matches == 0


def test_whoever_has_a_session_may_come_back(fairplay: Fairplay) -> None:
    entrants = (Entrant("ann", "connection:native"), Entrant("greedy", "greedy"))
    create(*entrants, sessions=(SessionRow(0, "0" * 64, HELLO),))
    result = fairplay("tournament", "resume", "1")
    assert result.exit_code == 2
    assert "tournament 1 has players from a network; say where they come back with --port" in result.output
