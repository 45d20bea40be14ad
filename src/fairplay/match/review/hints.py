"""What a player that thinks would do, from what one seat may know alone."""

from collections.abc import Callable
from itertools import islice
from random import Random
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from fairplay.core import AnyGame, AnyTurn, Seat, Seen, Turn, UsageError
from fairplay.core.thinking import Thinker, Thought
from fairplay.match.record import Record
from fairplay.match.referee import Ask
from fairplay.match.replay import exchanges_with
from fairplay.match.review.walk import Question, walk_record


class Hint(Struct, frozen=True):
    """What to do, and what else was thought of."""

    seat: Seat
    view: Any
    thought: Thought
    turn: int | None = None  # of a match that is to be taken, counted from 1


def give_hint(game: AnyGame, view: object, make: Callable[[Seat], Thinker]) -> Hint:
    """What a thinker would do in place of the owner of `view`; raises UsageError if it has nothing to decide.

    make: makes the thinker for a seat, and tells it what the seat has seen.
    """
    if next(iter(game.rules.legal_actions(view)), None) is None:
        raise UsageError("there is nothing to decide here: the match is over, or it is another player's turn")
    seat = find_owner(game, view)
    return Hint(seat, view, _think_broadly(game, view, make(seat)))


def _think_broadly(game: AnyGame, view: object, thinker: Thinker) -> Thought:
    """A thought with some alternatives: of a thinker that looks into its best action alone, two more are wanted."""
    thought = thinker.think(view)
    known = [candidate.action for candidate in thought.candidates if candidate.values]
    legal = list(islice(game.rules.legal_actions(view), _MOST_CONSIDERED))
    if len(known) >= min(_ALTERNATIVES + 1, len(legal)):
        return thought
    ranked = [candidate.action for candidate in thinker.think(view, tuple(legal)).candidates]
    others = [action for action in ranked if action not in known][:_ALTERNATIVES]
    return thinker.think(view, (*known, *others))


_ALTERNATIVES = 2

_MOST_CONSIDERED = 64
"""Legal actions that are looked through for alternatives."""


def find_owner(game: AnyGame, view: object) -> Seat:
    """Whose view it is; ASSUME that it is its turn."""
    seat = game.rules.to_move(game.rules.imagine(view, Random(0)))
    assert seat is not None
    return seat


def find_question(game: AnyGame, record: Record, turn: int | None = None) -> Question:
    """The question before turn `turn` of a record, by default the last one; raises UsageError, or RecordError."""
    asked: dict[int, Question] = {}
    for _ in walk_record(game, record, (), lambda question: asked.setdefault(question.number, question)):
        pass
    if not asked:
        raise UsageError("nobody was asked for an action in this match")
    chosen = max(asked) if turn is None else turn
    if chosen not in asked:
        raise UsageError(f"turn {turn}: no player was asked for it; expected one from {min(asked)} to {max(asked)}")
    return asked[chosen]


def give_hint_in(game: AnyGame, record: Record, turn: int | None, make: Callable[[Seat], Thinker]) -> Hint:
    """A hint before turn `turn` of a record, by default the last one, from what the seat had seen by then.

    Raises UsageError, or RecordError.
    """
    question = find_question(game, record, turn)

    def prepare(seat: Seat) -> Thinker:
        thinker = make(seat)
        for each in exchanges_with(game, record, seat):
            if not isinstance(each, Seen):
                _remember_view(thinker, each[0])
            elif each.number + 1 < question.number:
                thinker.saw(each)
            else:
                break
        return thinker

    return replace(give_hint(game, question.view, prepare), turn=question.number)


def _remember_view(thinker: Thinker, order: object) -> None:
    """Show a thinker what its seat was shown, without letting it think about it."""
    if isinstance(order, Ask):
        thinker.look(order.view)


def describe_action(game: AnyGame, view: object, seat: Seat, action: object) -> str:
    """An action as a sentence for the owner of `view`, without what is still uncertain, such as a card to be drawn."""
    turns = [_imagine_turn(game, view, seat, action, chance) for chance in range(_IMAGINED)]
    first, *others = (game.words.describe_turn(turn, seat, would=True) for turn in turns)
    return first if all(each == first for each in others) else game.words.describe_turn(turns[0], None, would=True)


def _imagine_turn(game: AnyGame, view: object, seat: Seat, action: object, chance: int) -> AnyTurn:
    """How the turn could go, as far as the owner of `view` can tell."""
    before = game.rules.imagine(view, Random(chance))
    return Turn(before, seat, action, game.rules.apply(before, action))


_IMAGINED = 8
"""States that are imagined to see what of a sentence is certain."""
