"""What the report of a tournament shows, taken out of its store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from fairplay.contest.scoreboard import FaultGroup
from fairplay.core import Fault, FaultKind, Outcome, Seat
from fairplay.report.tournament_report import (
    TournamentReport,
    collect_report,
    load_tables,
    load_tournament,
    render_page,
)
from fairplay.store import open_store
from fairplay.store.store import Store
from store.samples import CONTEST, FISH, faulty, sample_results


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def collected(store: Store, id: int) -> TournamentReport:
    return collect_report(store, load_tournament(store, id, FISH), FISH, "replay it")


def test_one_match_of_each_line_up_is_told(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, sample_results())
    report = collected(store, id)
    assert report.title == f"Fish: tournament {id}"
    assert report.summary == "12 matches, 3 players, round-robin, seed shown when it is over."
    assert [match.number for match in report.matches] == [0, 2, 4]
    for match in report.matches:
        assert match.title.endswith(" won")
        assert match.turns[0].startswith("red placed a penguin")
        assert match.picture.startswith("<svg")
    assert not report.faults and not report.bracket.rounds


def test_faults_that_are_alike_are_told_once(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, [*sample_results(), *(faulty(number, f"fault {number}") for number in range(12, 72))])
    report = collected(store, id)
    assert report.faults == (FaultGroup("third", FaultKind.CRASHED, "fault 12", 60, 12),)
    assert render_page(report).count("<pre>fault ") == 1


def test_a_knock_out_has_its_bracket_and_its_winner(store: Store) -> None:
    contest = replace(CONTEST, format="knock-out", options={})
    id = store.create(contest)
    assert load_tournament(store, id, FISH).bracket.winners == ()
    store.add(id, [replace(sample_results()[0], line_up=(0, 1, 2), outcome=WON)])
    report = collected(store, id)
    assert report.bracket.winners == ("second",)
    page = render_page(report)
    assert "<p>Winner: <strong>second</strong></p>" in page
    assert "<li>first out, <strong>second</strong> 9, third 7</li>" in page


WON = Outcome(((Seat(1),), (Seat(2),)), (None, (9, 1), (7, 1)), (Fault(FaultKind.GONE), None, None), "over")


def test_a_match_without_a_record_is_passed_over(store: Store) -> None:
    id = store.create(CONTEST)
    without = {0, 1, 4, 5, 10, 11}  # no match of the first and the third player has one
    store.add(id, [replace(each, record=b"") if each.number in without else each for each in sample_results()])
    assert [match.number for match in collected(store, id).matches] == [2, 6]


def test_a_tournament_without_records_has_a_report(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, [replace(each, record=b"") for each in sample_results()])
    report = collected(store, id)
    assert (report.matches, report.tables.matches) == ((), 12)
    assert "No match was kept with its record." in render_page(report)


def test_the_tables_of_a_finished_tournament_are_those_that_were_kept(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, sample_results())
    counted, _ = load_tables(store, id, FISH)
    assert counted.matches == 12
    store.finish(id, msgspec.json.encode(replace(counted, matches=99)))
    assert load_tables(store, id, FISH) == (replace(counted, matches=99), None)


def test_what_was_kept_and_is_not_a_table_is_counted_again(store: Store) -> None:
    id = store.create(CONTEST)
    store.add(id, sample_results())
    store.finish(id, b"[]")
    assert load_tables(store, id, FISH)[0].matches == 12
