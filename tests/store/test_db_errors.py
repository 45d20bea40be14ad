"""A server that restarts in the middle of a run costs time, not results; one that stays away is told in words."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event, Thread

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError, OperationalError

from fairplay.core import StoreError
from fairplay.store import leases, open_store
from fairplay.store.db_errors import describe_error, is_away, retry_while
from store.postgres import Server, own
from store.samples import CONTEST, results, sample_results


@pytest.fixture
def own_server() -> Iterator[Server]:
    with own() as server:
        yield server


@pytest.mark.parametrize("leased", [True, False])
@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_restart_in_the_middle_of_a_run_loses_nothing(own_server: Server, mode: str, leased: bool) -> None:
    with own_server.database() as url, open_store(url, patience=20) as store, open_store(url) as beside:
        id, goes_on, stop, added, errors = store.create(CONTEST), Event(), Event(), [0], []

        def run() -> None:
            try:
                while not stop.is_set():
                    store.add(id, results(range(added[0], added[0] + 5)))
                    added[0] += 5
                    goes_on.set()
            except Exception as error:
                errors.append(error)
                goes_on.set()

        def keep_going() -> None:
            goes_on.clear()
            assert goes_on.wait(20)

        def session() -> None:
            thread = Thread(target=run)
            thread.start()
            keep_going()
            own_server.stop(mode)
            own_server.start()
            keep_going()
            keep_going()
            stop.set()
            thread.join()

        if leased:
            with store.lease(id):
                session()
                with pytest.raises(StoreError, match="is being run by process"), beside.lease(id):
                    pass
        else:
            session()
        assert errors == []
        assert [each.number for each in store.results(id)] == list(range(added[0]))


def test_a_lease_that_another_took_during_the_restart_stops_the_run(
    own_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "GRACE", 0.2)
    with own_server.database() as url, open_store(url) as store, open_store(url) as other:
        id = store.create(CONTEST)
        with store.lease(id):
            own_server.stop()
            own_server.start()
            with other.lease(id):
                with pytest.raises(StoreError, match=f"tournament {id} is being run by process"):
                    store.add(id, sample_results())
                assert other.summary(id).matches == 0
            store.add(id, sample_results())  # free again, so it is ours again
            with pytest.raises(StoreError, match="is being run by process"), other.lease(id):
                pass


def test_a_server_that_stays_away_is_told_in_words(own_server: Server) -> None:
    with own_server.database() as url, open_store(url, patience=0.3) as store:
        id = store.create(CONTEST)
        own_server.stop()
        for use in (lambda: store.add(id, sample_results()), store.contests, store.history.players):
            with pytest.raises(StoreError, match=r"^postgresql://fairplay@/.* cannot be used: .*connection") as error:
                use()
            assert "\n" not in str(error.value)
        own_server.start()
        store.add(id, sample_results())
        assert store.summary(id).matches == len(sample_results())


def broken(error: Exception, *, connection: bool = False) -> DBAPIError:
    kind = OperationalError if isinstance(error, psycopg.OperationalError) else DBAPIError
    return kind("SELECT", {}, error, connection_invalidated=connection)


@pytest.mark.parametrize(
    ("error", "attempts"),
    [
        (broken(psycopg.OperationalError("could not connect")), 3),
        (broken(psycopg.errors.AdminShutdown("going down")), 3),
        (broken(psycopg.errors.CannotConnectNow("starting up")), 3),
        (broken(psycopg.InterfaceError("the connection is closed"), connection=True), 3),
        (broken(psycopg.errors.DiskFull("no space")), 1),
        (broken(psycopg.ProgrammingError("no such table")), 1),
    ],
)
def test_only_what_waiting_can_mend_is_tried_again(error: DBAPIError, attempts: int) -> None:
    tried = []

    def work() -> str:
        tried.append(1)
        if len(tried) < 3:
            raise error
        return "done"

    if attempts == 3:
        assert retry_while(is_away, work, 5) == "done"
    else:
        with pytest.raises(DBAPIError):
            retry_while(is_away, work, 5)
    assert len(tried) == attempts


def test_an_error_that_nobody_foresaw_is_one_sentence_too() -> None:
    said = describe_error(broken(psycopg.ProgrammingError("what\n  is   this")), "the store")
    assert said == "the store cannot be used: what"
