"""Killed at any moment, a store keeps all that it reported, and nothing by halves."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from random import Random
from time import sleep

import pytest

from fairplay.core.chance import below
from fairplay.match.record import read_record
from fairplay.store import open_store
from store.children import BATCH, adds, child, opens
from store.samples import CONTEST, result

KILLS = int(os.environ.get("FAIRPLAY_KILLS", "4"))
"""For each database; `make soak` kills more often."""


@pytest.mark.timeout(600 + 6 * KILLS)
def test_what_was_reported_durable_survives_kills_at_random_moments(url: str) -> None:
    chance = Random()  # other moments in each run
    with open_store(url) as store:
        id = store.create(CONTEST)
    reported = 0
    for kill in range(KILLS):
        with child(adds, url, id, reported) as (process, reports):
            reports.recv()  # that it has the lease, which the one before it was killed with
            if kill % 2:
                reported = reports.recv()  # the others may be killed before anything is stored
            sleep(below(chance, 60) / 1000)
            process.kill()
            with suppress(EOFError):
                while True:
                    reported = reports.recv()
        with open_store(url) as store:
            numbers = [each.number for each in store.results(id)]
        assert numbers == list(range(len(numbers))), f"kill {kill}: gaps"
        assert reported <= len(numbers) <= reported + BATCH, f"kill {kill}: a reported match is lost"
        assert len(numbers) % BATCH == 0, f"kill {kill}: a batch was stored by halves"
        reported = len(numbers)
    assert reported > 0
    with open_store(url) as store:
        for each in store.results(id, records=True):
            assert each == result(each.number)
            assert read_record(store.record(id, each.number).splitlines(keepends=True)).outcome == each.outcome
    if url.endswith(".db"):
        with closing(sqlite3.connect(url)) as database:
            assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert database.execute("PRAGMA foreign_key_check").fetchall() == []


def test_a_kill_while_the_tables_are_made_does_no_harm(url: str) -> None:
    chance = Random()
    for _ in range(KILLS):
        with child(opens, url) as (process, _):
            sleep(below(chance, 120) / 1000)
            process.kill()
    with open_store(url) as store:
        assert store.contests() == []
        store.add(store.create(CONTEST), [result(0)])
