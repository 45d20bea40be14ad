"""A whole rule book from five functions and a state: positions, views, news and removals follow from their types."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from types import ModuleType
from typing import Any, Union, get_args, get_type_hints

from msgspec import Struct, defstruct
from msgspec.structs import replace

from fairplay.core import Began, Ended, Event, Score, Seat, SetupError, Tiers
from fairplay.defaults.fields import BySeat, FieldType, fields_of, require_plain_marks

_REPLACED = ("public_setup", "why_illegal", "public_action", "opening", "notices", "closing", "ending", "view")
"""Functions that a module may have of its own, in the form that `Rules` gives them."""


class DerivedRules:
    """The rule book of a module; satisfies `Rules`."""

    def __init__(self, module: ModuleType, name: str, seats: range) -> None:
        """Makes the types `Position`, `View` and `Setup` names of the module; raises TypeError if something is missing.

        Values travel between processes, which find their types by name.
        """
        self.__file__, self.__doc__ = module.__file__, module.__doc__  # for those who look for a fault, or the rules
        self.name, self.seats = name, seats
        self._author = module
        self._state = _require_state(module)
        self._fields = fields_of(self._state)
        self.hides = any(field.hidden or field.own for field in self._fields)
        self.columns = {field.name: field.columns for field in self._fields if field.columns}
        self.by_seat = frozenset(field.name for field in self._fields if field.by_seat)
        self._draws = "chance" in vars(module)
        self._check_functions()
        self.Setup = getattr(module, "Setup", None) or _publish(module, _make_setup())
        self.Position = _publish(module, self._make_position())
        self._visible = [field for field in fields_of(self.Position) if not field.hidden]
        self.View = getattr(module, "View", None) or _publish(module, self._make_view())
        for each in _REPLACED:
            if each in vars(module):
                setattr(self, each, vars(module)[each])
        if self._draws:
            self.chance, self.befall = self._chance, self._befall
        if "public_outcome" in vars(module):
            self.public_outcome = module.public_outcome

    # -- types ---------------------------------------------------------------------------------

    def _check_functions(self) -> None:
        for name, form in _NEEDED.items():
            if not callable(getattr(self._author, name, None)):
                raise TypeError(f"a game needs a function `{name}`: {form}")
        require_plain_marks(self._state)
        if self.hides and "imagine" not in vars(self._author):
            field = next(field for field in self._fields if field.hidden or field.own)
            raise TypeError(
                f"`State.{field.name}` is not known to all: write `def imagine(view, rng)`, "
                "some State that the owner of the view could be looking at"
            )
        if self._draws != ("befall" in vars(self._author)):
            raise TypeError("`def chance(state)` and `def befall(state, outcome)` go together: write both")
        if self._draws and self.hides and "public_outcome" not in vars(self._author):
            raise TypeError(
                "may all seats know what chance brings? Write `def public_outcome(outcome)`, "
                "which returns the outcome, or None"
            )
        turned = "turn" in self._state.__struct_fields__ or "remove" in vars(self._author)
        if self.seats[-1] > 2 and not turned:
            raise TypeError(
                "who moves instead of a seat that was removed? Name the field of `State` that says whose turn it is "
                "`turn: int`, or write `def remove(state, seat)`"
            )

    def _make_position(self) -> type[Struct]:
        own = self._state.__struct_fields__
        extra = [(name, kind, default) for name, kind, default in _EXTRA if name not in own]
        return defstruct("Position", extra, bases=(self._state,), frozen=True)

    def _make_view(self) -> type[Struct]:
        shown = [(field.name, _as_shown(field, self.Position)) for field in self._visible]
        return defstruct("View", [("me", int), ("mover", Union[int, None]), *shown], frozen=True)

    def _carry(self, before: Any, inner: Any, **changed: Any) -> Any:
        """The position with what the author's functions returned, and what they need not know."""
        if not isinstance(inner, self._state):
            raise TypeError(f"expected a State, got {type(inner).__name__}")
        values = {name: getattr(inner, name) for name in self._state.__struct_fields__}
        kept = {} if before is None else {name: getattr(before, name) for name, _, _ in _EXTRA}
        return self.Position(**{**kept, **values, **changed})

    # -- the match -----------------------------------------------------------------------------

    def start(self, setup: Any, seats: int, rng: Random) -> Any:
        if seats not in self.seats:
            raise SetupError(f"{self.name} is played by {_span(self.seats)}")
        variant = getattr(setup, "variant", "standard")
        return self._carry(None, self._author.start(setup, seats, rng), seats=seats, variant=variant)

    def public_setup(self, setup: Any) -> Any:
        return setup

    def to_move(self, state: Any) -> Seat | None:
        if len(state.removed) > max(0, state.seats - 2):
            return None  # who is left alone need not play on
        mover = self._author.to_move(state)
        return None if mover is None else Seat(mover)

    def view(self, state: Any, seat: Seat) -> Any:
        shown = {"me": seat, "mover": self.to_move(state)}
        for field in self._visible:
            value = getattr(state, field.name)
            if field.own:
                value = tuple(entry if other == seat else None for other, entry in enumerate(value))
            shown[field.name] = value
        return self.View(**shown)

    def imagine(self, view: Any, rng: Random) -> Any:
        if "imagine" in vars(self._author):
            return self._carry(view, self._author.imagine(view, rng))
        return self._carry(view, self._state(**{name: getattr(view, name) for name in self._state.__struct_fields__}))

    def legal_actions(self, view: Any) -> Sequence[Any]:
        return tuple(self._author.legal_actions(view)) if view.mover == view.me else ()

    def why_illegal(self, view: Any, action: Any) -> str | None:
        if view.mover != view.me:
            return "it is not your turn"
        return None if action in self.legal_actions(view) else "that cannot be done now"

    def apply(self, state: Any, action: Any) -> Any:
        after = self._author.apply(state, action)
        return self._pass_on(self._carry(state, after, turn_number=state.turn_number + 1))

    def public_action(self, action: Any) -> Any:
        return action

    def remove(self, state: Any, seat: Seat) -> Any:
        removed = tuple(sorted({*state.removed, seat}))
        state = self._carry(state, state, removed=removed)
        after = self._author.remove(state, seat) if "remove" in vars(self._author) else state
        return self._pass_on(self._carry(state, after))

    def _pass_on(self, state: Any) -> Any:
        """The position once the turn has passed those who are not there any more."""
        for _ in range(state.seats):
            if self.to_move(state) not in state.removed:
                break
            state = replace(state, turn=(state.turn + 1) % state.seats)
        return state

    def _chance(self, state: Any) -> Any:
        return None if len(state.removed) > max(0, state.seats - 2) else self._author.chance(state)

    def _befall(self, state: Any, outcome: Any) -> Any:
        return self._pass_on(self._carry(state, self._author.befall(state, outcome)))

    def let_chance_fall(self, state: Any, rng: Random) -> Any:
        """The position after all that chance decides before somebody is asked, drawn by `rng`: for searches."""
        while self._draws and (chance := self._chance(state)) is not None:
            state = self._befall(state, chance.draw(rng))
        return state

    # -- news and results ----------------------------------------------------------------------

    def opening(self, state: Any, wave: int) -> Iterable[tuple[Seat, object]]:
        return [(seat, Began(self.view(state, seat))) for seat in self._playing(state)] if wave == 0 else ()

    def notices(self, event: Event[Any, Any]) -> Iterable[tuple[Seat, object]]:
        return ()

    def closing(self, state: Any, ranking: Tiers) -> Iterable[tuple[Seat, object]]:
        return [(seat, Ended(tier == 0)) for tier, seats in enumerate(ranking) for seat in seats]

    def _playing(self, state: Any) -> list[Seat]:
        return [Seat(seat) for seat in range(state.seats) if seat not in state.removed]

    def scores(self, state: Any) -> Mapping[Seat, Score]:
        told = self._author.scores(state)
        points = told if isinstance(told, Mapping) else dict(enumerate(told))
        return {seat: _as_score(points[seat]) for seat in self._playing(state)}

    def ending(self, state: Any) -> str:
        left = state.seats - len(state.removed)
        return "nobody is left" if not left else "one seat is left" if left == 1 < state.seats else "the match is over"


_NEEDED = {
    "start": "`def start(setup, seats, rng)`, which returns a State",
    "to_move": "`def to_move(state)`, which returns a seat, or None when the match is over",
    "legal_actions": "`def legal_actions(view)`, which returns a list of actions",
    "apply": "`def apply(state, action)`, which returns a State",
    "scores": "`def scores(state)`, which returns the points of each seat",
}
"""What only an author can write, with how."""

_EXTRA: tuple[tuple[str, Any, Any], ...] = (
    ("seats", int, 2),
    ("variant", str, "standard"),
    ("turn_number", int, 0),
    ("removed", tuple[int, ...], ()),
)
"""What a position has besides the fields of the author's state."""


def _as_shown(field: FieldType, position: type[Struct]) -> Any:
    """The type of a field in a view: of what is a seat's own, None for the others."""
    hint = get_type_hints(position, include_extras=True)[field.name]
    if not field.own:
        return hint
    entry: Any = get_args(get_args(hint)[0])[0]
    return BySeat[Union[entry, None]]  # of which only this seat's own is there


def _require_state(module: ModuleType) -> type[Struct]:
    state = getattr(module, "State", None)
    if not isinstance(state, type) or not issubclass(state, Struct):
        raise TypeError("a game needs a state: `class State(Struct, frozen=True)`")
    if not state.__struct_config__.frozen:
        raise TypeError("`State` can be changed: `class State(Struct, frozen=True)`")
    return state


def _make_setup() -> type[Struct]:
    return defstruct("Setup", [("variant", str, "standard")], frozen=True, forbid_unknown_fields=True)


def _publish(module: ModuleType, made: type[Struct]) -> type[Struct]:
    """`made` as a name of the module."""
    made.__module__ = module.__name__
    setattr(module, made.__name__, made)
    return made


def _as_score(points: Any) -> Score:
    return tuple(map(int, points)) if isinstance(points, (tuple, list)) else (int(points),)


def _span(seats: range) -> str:
    return f"{seats[0]} to {seats[-1]} seats" if len(seats) > 1 else f"{seats[0]} seats"
