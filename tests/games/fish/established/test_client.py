"""The player's side of the established protocol of Fish."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from fairplay.core import WireError
from fairplay.core.chance import derived
from fairplay.core.established import Call
from fairplay.games.fish import GAME
from fairplay.games.fish.established.client import FishClient
from fairplay.games.fish.players.strategies import minimax
from kit import Table, kit
from over_wire import record_inline, record_over_wire

S = {
    "players": [{"color": "white", "score": 2, "places": [[0, 0]]}, {"color": "red", "score": 0, "places": [[1, 0]]}],
    "board": [[1, 2, 3], [4, 0, 5], [1, 1], [2, 3, 1]],
}


@given(
    table=kit("fish").tables,
    seed=st.integers(0, 2**32),
    specs=st.lists(st.sampled_from(["minimax:depth=1", "minimax:depth=2", "greedy", "random"]), min_size=4, max_size=4),
)
def test_a_match_over_the_protocol_is_the_match_inline(table: Table, seed: int, specs: list[str]) -> None:
    chosen = specs[: table.seats]
    assert record_over_wire(GAME, table, seed, chosen) == record_inline(GAME, table, seed, chosen)


def client() -> FishClient:
    return FishClient(minimax(derived(0), depth=1))


def test_11_6_every_call_has_its_answer() -> None:
    one = client()
    assert one.answer(Call("start", [True])) == "void"
    assert one.answer(Call("playing-as", ["white"])) == "void"
    assert one.answer(Call("playing-with", [["red"]])) == "void"
    assert one.answer(Call("playing-with", ["red", "brown"])) == "void"  # Fish 14.5
    assert one.answer(Call("setup", [S])) == [0, 1]
    assert one.answer(Call("take-turn", [S, [False, "skip", [[0, 0], [1, 1]]]])) == [[0, 0], [2, 0]]
    assert not one.over
    assert one.answer(Call("end", [True])) == "void"
    assert (one.over, one.won) == (True, True)


@pytest.mark.parametrize(
    ("method", "arguments"),
    [
        ("begin", []),
        ("start", ["true"]),
        ("start", []),
        ("playing-as", ["blue"]),
        ("setup", [S, S]),
        ("setup", [{**S, "players": []}]),
        ("setup", [{**S, "board": [[1] * 26]}]),
        ("setup", [{**S, "board": [[1]] * 26}]),
        ("setup", [{"board": [[1]]}]),
        ("take-turn", [S]),
        ("take-turn", [S, "none"]),
        ("take-turn", [{**S, "board": [[0]]}, []]),
        ("end", [1]),
    ],
)
def test_11_11_anything_else_is_no_call(method: str, arguments: list[Any]) -> None:
    with pytest.raises(WireError):
        client().answer(Call(method, arguments))
