"""Pig: roll a die as often as you dare, or hold and keep the sum; a one loses it.  A toy with chance after the deal.

The die is rolled by chance, and so is the bonus that chance hands to each seat, face down, before the first turn.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from random import Random
from types import ModuleType
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, structs

from fairplay.core import (
    Befell,
    Began,
    Chance,
    Ended,
    Event,
    Game,
    HousePlayers,
    NotationError,
    NumberError,
    Parts,
    Picture,
    Score,
    Seat,
    SetupError,
    Shown,
    Tiers,
    Turn,
    UsageError,
    WireError,
)
from fairplay.core.chance import below, choice
from fairplay.core.convert import as_type
from fairplay.core.game import let_chance_fall
from fairplay.core.numbers import Channels
from fairplay.core.shown import Choice, CompleteMove, PartialMove, follow_clicks
from fairplay.core.thinking import Budget, Candidate, Clock, Searcher, Thought

SEATS = range(2, 5)
MOST_TURNS = 200


# -- values ------------------------------------------------------------------------------------


class Setup(Struct, frozen=True, forbid_unknown_fields=True):
    variant: str = "standard"
    goal: Annotated[int, Meta(ge=1, le=100)] = 12


class Table(Struct, frozen=True):
    goal: int
    scores: tuple[int, ...]  # without bonuses
    seats: tuple[Seat, ...]  # still in, the one on turn first
    bonuses: tuple[int | None, ...]  # by seat; None: not handed out yet
    sum: int = 0  # of the turn that is under way
    rolling: bool = False  # the die is in the air
    turn_number: int = 0
    variant: str = "standard"


class View(Struct, frozen=True):
    me: Seat
    bonus: int | None
    table: Table  # without bonuses
    variant: str = "standard"
    turn_number: int = 0


class Roll(Struct, frozen=True, tag_field="do", tag="roll", forbid_unknown_fields=True):
    """Throw the die."""


class Hold(Struct, frozen=True, tag_field="do", tag="hold", forbid_unknown_fields=True):
    """Keep the sum."""


class Die(Struct, frozen=True, tag_field="came", tag="die"):
    face: int


class Bonus(Struct, frozen=True, tag_field="came", tag="bonus"):
    seat: Seat
    points: int | None  # None: hidden


class GotBonus(Struct, frozen=True):
    points: int


# -- the rule book -----------------------------------------------------------------------------


def start(setup: Setup, seats: int, rng: Random) -> Table:
    if seats not in SEATS:
        raise SetupError("Pig is played by 2 to 4 seats")
    in_order = tuple(map(Seat, range(seats)))
    return Table(setup.goal, (0,) * seats, in_order, (None,) * seats, variant=setup.variant)


def public_setup(setup: Setup) -> Setup:
    return setup


def chance(state: Table) -> Chance | None:
    if not state.seats:
        return None
    if state.rolling:
        return Chance((1,) * 6, tuple(Die(face) for face in range(1, 7)))
    if None in state.bonuses:
        seat = Seat(state.bonuses.index(None))
        return Chance((3, 2, 1), tuple(Bonus(seat, points) for points in range(3)))
    return None


def befall(state: Table, outcome: Die | Bonus) -> Table:
    if isinstance(outcome, Bonus):
        bonuses = (*state.bonuses[: outcome.seat], outcome.points, *state.bonuses[outcome.seat + 1 :])
        return structs.replace(state, bonuses=bonuses)
    if outcome.face == 1:
        return structs.replace(state, seats=(*state.seats[1:], state.seats[0]), sum=0, rolling=False)
    return structs.replace(state, sum=state.sum + outcome.face, rolling=False)


def public_outcome(outcome: Die | Bonus) -> Die | Bonus:
    return structs.replace(outcome, points=None) if isinstance(outcome, Bonus) else outcome


def to_move(state: Table) -> Seat | None:
    over = max(state.scores) >= state.goal or state.turn_number >= MOST_TURNS
    return state.seats[0] if state.seats and not over else None


def view(state: Table, seat: Seat) -> View:
    hidden = structs.replace(state, bonuses=())
    return View(seat, state.bonuses[seat], hidden, state.variant, state.turn_number)


def imagine(view: View, rng: Random) -> Table:
    drawn = [choice(rng, (0, 0, 0, 1, 1, 2)) for _ in view.table.scores]
    bonuses = tuple(view.bonus if seat == view.me else bonus for seat, bonus in enumerate(drawn))
    return structs.replace(view.table, bonuses=bonuses)


def legal_actions(view: View) -> Sequence[Roll | Hold]:
    return (Roll(), Hold()) if to_move(view.table) == view.me else ()


def why_illegal(view: View, action: Roll | Hold) -> str | None:
    return None if to_move(view.table) == view.me else "it is not your turn"


def apply(state: Table, action: Roll | Hold) -> Table:
    if isinstance(action, Roll):
        return structs.replace(state, rolling=True, turn_number=state.turn_number + 1)
    mover, *others = state.seats
    scores = tuple(score + state.sum * (seat == mover) for seat, score in enumerate(state.scores))
    return structs.replace(state, scores=scores, seats=(*others, mover), sum=0, turn_number=state.turn_number + 1)


def public_action(action: Roll | Hold) -> Roll | Hold:
    return action


def remove(state: Table, seat: Seat) -> Table:
    left = tuple(other for other in state.seats if other != seat)
    return structs.replace(state, seats=left, sum=0 if state.seats[0] == seat else state.sum)


def opening(state: Table, wave: int) -> Iterable[tuple[Seat, object]]:
    return [(seat, Began(view(state, seat))) for seat in sorted(state.seats)] if wave == 0 else ()


def notices(event: Event[Table, Roll | Hold]) -> Iterable[tuple[Seat, object]]:
    if isinstance(event, Befell) and isinstance(event.outcome, Bonus) and event.outcome.points is not None:
        return [(event.outcome.seat, GotBonus(event.outcome.points))]
    return ()


def closing(state: Table, ranking: Tiers) -> Iterable[tuple[Seat, object]]:
    return [(seat, Ended(tier == 0)) for tier, seats in enumerate(ranking) for seat in seats]


def scores(state: Table) -> Mapping[Seat, Score]:
    return {seat: (state.scores[seat] + (state.bonuses[seat] or 0),) for seat in sorted(state.seats)}


def ending(state: Table) -> str:
    return "the goal was reached" if state.seats else "nobody is left"


# -- values as JSON, and as short texts --------------------------------------------------------

ViewJson = View


def state_to_json(state: Table) -> Any:
    return msgspec.to_builtins(state)


def view_to_json(view: View) -> Any:
    return msgspec.to_builtins(view)


def state_from_json(value: Any) -> Table:
    state: Table = as_type(value, Table)
    return state


def view_from_json(value: Any) -> View:
    view: View = as_type(value, View)
    return view


def format_action(action: Roll | Hold) -> str:
    return "roll" if isinstance(action, Roll) else "hold"


def parse_action(text: str, shown: Any = None) -> Roll | Hold:
    if text not in ("roll", "hold"):
        raise NotationError(text, "roll or hold")
    return Roll() if text == "roll" else Hold()


def format_position(state: Table) -> str:
    return msgspec.json.encode(state).decode()


def parse_position(text: str) -> Table:
    try:
        return msgspec.json.decode(text, type=Table)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        raise NotationError(text, "a position of Pig") from None


# -- words, picture and clicks -----------------------------------------------------------------


def seat_name(seat: Seat) -> str:
    return ("red", "blue", "green", "white")[seat]


def board(shown: Table | View) -> str:
    table = shown.table if isinstance(shown, View) else shown
    lines = [f"{seat_name(seat)}: {table.scores[seat]}" for seat in sorted(table.seats)]
    return "\n".join([*lines, f"sum of this turn: {table.sum}"])


def describe_turn(turn: Any, to: Seat | None, *, subject: str = "", would: bool = False) -> str:
    verb = "roll" if isinstance(turn.action, Roll) else "hold"
    return f"{subject or seat_name(turn.seat)} {f'would {verb}' if would else f'chose to {verb}'}"


def describe_open_turn(turn: Any, *, subject: str = "") -> str:
    return describe_turn(turn, turn.seat, subject=subject)


def describe_outcome(outcome: Die | Bonus) -> str:
    if isinstance(outcome, Die):
        return f"the die fell on {outcome.face}"
    hidden = "a hidden bonus" if outcome.points is None else f"a bonus of {outcome.points}"
    return f"{seat_name(outcome.seat)} got {hidden}"


def facts(shown: Table | View) -> Mapping[Seat, tuple[tuple[str, str], ...]]:
    table = shown.table if isinstance(shown, View) else shown
    return {seat: (("points", str(table.scores[seat])),) for seat in sorted(table.seats)}


def picture(shown: Table | View, last: Turn[Table, Roll | Hold] | None = None, **options: Any) -> Picture:
    table = shown.table if isinstance(shown, View) else shown
    label = f"points {', '.join(map(str, table.scores))}, sum of this turn {table.sum}"
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pig-board" viewBox="0 0 60 20" role="img"'
        f' aria-label="{label}"><text x="2" y="14" font-size="8">{table.sum}</text></svg>'
    )


def clicks(view: View, clicked: Sequence[str], last: Any = None) -> PartialMove | Roll | Hold:
    if not legal_actions(view):
        raise UsageError("it is not your turn")

    def step(before: tuple[()], name: str, value: str) -> tuple[()] | CompleteMove[Roll | Hold]:
        if name != "do" or value not in ("roll", "hold"):
            raise WireError("expected a click on roll or hold")
        return CompleteMove(parse_action(value))

    after = follow_clicks(clicked, (), step)
    if isinstance(after, CompleteMove):
        return after.action
    return PartialMove("Roll or hold.", (Choice("do=roll", "roll"), Choice("do=hold", "hold")))


# -- numbers -----------------------------------------------------------------------------------

VERSION = "pig_v0"


class Encoding:
    actions = 2

    def __init__(self, seats: int) -> None:
        self.shape: tuple[int, ...] = (seats + 2,)
        self.channels: tuple[Channels, ...] = (
            Channels("points", seats, "of each seat, mine first, / 100"),
            Channels("sum", 1, "of the turn / 100"),
            Channels("goal", 1, "/ 100"),
        )

    def number(self, action: Roll | Hold, view: View) -> int:
        return int(isinstance(action, Hold))

    def action(self, number: int, view: View) -> Roll | Hold:
        if number not in (0, 1):
            raise NumberError(f"expected 0 or 1, got {number}")
        return Hold() if number else Roll()

    def legal_numbers(self, view: View) -> list[int]:
        return [self.number(action, view) for action in legal_actions(view)]

    def fill_mask(self, view: View, out: Any) -> None:
        out[:] = bool(legal_actions(view))

    def observe(self, view: View, out: Any) -> None:
        points = view.table.scores[view.me :] + view.table.scores[: view.me]
        out[:] = [min(each, 100) / 100 for each in (*points, view.table.sum, view.table.goal)]


encoding_of_size = cache(Encoding)


def encoding_of(shown: Table | View) -> Encoding:
    return encoding_of_size(len((shown.table if isinstance(shown, View) else shown).scores))


# -- house players -----------------------------------------------------------------------------


def random(rng: Random) -> Callable[[View], Roll | Hold]:
    """Any of its actions."""
    return lambda view: choice(rng, legal_actions(view))


def careful(rng: Random) -> Callable[[View], Roll | Hold]:
    """Hold from a sum of 6 on."""
    return lambda view: Hold() if view.table.sum >= 6 else Roll()


def search(
    rng: Random, *, playouts: int = 32, slip: float = 0.0, seconds: float = 0.0, clock: Clock | None = None
) -> PigSearcher:
    """Random playouts of both actions, with dice of its own."""
    return PigSearcher(rng, Budget(playouts, seconds, clock), slip)


class PigSearcher(Searcher[View, "Roll | Hold"]):
    def _list_actions(self, view: View) -> Sequence[Roll | Hold]:
        return legal_actions(view)

    def _think(self, view: View, consider: Sequence[Roll | Hold], seed: int) -> Thought:
        rng, done = Random(seed), 0
        actions = legal_actions(view)
        wins: dict[Roll | Hold, list[float]] = {action: [0.0] * len(view.table.scores) for action in actions}
        for size in self.budget.slices(8):
            for _ in range(size):
                for action in actions:
                    for seat in play_out(apply(imagine(view, rng), action), rng):
                        wins[action][seat] += 1
            done += size
        ranked = sorted(actions, key=lambda action: -wins[action][view.me])
        shares = {action: tuple(each / done for each in wins[action]) for action in actions}
        return Thought(
            tuple(Candidate(action, shares[action], done, (action,)) for action in ranked), done * len(actions)
        )


def play_out(state: Table, rng: Random) -> list[Seat]:
    """One of those who win if both careful and careless players go on: the one with the most points."""
    state = let_chance_fall(GAME, state, rng)
    while to_move(state) is not None:
        hold = state.sum >= 4 or (state.sum > 0 and below(rng, 4) == 0)
        state = let_chance_fall(GAME, apply(state, Hold() if hold else Roll()), rng)
    ranked = scores(state)
    return [max(ranked, key=lambda seat: ranked[seat])]


_ITSELF: Any = sys.modules[__name__]


def parts_of(module: ModuleType) -> Game[Table, View, Roll | Hold, Setup]:
    """The game with these rules: all of its modules are one."""
    here: Any = module
    return Game(
        name="pig",
        about="roll a die or hold; the first to reach the goal wins",
        seats=SEATS,
        variants={"standard": Setup(), "long": Setup("long", 40)},
        actions=(Roll, Hold),
        news=(Began, Ended, GotBonus),
        unit="points",
        patience=1.0,
        rules=here,
        codec=here,
        words=here,
        notation=here,
        players=HousePlayers({"random": random, "careful": careful, "search": search}, reviewer="search"),
        shown=Shown(picture=picture, clicks=clicks),
        parts=Parts(numbers=here),
        quick=Setup(),
    )


GAME = parts_of(_ITSELF)
