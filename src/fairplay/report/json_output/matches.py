"""Documents about matches: those that were played, one that is replayed, and what a house player thinks of one."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from fairplay.contest.contest import Effort
from fairplay.core import AnyGame, Fault, Outcome, Seat
from fairplay.core.thinking import Candidate, Thought
from fairplay.match.record import Isolation, Record
from fairplay.match.review.analysis import Analysis, Luck, Mark, ReviewedTurn, SeatSummary
from fairplay.match.review.hints import Hint, describe_action
from fairplay.match.review.house import HouseCheck
from fairplay.run.isolation.program import Usage


class CandidateFigures(Struct, frozen=True, omit_defaults=True):
    """An action that was thought about."""

    action: Any
    text: str
    values: Annotated[tuple[float, ...], Meta(description="the share of the win that each seat can expect")]
    line: Annotated[tuple[str, ...], Meta(description="the actions that are expected, this one first")]
    work: Annotated[int, Meta(description="nodes or playouts that were spent on it")]
    points: Annotated[tuple[float, ...], Meta(description="that each seat can expect; left out if not known")] = ()


class ThoughtFigures(Struct, frozen=True, omit_defaults=True):
    """What a house player thinks of a position."""

    candidates: Annotated[tuple[CandidateFigures, ...], Meta(description="best first")]
    work: Annotated[int, Meta(description="nodes or playouts in all")]
    depth: Annotated[int, Meta(description="turns that were looked ahead, if they were counted")] = 0
    exact: Annotated[bool, Meta(description="is the value of the first candidate certain?")] = False
    reason: str = ""


class HintDocument(Struct, frozen=True, kw_only=True, tag_field="schema", tag="fairplay.hint/1"):
    """What a house player would do.  Printed by hint."""

    game: str
    by: Annotated[str, Meta(description="the house player")]
    seat: Annotated[int, Meta(description="whose turn it is, and from whose view this follows")]
    turn: Annotated[int | None, Meta(description="the turn of the match that is to be taken; null without a record")]
    text: Annotated[str, Meta(description="the action as a short text")]
    words: Annotated[str, Meta(description="the action as a sentence")]
    thought: ThoughtFigures


class TurnReview(Struct, frozen=True, omit_defaults=True):
    """A turn of a match that was reviewed; values are shares of the win by seat, as the one to move could know."""

    number: int
    seat: int
    action: Any
    text: str
    before: Annotated[tuple[float, ...], Meta(description="with the best action")]
    after: Annotated[tuple[float, ...], Meta(description="with the action that was taken")]
    loss: Annotated[float, Meta(description="of the share of the win")]
    mark: Mark
    best: CandidateFigures
    work: Annotated[int, Meta(description="nodes or playouts")]
    exact: Annotated[bool, Meta(description="is the value of the best action certain?")] = False
    reason: str = ""


class AnalysisDocument(Struct, frozen=True, kw_only=True, tag_field="schema", tag="fairplay.analysis/1"):
    """A match that was reviewed.  Printed by analyse."""

    game: str
    players: tuple[str, ...]
    by: Annotated[str, Meta(description="the house player that reviewed it")]
    fingerprint: Annotated[str, Meta(description="of the record")]
    turns: tuple[TurnReview, ...]
    seats: tuple[SeatSummary, ...]
    turning_point: Annotated[int | None, Meta(description="the turn that cost most; null: none is marked")]
    end: Annotated[tuple[float, ...] | None, Meta(description="how the win was shared; null: the record is cut off")]
    luck: Annotated[tuple[Luck, ...] | UnsetType, Meta(description="given if chance decided something")] = UNSET


# -- out of thoughts ---------------------------------------------------------------------------


def describe_analysis(game: AnyGame, record: Record, analysis: Analysis) -> AnalysisDocument:
    """A review as it is written."""
    return AnalysisDocument(
        game=game.name,
        players=record.header.players,
        by=analysis.by,
        fingerprint=record.fingerprint,
        turns=tuple(_describe_reviewed(game, turn) for turn in analysis.turns),
        seats=analysis.seats,
        turning_point=analysis.turning_point,
        end=analysis.end,
        luck=analysis.luck or UNSET,
    )


def _describe_reviewed(game: AnyGame, turn: ReviewedTurn) -> TurnReview:
    """A reviewed turn as it is written."""
    return TurnReview(
        number=turn.number,
        seat=turn.seat,
        action=msgspec.to_builtins(turn.action),
        text=game.notation.format_action(turn.action),
        before=turn.best.values,
        after=turn.played.values,
        loss=turn.loss,
        mark=turn.mark,
        best=_describe_candidate(game, turn.best),
        work=turn.work,
        exact=turn.exact,
        reason=turn.reason,
    )


def _describe_candidate(game: AnyGame, candidate: Candidate) -> CandidateFigures:
    """An action that was thought about, as it is written."""
    write = game.notation.format_action
    line = tuple(write(action) for action in candidate.line or (candidate.action,))
    action = msgspec.to_builtins(candidate.action)
    return CandidateFigures(action, write(candidate.action), candidate.values, line, candidate.work, candidate.points)


def describe_thought_figures(game: AnyGame, thought: Thought) -> ThoughtFigures:
    """A thought as it is written."""
    candidates = tuple(_describe_candidate(game, candidate) for candidate in thought.candidates)
    return ThoughtFigures(candidates, thought.work, thought.depth, thought.exact, thought.reason)


def describe_hint_document(game: AnyGame, by: str, hint: Hint) -> HintDocument:
    """A hint as it is written."""
    action = hint.thought.action
    return HintDocument(
        game=game.name,
        by=by,
        seat=hint.seat,
        turn=hint.turn,
        text=game.notation.format_action(action),
        words=describe_action(game, hint.view, Seat(hint.seat), action),
        thought=describe_thought_figures(game, hint.thought),
    )


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
    """A turn, the removal of a player, or what chance brought."""

    seat: Annotated[int | None, Meta(description="null: chance")]
    action: Any = None
    removed: Fault | None = None
    text: str | None = None  # the action as a short text
    befell: Annotated[Any, Meta(description="what chance brought")] = None
    thought: Annotated[ThoughtFigures | None, Meta(description="of a house player; with --explain")] = None


class ReplayDocument(Struct, frozen=True, kw_only=True, tag_field="schema", tag="fairplay.replay/1"):
    """A match that was replayed.  Printed by replay."""

    game: str
    players: tuple[str, ...]
    setup: Any
    seat: Annotated[int | UnsetType, Meta(description="with --seat: everything is as this seat may know it")] = UNSET
    seed: Annotated[int | None, Meta(description="null with --seat: it gives every deal away")]
    consistent: Annotated[bool, Meta(description="false: the record is cut off, or was played by another rule book")]
    signed: SignatureFigures | None
    fingerprint: Annotated[str | None, Meta(description="null with --seat: it stands for what is hidden, too")]
    events: tuple[ReplayedEvent, ...]
    outcome: Outcome | None
    house: Annotated[tuple[HouseCheck, ...] | UnsetType, Meta(description="with --house")] = UNSET
