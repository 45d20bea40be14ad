"""Tables to be shown, made by hand."""

from __future__ import annotations

from fairplay.contest.scoreboard import Meeting, StandingsRow, Tables
from fairplay.contest.statistics import UNKNOWN_SHARE, Estimate

HOSTILE = """<script>alert("1")</script>'&"""
SHARE = Estimate(0.75, 0.5, 0.875)


def standing(player: str, average: Estimate | None, rating: Estimate) -> StandingsRow:
    return StandingsRow(
        player=player,
        matches=4,
        wins=3,
        ties=0,
        losses=1,
        faults=0,
        win_share=SHARE,
        tie_share=UNKNOWN_SHARE,
        fault_share=UNKNOWN_SHARE,
        average=average,
        rating=rating,
    )


TABLES = Tables(
    matches=4,
    standings=(
        standing("ann", Estimate(9.5, 8.0, 11.04), Estimate(1600.4, 1500.0, 1700.0)),
        standing(HOSTILE, Estimate(4.0, None, None), Estimate(1450.0, 1300.0, 1600.0)),
        standing("new", None, Estimate(1500.0, None, None)),
    ),
    meetings=(
        Meeting("ann", HOSTILE, 2.5, 4, 2, Estimate(0.625, 0.1, 0.9)),
        Meeting(HOSTILE, "ann", 1.5, 4, 2, Estimate(0.375, 0.1, 0.9)),
    ),
)
