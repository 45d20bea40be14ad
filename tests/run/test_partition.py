"""A worker behind a cable that is cut in the middle of a stored contest: whatever it still plays counts once."""

from __future__ import annotations

from pathlib import Path

import pytest

from .network import cable
from .nodes import ALL, NOTICES_DEAD_CONNECTIONS, NOTICES_SILENCE, Settings, cluster


@pytest.mark.parametrize("settings", [NOTICES_SILENCE, NOTICES_DEAD_CONNECTIONS], ids=["silence", "connection"])
def test_who_was_given_up_and_comes_back_with_results_is_not_heard(tmp_path: Path, settings: Settings) -> None:
    with cable() as net, cluster(tmp_path, settings, net.here, net.there) as nodes:
        nodes.until_both_wait()
        net.cut()
        nodes.until(lambda: nodes.given_up(nodes.far))
        nodes.far.allow(1)
        nodes.until(lambda: nodes.far.played)
        net.mend()
        nodes.far.allow(ALL)
        nodes.until(lambda: nodes.far.ended)  # it learns that nobody waits for it any more
        nodes.finish()
        assert nodes.far.played < nodes.near.played == nodes.counter.came, "all that it played was played again"


def test_who_comes_back_in_time_has_lost_nothing(tmp_path: Path) -> None:
    with cable() as net, cluster(tmp_path, None, net.here, net.there) as nodes:
        nodes.until_both_wait()
        net.cut()
        nodes.far.allow(1)
        nodes.until(lambda: nodes.far.played)
        net.mend()
        nodes.finish()
        assert not nodes.given_up(nodes.far)
        assert not nodes.far.played & nodes.near.played, "nothing was played twice"


def test_results_that_lie_on_a_worker_that_is_cut_off_are_played_again(tmp_path: Path) -> None:
    with cable() as net, cluster(tmp_path, NOTICES_SILENCE, net.here, net.there) as nodes:
        nodes.until_both_wait()
        nodes.far.allow(3)
        nodes.until(lambda: nodes.counter.came and len(nodes.far.played) == 24)
        net.cut()
        finished = nodes.far.played
        nodes.counter.allow(ALL)
        nodes.until(lambda: nodes.given_up(nodes.far))
        net.mend()
        nodes.finish()
        assert len(finished & nodes.near.played) >= 16, "all but the batch that had been fetched"
