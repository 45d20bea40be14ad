"""House players choose as their version says: when one chooses otherwise, it gets a new version.

Records name the version of each house player, and `fairplay replay --verify --house` asks only the same version again.
After raising a version: ``FAIRPLAY_GOLDEN=write python -m pytest tests/test_house_versions.py``.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from fairplay.catalog import GAMES
from fairplay.core import AnyGame, House
from fairplay.kernels import code
from fairplay.match.players import describe_house, house_strategy, with_little_work
from fairplay.match.replay import start_match
from fairplay.run.inline import play_inline

FILE = Path(__file__).parent / "golden" / "house-versions.txt"
WRITING = os.environ.get("FAIRPLAY_GOLDEN") == "write"
KNOWN = dict(line.split() for line in FILE.read_text("utf-8").splitlines())
"""By ``game/strategy/version``, the digest of what it chose."""

SEEDS = range(3)
PLAYERS = [(name, strategy) for name, game in GAMES.items() for strategy in game.players.strategies]


def digest_choices(game: AnyGame, strategy: str) -> str:
    """What a strategy chooses in some matches of each variant against random players, at each number of seats."""
    digest = sha256()
    for setup in [*game.variants.values(), *([game.quick] if game.quick is not None else [])]:
        for seed in SEEDS:
            seats = game.seats[seed % len(game.seats)]
            player = House(house_strategy(game, with_little_work(game, strategy), Random(seed)))

            def choose(view: Any, chooses: Any = player.choose) -> Any:
                action = chooses(view)
                digest.update(msgspec.json.encode(action) + b"\n")
                return action

            player.choose = choose
            rivals = [House(house_strategy(game, "random", Random(100 + seat))) for seat in range(1, seats)]
            play_inline(start_match(game, setup, seed, seats), [player, *rivals])
    return digest.hexdigest()[:32]


@pytest.mark.parametrize(("name", "strategy"), PLAYERS)
def test_a_house_player_chooses_as_its_version_always_did(
    name: str, strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code, "has_compiler", lambda: False)  # the choices are the same, and nothing is compiled
    game = GAMES[name]
    version, found = describe_house(game, strategy, 0).version, digest_choices(game, strategy)
    key = f"{name}/{strategy}/{version}"
    if WRITING and key not in KNOWN:
        KNOWN[key] = found
        FILE.write_text("".join(f"{key} {digest}\n" for key, digest in sorted(KNOWN.items())), "utf-8")
    assert KNOWN.get(key) == found, (
        f"{strategy} of {name} does not choose as its version {version} did. If that is meant, raise its version: "
        f"versions={{'{strategy}': {version + 1}}} in fairplay.games.{name}.GAME, then run "
        "FAIRPLAY_GOLDEN=write python -m pytest tests/test_house_versions.py. "
        "Otherwise records of it would be called different when they are not."
    )


def test_no_version_is_forgotten() -> None:
    for name, strategy in PLAYERS:
        for version in range(1, describe_house(GAMES[name], strategy, 0).version + 1):
            assert f"{name}/{strategy}/{version}" in KNOWN
