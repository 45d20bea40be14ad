"""The report of a tournament as one HTML file, without scripts and without anything from another host."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from fairplay.contest.scoreboard import Tables
from fairplay.report.charts import rating_chart
from fairplay.report.tournament_report import TournamentReport

__all__ = ["render_page", "render_tables"]


def render_page(report: TournamentReport) -> str:
    """The HTML of a report.  Every text in it is escaped, except for our own drawings."""
    template = load_templates().get_template("report.html")
    return template.render(report=report, chart=rating_chart(report.tables.standings))


@cache
def load_templates() -> Environment:
    """The templates of this package, read once."""
    return Environment(
        loader=PackageLoader("fairplay.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


def render_tables(tables: Tables, unit: str) -> str:
    """The tables alone, for a notebook."""
    template = load_templates().get_template("tables.html")
    return template.render(tables=tables, unit=unit)
