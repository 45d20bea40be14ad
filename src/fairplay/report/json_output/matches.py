"""Documents about single matches: those that `fairplay play` played, and one that is replayed."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from fairplay.contest.contest import Effort
from fairplay.core import Fault, Outcome
from fairplay.match.house_check import HouseCheck
from fairplay.match.record import Isolation
from fairplay.report.json_output.reviews import ThoughtFigures
from fairplay.run.isolation.program import Usage

__all__ = ["ReplayDocument", "ReplayedEvent", "SeriesDocument", "SeriesMatch", "SignatureFigures"]


class SeriesMatch(Struct, frozen=True, kw_only=True):
    """A match; players, levels, scores and faults are by seat."""

    seed: int
    seed_chosen: bool
    ponder: Annotated[bool, Meta(description="programs were allowed to think while others were to move")]
    secret: str
    players: tuple[str, ...]
    levels: tuple[Isolation, ...]
    winners: tuple[str, ...]
    ranking: Annotated[tuple[tuple[int, ...], ...], Meta(description="seats in tiers; those thrown out are missing")]
    scores: tuple[tuple[int, ...] | None, ...]
    faults: tuple[Fault | None, ...]
    ending: str
    record: Annotated[str | None, Meta(description="what `fairplay replay` takes; null if nothing is kept")]
    efforts: Annotated[tuple[Effort | None, ...], Meta(description="what answers took; null if not measured")]
    budgets: Annotated[
        tuple[float | None, ...] | UnsetType,
        Meta(description="seconds a move, of players that think by time; given if the match is not reproducible"),
    ] = UNSET
    programs: tuple[Usage | None, ...] | UnsetType = UNSET


class SeriesDocument(Struct, frozen=True, tag_field="schema", tag="fairplay.series/1"):
    """The matches of one command.  Printed by play."""

    game: str
    setup: Any
    matches: tuple[SeriesMatch, ...]


class SignatureFigures(Struct, frozen=True):
    """Who signed a record."""

    key: str
    yours: bool
    match: Annotated[str, Meta(description="the match that was signed")]
    exposed_to: Annotated[tuple[str, ...], Meta(description="players who could have read the key")]


class ReplayedEvent(Struct, frozen=True, omit_defaults=True):
    """A turn, or the removal of a player."""

    seat: int
    action: Any = None
    removed: Fault | None = None
    text: str | None = None  # the action as a short text
    thought: Annotated[ThoughtFigures | None, Meta(description="of a house player; with --explain")] = None


class ReplayDocument(Struct, frozen=True, kw_only=True, tag_field="schema", tag="fairplay.replay/1"):
    """A match that was replayed.  Printed by replay."""

    game: str
    players: tuple[str, ...]
    setup: Any
    seat: Annotated[int | UnsetType, Meta(description="with --seat: everything is as this seat may know it")] = UNSET
    seed: Annotated[int | None, Meta(description="null with --seat: it gives every deal away")]
    consistent: Annotated[bool, Meta(description="false: the record is cut off before the outcome")]
    signed: SignatureFigures | None
    fingerprint: Annotated[str | None, Meta(description="null with --seat: it stands for what is hidden, too")]
    events: tuple[ReplayedEvent, ...]
    outcome: Outcome | None
    house: Annotated[tuple[HouseCheck, ...] | UnsetType, Meta(description="with --house")] = UNSET
