"""The report as one HTML file: complete, well-formed, harmless."""

from __future__ import annotations

from html.parser import HTMLParser

import msgspec
from msgspec.structs import replace

from fairplay.contest.schedule import Bracket
from fairplay.contest.scoreboard import MAX_CROSS_PLAYERS, FaultGroup
from fairplay.core import FaultKind, Picture
from fairplay.report.tournament_report import ReportedMatch, TournamentReport, render_page
from report.samples import HOSTILE, TABLES

REPORT = TournamentReport(
    title="Fish: tournament 3",
    summary="4 matches",
    unit="fish",
    tables=TABLES,
    bracket=Bracket((), ()),
    faults=(FaultGroup(HOSTILE, FaultKind.CRASHED, HOSTILE, 3, 2),),
    matches=(ReportedMatch(2, HOSTILE, HOSTILE, (HOSTILE, "ann moves"), Picture("<svg class='last'></svg>")),),
    replay_command=f"fairplay replay {HOSTILE}#3/NUMBER",
    unproven="1 of 4 matches is unproven",
)

VOID = {"meta"}


class Elements(HTMLParser):
    """The elements of a page with their attributes, and their texts; every tag must be closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts.append((self._open[-1], data))

    def text(self, tag: str) -> list[str]:
        return [text for within, text in self.texts if within == tag and text.strip()]


def test_the_page_is_well_formed_and_everything_strange_in_it_is_text() -> None:
    page = Elements(render_page(REPORT))
    names = {name for name, _ in page.found}
    assert {"svg", "table", "details"} <= names
    assert not {"script", "b", "link", "img", "iframe"} & names
    assert HOSTILE in "".join(page.text("pre"))
    assert HOSTILE in "".join(page.text("summary"))
    assert f"fairplay replay {HOSTILE}#3/NUMBER" in "".join(page.text("code"))
    assert "".join(page.text("li")) == f"{HOSTILE}ann moves"
    assert "http" not in render_page(REPORT).replace("http://www.w3.org/2000/svg", "")


def test_a_figure_has_its_interval_where_it_has_one() -> None:
    page = render_page(REPORT)
    assert "9.5 <small>[8.0, 11.0]</small></td>" in page
    assert '<td class="number">4.0</td>' in page
    assert '<td class="number">–</td>' in page
    assert '<td class="number">3 <small>75% [50%, 88%]</small></td>' in page
    assert "inf" not in page.replace("information", "") and "None]" not in page


def test_the_cross_table_says_who_won_how_much_against_whom() -> None:
    cells = [attributes for name, attributes in Elements(render_page(REPORT)).found if "data-won" in attributes]
    assert [(cell["data-won"], cell["title"]) for cell in cells] == [
        ("12", f"ann against {HOSTILE}: 2.5 of 4"),
        ("8", f"{HOSTILE} against ann: 1.5 of 4"),
    ]
    many = replace(TABLES, standings=TABLES.standings[:1] * (MAX_CROSS_PLAYERS + 1))
    assert "Too many players for a cross-table." in render_page(msgspec.structs.replace(REPORT, tables=many))


def test_a_report_without_faults_says_so() -> None:
    assert "<p>None.</p>" not in render_page(REPORT)
    assert "<p>None.</p>" in render_page(msgspec.structs.replace(REPORT, faults=()))


def test_matches_that_a_player_missed_are_told_beside_its_fault() -> None:
    group = FaultGroup("ann", FaultKind.ILLEGAL, "not your turn", 1, 2, absent=7)
    missed = replace(TABLES.standings[0], faults=1, absences=7)
    page = render_page(replace(REPORT, faults=(group,), tables=replace(TABLES, standings=(missed,))))
    assert "then absent from 7" in page and "absent 7</small>" in page
