"""A real Dask cluster of worker processes, one of them killed in the middle."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from fairplay.core import UsageError
from fairplay.run.engines.cluster import Cluster
from fairplay.run.engines.pool import Inline, WorkerError
from run.contests import by_number, contest, wanted

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


def test_a_player_that_ends_its_worker_again_and_again_is_not_waited_for(tmp_path: Path) -> None:
    bot = tmp_path / "killer.py"
    bot.write_text("import os\ndef choose(view): os._exit(3)\n")
    killer = contest("random", f"trusted:{bot}")
    with (
        pytest.raises(WorkerError, match=r"matches 0 to 3 \(player 0, player 1\) were lost with .* worker 4 times"),
        Cluster(None, 1) as engine,
    ):
        list(engine.results(killer, wanted(killer, 4)))


def test_nobody_at_the_address() -> None:
    with pytest.raises(UsageError, match="no Dask scheduler answers at nowhere"), Cluster("nowhere", 1):
        pass


def test_tls_without_certificates_names_the_variables() -> None:
    with (
        pytest.raises(UsageError, match=r"tls://127\.0\.0\.1:1: .* set DASK_\w+TLS__CA_FILE"),
        Cluster("tls://127.0.0.1:1", 1),
    ):
        pass


def test_without_the_extra_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match="pip install distributed"), Cluster(None, 1):
        pass
