"""Workers that are stopped, slow or without a scheduler in the middle of a stored contest: each match counts once."""

from __future__ import annotations

import signal
from pathlib import Path

from .nodes import ALL, MATCHES, NOTICES_SILENCE, cluster, play_on, tables, unbroken


def test_a_stopped_worker_that_was_given_up_goes_on(tmp_path: Path) -> None:
    with cluster(tmp_path, NOTICES_SILENCE) as nodes:
        nodes.until_both_wait()
        held = nodes.far.came
        nodes.far.process.send_signal(signal.SIGSTOP)
        nodes.until(lambda: nodes.given_up(nodes.far))
        nodes.near.allow(ALL)
        nodes.until(lambda: held <= nodes.near.played)
        nodes.far.allow(ALL)
        nodes.far.process.send_signal(signal.SIGCONT)
        nodes.until(lambda: nodes.far.ended)
        assert not nodes.counter.ended
        nodes.finish()
        assert held <= nodes.far.played <= nodes.near.played, "the same matches were played twice"


def test_a_worker_that_was_stopped_for_a_while_has_lost_nothing(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        nodes.until_both_wait()
        nodes.far.process.send_signal(signal.SIGSTOP)
        nodes.counter.allow(ALL)
        nodes.near.allow(ALL)
        nodes.until(lambda: len(nodes.near.played) >= MATCHES / 2)
        nodes.far.process.send_signal(signal.SIGCONT)
        nodes.finish()
        assert not nodes.given_up(nodes.far)
        assert nodes.near.played.isdisjoint(nodes.far.played)


def test_a_slow_worker_keeps_nothing_back_but_what_it_plays(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        nodes.until_both_wait()
        nodes.counter.allow(ALL)
        nodes.near.allow(ALL)
        nodes.until(lambda: nodes.near.played | nodes.far.came == set(range(MATCHES)))
        assert len(nodes.far.came) == 8
        nodes.finish()
        assert nodes.near.played.isdisjoint(nodes.far.played)


def test_without_its_scheduler_a_contest_stops_and_can_be_resumed(tmp_path: Path) -> None:
    with cluster(tmp_path) as nodes:
        nodes.until_both_wait()
        nodes.counter.allow(ALL)
        nodes.near.allow(3)
        nodes.until(lambda: len(nodes.counter.came) == 24)
        nodes.scheduler.process.kill()
        nodes.until(lambda: nodes.counter.ended)
        assert "ClusterError: the connection to the Dask scheduler was lost" in nodes.counter.log
        assert nodes.counter.counted == sorted(nodes.counter.came), "what was finished is kept"
        assert play_on(nodes.database, nodes.id) == MATCHES - 24
        assert tables(nodes.database, nodes.id) == unbroken(tmp_path)
