"""What stands in a kit if its author says nothing: found out from the game and the types of its actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from random import Random
from string import ascii_lowercase
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import inspect

from fairplay.core import AnyGame, Seat, SetupError, UsageError
from fairplay.core.chance import below, choice, derived
from fairplay.core.game import let_chance_fall
from fairplay.core.names import list_known
from fairplay.testing.kit import CompleteKit, Kit, ListIllegal, Scramble, Table


def complete_kit(game: AnyGame, kit: Kit) -> CompleteKit:
    """The kit with a default for whatever it leaves out; raises UsageError if no match of the game can be dealt."""
    perft = [count._replace(table=_find_setup(game, count.table)) for count in kit.perft]
    drawn = kit.tables if isinstance(kit.tables, SearchStrategy) else None
    given = None if isinstance(kit.tables, SearchStrategy) else kit.tables
    listed = list_tables(game) if given is None else [_find_setup(game, table) for table in given]
    if not listed:
        raise UsageError(f"no variant of {game.name} can be dealt, with any number of seats")
    scramble = kit.scramble or partial(scramble_by_imagining, game)
    return CompleteKit(
        tables=st.sampled_from(listed) if drawn is None else drawn.map(partial(_find_setup, game)),
        first_table=perft[0].table if perft else listed[0],
        scramble=scramble,
        disguise=kit.disguise or (lambda action, seat, rng: action),
        find_hides=lambda: hides_something(game, scramble, listed) if kit.hides is None else kit.hides,
        illegal=kit.illegal or find_illegal(game),
        invariant=kit.invariant,
        perft=perft,
        longest=kit.longest,
        alike=kit.alike,
        rare=kit.rare,
        plays_on_alone=kit.plays_on_alone,
    )


def _find_setup(game: AnyGame, table: Table) -> Table:
    """The table with the setup of the variant that it may name; raises UsageError if there is none."""
    if not isinstance(table.setup, str):
        return table
    if table.setup not in game.variants:
        known = list_known(table.setup, game.variants)
        raise UsageError(f"the kit of {game.name} names a variant '{table.setup}'; there are: {known}")
    return table._replace(setup=game.variants[table.setup])


def list_tables(game: AnyGame) -> list[Table]:
    """Every variant with every number of seats that can be dealt."""
    setups = dict.fromkeys([*game.variants.values(), *([] if game.quick is None else [game.quick])])
    return [Table(setup, seats) for setup in setups for seats in game.seats if can_be_dealt(game, Table(setup, seats))]


def can_be_dealt(game: AnyGame, table: Table) -> bool:
    with suppress(SetupError):
        game.rules.start(table.setup, table.seats, Random(0))
        return True
    return False


# -- what is hidden ----------------------------------------------------------------------------


def scramble_by_imagining(game: AnyGame, state: Any, seat: Seat | None, rng: Random) -> Any:
    """A state that looks the same to `seat`; for somebody who watches, one seat after the other imagines another."""
    for viewer in game.rules.scores(state) if seat is None else (seat,):
        state = game.rules.imagine(game.rules.view(state, viewer), rng)
    return state


def hides_something(game: AnyGame, scramble: Scramble, tables: Sequence[Table]) -> bool:
    """Does scrambling change the state of any of twenty matches after a few turns?"""
    rules = game.rules
    for seed in range(20):
        table, rng = tables[seed % len(tables)], derived(seed, "hides")
        state = let_chance_fall(game, rules.start(table.setup, table.seats, rng), rng)
        for _ in range(seed % 5):
            if (mover := rules.to_move(state)) is not None:
                after = rules.apply(state, choice(rng, rules.legal_actions(rules.view(state, mover))))
                state = let_chance_fall(game, after, rng)
        if any(scramble(state, seat, rng) != state for seat in rules.scores(state)):
            return True
    return False


# -- illegal actions ---------------------------------------------------------------------------

_TRIES = 12
"""Random values of a field, or of a kind of action, that are tried."""


def find_illegal(game: AnyGame) -> ListIllegal:
    """A function that lists actions of all kinds, and legal ones with one field changed, that are not legal."""

    def illegal(view: Any) -> Iterator[tuple[str, Any]]:
        rng, legal = Random(repr(view)), [*game.rules.legal_actions(view)]
        samples = [(f"any {kind.__name__}", partial(_draw_action, kind, rng)) for kind in game.actions]
        if legal:
            like = choice(rng, legal)
            samples += [
                (f"a legal {type(like).__name__} but for its {field.name}", partial(_change_field, like, field, rng))
                for field in _list_fields(type(like))
            ]
        for label, draw in samples:
            if unlisted := [action for action in _draw_actions(game, draw) if action not in legal]:
                yield label, unlisted[0]

    return illegal


def _draw_actions(game: AnyGame, draw: Callable[[], Any]) -> Iterator[Any]:
    """Actions that can be expressed, of some values that are tried."""
    for _ in range(_TRIES):
        with suppress(msgspec.ValidationError, UndrawableError):
            yield game.action_decoder.decode(msgspec.json.encode(draw()))


def _draw_action(kind: type[Any], rng: Random) -> Any:
    return draw_json(inspect.type_info(kind), rng)


def _change_field(action: Any, field: inspect.Field, rng: Random) -> Any:
    return {**msgspec.to_builtins(action), field.encode_name: draw_json(field.type, rng)}


def _list_fields(kind: type[Any]) -> tuple[inspect.Field, ...]:
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType), "actions are structs"
    return info.fields


class UndrawableError(Exception):
    """Values of this type are not made up, such as those of a type with a hook of its own."""


_SPREAD = 20
"""Of whole numbers without a bound."""


def draw_json(info: inspect.Type, rng: Random, depth: int = 0) -> Any:
    """A random value of a type, as its JSON; raises UndrawableError."""
    match info:
        case inspect.Metadata(type=inner):
            return draw_json(inner, rng, depth)
        case inspect.UnionType(types=types):
            return draw_json(choice(rng, types), rng, depth + 1)
        case inspect.TupleType(item_types=types):
            return [draw_json(each, rng, depth + 1) for each in types]
        case inspect.CollectionType(item_type=item):
            count = (info.min_length or 0) + (0 if depth > 3 else below(rng, 4))
            return [draw_json(item, rng, depth + 1) for _ in range(count)]
        case inspect.StructType():
            return _draw_struct(info, rng, depth)
    return _draw_simple(info, rng)


def _draw_simple(info: inspect.Type, rng: Random) -> Any:
    match info:
        case inspect.IntType():
            return _draw_number(info, rng)
        case inspect.FloatType():
            return rng.random()
        case inspect.BoolType():
            return bool(below(rng, 2))
        case inspect.NoneType():
            return None
        case inspect.StrType():
            return "".join(choice(rng, ascii_lowercase) for _ in range((info.min_length or 0) + below(rng, 4)))
        case inspect.LiteralType(values=values):
            return choice(rng, values)
        case inspect.EnumType(cls=kind):
            return choice(rng, [each.value for each in kind])
    raise UndrawableError(type(info).__name__)


def _draw_number(info: inspect.IntType, rng: Random) -> int:
    """A whole number within its bounds, the bounds themselves as often as all that is between."""
    low = info.ge if info.ge is not None else info.gt + 1 if info.gt is not None else None
    high = info.le if info.le is not None else info.lt - 1 if info.lt is not None else None
    first = low if low is not None else -1 if high is None else high - _SPREAD
    last = high if high is not None else first + _SPREAD
    return first + below(rng, last - first + 1) if below(rng, 2) else choice(rng, (first, last))


def _draw_struct(info: inspect.StructType, rng: Random, depth: int) -> Any:
    fields = {field.encode_name: draw_json(field.type, rng, depth + 1) for field in info.fields}
    if info.array_like:
        return [*([] if info.tag is None else [info.tag]), *fields.values()]
    return fields if info.tag_field is None else {info.tag_field: info.tag, **fields}
