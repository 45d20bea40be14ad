"""The broken clients of the test programs (Trains 12.7, Labyrinth 12.4, 12.7), each over a real socket."""

from __future__ import annotations

import asyncio
from typing import Any, get_args

import pytest

from fairplay.games.labyrinth.established.harness import WORDS
from fairplay.games.trains.established.harness import BrokenKind, StrategyName
from fairplay.games.trains.maps.files import find_map, map_to_json
from games.labyrinth.worlds import STATE_T

from .test_cases import result

TINY = map_to_json(find_map("tiny"))
DECK = ["red", "blue", "green", "white"] * 62


def run_all(game: str, inputs: list[tuple[list[Any], list[Any]]]) -> list[Any]:
    async def side_by_side() -> list[Any]:
        return list(await asyncio.gather(*(result(game, *given) for given in inputs)))

    return asyncio.run(side_by_side())


def test_every_broken_layer_of_trains_ends_up_misbehaving() -> None:
    players = [["ann", "Hold-10"], ["bob", "Buy-Now"]]
    inputs = [[TINY, players, DECK, kind] for kind in get_args(BrokenKind)]
    for winners, misbehaving in run_all("trains", [(given, given) for given in inputs]):
        assert misbehaving == ["rann", "rbob"]
        assert winners
        assert set(winners) <= {"ann", "bob"}


def test_every_faulty_strategy_of_trains_ends_up_misbehaving() -> None:
    """Trains 8.9; `more` is only called when cards are asked for, and every Buy-Now asks for some."""
    bad = [name for name in get_args(StrategyName) if name.startswith("player-bad")]
    assert len(bad) == 7
    inputs = [[TINY, [["ann", "Hold-10"], ["bad", name]], DECK] for name in bad]
    for winners, misbehaving in run_all("trains", [(given, given) for given in inputs]):
        assert misbehaving == ["bad"]
        assert winners in (["ann"], [])


@pytest.mark.parametrize("counted", [False, True])
def test_every_broken_client_of_labyrinth_ends_up_misbehaving(*, counted: bool) -> None:
    """The youngest signs up last and sits first; `win` comes to everybody."""
    words = ["setUp", "takeTurn", "win"] if counted else sorted(map(str, WORDS))
    assert counted or len(words) == 14
    inputs = []
    for word in words:
        bad = ["bad", "Euclid", word, 1] if counted else ["bad", "Euclid", word]
        inputs.append(([STATE_T], [[["good", "Riemann"], bad]]))
    for word, (winners, misbehaving) in zip(words, run_all("labyrinth", inputs), strict=True):
        assert misbehaving == ["bad"], word
        assert winners in (["good"], [])
