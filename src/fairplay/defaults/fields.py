"""What the types of a game's fields say: who may know them, every value that they can have, and how to number those."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, islice, product
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct

from fairplay.core import NumberError
from fairplay.core.numbers import Channels

T = TypeVar("T")


class _Mark(NamedTuple):
    """Said of a field beside its type."""

    name: str


_BY_SEAT, _OWN, _HIDDEN = _Mark("by seat"), _Mark("own"), _Mark("hidden")

BySeat: TypeAlias = Annotated[tuple[T, ...], _BY_SEAT]
"""An entry for each seat, such as its points; everybody may know all of them."""

Own: TypeAlias = Annotated[tuple[T, ...], _OWN]
"""An entry for each seat, such as its hand; a seat sees its own, and None for the others."""

Hidden: TypeAlias = Annotated[T, _HIDDEN]
"""What no seat may know, such as a deck."""


class Columns(NamedTuple):
    """Said of a tuple beside its type: it is a board, row by row, with so many columns."""

    columns: int


class Action(Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """What the actions of a game derive from: the name of the class is what is done."""


def actions_of(names: dict[str, Any]) -> tuple[type[Action], ...]:
    """The actions among the names of a module, in the order in which they are defined there."""
    home = names["__name__"]
    found = (each for each in names.values() if isinstance(each, type) and issubclass(each, Action))
    return tuple(each for each in found if each.__module__ == home)


class FieldType(NamedTuple):
    """A field of a struct: its type without what is said beside it, and that."""

    name: str
    kind: Any
    lengths: tuple[int | None, int | None] = (None, None)  # the least and the most, of a tuple
    bounds: tuple[int | None, int | None] = (None, None)  # of a number
    mark: _Mark | None = None
    columns: int | None = None  # of a board

    @property
    def by_seat(self) -> bool:
        return self.mark in (_BY_SEAT, _OWN)

    @property
    def own(self) -> bool:
        return self.mark is _OWN

    @property
    def hidden(self) -> bool:
        return self.mark is _HIDDEN


def fields_of(struct: type[Struct]) -> list[FieldType]:
    """The fields of a struct, in order."""
    hints = get_type_hints(struct, include_extras=True)
    return [read_field(name, hints[name]) for name in struct.__struct_fields__]


def read_field(name: str, hint: Any) -> FieldType:
    """A field with this name and this type, as it is written."""
    field = FieldType(name, hint)
    while get_origin(field.kind) is Annotated:
        inner, *said = get_args(field.kind)
        field = field._replace(kind=inner)
        for each in said:
            if isinstance(each, _Mark):
                field = field._replace(mark=each)
            elif isinstance(each, Columns):
                field = field._replace(columns=each.columns)
            elif isinstance(each, Meta):
                field = field._replace(
                    lengths=(_or_else(field.lengths[0], each.min_length), _or_else(field.lengths[1], each.max_length)),
                    bounds=(_or_else(field.bounds[0], _lowest(each)), _or_else(field.bounds[1], _highest(each))),
                )
    return field


def require_plain_marks(struct: type[Struct]) -> None:
    """Raises TypeError if something inside a field is marked as known to some: only a whole field can be hidden."""
    hints = get_type_hints(struct, include_extras=True)
    for name in struct.__struct_fields__:
        hint = hints[name]
        while get_origin(hint) is Annotated:
            hint = get_args(hint)[0]
        if mark := _find_mark(hint, set()):
            raise TypeError(
                f"`{struct.__name__}.{name}` has something inside that is {mark}, and all of it would be shown: "
                f"say so of the whole field, such as `{name}: Hidden[int | None]`"
            )


def _find_mark(hint: Any, seen: set[Any]) -> str:
    """What is said inside a type, or in the fields of structs in it, about who may know it; empty if nothing is."""
    if get_origin(hint) is Annotated:
        inner, *said = get_args(hint)
        marks = [each.name for each in said if each in (_OWN, _HIDDEN)]
        return marks[0] if marks else _find_mark(inner, seen)
    parts: Iterable[Any] = get_args(hint) if get_origin(hint) is not Literal else ()
    if isinstance(hint, type) and issubclass(hint, Struct) and hint not in seen:
        seen.add(hint)
        parts = get_type_hints(hint, include_extras=True).values()
    return next(filter(None, (_find_mark(part, seen) for part in parts)), "")


def _or_else(first: int | None, second: int | None) -> int | None:
    return second if first is None else first


def _lowest(said: Meta) -> int | None:
    return int(said.ge) if said.ge is not None else int(said.gt) + 1 if said.gt is not None else None


def _highest(said: Meta) -> int | None:
    return int(said.le) if said.le is not None else int(said.lt) - 1 if said.lt is not None else None


def alternatives(kind: Any) -> tuple[Any, ...]:
    """The types that a union is made of; of any other type, itself."""
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


# -- every value -------------------------------------------------------------------------------

_MOST_VALUES = 100_000
"""Actions that are numbered: more would be more than a button each, and more than anything learns."""


def list_values(struct: type[Struct]) -> list[Any]:
    """Every value of a struct, in order; raises TypeError with the field that has no bounds, and how to write it."""
    choices = [_list_choices(f"{struct.__name__}.{field.name}", field) for field in fields_of(struct)]
    return [struct(*values) for values in _take_all(struct.__name__, product(*choices))]


def _take_all(place: str, values: Iterable[Any]) -> list[Any]:
    """All of `values`, taken one by one; raises TypeError as soon as they are too many."""
    found = [*islice(values, _MOST_VALUES + 1)]
    if len(found) > _MOST_VALUES:
        raise TypeError(
            f"`{place}` has more than {_MOST_VALUES} values: give closer bounds, "
            "or write `numbers`, a module or object of your own"
        )
    return found


def _list_choices(place: str, field: FieldType) -> list[Any]:
    values: list[Any] = []
    for kind in alternatives(field.kind):
        values += _list_kind(place, field._replace(kind=kind))
    return values


def _list_kind(place: str, field: FieldType) -> list[Any]:
    kind, origin = field.kind, get_origin(field.kind)
    if kind in (None, NoneType):
        return [None]
    if kind is bool:
        return [False, True]
    if origin is Literal:
        return [*get_args(kind)]
    if kind is int:
        low, high = field.bounds
        if low is None or high is None:
            raise TypeError(f"`{place}` has no bounds: `Annotated[int, Meta(ge=0, le=6)]`")
        return _take_all(place, range(low, high + 1))
    if origin is tuple:
        return _take_all(place, _list_tuples(place, field))
    if isinstance(kind, type) and issubclass(kind, Struct):
        return list_values(kind)
    if origin is Annotated:
        return _list_choices(place, read_field(field.name, kind))
    raise TypeError(
        f"the values of `{place}` cannot be counted: use int with bounds, bool, Literal, or tuples and structs of these"
    )


def _list_tuples(place: str, field: FieldType) -> Iterator[tuple[Any, ...]]:
    inner = get_args(field.kind)
    if len(inner) != 2 or inner[1] is not ...:
        yield from product(*(_list_choices(place, read_field(field.name, each)) for each in inner))
        return
    low, high = field.lengths
    if high is None:
        raise TypeError(f"`{place}` has no greatest length: `Annotated[tuple[int, ...], Meta(max_length=3)]`")
    entries = _list_choices(place, read_field(field.name, inner[0]))
    for length in range(low or 0, high + 1):
        yield from product(entries, repeat=length)


# -- as floats ---------------------------------------------------------------------------------

Floats: TypeAlias = list[float]


class Scale(NamedTuple):
    """How values of one type are written as numbers from 0 to 1: always as many."""

    size: int
    write: Callable[[Any], Floats]
    about: str


def scale_of(place: str, field: FieldType, seats: int) -> Scale:
    """How the values of a field are written; raises TypeError with the place if its type does not say."""
    kinds = alternatives(field.kind)
    if len(kinds) > 1 and {None, NoneType} & {*kinds}:
        rest = tuple(kind for kind in kinds if kind not in (None, NoneType))
        return _or_nothing(scale_of(place, field._replace(kind=Union[rest]), seats))
    kind, origin = field.kind, get_origin(field.kind)
    if kind is bool:
        return Scale(1, lambda value: [float(value)], "0 or 1")
    if origin is Literal:
        return _one_of(get_args(kind))
    if kind is int:
        return _whole_number(*field.bounds)
    if kind is float:
        return Scale(1, lambda value: [_squeeze(value)], "squeezed between 0 and 1")
    if origin is tuple:
        return _tuple_scale(place, field, seats)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _in_a_row([scale_of(f"{kind.__name__}.{each.name}", each, seats) for each in fields_of(kind)], kind)
    if origin is Annotated:
        return scale_of(place, read_field(field.name, kind), seats)
    raise TypeError(f"`{place}` cannot be written as numbers: write `numbers`, a module or object of your own")


def _squeeze(value: float) -> float:
    """Any number between 0 and 1, in the same order."""
    return 0.5 + 0.5 * value / (1 + abs(value))


def _whole_number(low: int | None, high: int | None) -> Scale:
    if low is None or high is None:
        return Scale(1, lambda value: [_squeeze(value)], "squeezed between 0 and 1")
    width = max(1, high - low)
    return Scale(1, lambda value: [min(1.0, max(0.0, (value - low) / width))], f"{low} to {high} as 0 to 1")


def _one_of(values: tuple[Any, ...]) -> Scale:
    return Scale(len(values), lambda value: [float(value == each) for each in values], "one-hot")


def _or_nothing(inner: Scale) -> Scale:
    def write(value: object) -> Floats:
        return [0.0] * (inner.size + 1) if value is None else [1.0, *inner.write(value)]

    return Scale(inner.size + 1, write, f"1 if it is there; {inner.about}")


def _in_a_row(scales: list[Scale], struct: type[Struct] | None = None) -> Scale:
    def write(value: Any) -> Floats:
        values = value if struct is None else [getattr(value, name) for name in struct.__struct_fields__]
        return [number for scale, each in zip(scales, values, strict=True) for number in scale.write(each)]

    return Scale(sum(scale.size for scale in scales), write, "one after the other")


def _tuple_scale(place: str, field: FieldType, seats: int) -> Scale:
    inner = get_args(field.kind)
    if len(inner) != 2 or inner[1] is not ...:
        return _in_a_row([scale_of(place, read_field(field.name, each), seats) for each in inner])
    most = seats if field.by_seat else field.lengths[1]
    if most is None:
        raise TypeError(f"`{place}` has no greatest length: `Annotated[tuple[int, ...], Meta(max_length=42)]`")
    entry = scale_of(place, read_field(field.name, inner[0]), seats)

    def write(value: tuple[Any, ...]) -> Floats:
        numbers = [number for each in value[:most] for number in entry.write(each)]
        padded = numbers + [0.0] * (most * entry.size - len(numbers))
        return padded if field.by_seat else [*padded, len(value) / max(1, most)]

    return Scale(most * entry.size + (not field.by_seat), write, f"{most} times {entry.about}")


# -- actions as numbers, views as arrays ----------------------------------------------------------

_TOLD = frozenset({"me", "mover", "seats", "variant", "turn_number", "removed"})
"""Fields of a view that are left out, or written relative to its owner."""


class _Encoding:
    """The numbers of all matches with so many seats."""

    def __init__(self, actions: list[Any], view: type[Struct], legal_actions: Callable[[Any], Any], seats: int) -> None:
        self._all, self._legal_actions, self._seats = actions, legal_actions, seats
        self._numbers = {action: number for number, action in enumerate(actions)}
        self._scales: list[tuple[str, bool, Scale]] = [
            (field.name, field.by_seat, scale_of(f"State.{field.name}", field, seats))
            for field in fields_of(view)
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
        return sorted(self.number(action, view) for action in self._legal_actions(view))

    def fill_mask(self, view: Any, out: Any) -> None:
        out[:] = 0
        out[self.legal_numbers(view)] = 1

    def observe(self, view: Any, out: Any) -> None:
        seats, me = self._seats, view.me
        round_table = [(me + step) % seats for step in range(seats)]
        numbers = [float(view.mover == seat) for seat in round_table]
        numbers += [float(seat not in view.removed) for seat in round_table]
        numbers += [float(seat == me) for seat in range(seats)]
        for name, by_seat, scale in self._scales:
            value = getattr(view, name)
            numbers += scale.write(tuple(value[seat] for seat in round_table) if by_seat else value)
        out[:] = numbers


class DerivedNumbers:
    """How a game numbers its actions; satisfies `Numbers`."""

    def __init__(
        self, name: str, actions: tuple[type[Struct], ...], view: type[Struct], legal_actions: Callable[[Any], Any]
    ) -> None:
        """Raises TypeError if actions cannot be counted, or fields of views have no size."""
        self.VERSION = f"{name}_v0"
        numbered = list(chain.from_iterable(map(list_values, actions)))
        self._make = cache(lambda seats: _Encoding(numbered, view, legal_actions, seats))
        self._make(2)

    def encoding_of(self, shown: Any) -> _Encoding:
        encoding: _Encoding = self._make(shown.seats)
        return encoding
