"""The referee: supervises one match, talking to nobody directly.

`referee` is a generator.  It *yields* orders (ask a seat, tell a seat, report
to observers) and is *sent* replies.  Who carries the orders out -- in this
process, over a wire, out of a stored record -- is not its concern.

    referee                       whoever drives it
       | -- Tell(seat, news) ----------> |   the opening, seat by seat
       | <------------- None | Fault --- |
       | -- Ask(seat, view) -----------> |   until the match is over
       | <----------- action | Fault --- |   a fault throws the seat out
       |                                 |   chance is drawn here, from the seed, before anybody is asked
       | -- Report(event) -------------> |   after everything that happens
       | -- Tell(seat, news) ----------> |   private news of the event
       | -- Tell(seat, Ended(won)) ----> |   the closing

An action is decoded and checked once, here, and written down (`Minutes`) before it is judged.
"""

from __future__ import annotations  # or each match would make the types of its inner functions anew

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, Union

import msgspec
from msgspec import Struct

from fairplay.core import (
    Befell,
    Event,
    Fault,
    FaultKind,
    Game,
    NotationError,
    NumberError,
    Outcome,
    Removed,
    Rules,
    Score,
    Seat,
    Tiers,
    Turn,
)
from fairplay.core.convert import as_whole_number
from fairplay.core.game import ChanceRules, read_short_form
from fairplay.match.calls import require_legal_action, rules_at_work

S = TypeVar("S")
V = TypeVar("V")
A = TypeVar("A")
C = TypeVar("C")


class Ask(Struct, Generic[V], frozen=True, gc=False):
    """Get the decision of `seat`; the reply is an action or a fault."""

    seat: Seat
    view: V


class Tell(Struct, frozen=True, gc=False):
    """Give `seat` some news; the reply is None or a fault."""

    seat: Seat
    news: object


class Report(Struct, Generic[S, A], frozen=True, gc=False):
    """Show observers what happened; the reply is ignored."""

    event: Event[S, A]
    public: Callable[[Any], Any]  # how the rule book says to other seats what was done, or what chance brought


_Order: TypeAlias = Union[Ask[V], Tell, Report[S, A]]
AnyReport: TypeAlias = Report[Any, Any]
AnyOrder: TypeAlias = Union[Ask[Any], Tell]
"""What a seat replies to, in whatever game."""

Orders: TypeAlias = Generator[Any, Any, Outcome]
"""A referee at work: yields orders, is sent replies, returns the outcome."""


class Minutes(Protocol):
    """Takes down what every seat replied, order by order, and what chance brought in between."""

    def note_answer(self, seat: Seat, reply: object) -> None:
        """A seat was asked, and this is its action or its fault."""
        ...

    def note_news(self, seat: Seat, reply: Fault | None) -> None:
        """A seat was told something, and this is its fault, if it has one."""
        ...

    def note_chance(self, outcome: object) -> None:
        """Chance has brought this."""
        ...


class _NoMinutes:
    """Takes nothing down."""

    def note_answer(self, seat: Seat, reply: object) -> None: ...
    def note_news(self, seat: Seat, reply: Fault | None) -> None: ...
    def note_chance(self, outcome: object) -> None: ...


def referee(
    game: Game[S, V, A, C],
    state: S,
    seats: int,
    minutes: Minutes | None = None,
    *,
    seed: int | None = None,
    again: bool = False,
) -> Generator[_Order[V, S, A], Any, Outcome]:
    """Play one match from `state` to its end; a seat that faults is removed and the others play on.

    seed: what chance is drawn from; a game that has none after the deal needs none.
    again: it was played before.  Then nobody asks whether a seat that failed had anything to do: a damaged record may
        hold a board so large that to list its actions takes minutes.

    Raises RuleBookError if the rule book fails, whichever of its functions, those that a witness needs too.
    """
    rules, notes = game.rules, minutes or _NoMinutes()
    public = rules.public_action
    draws = _prepare_draws(game, seed, notes)
    faults: list[Fault | None] = [None] * seats
    turn_number = 0

    def tell(notices: Iterable[tuple[Seat, object]]) -> Generator[_Order[V, S, A], Any, None]:
        for seat, news in notices:
            if faults[seat] is None and (fault := (yield from _inform(notes, seat, news))) is not None:
                yield from throw_out(seat, fault)

    def throw_out(seat: Seat, fault: Fault) -> Generator[_Order[V, S, A], Any, None]:
        nonlocal state, turn_number
        removed = Removed(state, seat, fault, rules.remove(state, seat))
        state, faults[seat] = removed.after, fault
        turn_number += 1
        yield Report(removed, public)
        yield from tell(rules.notices(removed))

    with rules_at_work(game, count_turns=lambda: turn_number):
        yield from tell(_opening_notices(rules, lambda: state))

        while True:
            if draws is not None and (befell := draws.draw(state)) is not None:
                state = befell.after
                turn_number += 1
                yield Report(befell, game.public_outcome)
                yield from tell(rules.notices(befell))
                continue
            if (mover := rules.to_move(state)) is None:
                break
            view = rules.view(state, mover)
            action = decode_action(game, (yield Ask(mover, view)), view)
            notes.note_answer(mover, action)
            action = judge(game, view, action)
            if isinstance(action, Fault):
                if not again:
                    require_legal_action(game, view, turn_number)
                yield from throw_out(mover, action)
                continue
            turn = Turn(state, mover, action, rules.apply(state, action))
            state = turn.after
            turn_number += 1
            yield Report(turn, public)
            if notices := rules.notices(turn):
                yield from tell(notices)

        scores = rules.scores(state)
        ranking = rank(scores)
        yield from _close_match(rules, state, ranking, faults, notes)
        return _sum_up(ranking, scores, faults, rules.ending(state))


class _Draws(Generic[S]):
    """What chance brings in a match: each event is drawn by a generator of its own, which follows from the seed."""

    def __init__(self, luck: ChanceRules[S], seed: int, notes: Minutes) -> None:
        self.luck, self.seed, self.notes, self.drawn = luck, seed, notes, 0

    def draw(self, state: S) -> Befell[S] | None:
        """What befalls now; None if chance decides nothing."""
        chance = self.luck.chance(state)
        if chance is None:
            return None
        outcome = chance.draw_event(self.seed, self.drawn)
        self.drawn += 1
        self.notes.note_chance(outcome)
        return Befell(state, outcome, self.luck.befall(state, outcome))


def _prepare_draws(game: Game[S, V, A, C], seed: int | None, notes: Minutes) -> _Draws[S] | None:
    """What draws the chance events of a match; None if the game has none after the deal."""
    if game.chance_rules is None:
        return None
    assert seed is not None, "a game with chance after the deal needs a seed"
    return _Draws(game.chance_rules, seed, notes)


def _inform(notes: Minutes, seat: Seat, news: object) -> Generator[Tell, Any, Fault | None]:
    reply = yield Tell(seat, news)
    fault = reply if type(reply) is Fault else None  # whatever else it says means nothing
    notes.note_news(seat, fault)
    return fault


def _close_match(
    rules: Rules[S, V, A, C], state: S, ranking: Tiers, faults: list[Fault | None], notes: Minutes
) -> Generator[_Order[V, S, A], Any, None]:
    """Tell the seats how it ended.  EFFECT: notes in `faults` who fails here."""
    for seat, last_word in rules.closing(state, ranking):
        if (fault := (yield from _inform(notes, seat, last_word))) is not None:
            faults[seat] = fault
            yield Report(Removed(state, seat, fault, state), rules.public_action)


def _opening_notices(rules: Rules[S, V, A, C], current: Callable[[], S]) -> Iterator[tuple[Seat, object]]:
    """All news of the opening, each as it is when its turn comes: who failed in an earlier one is not spoken of."""
    for wave in count():
        made = current()
        planned = news = tuple(rules.opening(made, wave))
        for seat, _ in planned:
            if (now := current()) is not made:
                made, news = now, tuple(rules.opening(now, wave))
            yield from (notice for notice in news if notice[0] == seat)
        if not planned:
            return


def _sum_up(ranking: Tiers, scores: Mapping[Seat, Score], faults: Sequence[Fault | None], ending: str) -> Outcome:
    """The outcome of a match: whoever was removed has neither a place nor a score."""
    return Outcome(
        tuple(tuple(seat for seat in tier if faults[seat] is None) for tier in ranking),
        tuple(scores.get(Seat(seat)) if fault is None else None for seat, fault in enumerate(faults)),
        tuple(faults),
        ending,
    )


def judge(game: Game[S, V, A, C], view: V, action: A | Fault) -> A | Fault:
    """`action` if it is legal, the fault otherwise."""
    if isinstance(action, Fault):
        return action
    reason = game.rules.why_illegal(view, action)
    return action if reason is None else Fault.of(FaultKind.ILLEGAL, f"{_quote_action(game, action)}: {reason}")


def _quote_action(game: Game[S, V, A, C], action: A) -> str:
    """An action as a short text, cut to a bounded length."""
    text = game.notation.format_action(action)
    return text if len(text) <= _LONGEST_QUOTE else f"{text[: _LONGEST_QUOTE - 1]}…"


def decode_action(game: Game[S, V, A, C], reply: object, view: V | None = None) -> A | Fault:
    """`reply` as an action whose every field has been checked, no matter who made it, or the fault.

    A text is an action in the notation of the game; the view completes what it leaves out.  If the game has numbers, a
    number is the action that it stands for in this view.
    """
    if type(reply) is Fault:  # an object of the player's may say that it is of another class, or raise when asked
        return reply
    short = None
    for kind in game.actions:
        if type(reply) is kind:  # `in` would ask its class whether it is equal
            break
    else:
        numbered = view is not None and game.parts.numbers is not None
        # A class made from a text could do anything while it is read.
        short = reply if type(reply) is str else as_whole_number(reply) if numbered else None
    if short is not None:
        try:
            action: A = read_short_form(game, short, view)
            return action
        except (NotationError, NumberError) as error:
            return Fault.of(FaultKind.MALFORMED, str(error))
    if not issubclass(type(reply), game.actions):
        expected = " or ".join(kind.__name__ for kind in game.actions)
        found = "None; did you forget `return`?" if reply is None else type(reply).__name__
        return Fault.of(FaultKind.MALFORMED, f"expected {expected}, got {found}")
    try:
        return game.action_decoder.decode(_ENCODER.encode(reply))
    except msgspec.ValidationError as error:
        return Fault.of(FaultKind.MALFORMED, str(error).replace("`", ""))
    except Exception:  # a field may be an object of the player's, which may raise anything
        return Fault.of(FaultKind.MALFORMED, f"the fields of this {type(reply).__name__} cannot be written as JSON")


def rank(scores: Mapping[Seat, Score]) -> Tiers:
    """Seats in tiers of equal score, best first."""
    tiers: dict[Score, list[Seat]] = {}
    for seat, score in scores.items():
        tiers.setdefault(score, []).append(seat)
    return tuple(tuple(sorted(tiers[score])) for score in sorted(tiers, reverse=True))


_ENCODER = msgspec.json.Encoder()

_LONGEST_QUOTE = 80
"""Characters of an action that a fault quotes."""
