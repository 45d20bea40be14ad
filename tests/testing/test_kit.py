"""A kit that leaves everything out is completed from the game itself; one that lies beside a game is found."""

from __future__ import annotations

import sys
from random import Random
from typing import Annotated, Literal

import pytest
from hypothesis import given, strategies as st
from msgspec import Meta, Struct, convert, inspect

import nim
from fairplay.catalog import GAMES
from fairplay.core import Seat, UsageError
from fairplay.testing import Kit, Perft, Table
from fairplay.testing.defaults import UndrawableError, complete_kit, draw_json, list_tables, scramble_by_imagining
from fairplay.testing.kit import find_kit
from fairplay.testing.walks import walk

ALL_GAMES = pytest.mark.parametrize("name", ["fish", "labyrinth", "nim", "trains"])


@ALL_GAMES
def test_without_tables_every_variant_is_played_with_every_number_of_seats(name: str) -> None:
    game = GAMES[name]
    tables = list_tables(game)
    assert {table.setup.variant for table in tables} == {*game.variants}
    assert {table.seats for table in tables} <= {*game.seats}
    assert complete_kit(game, Kit()).first_table == tables[0] == Table(next(iter(game.variants.values())), 2)


@ALL_GAMES
def test_what_hides_something_is_found_by_trying(name: str) -> None:
    assert complete_kit(GAMES[name], Kit()).hides == (name in {"labyrinth", "trains"})


@ALL_GAMES
@pytest.mark.parametrize("seed", range(4))
def test_scrambling_by_imagining_changes_no_view(name: str, seed: int) -> None:
    table = list_tables(GAMES[name])[0]
    found, rules = walk(name, table, seed, 5), GAMES[name].rules
    for seat in found.seats:
        other = scramble_by_imagining(GAMES[name], found.state, seat, Random(seed))
        assert rules.view(other, seat) == rules.view(found.state, seat)
    watched = scramble_by_imagining(GAMES[name], found.state, None, Random(seed))
    assert GAMES[name].shown.picture(watched) == GAMES[name].shown.picture(found.state)


@ALL_GAMES
def test_illegal_actions_are_made_up(name: str) -> None:
    game = GAMES[name]
    kit = complete_kit(game, Kit())
    found = walk(name, kit.first_table, 1, 4)
    mover = game.rules.to_move(found.state)
    assert mover is not None
    view = game.rules.view(found.state, mover)
    made_up = [*kit.illegal(view)]
    assert made_up == [*kit.illegal(view)], "the same view gives the same actions"
    assert made_up
    for label, action in made_up:
        assert isinstance(action, game.actions), label
        assert action not in game.rules.legal_actions(view)


@given(data=st.data())
def test_so_may_one_that_is_drawn(data: st.DataObject) -> None:
    tables = complete_kit(GAMES["nim"], Kit(tables=st.just(Table("standard", 3)))).tables
    assert data.draw(tables) == Table(GAMES["nim"].variants["standard"], 3)


class Odd(Struct, frozen=True, tag_field="do", tag="odd"):
    count: Annotated[int, Meta(ge=2, lt=5)]
    pair: tuple[bool, None]
    names: tuple[str, ...] = ()
    end: Literal["left", "right"] | None = None
    share: float = 0.5
    below: Annotated[int, Meta(le=-3)] = -7


@given(seed=st.integers(0, 2**32))
def test_made_up_values_are_of_their_type(seed: int) -> None:
    drawn = draw_json(inspect.type_info(Odd), Random(seed))
    assert isinstance(convert(drawn, Odd), Odd)


def test_a_type_that_is_not_known_is_not_made_up() -> None:
    with pytest.raises(UndrawableError):
        draw_json(inspect.type_info(bytes), Random(1))


def test_a_kit_lies_beside_its_game(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_kit("nim").perft
    own = Kit(longest=7)
    monkeypatch.setattr(nim, "KIT", own, raising=False)
    assert find_kit("nim") is own
    monkeypatch.setattr(nim, "KIT", {"longest": 7})
    with pytest.raises(UsageError, match=r"^KIT of nim is no kit: expected a fairplay.testing.Kit, got dict$"):
        find_kit("nim")


def test_a_table_of_a_kit_may_name_its_variant() -> None:
    nim = GAMES["nim"]
    kit = complete_kit(nim, Kit(tables=[Table("standard", 3)], perft=[Perft(Table("standard", 2), 1, (11,))]))
    assert kit.first_table == kit.perft[0].table == Table(nim.variants["standard"], 2)
    with pytest.raises(UsageError, match=r"^the kit of nim names a variant 'blitz'; there are: standard$"):
        complete_kit(nim, Kit(tables=[Table("blitz", 3)]))


def test_a_game_without_a_kit_has_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nim.kit", None)
    assert find_kit("nim") == Kit()


def test_an_invariant_may_be_left_out() -> None:
    complete_kit(GAMES["nim"], Kit()).invariant(object())
    assert complete_kit(GAMES["nim"], Kit()).disguise("take", Seat(0), Random(1)) == "take"
