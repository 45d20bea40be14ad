"""A real Dask cluster of worker processes, one of them killed in the middle."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from fairplay.core import UsageError
from fairplay.run.cluster import Cluster
from fairplay.run.pool import Inline

from .contests import by_number, contest, wanted

pytestmark = pytest.mark.filterwarnings("ignore")  # a killed worker makes its cluster complain, as it should


def test_a_killed_worker_costs_nothing_but_its_matches_in_flight() -> None:
    matches = wanted(contest(), 200)
    found = []
    with Cluster(None, 2) as engine:
        workers = list(engine.client.run(os.getpid).values())
        assert len(set(workers)) == 2
        for number, result in enumerate(engine.results(contest(), matches)):
            found.append(result)
            if number == 20:
                os.kill(workers[0], signal.SIGKILL)
        address = engine.client.scheduler.address
        with Cluster(address, 1) as second:  # by its address, as on many machines
            again = list(second.results(contest(), matches[:16]))
    with Inline() as engine_of_one:
        expected = by_number(list(engine_of_one.results(contest(), matches)))
    assert by_number(found) == expected
    assert by_number(again) == expected[:16]


def test_nobody_at_the_address() -> None:
    with pytest.raises(UsageError, match="no Dask scheduler answers at nowhere"), Cluster("nowhere", 1):
        pass


def test_without_the_extra_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"pip install 'fairplay\[cluster\]'"), Cluster(None, 1):
        pass
