"""What numbers and arrays mean never changes within a version: programs have learned it.

After a change that is meant, give the game's numbers a new VERSION, and
``FAIRPLAY_GOLDEN=write python -m pytest tests/test_golden_numbers.py``.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, NumberError, SetupError
from kit import Table, walk

FOLDER = Path(__file__).parent / "golden" / "numbers"
WRITING = os.environ.get("FAIRPLAY_GOLDEN") == "write"
NUMBERED = [name for name, game in GAMES.items() if game.parts.numbers is not None]


def describe_numbers(game: AnyGame, table: Table) -> dict[str, Any]:
    """The encoding of a match: its sizes, some actions, and digests of all actions and of the arrays of a walk."""
    assert game.parts.numbers is not None
    found = walk(game.name, table, 1, 40)
    encoding = game.parts.numbers.encoding_of(found.state)
    arrays = sha256()
    for state in found.states:
        for seat in found.seats:
            view = game.rules.view(state, seat)
            observation, mask = np.zeros(encoding.shape, np.float32), np.zeros(encoding.actions, np.int8)
            encoding.observe(view, observation)
            encoding.fill_mask(view, mask)
            arrays.update(observation.tobytes() + mask.tobytes())
    first = game.rules.view(found.states[0], next(found.seats))
    texts = [describe_action(game, encoding, number, first) for number in range(encoding.actions)]
    return {
        "actions": encoding.actions,
        "shape": list(encoding.shape),
        "channels": [[channels.name, channels.size] for channels in encoding.channels],
        "some actions": {str(number): texts[number] for number in range(0, len(texts), len(texts) // 7 + 1)},
        "all actions": sha256("\n".join(texts).encode()).hexdigest()[:32],
        "arrays of a match": arrays.hexdigest()[:32],
    }


def describe_action(game: AnyGame, encoding: Any, number: int, view: Any) -> str:
    """An action as a text; empty where the number has none in this view."""
    try:
        return game.notation.format_action(encoding.action(number, view))
    except NumberError:
        return ""


def describe_version(game: AnyGame) -> dict[str, Any]:
    """What the version of a game's numbers stands for: each variant with few seats and with many."""
    described = {}
    for variant, setup in game.variants.items():
        for seats in (game.seats[0], game.seats[-1]):
            try:
                described[f"{variant}, {seats} seats"] = describe_numbers(game, Table(setup, seats))
            except SetupError:
                continue  # it is played by fewer
    return described


@pytest.mark.parametrize("name", NUMBERED)
def test_numbers_mean_what_their_version_always_meant(name: str) -> None:
    game = GAMES[name]
    assert game.parts.numbers is not None
    file, found = FOLDER / f"{game.parts.numbers.VERSION}.json", describe_version(game)
    if WRITING and not file.exists():
        file.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    assert file.exists(), f"write {file.name} with FAIRPLAY_GOLDEN=write"
    assert msgspec.json.decode(file.read_bytes()) == found, (
        f"the numbers of {name} are not what {game.parts.numbers.VERSION} was. Programs have learned it: if the change "
        f"is meant, raise VERSION in {name}/numbers.py, and run this test with FAIRPLAY_GOLDEN=write"
    )


@pytest.mark.parametrize("name", NUMBERED)
def test_a_version_names_its_game(name: str) -> None:
    numbers = GAMES[name].parts.numbers
    assert numbers is not None
    base, _, number = numbers.VERSION.rpartition("_v")
    assert base == name and number.isdecimal()
