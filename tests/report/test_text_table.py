"""The table for a spreadsheet."""

from __future__ import annotations

import csv
import io

from msgspec.structs import replace

from fairplay.contest.scoreboard import FaultGroup
from fairplay.core import FaultKind
from fairplay.report.text_table import format_csv
from report.samples import HOSTILE, TABLES


def test_a_spreadsheet_has_a_line_for_each_player_and_a_cell_for_each_figure() -> None:
    head, *lines = csv.reader(io.StringIO(format_csv(TABLES)))
    assert [line[0] for line in lines] == ["ann", HOSTILE, "new"]
    assert {len(line) for line in lines} == {len(head)}
    best, second, unknown = (dict(zip(head, line, strict=True)) for line in lines)
    assert (best["matches"], best["wins"], best["rating"], best["average low"]) == ("4", "3", "1600.4", "8")
    assert (second["average"], second["average low"], second["average high"]) == ("4", "", "")
    assert (unknown["rating"], unknown["rating low"], unknown["average"]) == ("1500", "", "")


def test_matches_that_a_player_missed_are_no_faults() -> None:
    missed = replace(TABLES.standings[0], faults=1, absences=7)
    group = FaultGroup("ann", FaultKind.ILLEGAL, "not your turn", 1, 2, absent=7)
    head, line = csv.reader(io.StringIO(format_csv(replace(TABLES, standings=(missed,)), [group])))
    cells = dict(zip(head, line, strict=True))
    assert (cells["faults"], cells["absences"]) == ("1", "7")
    assert cells["fault reasons"] == "1 x illegal, then absent from 7 matches: not your turn"
