"""The part of a tournament's page that changes while it runs."""

from __future__ import annotations

from functools import partial
from typing import Final

from fairplay.report.charts import rating_chart
from fairplay.report.tournament_report import describe_unproven
from fairplay.web.rendering.templates import player_path, render_template
from fairplay.web.tournaments.results import TournamentDetails

__all__ = ["render_fragment"]

MAX_PLAYERS: Final = 40
"""Players in the chart and in the standings; the API has all of them."""

MAX_CROSS_TABLE: Final = 20
"""A cross-table is shown for up to this many players."""

MAX_PAIRINGS: Final = 64
"""Matches shown of one round of a bracket."""


def render_fragment(tournament: TournamentDetails) -> str:
    """The HTML of progress, bracket, ratings, standings and latest matches."""
    tables, link = tournament.tables, partial(player_path, tournament.game)
    return render_template(
        "tournament_results.html",
        tournament=tournament,
        tables=tables,
        chart=tables and rating_chart(tables.standings[:MAX_PLAYERS], link),
        link=link,
        unproven=describe_unproven(tournament.unproven, tournament.matches),
        max_players=MAX_PLAYERS,
        max_cross_table=MAX_CROSS_TABLE,
        max_pairings=MAX_PAIRINGS,
    )
