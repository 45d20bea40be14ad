"""What each turn of a match cost the one who took it, as a player that thinks sees it from the same seat.

A value is the share of the win that a seat can expect, from 0 to 1.  The loss of a turn is the value of the best action
that the thinker found, less the value of the one that was taken.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from fairplay.core import AnyEvent, AnyGame, Befell, Outcome, Seat, Turn
from fairplay.core.thinking import Candidate, Thinker, Thought
from fairplay.match.record import Record
from fairplay.match.review.walk import Question, walk_record

Mark: TypeAlias = Literal["", "inaccuracy", "mistake", "blunder"]

MARKS: tuple[tuple[float, Mark], ...] = ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))
"""What a turn is called that loses at least this much of the win."""


class ReviewedTurn(Struct, frozen=True):
    """A turn, and what the thinker thought of it before it was taken."""

    number: int  # in the match, counted from 1 as `fairplay replay` does
    seat: Seat
    action: Any
    best: Candidate  # what the thinker would have done; its values are those before the turn
    played: Candidate  # what was done; its values are those after the turn
    loss: float  # of the share of the win
    mark: Mark
    work: int  # nodes or playouts
    exact: bool  # is the value of the best action certain?
    reason: str = ""  # why the thinker prefers its own, in words

    @property
    def points(self) -> int:
        """The loss in whole points of a hundred."""
        return int(100 * self.loss + 1e-6)

    @property
    def is_best(self) -> bool:
        """Was it what the thinker would have done, or as good?"""
        return bool(self.best.action == self.played.action)


class SeatSummary(Struct, frozen=True):
    """How well a seat played, in the thinker's eyes."""

    seat: Seat
    turns: int
    best: int  # turns in which it did what the thinker would have done, or something as good
    average_loss: float | None  # a turn; None: it took none
    inaccuracies: int
    mistakes: int
    blunders: int
    worst: int | None  # the number of the turn that cost it most; None: nothing was marked


class Luck(Struct, frozen=True):
    """What chance was worth between two turns, which is nobody's doing: neither a loss nor a mistake."""

    number: int  # of the last event of chance before the next turn, counted as turns are
    gains: tuple[float, ...]  # of the share of the win, by seat


class Analysis(Struct, frozen=True):
    """A whole match as the thinker saw it."""

    by: str  # who thought, as a spec
    turns: tuple[ReviewedTurn, ...]
    seats: tuple[SeatSummary, ...]
    turning_point: int | None  # the number of the turn that cost most; None: nothing was marked
    events: int  # turns, removals and chance of the match
    end: tuple[float, ...] | None  # how the win was shared in the end; None: the match was cut off
    luck: tuple[Luck, ...] = ()  # when chance changed what somebody could expect


def analyse_record(
    game: AnyGame, record: Record, thinkers: Sequence[Thinker], first: int = 1
) -> Iterator[ReviewedTurn]:
    """Review the turns of a record, one after the other; raises RecordError.

    thinkers: by seat, as new.  Each knows what its seat could know, and nothing else.
    first: the turn to begin with; what came before is looked at, and no more.

    Removals and what chance brings are left out.  A record that was cut off is reviewed as far as it goes.
    """
    reviewed: list[ReviewedTurn] = []

    def review(question: Question) -> None:
        if question.action is not None and question.number < first:
            thinkers[question.seat].look(question.view)
        elif question.action is not None:
            reviewed.append(_review_turn(question, thinkers[question.seat]))

    for event in walk_record(game, record, thinkers, review):
        if isinstance(event, Turn) and reviewed:
            yield reviewed.pop()


def _review_turn(question: Question, thinker: Thinker) -> ReviewedTurn:
    """What the thinker thinks of a turn.

    A loss can be noise, above all the largest of many.  So as long as a turn would be marked, the thinker thinks again
    about both actions, and the smallest loss counts.
    """
    thought = thinker.think(question.view, (question.action,))
    turn = _compare_actions(question, thought, thought.candidates[0])
    for _ in range(_SECOND_THOUGHTS):
        if not turn.mark or turn.exact:
            break
        best = turn.best.action
        second = thinker.think(question.view, (question.action, best))
        again = _compare_actions(question, second, _find_candidate(second, best))
        turn = min(turn, again, key=lambda each: each.loss)
    return turn


_SECOND_THOUGHTS = 2
"""How often a thinker thinks again before a turn is marked."""


def _compare_actions(question: Question, thought: Thought, best: Candidate) -> ReviewedTurn:
    """The turn that was taken beside the one that was `best`, as one thought has them.

    A thinker may prefer an action for other reasons than its value; then the one that was taken is as good.
    """
    seat, played = question.seat, _find_candidate(thought, question.action)
    if played.values[seat] >= best.values[seat]:
        best = played
    loss = round(best.values[seat] - played.values[seat], 9)
    return ReviewedTurn(
        number=question.number,
        seat=seat,
        action=question.action,
        best=best,
        played=played,
        loss=loss,
        mark=mark_loss(loss),
        work=thought.work,
        exact=thought.exact,
        reason=thought.reason,
    )


def mark_loss(loss: float) -> Mark:
    """What a turn is called that loses this much."""
    return next((mark for least, mark in MARKS if loss >= least), "")


def _find_candidate(thought: Thought, action: object) -> Candidate:
    """The candidate with this action; ASSUME that it was considered."""
    return next(candidate for candidate in thought.candidates if candidate.action == action)


# -- in sum ------------------------------------------------------------------------------------


def sum_up(
    record: Record, by: str, turns: Sequence[ReviewedTurn], events: int, chance: Collection[int] = ()
) -> Analysis:
    """The analysis that all reviewed turns of a record make.

    chance: the numbers of those events that chance brought, counted from 1.
    """
    seats, worst = range(len(record.header.players)), find_turning_point(turns)
    end = None if record.outcome is None else _share_win(record.outcome, len(seats))
    return Analysis(
        by=by,
        turns=tuple(turns),
        seats=tuple(_summarise_seat([turn for turn in turns if turn.seat == seat], Seat(seat)) for seat in seats),
        turning_point=worst.number if worst else None,
        events=events,
        end=end,
        luck=tuple(_find_luck(turns, events, end, frozenset(chance))),
    )


def number_chance(events: Iterable[AnyEvent]) -> tuple[int, ...]:
    """The numbers of those events of a match that chance brought, counted from 1."""
    return tuple(number for number, event in enumerate(events, 1) if isinstance(event, Befell))


def _find_luck(
    turns: Sequence[ReviewedTurn], events: int, end: tuple[float, ...] | None, chance: frozenset[int]
) -> Iterator[Luck]:
    """What changed between one turn and the next one, or the end, if nothing but chance lay between them."""
    later = [(turn.number, turn.best.values) for turn in turns[1:]]
    if end is not None:
        later.append((events + 1, end))
    for turn, (number, values) in zip(turns, later, strict=False):
        between = range(turn.number + 1, number)
        gains = tuple(round(after - before, 9) for before, after in zip(turn.played.values, values, strict=True))
        if between and chance.issuperset(between) and max(map(abs, gains)) >= MARKS[-1][0]:
            yield Luck(number - 1, gains)


def _share_win(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """How the win was shared: those who tied have equal parts."""
    winners = outcome.winners
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(seats))


def _summarise_seat(turns: Sequence[ReviewedTurn], seat: Seat) -> SeatSummary:
    """How well one seat played its turns."""
    marks = [turn.mark for turn in turns]
    worst = find_turning_point(turns)
    return SeatSummary(
        seat,
        len(turns),
        sum(turn.is_best for turn in turns),
        sum(turn.loss for turn in turns) / len(turns) if turns else None,
        marks.count("inaccuracy"),
        marks.count("mistake"),
        marks.count("blunder"),
        worst.number if worst else None,
    )


def find_turning_point(turns: Iterable[ReviewedTurn]) -> ReviewedTurn | None:
    """The turn that cost most, the first of several; None if none is marked."""
    return max((turn for turn in turns if turn.mark), key=lambda turn: turn.loss, default=None)
