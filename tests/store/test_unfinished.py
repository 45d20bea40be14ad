"""Turns of unfinished matches and sessions of remote players: there until they are not needed any more."""

from __future__ import annotations

import gzip
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path

import pytest

from fairplay.core import StoreError
from fairplay.store import SessionRow, open_store
from fairplay.store.store import Store
from fairplay.store.transfer import export_contest
from store.children import adds_turns, child
from store.samples import CONTEST, sample_results

LINES = [b'{"fairplay":1}\n', b'{"turn":1}\n', b"\0\xff"]
TURNS = [(3, number, line) for number, line in enumerate(LINES)]
SESSIONS = [
    SessionRow(0, sha256(b"key of ann").hexdigest(), b'{"name":"ann"}'),
    SessionRow(2, sha256(b"key of bob").hexdigest(), b'{"name":"bob"}'),
]


# -- the queue ---------------------------------------------------------------------------------


def test_contests_stay_in_the_queue_until_they_are_finished_or_removed(store: Store) -> None:
    store.create(CONTEST)
    first, second, third = (store.create(CONTEST, queued=True) for _ in range(3))
    assert store.queue.contests() == [first, second, third]
    store.finish(first, b"[]")
    store.queue.remove(third)
    store.queue.remove(third)
    assert store.queue.contests() == [second]
    store.queue.add(third)
    store.queue.add(third)
    assert store.queue.contests() == [second, third]


# -- turns -------------------------------------------------------------------------------------


def test_lines_come_back_by_match_and_in_order(url: str, store: Store) -> None:
    id, other = store.create(CONTEST), store.create(CONTEST)
    store.add_turns(id, [*reversed(TURNS), (2**40, 0, b"far")])
    store.add_turns(other, [(3, 0, b"other")])
    with open_store(url) as again:
        assert again.unfinished_turns(id) == {3: LINES, 2**40: [b"far"]}
        assert again.unfinished_turns(other) == {3: [b"other"]}


def test_a_line_that_is_there_stays(store: Store) -> None:
    id = store.create(CONTEST)
    store.add_turns(id, TURNS[:2])
    store.add_turns(id, [(3, 1, b"another"), *TURNS[2:]])
    store.add_turns(id, [])
    assert store.unfinished_turns(id) == {3: LINES}


def test_lines_after_a_gap_are_not_given(store: Store) -> None:
    id = store.create(CONTEST)
    store.add_turns(id, [(0, 0, b"a"), (0, 2, b"c"), (0, 3, b"d"), (1, 1, b"no beginning")])
    assert store.unfinished_turns(id) == {0: [b"a"]}
    store.add_turns(id, [(0, 1, b"b")])
    assert store.unfinished_turns(id) == {0: [b"a", b"b", b"c", b"d"]}


def test_the_result_of_a_match_takes_the_place_of_its_lines(store: Store) -> None:
    id = store.create(CONTEST)
    store.add_turns(id, [*TURNS, (4, 0, b"goes on")])
    store.add(id, [sample_results()[3]])
    assert store.unfinished_turns(id) == {4: [b"goes on"]}
    store.add_turns(id, [*TURNS, (4, 1, b"still")])
    assert store.unfinished_turns(id) == {4: [b"goes on", b"still"]}


def test_a_finished_contest_has_no_unfinished_matches(store: Store) -> None:
    id = store.create(CONTEST)
    store.add_turns(id, TURNS)
    store.finish(id, b"{}")
    assert store.unfinished_turns(id) == {}
    store.add_turns(id, TURNS)
    assert store.unfinished_turns(id) == {}


def test_lines_of_a_contest_that_is_not_there_are_refused(store: Store) -> None:
    with pytest.raises(StoreError, match="there is no tournament 7"):
        store.add_turns(7, TURNS)
    with pytest.raises(StoreError, match="there is no tournament 7"):
        store.unfinished_turns(7)


def test_lines_are_kept_through_the_lease(store: Store) -> None:
    id = store.create(CONTEST)
    with store.lease(id):
        store.add_turns(id, TURNS)
        assert store.unfinished_turns(id) == {3: LINES}
        store.add(id, [sample_results()[3]])
    assert store.unfinished_turns(id) == {}


def test_several_processes_keep_lines_of_one_contest_while_results_come_in(url: str, store: Store) -> None:
    id = store.create(CONTEST)
    with ExitStack() as stack:
        children = [stack.enter_context(child(adds_turns, url, id, first)) for first in (0, 4, 8)]
        assert [reports.recv() for _, reports in children] == ["done"] * 3
    assert store.summary(id).matches == 9
    assert store.unfinished_turns(id) == {match: [b"0", b"1", b"2"] for match in (3, 7, 11)}


# -- sessions ----------------------------------------------------------------------------------


def test_sessions_come_back_until_the_contest_is_finished(url: str, store: Store) -> None:
    id, other = store.create(CONTEST, sessions=reversed(SESSIONS)), store.create(CONTEST)
    with open_store(url) as again:
        assert again.sessions(id) == SESSIONS
        assert again.sessions(other) == []
    store.finish(id, b"{}")
    assert store.sessions(id) == []
    with pytest.raises(StoreError, match="there is no tournament 7"):
        store.sessions(7)


def test_sessions_that_cannot_be_kept_leave_no_contest(store: Store) -> None:
    with pytest.raises(StoreError):
        store.create(CONTEST, sessions=[SESSIONS[0], SESSIONS[0]])
    assert store.contests() == []


def test_an_export_holds_neither_sessions_nor_turns(store: Store, tmp_path: Path) -> None:
    id = store.create(CONTEST, sessions=SESSIONS)
    store.add(id, sample_results()[:2])
    store.add_turns(id, [(5, 0, b"unfinished")])
    export_contest(store, id, tmp_path / "contest.gz")
    content = gzip.decompress((tmp_path / "contest.gz").read_bytes())
    assert content
    for secret in (SESSIONS[0].secret.encode(), SESSIONS[0].hello, b"ann", b"unfinished"):
        assert secret not in content
