"""A tournament as one HTML file: ratings with error bars, cross-table, faults, replays.  No script, no other host."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Final

from msgspec import Struct

from fairplay.contest.rating import Rating
from fairplay.contest.standings import Meeting, Standing
from fairplay.core import Picture
from fairplay.report.charts import rating_chart

__all__ = ["Misdeed", "Replay", "Report", "page"]


class Misdeed(Struct, frozen=True):
    """A fault of a player in a match."""

    number: int
    player: str
    kind: str
    detail: str


class Replay(Struct, frozen=True):
    """A match told in the page: who won, how it ended, its turns in words, its last picture."""

    number: int
    title: str
    turns: Sequence[str]
    picture: Picture


class Report(Struct, frozen=True):
    """Everything the page shows."""

    title: str
    summary: str
    unit: str
    ratings: Sequence[Rating]
    standings: Sequence[Standing]
    cross: Sequence[Sequence[Meeting | None]]  # in the order of `order`
    order: Sequence[str]
    faults: Sequence[Misdeed]
    faults_in_all: int
    replays: Sequence[Replay]
    how_to_replay: str


STYLE: Final = """
:root{color-scheme:light dark;--ink:#16324a;--paper:#fbfdff;--line:#c5d6e2;--soft:#eef4f8;--bar:#2f7fb5;--good:#2a7d4f}
@media(prefers-color-scheme:dark){:root{--ink:#e6eef4;--paper:#10202c;--line:#35505f;--soft:#182c3a;--bar:#6db3e0}}
*{box-sizing:border-box}body{margin:0 auto;max-width:1100px;padding:1.2rem;font:16px/1.5 system-ui,sans-serif;
color:var(--ink);background:var(--paper)}h1{font-size:1.7rem;margin:.2rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}
.wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.35rem .7rem;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}
th:first-child,td:first-child{text-align:left}thead th{background:var(--soft)}small{opacity:.75}
td.cell{text-align:center}pre{white-space:pre-wrap;margin:.3rem 0;font-size:.85rem}
details{border:1px solid var(--line);border-radius:.5rem;padding:.5rem .9rem;margin:.5rem 0}
summary{cursor:pointer}details svg{max-width:100%;height:auto;margin-top:.6rem}ol{columns:16rem;font-size:.9rem}
"""


def page(report: Report) -> str:
    """The page as text."""
    title = escape(report.title)
    return "".join(
        [
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
            '<meta name="viewport" content="width=device-width,initial-scale=1">',
            f"<style>{STYLE}</style></head><body><h1>{title}</h1><p>{escape(report.summary)}</p>",
            section("Ratings", rating_chart(report.ratings)),
            section("Standings", standings(report)),
            section("Who beat whom", cross_table(report)),
            section("Faults", faults(report)),
            section("Matches", replays(report)),
            "</body></html>\n",
        ]
    )


def section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>"


# -- tables ------------------------------------------------------------------------------------


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = "".join(f"<th>{heading}</th>" for heading in headings)
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def standings(report: Report) -> str:
    def row(line: Standing) -> Iterator[str]:
        yield f"<td>{escape(line.player)}</td><td>{line.matches}</td>"
        for count, share in ((line.wins, line.win_share), (line.ties, line.tie_share), (line.faults, line.fault_share)):
            yield f"<td>{count} <small>{share:.0%}</small></td>"
        if line.average is None:
            yield "<td>-</td>"
        else:
            value, _, interval = f"{line.average:.1f}".partition(" ")
            yield f"<td>{value} <small>{interval}</small></td>"

    headings = ("player", "matches", "wins", "ties", "faults", f"average {escape(report.unit)}")
    return table(headings, map(row, report.standings)) + "<p><small>In brackets 95 % intervals, over deals.</small></p>"


def cross_table(report: Report) -> str:
    """Rows against columns; the darker, the more was won."""
    if not report.order:
        return "<p>Too many players for a cross-table.</p>"

    def cell(meeting: Meeting | None) -> str:
        if meeting is None:
            return '<td class="cell">·</td>'
        share = meeting.share
        title = f"{meeting.player} against {meeting.other}: {meeting.points:g} of {meeting.matches}"
        shade = f"background:color-mix(in srgb,var(--bar) {round(share.value * 70)}%,transparent)"
        return f'<td class="cell" style="{shade}" title="{escape(title)}">{share.value:.0%}</td>'

    rows = (
        [f"<td>{number}. {escape(name)}</td>", *map(cell, line)]
        for number, (name, line) in enumerate(zip(report.order, report.cross, strict=True), 1)
    )
    return table(["player", *(str(number) for number in range(1, len(report.order) + 1))], rows)


def faults(report: Report) -> str:
    if not report.faults_in_all:
        return "<p>None.</p>"
    rows = (
        [
            f"<td>{escape(each.player)}</td><td>{each.number}</td><td>{escape(each.kind)}</td>",
            f'<td style="text-align:left;white-space:normal"><pre>{escape(each.detail)}</pre></td>',
        ]
        for each in report.faults
    )
    more = report.faults_in_all - len(report.faults)
    rest = f"<p><small>and {more} more.</small></p>" if more else ""
    return table(("player", "match", "fault", "last words"), rows) + rest


def replays(report: Report) -> str:
    told = (
        f"<details><summary>match {each.number}: {escape(each.title)}</summary>{each.picture}"
        f"<ol>{''.join(f'<li>{escape(turn)}</li>' for turn in each.turns)}</ol></details>"
        for each in report.replays
    )
    return f"<p>Any match: <code>{escape(report.how_to_replay)}</code></p>{''.join(told)}"
