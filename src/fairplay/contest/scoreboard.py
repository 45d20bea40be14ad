"""Everything the results of a contest say: standings and ratings, who beat whom, and what went wrong how often."""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from fairplay.contest.contest import Contest, Result, number_names, places
from fairplay.contest.formats.swiss import SwissPoints, SwissRow
from fairplay.contest.rating import PoolRatings
from fairplay.contest.sequential import CandidateTest, candidate_test, until_decided
from fairplay.contest.statistics import Estimate, UnitMeans
from fairplay.core import Fault, FaultKind, Outcome
from fairplay.match.record import Isolation

# -- standings and the cross-table -------------------------------------------------------------


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


# -- faults in groups --------------------------------------------------------------------------

_VARYING = re.compile(r"\w*\d\w*")
"""What differs between faults that are alike: numbers, places on a board, addresses in memory."""

_MAX_REASONS = 20
"""Groups of one player; further faults are counted together.  A player can invent a new reason for every match."""

OTHER = "other reasons"


class FaultGroup(Struct, frozen=True):
    """Faults of one player that are alike: of one kind, and with the same reason but for numbers.

    Who cannot come back after a fault is absent from the matches that follow: these are no faults of their own.
    """

    player: str
    kind: FaultKind
    reason: str  # of the first of them: text of strangers, maybe of several lines
    count: int
    match: int  # the number of the first match with one
    absent: Annotated[int, Meta(description="matches that followed, without it: it could not come back")] = 0


def group_faults(
    names: Sequence[str], faults: Iterable[tuple[int, Sequence[int], Sequence[Fault | None]]]
) -> tuple[FaultGroup, ...]:
    """The groups, the greatest first; `faults` gives for each match its number, its line-up and the faults by seat.

    An absence counts for the last fault before it.  ASSUME matches with absences come in order of number.
    """
    groups: dict[tuple[int, FaultKind, str], FaultGroup] = {}
    reasons = [0] * len(names)
    causes: dict[int, tuple[int, FaultKind, str]] = {}  # the last fault of each player
    for number, line_up, by_seat in faults:
        for player, fault in zip(line_up, by_seat, strict=True):
            if fault is None:
                continue
            if fault.is_absence and player in causes:
                cause = groups[causes[player]]
                groups[causes[player]] = replace(cause, absent=cause.absent + 1)
                continue
            key, reason = (player, fault.kind, _VARYING.sub("#", fault.detail)), fault.detail
            if key not in groups and reasons[player] >= _MAX_REASONS:
                key, reason = (player, fault.kind, OTHER), OTHER
            if (group := groups.get(key)) is None:
                reasons[player] += 1
                group = FaultGroup(names[player], fault.kind, reason, 0, number)
            groups[key] = replace(group, count=group.count + 1, match=min(group.match, number))
            causes[player] = key
    return tuple(sorted(groups.values(), key=lambda group: (-group.count, group.player, group.match)))


def describe_group(group: FaultGroup) -> str:
    """What went wrong and how often, in one line, without the player."""
    reason = summarize_reason(group.reason)
    return f"{group.count} x {group.kind}{describe_absence(group)}" + (f": {reason}" if reason else "")


def describe_absence(group: FaultGroup) -> str:
    """How many matches a player missed after a fault, to follow on it; empty if none."""
    return f", then absent from {group.absent} match{'' if group.absent == 1 else 'es'}" if group.absent else ""


def summarize_reason(reason: str) -> str:
    """A reason in one line: its first line, with the next if it announces one; dots stand for the rest."""
    first, *rest = [line.strip() for line in reason.splitlines() if line.strip()] or [""]
    if first.endswith(":") and rest:
        first = f"{first} {rest.pop(0)}"
    return f"{first} ..." if rest else first


# -- all of it together ------------------------------------------------------------------------

MAX_CROSS_PLAYERS = 60
"""With more players than this there is no cross-table: it could not be read, and takes much memory."""


FIT = "rankings"
"""How ratings are fitted; earlier versions fitted pairs, and followed the matches of a ladder one by one."""


class Tables(Struct, frozen=True, omit_defaults=True):
    """What the results of a tournament say; the same results give the same bytes."""

    matches: int
    standings: Annotated[tuple[StandingsRow, ...], Meta(description="the strongest first")]
    meetings: Annotated[
        tuple[Meeting, ...], Meta(description="of each player with each that it met; left out with very many players")
    ] = ()
    swiss: Annotated[tuple[SwissRow, ...], Meta(description="the order that counts in a Swiss tournament")] = ()
    fit: Annotated[str, Meta(description="how the ratings were fitted")] = ""

    @property
    def order(self) -> tuple[str, ...]:
        """The players of the rows and columns of `cross`; none if they are too many."""
        return tuple(row.player for row in self.standings) if len(self.standings) <= MAX_CROSS_PLAYERS else ()

    @property
    def cross(self) -> tuple[tuple[Meeting | None, ...], ...]:
        """Who beat whom: a row for each player, with a cell for each player."""
        met = {(meeting.player, meeting.other): meeting for meeting in self.meetings}
        return tuple(tuple(met.get((one, other)) for other in self.order) for one in self.order)


def read_tables(lines: bytes | str) -> Tables | None:
    """The tables in JSON that was kept, maybe by another version of the program; None if they are not there."""
    try:
        return msgspec.json.decode(lines, type=Tables)
    except msgspec.MsgspecError:
        with suppress(msgspec.MsgspecError, KeyError, TypeError, AttributeError):
            return _read_earlier(lines)
    return None


def _read_earlier(lines: bytes | str) -> Tables:
    """Tables of a version that kept ratings apart from standings, and figures as three numbers in a row."""
    kept = msgspec.json.decode(lines)
    ratings = {row["player"]: row["rating"] for row in kept["ratings"]}
    kept["standings"] = [_name_figures(row | {"rating": ratings[row["player"]]}) for row in kept["standings"]]
    kept["meetings"] = [_name_figures(cell) for line in kept["cross"] for cell in line if cell is not None]
    return msgspec.convert(kept, Tables)


def _name_figures(row: dict[str, object]) -> dict[str, object]:
    ends = ("value", "low", "high")
    return {
        key: dict(zip(ends, value, strict=False)) if isinstance(value, list) and key != "levels" else value
        for key, value in row.items()
    }


class Scoreboard:
    """Collects results and makes tables of them; the order of adding changes nothing.

    Memory is bounded by the number of players, of pairs that met and, with more than two seats, of groups that met.
    """

    def __init__(self, contest: Contest) -> None:
        names, paired = tuple(number_names(contest.names)), contest.is_paired
        self.matches = 0
        self._names = names
        self._standings = Standings(names, paired=paired)
        self._pool = PoolRatings(names, seed=contest.seed, paired=paired)
        self._swiss = SwissPoints(len(names)) if contest.format == "swiss" else None
        self._cross = CrossTable(names, paired=paired) if len(names) <= MAX_CROSS_PLAYERS else None

    def add(self, result: Result) -> None:
        self.matches += 1
        self._standings.add(result.deal, result.line_up, result.outcome, result.levels)
        self._pool.add(result.deal, result.line_up, result.outcome)
        if self._swiss is not None:
            self._swiss.add(result.line_up, result.outcome)
        if self._cross is not None:
            self._cross.add(result.deal, result.line_up, result.outcome)

    def standings(self) -> list[StandingsRow]:
        """The standings so far: cheap enough to show while matches are played."""
        return self._standings.table()

    def tables(self) -> Tables:
        """All tables, the players in the order of their ratings."""
        ratings = [(row.player, row.rating) for row in self._pool.table()]
        rows = {row.player: row for row in self._standings.table()}
        standings = tuple(replace(rows[player], rating=rating) for player, rating in ratings)
        swiss = () if self._swiss is None else tuple(self._swiss.table(self._names))
        numbers = [self._names.index(player) for player, _ in ratings]
        meetings = () if self._cross is None else tuple(self._cross.meetings(numbers))
        return Tables(self.matches, standings, meetings, swiss, FIT)


def tables_of(contest: Contest, results: Iterable[Result], seats: range) -> tuple[Tables, CandidateTest | None]:
    """The tables of all results that count, and the test of the contest; ASSUME results come in order of number."""
    trial, board = candidate_test(contest, seats), Scoreboard(contest)
    for result in until_decided(trial, results):
        board.add(result)
    return board.tables(), trial
