"""The player's side of the established protocol of Labyrinth."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from fairplay.core import WireError
from fairplay.core.chance import derived
from fairplay.core.established import Call
from fairplay.games.labyrinth import GAME
from fairplay.games.labyrinth.established.client import LabyrinthClient
from fairplay.games.labyrinth.players.strategies import euclid
from fairplay.games.labyrinth.state import Setup
from games.labyrinth.worlds import STATE_T, coordinate
from kit import Table, kit
from over_wire import record_inline, record_over_wire

SHOWN = {key: value for key, value in STATE_T.items() if key != "goals"}


@given(
    table=kit("labyrinth").tables,
    seed=st.integers(0, 2**32),
    specs=st.lists(st.sampled_from(["riemann", "euclid", "random"]), min_size=9, max_size=9),
)
def test_a_match_over_the_protocol_is_the_match_inline(table: Table, seed: int, specs: list[str]) -> None:
    chosen = specs[: table.seats]
    assert record_over_wire(GAME, table, seed, chosen) == record_inline(GAME, table, seed, chosen)


def client(*, stay: bool = False, setup: Setup | None = None) -> LabyrinthClient:
    return LabyrinthClient(euclid(derived(0)), setup, stay=stay)


def test_11_6_every_call_has_its_answer() -> None:
    one = client()
    assert one.answer(Call("setup", [SHOWN, coordinate(1, 3)])) == "void"
    assert one.answer(Call("take-turn", [SHOWN])) == [2, "RIGHT", 90, coordinate(1, 2)]  # Labyrinth 8.6
    assert one.answer(Call("setup", [False, coordinate(1, 1)])) == "void"
    assert (one.target, one.found) == ((1, 1), ((1, 3),))
    assert one.answer(Call("win", [False])) == "void"
    assert (one.over, one.won) == (True, False)


def test_11_12_a_client_may_stay_for_more_matches() -> None:
    one = client(stay=True)
    one.answer(Call("setup", [SHOWN, coordinate(1, 3)]))
    one.answer(Call("setup", [False, coordinate(1, 1)]))
    one.answer(Call("win", [True]))
    assert (one.over, one.won) == (False, True)
    one.answer(Call("setup", [SHOWN, coordinate(1, 1)]))
    assert (one.target, one.found) == ((1, 1), ())


def test_13_6_in_the_original_game_a_treasure_may_be_the_target() -> None:
    state = {**SHOWN, "board": {"connectors": [["┼"] * 7] * 7, "treasures": [[["beryl", "ruby"]] * 7] * 7}}
    one = client(setup=Setup("original"))
    assert one.answer(Call("setup", [state, "amethyst"])) == "void"
    assert one.target == "amethyst"
    for wrong in list[Any](["zircon", 7, {}]):
        with pytest.raises(WireError):
            one.answer(Call("setup", [False, wrong]))
    with pytest.raises(WireError, match="7 rows"):
        one.answer(Call("setup", [SHOWN, "amethyst"]))


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("start", [True]),
        ("setup", [SHOWN]),
        ("setup", [0, coordinate(1, 1)]),
        ("setup", [False, "amethyst"]),
        ("setup", [False, coordinate(-1, 1)]),
        ("setup", [{**SHOWN, "plmt": []}, coordinate(1, 1)]),
        ("setup", [{**SHOWN, "board": {"connectors": [], "treasures": []}}, coordinate(1, 1)]),
        ("take-turn", [{**SHOWN, "spare": None}]),
        ("take-turn", []),
        ("win", [0]),
    ],
)
def test_11_11_anything_else_is_no_call(method: str, arguments: list[Any]) -> None:
    one = client()
    one.answer(Call("setup", [SHOWN, coordinate(1, 3)]))
    with pytest.raises(WireError):
        one.answer(Call(method, arguments))


@pytest.mark.parametrize(("method", "argument"), [("take-turn", [SHOWN]), ("setup", [False, coordinate(1, 1)])])
def test_nothing_can_be_asked_before_setup(method: str, argument: Any) -> None:
    with pytest.raises(WireError, match="first"):
        client().answer(Call(method, argument))
