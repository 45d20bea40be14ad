"""Documents about tournaments: their tables, lists of them, their matches and faults, and what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, TypeAlias

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from fairplay.contest.contest import Deals, Effort
from fairplay.contest.planning import list_budgets
from fairplay.contest.schedule import Pairing
from fairplay.contest.scoreboard import FaultGroup, Tables
from fairplay.contest.sequential import StatedVerdict
from fairplay.core import AnyGame
from fairplay.report.tournament_report import KeptTournament

if TYPE_CHECKING:
    from fairplay.store.history import MatchRow
    from fairplay.store.store import ContestSummary


_Time: TypeAlias = Annotated[datetime, Meta(tz=True, description="ISO 8601, UTC")]


def _time_of(seconds: float) -> datetime:
    """The moment that is `seconds` after the beginning of 1970."""
    return datetime.fromtimestamp(seconds, UTC)


def _optional_time(seconds: float | None) -> datetime | None:
    """The same, None for None."""
    return None if seconds is None else _time_of(seconds)


class TournamentDocument(Struct, frozen=True, kw_only=True, tag_field="schema", tag="fairplay.tournament/2"):
    """A tournament: what was played, and its tables.  Printed by tournament run, serve, resume and show."""

    id: Annotated[int | None, Meta(description="null if nothing is kept")]
    db: str | None
    game: str
    format: str
    players: tuple[str, ...]
    setup: Raw
    created: _Time
    finished: _Time | None
    seed: Annotated[int | None, Meta(description="null until it is finished: it gives every deal away")]
    seed_chosen: bool
    ponder: Annotated[bool, Meta(description="programs were allowed to think while others were to move")]
    secret: Annotated[str | None, Meta(description="null until it is finished")]
    deals: Deals
    winners: Annotated[tuple[str, ...], Meta(description="of a knock-out that is over")]
    bracket: Annotated[tuple[tuple[Pairing, ...], ...], Meta(description="of a knock-out: its rounds")]
    verdict: StatedVerdict | None
    faults: Annotated[tuple[FaultGroup, ...], Meta(description="grouped, the most frequent first")]
    unproven: Annotated[int, Meta(description="matches without a record")]
    tables: Tables
    budgets: Annotated[
        dict[str, float] | UnsetType,
        Meta(description="seconds a move, of players that think by time; given if matches are not reproducible"),
    ] = UNSET
    efforts: Annotated[
        dict[str, Effort] | UnsetType, Meta(description="of this run: what answers took, by player; nobody keeps it")
    ] = UNSET


class ListedTournament(Struct, frozen=True):
    """A tournament in a list, or a series of `fairplay play`."""

    id: int
    game: str
    format: str
    players: tuple[str, ...]
    matches: Annotated[int, Meta(description="so far")]
    created: _Time
    finished: _Time | None


class TournamentsDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.tournaments/1"):
    """The tournaments of a store, oldest first.  Printed by tournament list."""

    db: str
    tournaments: tuple[ListedTournament, ...]


class ListedMatch(Struct, frozen=True):
    """A match of a tournament; scores are by seat, null for a player who was thrown out."""

    number: int
    reference: Annotated[str, Meta(description="what `fairplay replay` takes")]
    players: tuple[str, ...]
    winners: tuple[str, ...]
    thrown_out: tuple[str, ...]
    scores: tuple[tuple[int, ...] | None, ...]
    ending: str
    seconds: float
    played: _Time
    recorded: Annotated[bool, Meta(description="false: it cannot be replayed, and nothing shows that it was played")]


class MatchesDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.matches/1"):
    """Matches of a tournament in order of number.  Printed by tournament matches."""

    id: int
    db: str
    matches: tuple[ListedMatch, ...]


class FaultsDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.faults/1"):
    """The faults of a tournament, grouped, the most frequent first.  Printed by tournament faults."""

    id: int
    db: str
    matches: Annotated[int, Meta(description="of the tournament, so far")]
    faults: tuple[FaultGroup, ...]


class DeletionDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.deletion/1"):
    """What was deleted.  Printed by tournament delete."""

    id: int
    db: str
    game: str
    matches: int


class ExportDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.export/1"):
    """What was written to a file.  Printed by tournament export."""

    id: int
    file: str
    matches: int
    signed: int
    unproven: Annotated[int, Meta(description="matches without a record")]


class TurnsDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.turns/1"):
    """A data set that was written to a file.  Printed by tournament export --turns."""

    id: int
    file: str
    version: Annotated[str, Meta(description="of the numbers and arrays")]
    seats: int
    matches: int
    turns: int
    unproven: Annotated[int, Meta(description="matches that were left out, since they have no record")]


class ImportDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.import/1"):
    """What was taken from a file, and what of it is proven.  Printed by tournament import."""

    id: Annotated[int, Meta(description="its number here")]
    db: str
    matches: int
    new: Annotated[int, Meta(description="matches that were not here before")]
    consistent: Annotated[int, Meta(description="matches that replay to their outcome")]
    unproven: Annotated[int, Meta(description="matches without a record")]
    signed: Annotated[dict[str, int], Meta(description="matches by the public key that signed them")]
    exposed: Annotated[int, Meta(description="signed matches with a player who could have read the key")]
    own_keys: Annotated[tuple[str, ...], Meta(description="your public keys")]


# -- out of what is kept -----------------------------------------------------------------------


def describe_tournament(
    game: AnyGame, kept: KeptTournament, db: str | None, efforts: Mapping[str, Effort] | None = None
) -> TournamentDocument:
    """A tournament as it is written; `db` is None if nothing is kept."""
    contest, over = kept.contest, kept.finished is not None
    return TournamentDocument(
        id=None if db is None else kept.id,
        db=db,
        game=contest.game,
        format=contest.format,
        players=contest.names,
        setup=contest.setup,
        created=_time_of(kept.created),
        finished=_optional_time(kept.finished),
        seed=contest.seed if over else None,
        seed_chosen=contest.seed_chosen,
        ponder=contest.ponder,
        secret=contest.secret if over else None,
        deals=contest.deals,
        winners=kept.bracket.winners,
        bracket=kept.bracket.rounds,
        verdict=kept.verdict,
        faults=kept.faults,
        unproven=kept.unproven,
        tables=kept.tables,
        budgets=list_budgets(game, contest.entrants) or UNSET,
        efforts=UNSET if efforts is None else dict(efforts),
    )


def list_tournament(summary: ContestSummary) -> ListedTournament:
    """A tournament as it is listed."""
    return ListedTournament(
        id=summary.id,
        game=summary.game,
        format=summary.format,
        players=summary.players,
        matches=summary.matches,
        created=_time_of(summary.created),
        finished=_optional_time(summary.finished),
    )


def list_match(row: MatchRow, reference: str) -> ListedMatch:
    """A match as it is listed; `reference` is what `fairplay replay` takes."""
    return ListedMatch(
        number=row.number,
        reference=reference,
        players=row.names,
        winners=row.winners,
        thrown_out=row.faulty,
        scores=row.scores,
        ending=row.ending,
        seconds=row.seconds,
        played=_time_of(row.stored),
        recorded=row.recorded,
    )
