"""Actions as numbers and views as arrays: every action that the types allow, every field that a seat may see."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from fairplay.core import NumberError
from fairplay.core.numbers import Channels
from fairplay.defaults.fields import Scale, fields_of, list_values, scale_of
from fairplay.defaults.rules import DerivedRules

if TYPE_CHECKING:
    from msgspec import Struct

    from fairplay.core.numbers import Floats, Mask

_TOLD = frozenset({"me", "mover", "seats", "variant", "turn_number", "removed"})
"""Fields of a view that are left out, or written relative to its owner."""


class DerivedNumbers:
    """How a game numbers its actions; satisfies `Numbers`."""

    def __init__(self, name: str, rules: DerivedRules, actions: tuple[type[Struct], ...]) -> None:
        """Raises TypeError if actions cannot be counted, or fields have no size."""
        self.VERSION = f"{name}_v0"
        self._make = cache(lambda seats: _Encoding(rules, list(chain.from_iterable(map(list_values, actions))), seats))
        self._make(rules.seats[0])

    def encoding_of(self, shown: Any) -> _Encoding:
        encoding: _Encoding = self._make(shown.seats)
        return encoding


class _Encoding:
    """The numbers of all matches with so many seats."""

    def __init__(self, rules: DerivedRules, actions: list[Any], seats: int) -> None:
        self._rules, self._all, self._seats = rules, actions, seats
        self._numbers = {action: number for number, action in enumerate(actions)}
        self._scales: list[tuple[str, bool, Scale]] = [
            (field.name, field.by_seat, scale_of(f"State.{field.name}", field, seats))
            for field in fields_of(rules.View)
            if field.name not in _TOLD
        ]
        self.actions = len(actions)
        self.channels: tuple[Channels, ...] = (
            Channels("mover", seats, "how many seats after me it is to move, one-hot; all 0 when the match is over"),
            Channels("in", seats, "1 for each seat that is still in, mine first"),
            Channels("me", seats, "my seat, one-hot"),
            *(Channels(name, scale.size, scale.about) for name, _, scale in self._scales),
        )
        self.shape: tuple[int, ...] = (sum(channels.size for channels in self.channels),)

    def number(self, action: Any, view: Any) -> int:
        try:
            return self._numbers[action]
        except KeyError:
            raise NumberError(f"there is no such action: {action}") from None

    def action(self, number: int, view: Any) -> Any:
        if not 0 <= number < self.actions:
            raise NumberError(f"expected a number from 0 to {self.actions - 1}, got {number}")
        return self._all[number]

    def legal_numbers(self, view: Any) -> list[int]:
        return sorted(self.number(action, view) for action in self._rules.legal_actions(view))

    def fill_mask(self, view: Any, out: Mask) -> None:
        out[:] = 0
        out[self.legal_numbers(view)] = 1

    def observe(self, view: Any, out: Floats) -> None:
        seats, me = self._seats, view.me
        round_table = [(me + step) % seats for step in range(seats)]
        numbers = [float(view.mover == seat) for seat in round_table]
        numbers += [float(seat not in view.removed) for seat in round_table]
        numbers += [float(seat == me) for seat in range(seats)]
        for name, by_seat, scale in self._scales:
            value = getattr(view, name)
            numbers += scale.write(tuple(value[seat] for seat in round_table) if by_seat else value)
        out[:] = numbers
