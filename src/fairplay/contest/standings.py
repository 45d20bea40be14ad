"""Standings and the cross-table: wins, ties, average score and faults, and how players did against each other."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from fairplay.contest.intervals import Estimate, UnitMeans
from fairplay.contest.points import places
from fairplay.core import Outcome
from fairplay.match.record import Isolation


class StandingsRow(Struct, frozen=True, omit_defaults=True):
    """A player of a tournament, and how it did; shares are between 0 and 1."""

    player: str
    matches: int
    wins: Annotated[int, Meta(description="alone")]
    ties: Annotated[int, Meta(description="for first place")]
    losses: int
    faults: Annotated[int, Meta(description="matches out of which it was thrown")]
    win_share: Estimate
    tie_share: Estimate
    fault_share: Estimate
    average: Annotated[
        Estimate | None, Meta(description="of the first number of its score, over matches without a fault")
    ]
    absences: Annotated[
        int, Meta(description="matches that it missed since it was thrown out of an earlier one; left out if none")
    ] = 0
    levels: Annotated[
        tuple[Isolation, ...], Meta(description="at which it played; left out among house players, or if not known")
    ] = ()
    rating: Annotated[
        Estimate | None,
        Meta(description="on Elo's scale; has no bounds before its first match"),
    ] = None


class Standings:
    """Collects outcomes and makes the standings, in memory bounded by the number of players.

    Matches of one unit share a deal, so the intervals count units, not matches.  The order of adding changes nothing.
    """

    def __init__(self, players: Sequence[str], *, paired: bool = True) -> None:
        self.players = players
        self._means = UnitMeans(paired=paired)
        self._levels: dict[int, set[Isolation]] = {}

    def add(self, unit: Hashable, line_up: Sequence[int], outcome: Outcome, levels: Sequence[Isolation] = ()) -> None:
        """Count one match of `unit`."""
        for player, level in zip(line_up, levels, strict=False):
            self._levels.setdefault(player, set()).add(level)
        first = outcome.winners
        values: list[tuple[Hashable, int]] = []
        for seat, player in enumerate(line_up):
            values.append(((player, WINS), seat in first and len(first) == 1))
            values.append(((player, TIES), seat in first and len(first) > 1))
            fault = outcome.faults[seat]
            values.append(((player, FAULTS), fault is not None and not fault.is_absence))
            values.append(((player, ABSENCES), fault is not None and fault.is_absence))
            if (score := outcome.scores[seat]) is not None:
                values.append(((player, SCORES), score[0]))
        self._means.add(unit, len(line_up), values)

    def table(self) -> list[StandingsRow]:
        """All players, the greatest share of wins first, then the greatest share of ties."""
        rows = [self._row(player) for player in range(len(self.players))]
        return sorted(rows, key=lambda row: (row.win_share.value, row.tie_share.value), reverse=True)

    def _row(self, player: int) -> StandingsRow:
        means = self._means
        matches = means.values((player, WINS))
        wins, ties, faults, absences = (means.total((player, kind)) for kind in (WINS, TIES, FAULTS, ABSENCES))
        return StandingsRow(
            self.players[player],
            matches,
            wins,
            ties,
            matches - wins - ties,
            faults,
            means.share((player, WINS)),
            means.share((player, TIES)),
            means.share((player, FAULTS)),
            means.mean((player, SCORES)),
            absences,
            tuple(sorted(self._levels.get(player, ()))),
        )


WINS, TIES, FAULTS, ABSENCES, SCORES = range(5)


def describe_levels(rows: Sequence[StandingsRow]) -> str:
    """Who played at which level, in one line; empty if all are house players, or nothing is known."""
    if not any(row.levels for row in rows):
        return ""
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(" and ".join(row.levels) or "house", []).append(row.player)
    house = groups.pop("house", [])
    parts = [f"{list_names(names)} {levels}" for levels, names in (*sorted(groups.items()), ("house", house)) if names]
    return f"Levels: {'; '.join(parts)}."


def list_names(names: Sequence[str]) -> str:
    """Some names, the rest as a number."""
    return ", ".join(names[:MAX_NAMES]) + (f" and {len(names) - MAX_NAMES} more" if len(names) > MAX_NAMES else "")


MAX_NAMES = 8


class Meeting(Struct, frozen=True):
    """How one player did against another in the matches of both: a point for finishing before it, half for a tie."""

    player: str
    other: str
    points: float
    matches: int
    units: Annotated[int, Meta(description="of which the interval is made: matches that share a deal are one")]
    share: Annotated[Estimate, Meta(description="of the points; one half is even")]


class CrossTable:
    """Collects outcomes, player against player, in memory bounded by the number of pairs that met."""

    def __init__(self, players: Sequence[str], *, paired: bool = True) -> None:
        self.players = players
        self._means = UnitMeans(paired=paired)

    def add(self, unit: Hashable, line_up: Sequence[int], outcome: Outcome) -> None:
        """Count one match of `unit`."""
        seats = list(zip(line_up, places(outcome), strict=True))
        self._means.add(
            unit,
            len(line_up),
            [
                ((one, other), 2 if place < behind else place == behind)
                for one, place in seats
                for other, behind in seats
                if one != other
            ],
        )

    def meeting(self, player: int, other: int) -> Meeting | None:
        """What `player` won against `other`; None if they never met."""
        pair = player, other
        if not (units := self._means.units(pair)):
            return None
        means = self._means
        points = means.total(pair) / 2
        names = self.players[player], self.players[other]
        return Meeting(*names, points, means.values(pair), units, means.share(pair, most=2))

    def meetings(self, players: Sequence[int]) -> Iterator[Meeting]:
        """How each of `players` did against each other that it met, in their order."""
        for one in players:
            for other in players:
                if (meeting := self.meeting(one, other)) is not None:
                    yield meeting
