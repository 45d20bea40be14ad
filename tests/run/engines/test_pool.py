"""Worker processes: any number gives the same results, dead ones are replaced, none is left behind.

So does a real Dask cluster of worker processes, one of them killed in the middle.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import signal
import socket
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from time import sleep

import pytest

from fairplay.core import UsageError
from fairplay.core.chance import derived_seed
from fairplay.match.packing import unpacked
from fairplay.match.record import read_record
from fairplay.match.replay import replay_record
from fairplay.run.engines.pool import Cluster, Inline, Pool, WorkerError, split_processors
from fairplay.run.isolation.sandbox import find_level
from run.contests import by_number, contest, wanted


def inline(count: int) -> list[tuple[int, object, bytes]]:
    with Inline() as engine:
        return by_number(list(engine.results(contest(), wanted(contest(), count))))


def test_results_do_not_depend_on_the_number_of_jobs() -> None:
    for jobs in (1, 2, 3):
        with Pool(jobs) as engine:
            assert by_number(list(engine.results(contest(), wanted(contest(), 30)))) == inline(30)
    assert multiprocessing.active_children() == []


def test_one_pool_plays_round_after_round() -> None:
    with Pool(2) as engine:
        for _ in range(3):
            assert by_number(list(engine.results(contest(), wanted(contest(), 5)))) == inline(5)
        assert list(engine.results(contest(), [])) == []


def test_matches_of_one_deal_are_dealt_alike_and_records_are_consistent() -> None:
    from fairplay.games.fish import GAME

    first, second = wanted(contest(), 2)
    assert first.seed == second.seed == derived_seed(7, "deal", 0)
    assert first.line_up == second.line_up[::-1]
    with Inline() as engine:
        for result in engine.results(contest(), [first, second]):
            record = read_record(unpacked(result.record))
            assert record.header.players == tuple(f"player {player}" for player in result.line_up)
            assert record.outcome == result.outcome
            assert len(list(replay_record(GAME, record))) > 10


@pytest.mark.parametrize("moment", [0, 7, 50])
def test_a_worker_that_dies_is_replaced_and_its_matches_are_played_again(moment: int) -> None:
    found = []
    with Pool(2) as engine:
        for number, result in enumerate(engine.results(contest(), wanted(contest(), 80))):
            found.append(result)
            if number == moment:
                os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)
    assert by_number(found) == inline(80)
    assert multiprocessing.active_children() == []


def test_a_worker_that_dies_between_rounds_is_replaced_and_its_processors_are_free(tmp_path: Path) -> None:
    with Pool(2) as engine:
        list(engine.results(contest(), wanted(contest(), 5)))
        for child in multiprocessing.active_children():
            os.kill(child.pid or 0, signal.SIGKILL)
            child.join()
        assert by_number(list(engine.results(contest(), wanted(contest(), 20)))) == inline(20)
        assert len(list(engine.results(contest(), wanted(contest(), 5)))) == 5
        assert engine.executor is not None
        if find_level().level != "sandboxed":
            pytest.skip("outside a sandbox, a program may take all processors")
        check_shares(engine.executor, tmp_path)


SPREAD = """
import os

def choose(view):
    try:
        os.sched_setaffinity(0, range(os.cpu_count()))
    except PermissionError:
        raise ValueError(sorted(os.sched_getaffinity(0)))
"""
"""Takes all processors if it can, and says which it has if it cannot."""


def check_shares(executor: ProcessPoolExecutor, folder: Path) -> None:
    """The programs of two workers share no processor, and together they have all."""
    (folder / "bot.py").write_text(SPREAD)
    found = [json.loads(each.result()) for each in [executor.submit(report_share, folder) for _ in range(2)]]
    processors = sorted(os.sched_getaffinity(0))
    if len(processors) == 1:
        assert found == [processors] * 2
    else:
        assert all(found) and sorted(found[0] + found[1]) == processors


def report_share(folder: Path) -> str:
    """The processors that a bot may use in this worker; waits for the other worker, so that it does not play both."""
    asked = contest(str(folder / "bot.py"), "greedy")
    with Inline() as engine:
        (result,) = engine.results(asked, wanted(asked, 1))
    (folder / f"{os.getpid()}.share").touch()
    while len([*folder.glob("*.share")]) < 2:
        sleep(0.01)
    fault = result.outcome.faults[result.line_up.index(0)] if result.outcome else None
    found = re.search(r"ValueError: (\[.*\])", fault.detail if fault else "")
    assert found, result.outcome
    return found[1]


@pytest.mark.parametrize(
    ("workers", "shares"),
    [
        (1, [[2, 3, 5, 7, 8]]),
        (2, [[2, 3], [5, 7, 8]]),
        (3, [[2], [3, 5], [7, 8]]),
        (5, [[2], [3], [5], [7], [8]]),
        (6, [[2, 3, 5, 7, 8]] * 6),
    ],
)
def test_each_worker_has_processors_of_its_own_if_there_are_enough(
    monkeypatch: pytest.MonkeyPatch, workers: int, shares: list[list[int]]
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {8, 2, 3, 7, 5})
    assert split_processors(workers) == shares


def test_a_system_without_affinities_has_no_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity")
    assert split_processors(2) == [[], []]


def test_a_player_that_ends_its_process_is_named(tmp_path: Path) -> None:
    bot = tmp_path / "killer.py"
    bot.write_text("import os\ndef choose(view): os._exit(3)\n")
    killer = contest("random", f"trusted:{bot}")
    with (
        pytest.raises(WorkerError, match=r"match 0 \(player 0, player 1\) ended its worker process 3 times"),
        Pool(2) as engine,
    ):
        list(engine.results(killer, wanted(killer, 4)))
    assert multiprocessing.active_children() == []


def test_stopping_in_the_middle_leaves_no_process_behind() -> None:
    with Pool(2) as engine:
        results = engine.results(contest(), wanted(contest(), 500))
        next(results)
    assert multiprocessing.active_children() == []


# -- a real Dask cluster -----------------------------------------------------------------------

complaining = pytest.mark.filterwarnings("ignore")  # a killed worker makes its cluster complain, as it should


@complaining
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


@complaining
def test_a_player_that_ends_its_worker_again_and_again_is_not_waited_for(tmp_path: Path) -> None:
    bot = tmp_path / "killer.py"
    bot.write_text("import os\ndef choose(view): os._exit(3)\n")
    killer = contest("random", f"trusted:{bot}")
    with (
        pytest.raises(WorkerError, match=r"matches 0 to 3 \(player 0, player 1\) were lost with .* worker 4 times"),
        Cluster(None, 1) as engine,
    ):
        list(engine.results(killer, wanted(killer, 4)))


def test_a_cluster_of_this_machine_takes_no_port_that_another_may_have() -> None:
    with suppress(OSError), socket.create_server(("0.0.0.0", 8787)), Cluster(None, 1) as engine:  # Dask's usual one
        services = engine.client.scheduler_info()["services"]
        assert 8787 not in services.values()


@complaining
def test_nobody_at_the_address() -> None:
    with pytest.raises(UsageError, match="no Dask scheduler answers at nowhere"), Cluster("nowhere", 1):
        pass


@complaining
def test_tls_without_certificates_names_the_variables() -> None:
    with (
        pytest.raises(UsageError, match=r"tls://127\.0\.0\.1:1: .* set DASK_\w+TLS__CA_FILE"),
        Cluster("tls://127.0.0.1:1", 1),
    ):
        pass


@complaining
def test_without_the_extra_there_is_a_hint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match="pip install distributed"), Cluster(None, 1):
        pass
